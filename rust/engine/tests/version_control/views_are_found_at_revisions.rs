//! Views AS OF: a view that the working root has not is that of the revision. (In native Dolt there is no such view.)

use engine::Session;

use crate::common::fresh::{error, rows, session};

fn open() -> Session {
    let session = session();
    for sql in [
        "CREATE TABLE base (id INT PRIMARY KEY)",
        "INSERT INTO base VALUES (1)",
        "CALL dolt_commit('-Am', 't')",
        "CALL dolt_checkout('-b', 'vb')",
        "CREATE VIEW v AS SELECT * FROM base",
        "INSERT INTO base VALUES (2)",
        "CALL dolt_commit('-Am', 'v')",
        "CALL dolt_tag('with_view')",
        "CALL dolt_checkout('main')",
    ] {
        rows(&session, sql);
    }
    session
}

#[test]
fn of_other_branches_and_tags() {
    let session = open();
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM v AS OF 'vb'"), [["2"]]);
    assert_eq!(rows(&session, "SELECT a.id FROM v AS OF 'with_view' a JOIN base b ON a.id = b.id"), [["1"]]);
    assert_eq!(error(&session, "SELECT * FROM v").0, 1146);
    assert_eq!(error(&session, "SELECT * FROM v AS OF 'main'").0, 1146);
}

#[test]
fn that_were_dropped() {
    let session = open();
    rows(&session, "CALL dolt_checkout('vb')");
    rows(&session, "DROP VIEW v");
    rows(&session, "CALL dolt_commit('-am', 'gone')");
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM v AS OF 'HEAD~1'"), [["2"]]);
    assert_eq!(error(&session, "SELECT * FROM v AS OF 'HEAD'").0, 1146);
}

#[test]
fn those_of_today_are_found_first() {
    let session = open();
    rows(&session, "CREATE VIEW v AS SELECT id + 10 AS id FROM base");
    assert_eq!(rows(&session, "SELECT * FROM v AS OF 'vb' ORDER BY 1"), [["11"], ["12"]]);
}
