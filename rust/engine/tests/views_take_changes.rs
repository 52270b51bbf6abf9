//! INSERT, UPDATE and DELETE through views over one table, as in MySQL. (Native Dolt refuses them.)

use engine::Session;

use crate::common::fresh::{affected, error, rows, session};

fn open() -> Session {
    let session = session();
    for sql in [
        "CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT DEFAULT 7)",
        "INSERT INTO t VALUES (1, 1, 1), (2, 2, 2)",
        "CREATE VIEW v AS SELECT * FROM t",
        "CREATE VIEW w AS SELECT b, x.a FROM t x WHERE x.a > 1",
        "CREATE VIEW g AS SELECT MAX(a) AS a FROM t",
        "CREATE VIEW r AS SELECT a AS b FROM t",
        "CREATE VIEW k AS SELECT * FROM t WHERE a > 1 WITH CHECK OPTION",
        "CREATE VIEW j AS SELECT t.a FROM t JOIN t u ON t.a = u.a",
    ] {
        rows(&session, sql);
    }
    session
}

fn table(session: &Session) -> String {
    rows(session, "SELECT * FROM t ORDER BY a").iter().map(|row| row.join(",")).collect::<Vec<_>>().join(" ")
}

#[test]
fn rows_are_added() {
    let session = open();
    assert_eq!(affected(&session, "INSERT INTO v VALUES (3, 3, 3)"), 1);
    assert_eq!(affected(&session, "INSERT INTO v (a) VALUES (4), (5)"), 2);
    assert_eq!(affected(&session, "INSERT INTO w VALUES (6, 66)"), 1);
    assert_eq!(affected(&session, "INSERT INTO w SET a = 8"), 1);
    assert_eq!(affected(&session, "REPLACE INTO w (a, b) SELECT 1, 9"), 2);
    assert_eq!(table(&session), "1,9,7 2,2,2 3,3,3 4,NULL,7 5,NULL,7 8,NULL,7 66,6,7");
    assert_eq!(error(&session, "INSERT INTO w (c) VALUES (1)").0, 1054);
    assert_eq!(error(&session, "INSERT INTO v VALUES (1, 1, 1)").0, 1062);
}

#[test]
fn rows_are_changed_and_taken_away() {
    let session = open();
    assert_eq!(affected(&session, "UPDATE v SET b = b + 10 WHERE c = 1"), 1);
    assert_eq!(affected(&session, "UPDATE w SET b = b + 20"), 1);
    assert_eq!(affected(&session, "UPDATE w q SET q.b = q.b + 1 WHERE q.a = 2 ORDER BY a LIMIT 1"), 1);
    assert_eq!(table(&session), "1,11,1 2,23,2");
    error(&session, "UPDATE w SET c = 1");
    error(&session, "UPDATE w SET b = 1 WHERE c = 1");
    assert_eq!(affected(&session, "DELETE FROM w"), 1);
    assert_eq!(table(&session), "1,11,1");
    assert_eq!(affected(&session, "DELETE FROM v WHERE a = 1"), 1);
    assert_eq!(affected(&session, "DELETE FROM v"), 0);
}

#[test]
fn views_of_other_databases_and_triggers() {
    let session = open();
    rows(&session, "CREATE TABLE log (a INT)");
    rows(&session, "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW INSERT INTO mydb.log VALUES (NEW.a)");
    rows(&session, "CREATE DATABASE other");
    rows(&session, "USE other");
    rows(&session, "INSERT INTO mydb.v VALUES (3, 3, 3)");
    rows(&session, "UPDATE mydb.w SET b = 5 WHERE a = 3");
    rows(&session, "DELETE FROM mydb.w WHERE a = 2");
    rows(&session, "USE mydb");
    assert_eq!(table(&session), "1,1,1 3,5,3");
    assert_eq!(rows(&session, "SELECT * FROM log"), [["3"]]);
}

#[test]
fn others_are_refused() {
    let session = open();
    for view in ["g", "r", "k", "j"] {
        error(&session, &format!("INSERT INTO {view} VALUES (9)"));
        error(&session, &format!("UPDATE {view} SET a = 9"));
        if view != "k" {
            error(&session, &format!("DELETE FROM {view}"));
        }
    }
    assert_eq!(table(&session), "1,1,1 2,2,2");
}
