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
fn columns_are_changed_by_the_names_that_they_have_in_the_view() {
    let session = open();
    rows(&session, "CREATE VIEW n (x, y) AS SELECT b, a FROM t WHERE a > 1");
    // The names of two columns are exchanged.
    rows(&session, "CREATE VIEW s AS SELECT a AS b, b AS a FROM t");
    rows(&session, "CREATE VIEW upper_ AS SELECT y AS key_, x FROM n WHERE x < 50");
    assert_eq!(affected(&session, "INSERT INTO r VALUES (9)"), 1);
    assert_eq!(affected(&session, "INSERT INTO n VALUES (33, 3)"), 1);
    assert_eq!(affected(&session, "INSERT INTO n (y) VALUES (4)"), 1);
    assert_eq!(affected(&session, "UPDATE n SET x = x + y WHERE y = 2"), 1);
    assert_eq!(affected(&session, "UPDATE s SET a = a + 100 WHERE b = 1"), 1);
    assert_eq!(affected(&session, "UPDATE upper_ o SET o.x = 44 WHERE o.key_ = 3 ORDER BY key_ LIMIT 1"), 1);
    assert_eq!(table(&session), "1,101,1 2,4,2 3,44,7 4,NULL,7 9,NULL,7");
    assert_eq!(
        affected(&session, "INSERT INTO s VALUES (1, 5), (5, 6) ON DUPLICATE KEY UPDATE a = VALUES(a) + s.a"),
        3
    );
    assert_eq!(affected(&session, "REPLACE INTO upper_ (x, key_) VALUES (7, 4)"), 2);
    assert_eq!(affected(&session, "INSERT INTO upper_ SELECT 6, 60"), 1);
    assert_eq!(affected(&session, "DELETE FROM upper_ WHERE x = 44"), 1);
    // Its row is none of the view's.
    assert_eq!(affected(&session, "DELETE FROM upper_ WHERE key_ IN (1, 6)"), 0);
    assert_eq!(table(&session), "1,106,1 2,4,2 4,7,7 5,6,7 6,60,7 9,NULL,7");
    assert_eq!(error(&session, "INSERT INTO n (a) VALUES (1)").0, 1054);
    error(&session, "UPDATE n SET a = 1");
    error(&session, "UPDATE s SET c = 1");
}

#[test]
fn rows_that_the_view_would_not_show_fail_its_check() {
    let session = open();
    rows(&session, "CREATE VIEW some_b AS SELECT a AS id, b AS n FROM t WHERE b > 1 WITH CHECK OPTION");
    let failed = |sql: &str| error(&session, sql);
    assert_eq!(failed("INSERT INTO k VALUES (0, 0, 0)"), (1369, "CHECK OPTION failed 'mydb.k'".to_owned()));
    assert_eq!(failed("INSERT INTO k VALUES (5, 5, 5), (-1, 0, 0)").0, 1369);
    assert_eq!(failed("UPDATE k SET a = 0 WHERE a = 2").0, 1369);
    // What is unknown is not shown.
    assert_eq!(failed("INSERT INTO some_b (id) VALUES (7)").0, 1369);
    assert_eq!(failed("INSERT INTO some_b SELECT 7, 1").0, 1369);
    assert_eq!(failed("INSERT INTO some_b VALUES (2, 3) ON DUPLICATE KEY UPDATE n = 0").0, 1369);
    assert_eq!(failed("REPLACE INTO some_b VALUES (2, 1)").0, 1369);
    assert_eq!(table(&session), "1,1,1 2,2,2");
    assert_eq!(affected(&session, "INSERT INTO k VALUES (3, 3, 3)"), 1);
    assert_eq!(affected(&session, "INSERT INTO some_b VALUES (4, 4)"), 1);
    assert_eq!(affected(&session, "INSERT IGNORE INTO some_b VALUES (8, 0), (9, 9)"), 1);
    assert_eq!(affected(&session, "UPDATE IGNORE some_b SET n = n - 2"), 2);
    assert_eq!(affected(&session, "DELETE FROM k WHERE a = 3"), 1);
    assert_eq!(table(&session), "1,1,1 2,2,2 4,2,7 9,7,7");
    // A plan that was kept keeps the check.
    rows(&session, "PREPARE p FROM 'UPDATE some_b SET n = ? WHERE id = 4'");
    for (value, is_refused) in [(5, false), (0, true), (6, false)] {
        rows(&session, &format!("SET @n = {value}"));
        let done = session.query("EXECUTE p USING @n").and_then(engine::Cursor::collect);
        assert_eq!(done.is_err(), is_refused, "{value}");
    }
    rows(&session, "PREPARE i FROM 'INSERT INTO some_b VALUES (?, ?)'");
    rows(&session, "SET @id = 20, @n = 2");
    rows(&session, "EXECUTE i USING @id, @n");
    rows(&session, "SET @id = 21, @n = 0");
    assert_eq!(error(&session, "EXECUTE i USING @id, @n").0, 1369);
    // As triggers leave the row.
    rows(&session, "CREATE TRIGGER less BEFORE INSERT ON t FOR EACH ROW SET NEW.b = NEW.b - 1");
    assert_eq!(failed("INSERT INTO some_b VALUES (30, 2)").0, 1369);
    assert_eq!(affected(&session, "INSERT INTO some_b VALUES (30, 3)"), 1);
    assert_eq!(table(&session), "1,1,1 2,2,2 4,6,7 9,7,7 20,2,7 30,2,7");
}

#[test]
fn checks_of_views_over_views_are_cascaded() {
    let session = open();
    for sql in [
        "CREATE VIEW low AS SELECT a AS n FROM t WHERE a > 0",
        "CREATE VIEW cascaded AS SELECT n AS m FROM low WHERE n < 10 WITH CASCADED CHECK OPTION",
        "CREATE VIEW outer_ AS SELECT m FROM cascaded WHERE m <> 5",
        "CREATE VIEW all_ AS SELECT m FROM cascaded WHERE m <> 5 WITH CHECK OPTION",
        "CREATE VIEW whole AS SELECT * FROM low WITH CHECK OPTION",
    ] {
        rows(&session, sql);
    }
    for (view, value, is_refused) in [
        ("low", -1, false),
        ("cascaded", -2, true),
        ("cascaded", 10, true),
        ("outer_", 12, true),
        ("outer_", -3, true),
        ("outer_", 5, false),
        ("all_", 5, true),
        ("all_", 13, true),
        ("whole", -6, true),
        ("whole", 6, false),
    ] {
        let done = session.query(&format!("INSERT INTO {view} VALUES ({value})")).and_then(engine::Cursor::collect);
        assert_eq!(done.err().map(|error| error.errno), is_refused.then_some(1369), "{view} {value}");
    }
}

/// Native Dolt cannot read a view that says LOCAL.
#[test]
fn a_local_check_is_kept_as_a_cascaded_one_where_that_is_the_same() {
    let session = open();
    let local = "CREATE VIEW l AS SELECT a /* local */ FROM t WHERE a > 1 WITH local CHECK OPTION";
    assert_eq!(error(&session, local).1, "unsupported syntax: WITH LOCAL CHECK OPTION");
    rows(&session, "SET varve_beyond_dolt = 1");
    rows(&session, local);
    rows(&session, "CREATE VIEW l2 AS SELECT a FROM l WHERE a < 9 WITH LOCAL CHECK OPTION");
    let kept = rows(&session, "SELECT fragment FROM dolt_schemas WHERE name IN ('l', 'l2') ORDER BY name");
    assert!(kept[0][0].ends_with("/* local */ FROM t WHERE a > 1 WITH CASCADED CHECK OPTION"), "{kept:?}");
    assert!(kept[1][0].ends_with("WITH CASCADED CHECK OPTION"), "{kept:?}");
    assert_eq!(error(&session, "INSERT INTO l VALUES (0)").0, 1369);
    // The view below checks nothing, and LOCAL leaves it so.
    rows(&session, "CREATE VIEW low AS SELECT a FROM t WHERE a > 0");
    let over = "CREATE VIEW o AS SELECT a FROM low WHERE a < 9 WITH LOCAL CHECK OPTION";
    assert_eq!(error(&session, over).1, "unsupported syntax: WITH LOCAL CHECK OPTION");
    // A comment behind it has the word.
    error(&session, "CREATE VIEW c AS SELECT a FROM t WITH LOCAL CHECK OPTION /* local */");
}

#[test]
fn joined_changes_of_views_are_refused() {
    let session = open();
    // The names of its columns are exchanged: the wrong ones would be changed.
    rows(&session, "CREATE TABLE p (a INT PRIMARY KEY, b INT)");
    rows(&session, "CREATE VIEW q AS SELECT b, a FROM p");
    rows(&session, "INSERT INTO p VALUES (1, 2)");
    assert_eq!(error(&session, "UPDATE q JOIN t ON q.a = t.a SET q.b = 7").0, 1288);
    assert_eq!(error(&session, "DELETE q FROM q JOIN t ON q.a = t.a").0, 1288);
    assert_eq!(rows(&session, "SELECT * FROM p"), [["1", "2"]]);
}

#[test]
fn others_are_refused() {
    let session = open();
    rows(&session, "CREATE VIEW e AS SELECT a, b + 1 AS c FROM t");
    rows(&session, "CREATE VIEW d AS SELECT a, a AS b FROM t");
    for view in ["g", "e", "d"] {
        assert_eq!(error(&session, &format!("INSERT INTO {view} VALUES (9, 9)")).0, 1471, "{view}");
        assert_eq!(error(&session, &format!("UPDATE {view} SET a = 9")).0, 1288, "{view}");
        assert_eq!(error(&session, &format!("DELETE FROM {view}")).0, 1288, "{view}");
    }
    assert_eq!(error(&session, "INSERT INTO j VALUES (9)").0, 1394);
    assert_eq!(error(&session, "INSERT INTO j (a) VALUES (9)").0, 1471);
    assert_eq!(error(&session, "UPDATE j SET a = 9").0, 1288);
    assert_eq!(error(&session, "DELETE FROM j"), (1395, "Can not delete from join view 'mydb.j'".to_owned()));
    rows(&session, "CREATE VIEW h AS SELECT * FROM t WHERE a IN (SELECT 2) WITH CHECK OPTION");
    assert_eq!(error(&session, "INSERT INTO h VALUES (2, 2, 2)").0, 1235);
    assert_eq!(table(&session), "1,1,1 2,2,2");
}
