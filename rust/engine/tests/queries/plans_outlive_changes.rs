//! Prepared statements keep their plans over changes of the data, and answer as statements that are read anew.

use engine::{Cursor, Prepared, Session};
use value::Value;

use crate::common::fresh;

const QUERIES: [&str; 17] = [
    "SELECT * FROM t WHERE id = 2",
    "SELECT a FROM t WHERE id = ?",
    "SELECT COUNT(*) FROM t",
    "SELECT COUNT(*) FROM t WHERE id > 1",
    "SELECT COUNT(*) FROM t WHERE id > ?",
    "SELECT id FROM t WHERE a BETWEEN 10 AND 30 ORDER BY id",
    "SELECT t.id, u.b FROM t JOIN u ON u.t_id = t.id ORDER BY t.id, u.b",
    "SELECT id, (SELECT COUNT(*) FROM u WHERE u.t_id = t.id) AS n FROM t ORDER BY id",
    "SELECT id, (SELECT COUNT(*) FROM u) AS n FROM t ORDER BY id",
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id) ORDER BY id",
    "SELECT * FROM t WHERE id IN (9, 4, 2, 4, NULL, 1) ORDER BY id DESC",
    "SELECT id FROM t WHERE id IN (2, ?, 1)",
    "SELECT message, refs, commit_order FROM dolt_log LIMIT 2",
    "SELECT MAX(b) FROM v",
    "SELECT COUNT(*) FROM t AS OF 'HEAD'",
    "SELECT COUNT(*) FROM dolt_diff_t",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT COUNT(*) FROM t)) SELECT * FROM n",
];

const CHANGES: [&str; 43] = [
    "INSERT INTO t VALUES (4, 40)",
    "UPDATE t SET a = a + 1 WHERE id = 2",
    "INSERT INTO u VALUES (5, 4, 7), (6, 4, 9)",
    "BEGIN",
    "DELETE FROM t WHERE id = 2",
    "SAVEPOINT s",
    "INSERT INTO u VALUES (7, 1, 100)",
    "ROLLBACK TO s",
    "ROLLBACK",
    "CALL dolt_commit('-Am', 'more')",
    "CALL dolt_checkout('-b', 'other')",
    "DELETE FROM t WHERE id > 2",
    "CALL dolt_commit('-am', 'fewer')",
    "CALL dolt_checkout('main')",
    "ALTER TABLE t ADD COLUMN c INT DEFAULT 5",
    "ALTER TABLE t ADD INDEX by_a (a)",
    "INSERT INTO t (id, a) VALUES (9, 25)",
    "ALTER TABLE t DROP COLUMN c",
    "CREATE TEMPORARY TABLE u (id INT PRIMARY KEY, t_id INT, b INT, KEY by_t (t_id))",
    "INSERT INTO u VALUES (1, 1, 1)",
    "UPDATE u SET b = 9",
    "DELETE FROM u",
    "DROP TEMPORARY TABLE u",
    "DROP TABLE u",
    "CREATE TABLE u (b INT, id INT PRIMARY KEY, t_id INT)",
    "INSERT INTO u VALUES (1, 1, 1), (2, 2, 9)",
    "INSERT INTO u WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 800) SELECT i, i, i % 10 FROM n",
    "CALL dolt_branch('there', 'HEAD')",
    "UPDATE `mydb/there`.t SET a = a + 500",
    "INSERT INTO dolt_nonlocal_tables VALUES ('t', 'there', '', 'immediate')",
    "UPDATE `mydb/there`.t SET a = a + 1",
    "INSERT INTO t VALUES (44, 40)",
    "BEGIN",
    "INSERT INTO u VALUES (5, 5000, 1)",
    "DELETE FROM dolt_nonlocal_tables",
    "INSERT INTO dolt_nonlocal_tables VALUES ('u', 'there', '', 'immediate'), ('t', 'there', 'u', 'nothing')",
    "ROLLBACK",
    "UPDATE dolt_nonlocal_tables SET table_name = 'u', ref_table = 't'",
    "UPDATE dolt_nonlocal_tables SET target_ref = 'HEAD~1'",
    "DELETE FROM dolt_nonlocal_tables",
    "UPDATE t SET a = a + 1",
    "CREATE OR REPLACE VIEW v AS SELECT b + 1000 AS b FROM u",
    "CALL dolt_reset('--hard')",
];

fn run(session: &Session, sql: &str) {
    session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The rows, each as text.
fn answer(session: &Session, prepared: &Prepared) -> Result<Vec<String>, String> {
    let params = vec![Value::Int(2); prepared.parameters as usize];
    let cursor = session.execute(prepared, &params).map_err(engine::SqlError::into_message)?;
    collected(cursor)
}

fn collected(cursor: Cursor) -> Result<Vec<String>, String> {
    let (_, rows, _) = cursor.collect().map_err(engine::SqlError::into_message)?;
    Ok(rows.iter().map(|row| format!("{row:?}")).collect())
}

#[test]
fn prepared_statements_answer_as_new_ones() {
    let session = fresh::session();
    for statement in [
        "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
        "CREATE TABLE u (id INT PRIMARY KEY, t_id INT, b INT, KEY by_t (t_id))",
        "CREATE VIEW v AS SELECT b FROM u",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)",
        "INSERT INTO u VALUES (1, 1, 5), (2, 1, 6), (3, 3, 7)",
        "CALL dolt_commit('-Am', 'tables')",
    ] {
        run(&session, statement);
    }
    let prepared = QUERIES.map(|sql| session.prepare(sql).unwrap());
    for change in core::iter::once("SELECT 1").chain(CHANGES) {
        run(&session, change);
        for (sql, kept) in QUERIES.iter().zip(&prepared) {
            // Another text, so that no plan is known by it.
            let new = answer(&session, &session.prepare(&format!("{sql} /* {change} */")).unwrap());
            assert_eq!(answer(&session, kept), new, "{sql} after {change}");
            assert_eq!(answer(&session, kept), new, "{sql} after {change}, once more");
        }
    }
}

/// A statement that still runs goes on with the tables that it began with, whatever becomes of its plan.
#[test]
fn a_running_statement_keeps_its_tables() {
    let session = fresh::session();
    run(&session, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");
    run(&session, "CREATE TABLE u (id INT PRIMARY KEY, b INT)");
    run(&session, "INSERT INTO t VALUES (1, 1), (2, 1), (3, 1)");
    run(&session, "INSERT INTO u VALUES (1, 1), (2, 1), (3, 1)");
    let sql = "SELECT t.id, u.b FROM t, LATERAL (SELECT b FROM u WHERE u.id = t.id) u";
    let prepared = session.prepare(sql).unwrap();
    let before = answer(&session, &prepared).unwrap();
    assert_eq!(before.len(), 3);
    let running = session.execute(&prepared, &[]).unwrap();
    run(&session, "UPDATE u SET b = 2");
    assert_ne!(answer(&session, &prepared).unwrap(), before);
    assert_eq!(collected(running).unwrap(), before);
}

const WRITES: [&str; 9] = [
    "UPDATE t SET a = a + ? WHERE id = 2",
    "UPDATE t JOIN u ON u.t_id = t.id SET t.a = u.b WHERE t.id < ?",
    "UPDATE t SET a = (SELECT COUNT(*) FROM u) WHERE id <= ?",
    "UPDATE t SET a = DEFAULT ORDER BY id LIMIT 1",
    "DELETE FROM t WHERE a > ?",
    "DELETE u FROM u JOIN t ON u.t_id = t.id WHERE t.id = ?",
    "DELETE FROM u",
    "INSERT INTO t (id, a) VALUES (70, ?), (71, 1)",
    "INSERT INTO t (id, a) SELECT 100 + id, b FROM u WHERE id < ? ON DUPLICATE KEY UPDATE a = 5",
];

const DEFINITIONS: [&str; 12] = [
    "SELECT 1",
    "INSERT INTO u VALUES (8, 2, 50)",
    "ALTER TABLE t ADD COLUMN c INT DEFAULT 5 FIRST",
    "ALTER TABLE t ADD INDEX by_a (a)",
    "CREATE TRIGGER tr BEFORE UPDATE ON t FOR EACH ROW SET NEW.a = NEW.a * 10",
    "ALTER TABLE t ADD CONSTRAINT few CHECK (a < 1000)",
    "DROP TRIGGER tr",
    "SET sql_mode = ''",
    "ALTER TABLE t MODIFY a TINYINT",
    "SET sql_mode = DEFAULT",
    "ALTER TABLE u ADD CONSTRAINT refers FOREIGN KEY (t_id) REFERENCES t (id) ON DELETE CASCADE",
    "ALTER TABLE u RENAME COLUMN b TO z",
];

#[test]
fn prepared_writes_do_what_new_ones_do() {
    let session = fresh::session();
    for statement in [
        "CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT 3)",
        "CREATE TABLE u (id INT PRIMARY KEY, t_id INT, b INT, KEY by_t (t_id))",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)",
        "INSERT INTO u VALUES (1, 1, 5), (2, 1, 6), (3, 3, 7)",
    ] {
        run(&session, statement);
    }
    let written = |write: &Prepared| {
        run(&session, "BEGIN");
        let params = vec![Value::Int(3); write.parameters as usize];
        let outcome = session.execute(write, &params).and_then(Cursor::collect);
        let outcome =
            outcome.map(|(_, _, summary)| (summary.affected, summary.info)).map_err(engine::SqlError::into_message);
        let rows = ["SELECT * FROM t", "SELECT * FROM u"].map(|sql| fresh::rows(&session, sql));
        run(&session, "ROLLBACK");
        (outcome, rows)
    };
    let prepared = WRITES.map(|sql| session.prepare(sql).unwrap());
    for definition in DEFINITIONS {
        run(&session, definition);
        for (sql, kept) in WRITES.iter().zip(&prepared) {
            // Another text, so that no plan is known by it.
            let new = written(&session.prepare(&format!("{sql} /* {definition} */")).unwrap());
            assert_eq!(written(kept), new, "{sql} after {definition}");
            assert_eq!(written(kept), new, "{sql} after {definition}, once more");
        }
    }
}
