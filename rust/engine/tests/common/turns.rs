//! Statements that stop in the middle and go on in the next call.

use std::fmt::Debug;

use engine::{Session, Step};

/// What a statement that was run in turns has given.
pub struct Ran {
    pub turns: u32,
    pub rows: Vec<Vec<String>>,
    pub affected: Option<u64>,
}

/// Runs a statement in calls of so much fuel, and `meanwhile` after each.
pub fn run(session: &Session, sql: &str, fuel: i64, mut meanwhile: impl FnMut(u32)) -> Ran {
    let mut cursor = session.query(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let (mut turns, mut rows) = (0, Vec::new());
    loop {
        match cursor.next(fuel).unwrap_or_else(|error| panic!("{sql}: {error}")) {
            Step::Yield => {
                turns += 1;
                meanwhile(turns);
            }
            Step::Batch(batch) => rows.extend((0..batch.rows).map(|row| {
                let text = |value: &value::Value<'_>| value::convert::to_string(value).map(|text| text.into_owned());
                batch.row(row).iter().map(|value| text(value).unwrap_or_else(|_| "NULL".into())).collect::<Vec<_>>()
            })),
            Step::Done(summary) => return Ran { turns, rows, affected: summary.affected },
            other => panic!("{sql}: {other:?}"),
        }
    }
}

/// Gives a statement up after so many turns: `state` is what it was before.
pub fn cancel<S: PartialEq + Debug>(
    session: &Session,
    sql: &str,
    (fuel, turns): (i64, u32),
    state: impl Fn(&Session) -> S,
) {
    let before = state(session);
    let mut cursor = session.query(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    for turn in 0..turns {
        let step = cursor.next(fuel);
        assert!(matches!(step, Ok(Step::Yield)), "{sql}, turn {turn}: {step:?}");
    }
    drop(cursor);
    assert_eq!(state(session), before, "{sql}: cancelled");
}
