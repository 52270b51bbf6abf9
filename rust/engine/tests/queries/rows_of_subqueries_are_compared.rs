//! A row of a subquery may be at the left of a comparison; answers are native Dolt 2.2.0's.

use crate::common::fresh::{error, rows, session};

fn check(sql: &str, expected: &[&str]) {
    let session = session();
    rows(&session, "CREATE TABLE t (a INT, b INT)");
    rows(&session, "INSERT INTO t VALUES (1, 2), (3, 4)");
    let found: Vec<String> = rows(&session, sql).iter().map(|row| row.join("|")).collect();
    assert_eq!(found, expected, "{sql}");
}

#[test]
fn with_rows() {
    check("SELECT (SELECT 2, 3 FROM DUAL) = (2, 3)", &["1"]);
    check("SELECT (SELECT 1, 2) < (3, 4), (SELECT 1, 2) >= (3, 4), (SELECT 1, 2) > (1, 1)", &["1|0|1"]);
    check("SELECT (SELECT 1, 2) <> (1, 3), (SELECT 1, 2) <=> (1, 2)", &["1|1"]);
    check("SELECT (SELECT a, b FROM t WHERE FALSE) = (1, 2)", &["NULL"]);
}

#[test]
fn in_lists() {
    check("SELECT 1 FROM DUAL WHERE (SELECT 1, 2 FROM DUAL) IN ((1, 2))", &["1"]);
    check("SELECT (SELECT 1, 2) NOT IN ((1, 3), (2, 4)), (SELECT 1, 2) IN ((0, 0), (1, 2))", &["1|1"]);
    check("SELECT a FROM t WHERE (SELECT t.a, 2) IN ((1, 2))", &["1"]);
}

#[test]
fn with_other_subqueries() {
    check("SELECT (SELECT 1, 2) = (SELECT 1, 2), (SELECT 1, 2) = (SELECT 2, 1)", &["1|0"]);
    check("SELECT (SELECT 1, 2) IN (SELECT a, b FROM t), (SELECT 1, 3) IN (SELECT * FROM t)", &["1|0"]);
    check("SELECT (SELECT * FROM t LIMIT 1) IN (SELECT a, b FROM t)", &["1"]);
    check("SELECT (SELECT MAX(a) FROM t) IN (SELECT a FROM t), (SELECT 1) = (SELECT 1)", &["1|1"]);
}

#[test]
fn of_the_row_around() {
    check("SELECT a FROM t WHERE (SELECT a, b FROM t LIMIT 1) = (1, 2) ORDER BY a", &["1", "3"]);
    check("SELECT a FROM t o WHERE (SELECT o.a, o.b) IN (SELECT 3, 4)", &["3"]);
}

#[test]
fn rows_of_other_widths_and_several_rows_are_errors() {
    let session = session();
    rows(&session, "CREATE TABLE t (a INT, b INT)");
    rows(&session, "INSERT INTO t VALUES (1, 2), (3, 4)");
    assert_eq!(error(&session, "SELECT (SELECT 1, 2) = (1, 2, 3)").0, 1241);
    assert_eq!(error(&session, "SELECT (SELECT 1, 2) = 1").0, 1241);
    assert_eq!(error(&session, "SELECT (SELECT 1, 2) IN (SELECT 1)").0, 1241);
    assert_eq!(error(&session, "SELECT (SELECT a, b FROM t) = (1, 2)").0, 1242);
    assert_eq!(error(&session, "SELECT (SELECT a, b FROM t) IN ((1, 2), (3, 4))").0, 1242);
}
