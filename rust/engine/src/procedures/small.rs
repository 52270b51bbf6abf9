//! Procedures that count, clean up, or have nothing to do here.

use value::Value;

use super::arguments::Syntax;
use super::call::{Answer, Call, number_column, text_column};
use crate::error::{Result, SqlError};

const COUNT: Syntax = Syntax {
    command: "gc",
    flags: &[],
    values: &[("from", "f"), ("to", "t")],
    positional_max: Some(0),
    too_many: None,
};

/// `dolt_count_commits`: how many commits one revision is ahead of another, and behind.
pub fn count_commits(call: &Call) -> Result<Answer> {
    let place = call.place()?;
    let arguments = COUNT.parse(&call.arguments)?;
    let revision = |name: &str| match arguments.value(name) {
        None => Err(SqlError::general(format!("missing {name} ref"))),
        Some("") => Err(SqlError::general(format!("empty {name} ref"))),
        Some(text) => Ok(place.refs.commit(text, &place.head)?),
    };
    let (from, to) = (revision("from")?, revision("to")?);
    let count = |one: &vcs::Commit, without: &vcs::Commit| -> Result<i64> {
        let mut count = 0;
        for commit in place.refs.objects().log(&[one.address], &[without.address])? {
            commit?;
            count += 1;
        }
        Ok(count)
    };
    let row = vec![Value::Int(count(&from, &to)?), Value::Int(count(&to, &from)?)];
    Ok(Answer::new(vec![number_column("ahead"), number_column("behind")], row))
}

/// Procedures of statistics: the counts of the planner are exact, so there is nothing to gather.
pub fn statistics(_: &Call) -> Result<Answer> {
    Ok(Answer::new(vec![text_column("message")], vec![Value::text("Ok")]))
}

/// `dolt_stats_timers`: how long the gathering may take, for a job and for a collection.
pub fn statistics_timers(call: &Call) -> Result<Answer> {
    match &call.arguments[..] {
        [_, _] => statistics(call),
        _ => Err(SqlError::general("expected timer arguments (ns): (job, gc)")),
    }
}

/// `dolt_thread_dump`: there is one thread, and nobody to look into it.
pub fn thread_dump(_: &Call) -> Result<Answer> {
    Err(SqlError::general("dolt_thread_dump is not supported in the browser"))
}
