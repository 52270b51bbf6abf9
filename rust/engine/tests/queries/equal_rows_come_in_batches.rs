//! Rows of tables without primary key are stored once, however often they are there: what reads them gives batches all the same.

use engine::{Session, Step};

use crate::common::fresh;

const COPIES: usize = 30_000;
const BATCH_ROWS_MAX: usize = 1024;

/// How many rows each batch of an answer has.
fn batches(session: &Session, sql: &str) -> Vec<usize> {
    let mut cursor = session.query(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut batches = Vec::new();
    loop {
        match cursor.next(i64::MAX).unwrap_or_else(|error| panic!("{sql}: {error}")) {
            Step::Batch(batch) => batches.push(batch.rows),
            Step::Done(_) => return batches,
            _ => {}
        }
    }
}

/// A table of 30,000 equal rows between two others, which are there once and three times.
fn filled() -> Session {
    let session = fresh::session_named("mydb");
    for sql in [
        "CREATE TABLE rain (day INT, mm INT, note VARCHAR(10), KEY (mm))",
        "INSERT INTO rain VALUES (1, 7, 'x')",
        "CALL dolt_commit('-Am', 'a day')",
        "INSERT INTO rain WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 300) \
         SELECT 2, 8, 'y' FROM n JOIN n AS m ON m.i <= 100",
        "INSERT INTO rain VALUES (3, 9, 'z'), (3, 9, 'z'), (3, 9, 'z')",
    ] {
        batches(&session, sql);
    }
    session
}

#[test]
fn equal_rows_come_in_batches() {
    let session = filled();
    for (sql, rows) in [
        ("SELECT * FROM rain", COPIES + 4),
        ("SELECT * FROM rain WHERE day > 1", COPIES + 3),
        ("SELECT note FROM rain WHERE mm = 8", COPIES),
        ("SELECT note FROM rain FORCE INDEX (mm) WHERE mm > 0 ORDER BY mm DESC", COPIES + 4),
        ("SELECT * FROM rain LIMIT 3 OFFSET 29999", 3),
        ("SELECT * FROM dolt_history_rain", 1),
        ("SELECT * FROM dolt_diff('HEAD', 'WORKING', 'rain')", COPIES + 3),
        ("SELECT * FROM dolt_patch('HEAD', 'WORKING')", COPIES + 3),
    ] {
        let batches = batches(&session, sql);
        assert!(batches.iter().all(|&rows| rows <= BATCH_ROWS_MAX), "{sql}: batches of {batches:?} rows");
        assert_eq!(batches.iter().sum::<usize>(), rows, "{sql}");
    }
}

#[test]
fn the_first_of_equal_rows_is_there_at_once() {
    let session = filled();
    let first = batches(&session, "SELECT * FROM rain WHERE day = 2")[0];
    assert!(first <= 256, "{first} rows before the first is shown");
}
