//! `root:HASH` names the tables of a root value, whether or not a commit has it: what a live query saw last.

use crate::common::fresh::{error, rows, session};

#[test]
fn a_root_is_compared_with_what_is_there_now() {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");
    rows(&session, "INSERT INTO t VALUES (1, 10), (2, 20)");
    let root = rows(&session, "SELECT dolt_hashof_db('WORKING')").remove(0).remove(0);
    rows(&session, "UPDATE t SET a = 21 WHERE id = 2");
    rows(&session, "DELETE FROM t WHERE id = 1");
    rows(&session, "CALL dolt_commit('-Am', 'another root')");
    let differing = format!(
        "SELECT diff_type, from_id, from_a, to_a FROM dolt_diff('root:{root}', 'WORKING', 't') ORDER BY from_id"
    );
    assert_eq!(rows(&session, &differing), [["removed", "1", "10", "NULL"], ["modified", "2", "20", "21"]]);
    assert_eq!(
        rows(&session, &format!("SELECT id, a FROM t AS OF 'root:{root}' ORDER BY id")),
        [["1", "10"], ["2", "20"]]
    );
}

#[test]
fn a_root_that_is_not_there_is_an_error() {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY)");
    for name in ["root:", "root:main", "root:00000000000000000000000000000001"] {
        let (_, message) = error(&session, &format!("SELECT * FROM t AS OF '{name}'"));
        assert!(!message.is_empty(), "{name}");
    }
}

#[test]
fn a_stash_is_read_before_it_is_popped() {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");
    rows(&session, "INSERT INTO t VALUES (1, 10), (2, 20)");
    rows(&session, "CALL dolt_commit('-Am', 'base')");
    for (value, list) in [(11, "first"), (12, "later"), (13, "later")] {
        rows(&session, &format!("UPDATE t SET a = {value} WHERE id = 1"));
        rows(&session, &format!("CALL dolt_stash('push', '{list}')"));
    }
    let change = |stash: &str| {
        rows(&session, &format!("SELECT from_id, from_a, to_a FROM dolt_diff('HEAD', 'stash:{stash}', 't')"))
    };
    assert_eq!(change("first@{0}"), [["1", "10", "11"]]);
    assert_eq!(change("later@{0}"), [["1", "10", "13"]]);
    assert_eq!(change("later@{1}"), [["1", "10", "12"]]);
    for name in ["later@{2}", "other@{0}", "later", "later@{x}", "@{}"] {
        let (_, message) = error(&session, &format!("SELECT * FROM t AS OF 'stash:{name}'"));
        assert!(!message.is_empty(), "{name}");
    }
}
