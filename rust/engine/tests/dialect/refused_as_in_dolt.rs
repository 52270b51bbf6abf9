//! What neither Dolt nor MySQL reads is a syntax error, and what only MySQL reads one without `varve_beyond_dolt`.

use crate::common::fresh::{error, rows, session};

#[test]
fn always() {
    let session = session();
    rows(&session, "CREATE TABLE a (v INT)");
    for beyond in [0, 1] {
        rows(&session, &format!("SET varve_beyond_dolt = {beyond}"));
        for sql in [
            "INSERT INTO a (v) SET v = 1",
            "INSERT INTO a () SET v = 1",
            "REPLACE INTO a (v) SET v = 1",
            "SELECT v FROM a FOR UPDATE LOCK IN SHARE MODE",
            "SELECT v FROM a LOCK IN SHARE MODE FOR UPDATE",
            "SELECT v FROM a LOCK IN SHARE MODE LOCK IN SHARE MODE",
            "ALTER EVENT e",
        ] {
            assert!(error(&session, sql).1.starts_with("syntax error"), "{sql}");
        }
    }
    rows(&session, "INSERT INTO a SET v = 1");
    rows(&session, "SELECT v FROM a FOR UPDATE");
    rows(&session, "SELECT v FROM a LOCK IN SHARE MODE");
    rows(&session, "SELECT v FROM a FOR UPDATE OF a SKIP LOCKED");
}

#[test]
fn without_the_switch() {
    let session = session();
    let statements = [
        "CREATE TABLE t1 (i INT PRIMARY KEY) PARTITION BY RANGE (i) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN MAXVALUE)",
        "CREATE TABLE t2 (i INT PRIMARY KEY) PARTITION BY LIST (i) (PARTITION p0 VALUES IN (1, 2))",
        "CREATE TABLE t3 (i INT) PARTITION BY RANGE (i) (PARTITION p0 VALUES LESS THAN (5) ENGINE = InnoDB)",
        "SELECT 1 FROM DUAL FOR UPDATE FOR UPDATE",
    ];
    statements.iter().for_each(|sql| assert_eq!(error(&session, sql).0, 1105, "{sql}"));
    rows(&session, "SET varve_beyond_dolt = 1");
    statements.iter().for_each(|sql| drop(rows(&session, sql)));
    rows(&session, "SET varve_beyond_dolt = 0");
    rows(&session, "CREATE TABLE t4 (i INT) PARTITION BY RANGE (i) (PARTITION p0 VALUES LESS THAN (MAXVALUE))");
    rows(&session, "CREATE TABLE t5 (i INT) PARTITION BY HASH (i) PARTITIONS 4");
}
