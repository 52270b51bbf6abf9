//! A definition that goes over many rows yields between them: other sessions read and write meanwhile, it can be cancelled, and
//! what it makes is the same as in one go.

use engine::{Session, Step};

use crate::common::{
    self,
    fresh::{affected, chunks, engine_over, error, rows},
    turns,
};

const ROWS: &str = "6000";

/// A table with [`ROWS`] rows, more than a statement works on at once.
fn filled(session: &Session) {
    affected(session, "CREATE TABLE p (id INT PRIMARY KEY)");
    affected(session, "INSERT INTO p VALUES (0), (1), (2)");
    affected(session, "CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(20) COMMENT 'text')");
    let tens = "SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
                UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9";
    let numbers = format!(
        "SELECT a.n + b.n * 10 + c.n * 100 + d.n * 1000 AS id FROM ({tens}) a, ({tens}) b, ({tens}) c, ({tens}) d \
         WHERE d.n < 6"
    );
    affected(session, &format!("INSERT INTO t SELECT id, id % 3, concat('s', id) FROM ({numbers}) n"));
    assert_eq!(rows(session, "SELECT count(*) FROM t"), [[ROWS]]);
}

const LONG: &[&str] = &[
    "CREATE INDEX by_v ON t (v, s)",
    "CREATE UNIQUE INDEX by_s ON t (s)",
    "ALTER TABLE t ADD COLUMN w INT NOT NULL DEFAULT (id + 1) FIRST, ADD KEY (w)",
    "ALTER TABLE t MODIFY v VARCHAR(5) NOT NULL",
    "ALTER TABLE t DROP COLUMN v",
    "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (s)",
    "ALTER TABLE t ADD CHECK (v < 3)",
    "ALTER TABLE t ADD FOREIGN KEY (v) REFERENCES p (id)",
    "ALTER TABLE t ADD COLUMN a INT NOT NULL AUTO_INCREMENT UNIQUE",
    "CREATE FULLTEXT INDEX words ON t (s)",
    "ALTER TABLE t ADD FULLTEXT (s), DROP COLUMN v",
    "CREATE TABLE copied AS SELECT * FROM t WHERE v >= 0",
];

/// What a database looks like.
fn state(session: &Session) -> Vec<Vec<String>> {
    let tables =
        rows(session, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'mydb' ORDER BY 1");
    let told = |table: &Vec<String>| {
        let hash = rows(session, &format!("SELECT dolt_hashof_table('{}')", table[0]));
        [rows(session, &format!("SHOW CREATE TABLE {}", table[0])), hash].concat()
    };
    tables.iter().flat_map(told).collect()
}

#[test]
fn a_long_definition_stops_in_the_middle_and_goes_on() {
    for sql in LONG {
        let at_once = {
            let session = engine_over(&chunks()).session();
            filled(&session);
            affected(&session, sql);
            state(&session)
        };
        let engine = engine_over(&chunks());
        let (session, other) = (engine.session(), engine.session());
        filled(&session);
        affected(&other, "CREATE TABLE beside (id INT PRIMARY KEY)");
        let before = state(&other);

        turns::cancel(&session, sql, (100, 1), state);
        let ran = turns::run(&session, sql, 500, |turn| {
            if turn == 1 {
                assert_eq!(state(&other), before, "{sql}");
                affected(&other, "INSERT INTO beside VALUES (1)");
            }
        });
        assert!(ran.turns > 0, "{sql}");
        affected(&session, "DROP TABLE beside");
        assert_eq!(state(&session), at_once, "{sql}");
    }
}

#[test]
fn vectors_are_measured_in_turns() {
    let sql = "CREATE VECTOR INDEX near ON t (e)";
    let filled = |session: &Session| {
        filled(session);
        affected(session, "ALTER TABLE t ADD COLUMN e VECTOR(2)");
        affected(session, "UPDATE t SET e = STRING_TO_VECTOR(CONCAT('[', id % 97, ',', id % 89, ']'))");
        affected(session, "ALTER TABLE t MODIFY e VECTOR(2) NOT NULL");
    };
    let at_once = engine_over(&chunks()).session();
    filled(&at_once);
    affected(&at_once, sql);
    let session = engine_over(&chunks()).session();
    filled(&session);
    let turns = turns::run(&session, sql, 1000, |_| {}).turns;
    // The rows alone take two.
    assert!(turns > 3, "{turns}");
    assert_eq!(state(&session), state(&at_once));
}

#[test]
fn rows_that_come_meanwhile_are_in_the_new_index() {
    let engine = engine_over(&chunks());
    let (session, other) = (engine.session(), engine.session());
    filled(&session);
    let mut cursor = session.query("CREATE INDEX by_v ON t (v)").unwrap();
    assert!(matches!(cursor.next(100), Ok(Step::Yield)));
    affected(&other, "INSERT INTO t VALUES (9999, 77, 'new')");
    affected(&other, "UPDATE t SET v = 77 WHERE id = 5");
    while !matches!(cursor.next(1000).unwrap(), Step::Done(_)) {}
    assert_eq!(rows(&session, "SELECT id FROM t WHERE v = 77 ORDER BY id"), [["5"], ["9999"]]);
    assert_eq!(rows(&session, "SELECT count(*) FROM t WHERE v = 2"), [["1999"]]);
    assert_eq!(rows(&other, "SELECT count(*) FROM t FORCE INDEX (by_v) WHERE v >= 0"), [["6001"]]);
}

#[test]
fn a_duplicate_far_behind_takes_everything_back() {
    let session = engine_over(&chunks()).session();
    filled(&session);
    affected(&session, "UPDATE t SET s = 's0' WHERE id = 5999");
    let before = state(&session);
    let error = common::fresh::error(&session, "CREATE UNIQUE INDEX by_s ON t (s)");
    assert_eq!(error, (1062, "duplicate unique key given: [s0]".to_owned()));
    assert_eq!(state(&session), before);
}

#[test]
fn a_key_that_was_not_tested_is_tested_in_turns() {
    let session = engine_over(&chunks()).session();
    filled(&session);
    affected(&session, "SET foreign_key_checks = 0");
    affected(&session, "ALTER TABLE t ADD CONSTRAINT to_p FOREIGN KEY (v) REFERENCES p (id)");
    affected(&session, "SET foreign_key_checks = 1");
    let turns = turns::run(&session, "INSERT INTO t VALUES (9999, 1, 'last')", 500, |_| {}).turns;
    assert!(turns > 5, "{turns} turns");
    assert_eq!(rows(&session, "SELECT s FROM t WHERE id = 9999"), [["last"]]);

    affected(&session, "ALTER TABLE t DROP FOREIGN KEY to_p");
    affected(&session, "UPDATE t SET v = 7 WHERE id = 5000");
    affected(&session, "SET foreign_key_checks = 0");
    affected(&session, "ALTER TABLE t ADD CONSTRAINT to_p FOREIGN KEY (v) REFERENCES p (id)");
    affected(&session, "SET foreign_key_checks = 1");
    error(&session, "INSERT INTO t VALUES (9998, 1, 'none')");
    assert_eq!(rows(&session, "SELECT count(*) FROM t WHERE id = 9998"), [["0"]]);
}

#[test]
fn vectors_that_are_written_are_measured_in_turns() {
    let prepared = |index: &str| {
        let session = engine_over(&chunks()).session();
        filled(&session);
        affected(&session, &format!("CREATE TABLE v (id INT PRIMARY KEY, e VECTOR(2) NOT NULL{index})"));
        session
    };
    let turns = |session: &Session, sql: &str| turns::run(session, sql, 100, |_| {}).turns;
    let index = ", VECTOR INDEX near (e)";
    let (session, at_once, without) = (prepared(index), prepared(index), prepared(""));
    for sql in [
        "INSERT INTO v SELECT id, STRING_TO_VECTOR(CONCAT('[', id % 97, ',', id % 89, ']')) FROM t WHERE id < 3000",
        "UPDATE v SET e = STRING_TO_VECTOR(CONCAT('[', id % 83, ',', id % 101, ']'))",
    ] {
        affected(&at_once, sql);
        let (rows_alone, all) = (turns(&without, sql), turns(&session, sql));
        assert!(all > rows_alone + 4, "{all}, {rows_alone} of them for the rows: {sql}");
        assert_eq!(state(&session), state(&at_once), "{sql}");
    }
}

#[test]
fn words_that_are_written_are_indexed_in_turns() {
    let prepared = |index: &str| {
        let session = engine_over(&chunks()).session();
        filled(&session);
        affected(&session, &format!("CREATE TABLE w (id INT PRIMARY KEY, s VARCHAR(60){index})"));
        session
    };
    let turns = |session: &Session, sql: &str| turns::run(session, sql, 100, |_| {}).turns;
    let index = ", FULLTEXT KEY words (s)";
    let (session, at_once, without) = (prepared(index), prepared(index), prepared(""));
    let hash = |session: &Session| rows(session, "SELECT dolt_hashof_db()");
    for sql in [
        "INSERT INTO w SELECT id, CONCAT(s, ' word ', v) FROM t WHERE id < 2000",
        "UPDATE w SET s = CONCAT(s, ' more') WHERE id % 2 = 0",
        "DELETE FROM w WHERE id % 3 = 0",
    ] {
        affected(&at_once, sql);
        let (rows_alone, all) = (turns(&without, sql), turns(&session, sql));
        assert!(all >= rows_alone + 5, "{all}, {rows_alone} of them for the rows: {sql}");
        assert_eq!(hash(&session), hash(&at_once), "{sql}");
    }
    let before = hash(&session);
    turns::cancel(&session, "UPDATE w SET s = CONCAT(s, ' again')", (100, 30), |_| ());
    assert_eq!(hash(&session), before);
    for session in [&session, &at_once] {
        affected(session, "TRUNCATE TABLE w");
    }
    affected(&session, "INSERT INTO w VALUES (1, 'one more word')");
    affected(&session, "DELETE FROM w");
    assert_eq!(hash(&session), hash(&at_once), "no word is left");
}

#[test]
fn an_analysis_stops_in_the_middle_and_goes_on() {
    let session = engine_over(&chunks()).session();
    filled(&session);
    let mut cursor = session.query("ANALYZE TABLE t").unwrap();
    assert!(matches!(cursor.next(100), Ok(Step::Yield)));
    drop(cursor);
    let counted = "SELECT sum(row_count), sum(distinct_count) FROM dolt_statistics";
    assert_eq!(rows(&session, counted), [["NULL", "NULL"]]);
    assert_eq!(rows(&session, "ANALYZE TABLE t"), [["t", "analyze", "status", "OK"]]);
    assert_eq!(rows(&session, counted), [[ROWS, ROWS]]);
}
