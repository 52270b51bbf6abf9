//! What native Dolt loses in a merge, and Varve keeps.

use engine::Session;

use crate::common::fresh::{affected, rows, session};

/// A table on `main`, changed there and on the branch `other`, which the session has merged.
fn merged(table: &[&str], ours: &[&str], theirs: &[&str]) -> Session {
    let session = session();
    let commit = |statements: &[&str], message: &str| {
        for sql in statements {
            affected(&session, sql);
        }
        rows(&session, &format!("CALL dolt_commit('-Am', '{message}')"));
    };
    commit(table, "table");
    rows(&session, "CALL dolt_checkout('-b', 'other')");
    commit(theirs, "theirs");
    rows(&session, "CALL dolt_checkout('main')");
    commit(ours, "ours");
    let merged = rows(&session, "CALL dolt_merge('other')");
    assert_eq!(merged[0][2], "0", "no conflicts");
    session
}

#[test]
fn nulls_among_documents() {
    let table = [
        "CREATE TABLE t (id INT PRIMARY KEY, doc JSON, a INT, b INT)",
        "INSERT INTO t VALUES (1, NULL, 1, 1), (2, NULL, 1, 1)",
    ];
    let ours = ["UPDATE t SET a = 2"];
    let theirs = ["UPDATE t SET b = 2 WHERE id = 1", "UPDATE t SET doc = '[3]' WHERE id = 2"];
    let session = merged(&table, &ours, &theirs);
    assert_eq!(rows(&session, "SELECT id, a, b FROM t WHERE doc IS NULL"), [["1", "2", "2"]]);
    assert_eq!(rows(&session, "SELECT id, doc, a, b FROM t WHERE doc IS NOT NULL"), [["2", "[3]", "2", "1"]]);
}

#[test]
fn the_comment_that_one_side_has_changed() {
    let table = ["CREATE TABLE t (id INT PRIMARY KEY) COMMENT 'first'"];
    let column = "ALTER TABLE t ADD COLUMN a INT";
    let comment = "ALTER TABLE t ADD COLUMN b INT, COMMENT 'second'";
    for (ours, theirs) in [([column], [comment]), ([comment], [column])] {
        let session = merged(&table, &ours, &theirs);
        let definition = rows(&session, "SHOW CREATE TABLE t")[0][1].clone();
        assert!(definition.contains("COMMENT='second'"), "{definition}");
    }
}
