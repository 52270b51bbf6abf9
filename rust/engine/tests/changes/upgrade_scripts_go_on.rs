//! Statements of MySQL's upgrade scripts and clients that Dolt does not have, under `varve_beyond_dolt`, as imported scripts run.

use engine::Session;

use crate::common::fresh::{error, rows, session};

fn open() -> Session {
    let session = session();
    rows(&session, "CREATE TABLE t (a INT PRIMARY KEY, b INT)");
    rows(&session, "INSERT INTO t VALUES (1, 2)");
    rows(&session, "SET varve_beyond_dolt = 1");
    session
}

#[test]
fn maintenance_answers_as_for_innodb() {
    let session = open();
    assert_eq!(rows(&session, "CHECK TABLE t FOR UPGRADE"), [["mydb.t", "check", "status", "OK"]]);
    assert_eq!(rows(&session, "OPTIMIZE LOCAL TABLE t")[1], ["mydb.t", "optimize", "status", "OK"]);
    assert_eq!(rows(&session, "REPAIR TABLE t QUICK")[0][..3], ["mydb.t", "repair", "note"]);
    assert_eq!(
        rows(&session, "CHECK TABLE t, nope"),
        [
            ["mydb.t", "check", "status", "OK"],
            ["mydb.nope", "check", "Error", "Table 'mydb.nope' doesn't exist"],
            ["mydb.nope", "check", "status", "Operation failed"]
        ]
    );
}

#[test]
fn checksums_tell_rows_apart() {
    let session = open();
    let checksum = |session: &Session| rows(session, "CHECKSUM TABLE t, nope");
    let before = checksum(&session);
    assert_eq!((&*before[0][0], &*before[1][1]), ("mydb.t", "NULL"));
    rows(&session, "UPDATE t SET b = 3");
    let between = checksum(&session);
    assert_ne!(before, between);
    rows(&session, "UPDATE t SET b = 2");
    assert_eq!(before, checksum(&session));
}

#[test]
fn do_evaluates_and_gives_no_rows() {
    let session = open();
    assert!(rows(&session, "DO 1, (SELECT COUNT(*) FROM t), SLEEP(0)").is_empty());
    error(&session, "DO (SELECT a FROM nope)");
    error(&session, "DO 1 +");
}

#[test]
fn listings_of_servers_are_empty() {
    let session = open();
    for sql in [
        "SHOW ERRORS",
        "SHOW ERRORS LIMIT 1",
        "SHOW OPEN TABLES",
        "SHOW OPEN TABLES FROM mydb LIKE 't%'",
        "SHOW PROFILES",
        "SHOW PROFILE",
        "SHOW PROFILE CPU FOR QUERY 2",
    ] {
        assert!(rows(&session, sql).is_empty(), "{sql}");
    }
    assert_eq!(rows(&session, "SHOW STORAGE ENGINES")[0][0], "InnoDB");
    rows(&session, "SELECT 1 / 0");
    assert_eq!(rows(&session, "SHOW COUNT(*) WARNINGS"), [["1"]]);
    assert_eq!(rows(&session, "SHOW COUNT(*) ERRORS"), [["0"]]);
    assert_eq!(rows(&session, "SHOW WARNINGS").len(), 1);
}

/// Also without the switch: native Dolt has a row of a replica that does not run.
#[test]
fn nothing_replicates() {
    let session = session();
    assert!(rows(&session, "SHOW REPLICA STATUS").is_empty());
    assert!(rows(&session, "SHOW SLAVE STATUS").is_empty());
    assert!(rows(&session, "SHOW REPLICAS").is_empty());
}

#[test]
fn views_get_other_queries() {
    let session = open();
    rows(&session, "CREATE VIEW v AS SELECT a FROM t");
    rows(&session, "ALTER VIEW v AS SELECT a + 10 AS c FROM t");
    assert_eq!(rows(&session, "SELECT * FROM v"), [["11"]]);
    // A server reads what is kept.
    assert_eq!(rows(&session, "SELECT fragment FROM dolt_schemas"), [["CREATE VIEW v AS SELECT a + 10 AS c FROM t"]]);
    rows(
        &session,
        "ALTER ALGORITHM=MERGE DEFINER=`root`@`localhost` SQL SECURITY INVOKER VIEW v (x) AS SELECT b FROM t",
    );
    assert_eq!(rows(&session, "SELECT x FROM v"), [["2"]]);
    assert_eq!(error(&session, "ALTER VIEW nope AS SELECT 1").0, 1146);
    error(&session, "ALTER VIEW v AS SELECT ~1");
    assert_eq!(rows(&session, "SELECT x FROM v"), [["2"]]);
}

#[test]
fn events_are_made_before_what_they_name() {
    let session = session();
    rows(&session, "CREATE TABLE t (a INT)");
    for (at, body) in [
        "INSERT INTO nowhere VALUES (NOW())",
        "UPDATE t SET nope = 1",
        "SELECT nofunc(1)",
        "BEGIN DELETE FROM a.b; END",
    ]
    .iter()
    .enumerate()
    {
        rows(&session, &format!("CREATE EVENT e{at} ON SCHEDULE EVERY 1 DAY DISABLE DO {body}"));
        rows(&session, &format!("ALTER EVENT e{at} DO {body}"));
    }
    assert_eq!(rows(&session, "SHOW EVENTS").len(), 4);
    error(&session, "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DISABLE DO INSERT INTO");
    error(&session, "ALTER EVENT e1");
    error(&session, "ALTER EVENT nope ENABLE");
}

#[test]
fn triggers_that_name_their_tables_columns_alone_are_made_and_fail() {
    for body in [
        "BEGIN INSERT INTO teacher(tname) VALUES (sname); END",
        "INSERT INTO teacher SET tname = sname",
        "UPDATE teacher SET tname = sname",
        "REPLACE INTO teacher VALUES (CONCAT(sname, 'x'))",
    ] {
        let session = session();
        rows(&session, "CREATE TABLE student (sid INT, sname VARCHAR(9))");
        rows(&session, "CREATE TABLE teacher (tname VARCHAR(9))");
        rows(&session, &format!("CREATE TRIGGER ti BEFORE INSERT ON student FOR EACH ROW {body}"));
        assert!(error(&session, "INSERT INTO student VALUES (1, 'a')").1.contains("sname"), "{body}");
        assert_eq!(rows(&session, "SELECT COUNT(*) FROM student"), [["0"]]);
        // What is no column there is an error at once, as in native Dolt.
        error(
            &session,
            &format!("CREATE TRIGGER t2 BEFORE INSERT ON student FOR EACH ROW {}", body.replace("sname", "nope")),
        );
    }
}

#[test]
fn stored_functions_are_refused_by_name_and_dropped_in_vain() {
    let session = open();
    for sql in [
        "CREATE FUNCTION f (i INT) RETURNS INT DETERMINISTIC RETURN i + 1",
        "CREATE DEFINER=`root`@`localhost` FUNCTION `f`(`i` INT) RETURNS INT BEGIN RETURN i; END",
        "CREATE FUNCTION IF NOT EXISTS f () RETURNS TEXT RETURN 'x'",
    ] {
        assert_eq!(error(&session, sql), (1105, "unsupported feature: stored functions (CREATE FUNCTION f)".into()));
    }
    rows(&session, "DROP FUNCTION IF EXISTS f");
    assert_eq!(error(&session, "DROP FUNCTION f").0, 1305);
    assert_eq!(error(&session, "CREATE FUNCTION").0, 1105);
}
