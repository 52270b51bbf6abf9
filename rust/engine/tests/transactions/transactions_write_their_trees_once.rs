//! Statements of a transaction that change rows by their keys leave their changes with a writer that makes trees of them later.
//! What anybody sees is the same as if each statement had written its own.

use std::rc::Rc;

use engine::{Cursor, Prepared, Session};
use store::MemoryChunks;
use value::Value;

use crate::common::changes::{CHANGES, Random, TABLES};
use crate::common::fresh::{chunks, engine_over, rows};

struct Side {
    chunks: Rc<MemoryChunks>,
    session: Session,
    /// `None`: every statement is prepared anew, so that nothing of it is kept.
    prepared: Option<Vec<Rc<Prepared>>>,
}

impl Side {
    fn new(keeps: bool) -> Side {
        let chunks = chunks();
        let session = engine_over(&chunks).session();
        for text in ["USE mydb"].iter().chain(&TABLES) {
            rows(&session, text);
        }
        let prepared = keeps.then(|| CHANGES.map(|(text, _)| session.prepare(text).unwrap()).to_vec());
        Side { chunks, session, prepared }
    }

    fn query(&self, text: &str) -> Vec<Vec<String>> {
        rows(&self.session, text)
    }

    /// Rows that a change affected, or its error.
    fn change(&self, at: usize, params: &[Value<'static>]) -> String {
        let fresh = || self.session.prepare(CHANGES[at].0).unwrap();
        let prepared = self.prepared.as_ref().map_or_else(fresh, |prepared| prepared[at].clone());
        match self.session.execute(&prepared, params).and_then(Cursor::collect) {
            Ok((_, _, summary)) => format!("{:?} {:?} {}", summary.affected, summary.info, summary.last_insert_id),
            Err(error) => error.to_string(),
        }
    }
}

/// Random transactions, with savepoints, failures and looks at the tables in between, in a session that keeps its statements
/// and in one that does not.
#[test]
fn statements_that_are_kept_do_what_fresh_ones_do() {
    let sides = [Side::new(true), Side::new(false)];
    let both = |text: &str| {
        let [kept, fresh] = [0, 1].map(|side| sides[side].query(text));
        assert_eq!(kept, fresh, "{text}");
    };
    let mut random = Random(7);
    let (mut is_open, mut has_savepoint) = (true, false);
    let mut outcomes = std::collections::BTreeMap::new();
    both("START TRANSACTION");
    for step in 0..2_000 {
        match random.below(40) {
            0 => {
                both(["COMMIT", "ROLLBACK"][random.below(2) as usize]);
                has_savepoint = false;
                is_open = random.below(4) > 0;
                if is_open {
                    both("START TRANSACTION");
                }
                both("SELECT dolt_hashof_db()");
            }
            1 if is_open => {
                both("SAVEPOINT s");
                has_savepoint = true;
            }
            2 if has_savepoint => both("ROLLBACK TO s"),
            3 => both("SELECT count(*), sum(n), max(code) FROM parent WHERE n > 2"),
            4 => both("SELECT * FROM child ORDER BY id"),
            _ => {
                let at = random.below(CHANGES.len() as u64) as usize;
                let params: Vec<Value<'static>> =
                    (0..CHANGES[at].1).map(|_| Value::Int(random.below(60) as i64)).collect();
                let [kept, fresh] = [0, 1].map(|side| sides[side].change(at, &params));
                assert_eq!(kept, fresh, "step {step}: {} {params:?}", CHANGES[at].0);
                *outcomes.entry((at, kept.starts_with("Some"))).or_insert(0) += 1;
            }
        }
    }
    // Each of them did something, but the one with a duplicate in it, and those that can fail did.
    assert!((0..CHANGES.len()).all(|at| outcomes.contains_key(&(at, at != 1))), "{outcomes:?}");
    assert!([0, 6, 7, 8, 9].iter().all(|at| outcomes.contains_key(&(*at, false))), "{outcomes:?}");
    both("COMMIT");
    for table in ["parent", "child", "strict_child", "bag"] {
        both(&format!("SELECT * FROM {table}"));
        both(&format!("SELECT dolt_hashof_table('{table}')"));
    }
    assert_ne!(sides[0].query("SELECT count(*) FROM child"), [["0"]]);
}

/// A second execution of a statement that fails halfway takes back what it did and nothing of the ones before.
#[test]
fn a_failed_statement_leaves_those_before_it() {
    let side = Side::new(true);
    side.query("START TRANSACTION");
    let ints = |numbers: &[i64]| numbers.iter().map(|number| Value::Int(*number)).collect::<Vec<_>>();
    side.change(11, &ints(&[1, 2]));
    side.change(0, &ints(&[1, 1, 1]));
    side.change(0, &ints(&[2, 2, 2]));
    side.change(9, &ints(&[1, 2]));
    side.change(8, &ints(&[2, 3]));
    // The child goes first, then the strict child refuses; of two rows the second is a duplicate.
    assert!(side.change(7, &ints(&[2])).contains("Foreign key violation"));
    assert!(side.change(1, &ints(&[3, 4])).contains("duplicate"));
    assert!(side.change(1, &ints(&[3, 4])).contains("duplicate"));
    assert_eq!(side.query("SELECT id FROM parent"), [["1"], ["2"]]);
    assert_eq!(side.query("SELECT p FROM child"), [["2"]]);
    assert_eq!(side.query("SELECT count(*) FROM bag"), [["2"]]);
}

/// Nothing is written between statements that change rows by their keys, until the rows are read.
#[test]
fn a_transaction_writes_its_trees_when_somebody_looks() {
    let side = Side::new(true);
    let ints = |numbers: &[i64]| numbers.iter().map(|number| Value::Int(*number)).collect::<Vec<_>>();
    for id in 0..40 {
        side.change(0, &ints(&[id, id, id]));
    }
    side.change(5, &ints(&[1]));
    side.change(7, &ints(&[2]));
    side.query("START TRANSACTION");
    for id in 3..7 {
        side.change(5, &ints(&[id]));
    }
    side.change(7, &ints(&[7]));
    side.change(0, &ints(&[7, 7, 7]));
    assert_eq!(side.chunks.pending_len(), 0);
    assert_eq!(side.query("SELECT n FROM parent WHERE id IN (6, 7)"), [["7"], ["7"]]);
    assert!(side.chunks.pending_len() > 0);
}
