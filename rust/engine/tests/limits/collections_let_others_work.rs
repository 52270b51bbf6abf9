//! `dolt_gc` yields: other sessions read and change what they see meanwhile, their commits wait for its end, and what they began
//! before is committed after it. What an index refers to stays.

use std::rc::Rc;

use engine::{Engine, Session, Step};
use region::MemoryDirectory;
use store::WriteOptions;

use crate::common::{
    self,
    files::{self, write_options},
    fresh::rows,
};

/// Long transactions write ahead of their commit.
fn write_ahead() -> WriteOptions {
    WriteOptions { pending_bytes_max: 100_000, ..write_options() }
}

/// A table with rows, and what was deleted, in files.
fn engine(files: &Rc<MemoryDirectory>) -> Rc<Engine> {
    let engine = common::empty_engine();
    engine.attach("mydb", files::create(files.clone(), write_ahead()));
    let session = engine.session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(200), KEY (v))");
    rows(&session, "INSERT INTO t VALUES (0, 0, repeat('x', 150))");
    for _ in 0..11 {
        rows(&session, "INSERT INTO t SELECT id + (SELECT count(*) FROM t), v + 1, s FROM t");
    }
    rows(&session, "CALL dolt_commit('-Am', 'filled')");
    engine
}

const QUESTION: &str = "SELECT count(*), sum(v), sum(length(s)) FROM t";

/// Collects to the end; `meanwhile` after each part.
fn collect(session: &Session, sql: &str, mut meanwhile: impl FnMut(usize)) {
    let mut cursor = session.query(sql).unwrap();
    let mut parts = 0;
    loop {
        match cursor.next(1).unwrap() {
            Step::Done(_) => break,
            Step::Yield => {
                parts += 1;
                meanwhile(parts);
            }
            _ => {}
        }
    }
    assert!(parts > 3, "{parts}");
}

#[test]
fn a_transaction_that_began_before_is_committed_after() {
    for sql in ["CALL dolt_gc()", "CALL dolt_gc('--full')"] {
        let files = Rc::new(MemoryDirectory::new());
        let engine = engine(&files);
        let (one, two, three) = (engine.session(), engine.session(), engine.session());
        rows(&two, "BEGIN");
        rows(&two, "UPDATE t SET v = 1000 WHERE id % 5 = 0");
        rows(&two, "INSERT INTO t SELECT id + 10000, v, concat(s, id) FROM t");
        let seen = rows(&two, QUESTION);
        rows(&three, "BEGIN");
        let before = rows(&three, QUESTION);
        rows(&one, "INSERT INTO t VALUES (-1, -1, 'of the others')");
        rows(&one, "UPDATE t SET s = 'short' WHERE id % 7 = 1");
        rows(&one, "UPDATE t SET s = repeat('x', 150) WHERE id % 7 = 1");
        collect(&one, sql, |_| ());
        assert_eq!(rows(&two, QUESTION), seen);
        rows(&two, "UPDATE t SET v = 1001 WHERE id = 3");
        rows(&two, "COMMIT");
        assert_eq!(rows(&three, QUESTION), before);
        rows(&three, "COMMIT");
        assert_eq!(rows(&three, "SELECT count(*), min(v), max(v) FROM t"), [["4097", "-1", "1001"]]);
        let after = rows(&three, QUESTION);
        drop((one, two, three));
        let engine = common::empty_engine();
        engine.attach("mydb", files::open(files.clone(), write_ahead()));
        assert_eq!(rows(&engine.session(), QUESTION), after);
        assert_eq!(rows(&engine.session(), "SELECT count(*) FROM t FORCE INDEX (v) WHERE v >= -1"), [["4097"]]);
    }
}

#[test]
fn others_read_and_write_meanwhile_and_their_commits_wait() {
    let files = Rc::new(MemoryDirectory::new());
    let engine = engine(&files);
    let [one, two, three, four] = [(); 4].map(|()| engine.session());
    rows(&one, "DELETE FROM t WHERE id % 2 = 1");
    // A query that is on its way, over rows that go.
    let mut query = three.query("SELECT id, s FROM t").unwrap();
    let mut read = 0;
    if let Step::Batch(batch) = query.next(100).unwrap() {
        read += batch.rows;
    }
    rows(&two, "DELETE FROM t WHERE id > 1000");
    let mut waiting = None;
    collect(&one, "CALL dolt_gc()", |part| {
        assert_eq!(rows(&four, "SELECT count(*) FROM t WHERE id < 100"), [["50"]], "part {part}");
        if part == 2 {
            let mut cursor = two.query("INSERT INTO t SELECT id + 20000, v, s FROM t").unwrap();
            loop {
                match cursor.next(1000).unwrap() {
                    Step::Yield => {}
                    Step::Wait => break,
                    other => panic!("{other:?}"),
                }
            }
            waiting = Some(cursor);
        } else if let Some(cursor) = &mut waiting {
            assert!(matches!(cursor.next(1000), Ok(Step::Wait)), "part {part}");
            waiting = None;
        }
    });
    rows(&two, "INSERT INTO t SELECT id + 20000, v, s FROM t");
    assert_eq!(rows(&one, "SELECT count(*) FROM t"), [["1002"]]);
    loop {
        match query.next(100).unwrap() {
            Step::Batch(batch) => read += batch.rows,
            Step::Done(_) => break,
            _ => {}
        }
    }
    assert_eq!(read, 1024);
}

#[test]
fn vectors_stay_that_lie_in_an_index_alone() {
    let files = Rc::new(MemoryDirectory::new());
    let session = engine(&files).session();
    // Such a vector is in its row, but too long for an index key that names the row as well.
    rows(&session, "CREATE TABLE v (id INT PRIMARY KEY, e VECTOR(511) NOT NULL, VECTOR INDEX (e))");
    for id in 1..=9 {
        let vector = format!("STRING_TO_VECTOR(CONCAT('[', REPEAT('{id},', 510), '1]'))");
        rows(&session, &format!("INSERT INTO v VALUES ({id}, {vector})"));
    }
    rows(&session, "SET @q = STRING_TO_VECTOR(CONCAT('[', REPEAT('6.2,', 510), '1]'))");
    let nearest = "SELECT id FROM v ORDER BY VEC_DISTANCE(@q, e) LIMIT 3";
    let found = rows(&session, nearest);
    assert_eq!(found, [["6"], ["7"], ["5"]]);
    collect(&session, "CALL dolt_gc('--full')", |_| ());
    assert_eq!(rows(&session, nearest), found);
}
