//! `dolt_ignore` keeps changes of tables unstaged, also of those that are committed already; answers are native Dolt 2.2.0's.

use engine::Session;

use crate::common::fresh::{error, rows, session};

/// Tables that are ignored and changed, dropped and renamed, one that is not, and a new one that is.
fn changed() -> Session {
    let session = session();
    for sql in [
        "CREATE TABLE tmp_foo (x INT PRIMARY KEY)",
        "CREATE TABLE tmp_del (x INT PRIMARY KEY)",
        "CREATE TABLE tmp_ren (x INT PRIMARY KEY)",
        "CREATE TABLE k (x INT PRIMARY KEY)",
        "CALL dolt_commit('-Am', 'a')",
        "INSERT INTO dolt_ignore VALUES ('tmp_*', 1)",
        "CALL dolt_commit('-Am', 'i')",
        "INSERT INTO tmp_foo VALUES (2)",
        "DROP TABLE tmp_del",
        "RENAME TABLE tmp_ren TO tmp_ren2",
        "INSERT INTO k VALUES (1)",
        "CREATE TABLE tmp_new (x INT PRIMARY KEY)",
    ] {
        rows(&session, sql);
    }
    session
}

fn check(statements: &[&str], staged: &[&str], unstaged: &[&str]) {
    let session = changed();
    statements.iter().for_each(|sql| drop(rows(&session, sql)));
    let status = |staged: u8| {
        let sql = format!("SELECT table_name FROM dolt_status WHERE staged = {staged} ORDER BY 1");
        rows(&session, &sql).concat()
    };
    assert_eq!(status(1), staged, "staged after {statements:?}");
    assert_eq!(status(0), unstaged, "unstaged after {statements:?}");
}

const IGNORED: [&str; 3] = ["tmp_del", "tmp_foo", "tmp_ren -> tmp_ren2"];

#[test]
fn all_is_what_is_not_ignored() {
    for sql in ["CALL dolt_add('-A')", "CALL dolt_add('.')", "CALL dolt_add('tmp_foo', 'k')"] {
        check(&[sql], &["k"], &IGNORED);
    }
}

#[test]
fn a_name_alone_does_not_insist() {
    check(&["CALL dolt_add('tmp_foo')"], &[], &["k", "tmp_del", "tmp_foo", "tmp_ren -> tmp_ren2"]);
    check(&["CALL dolt_add('tmp_del')"], &[], &["k", "tmp_del", "tmp_foo", "tmp_ren -> tmp_ren2"]);
}

#[test]
fn force_stages_what_is_ignored_and_it_stays_staged() {
    check(&["CALL dolt_add('-f', 'tmp_foo')"], &["tmp_foo"], &["k", "tmp_del", "tmp_ren -> tmp_ren2"]);
    check(
        &["CALL dolt_add('-f', 'tmp_foo')", "CALL dolt_add('-A')"],
        &["k", "tmp_foo"],
        &["tmp_del", "tmp_ren -> tmp_ren2"],
    );
    check(&["CALL dolt_add('-Af')"], &["k", "tmp_del", "tmp_foo", "tmp_new", "tmp_ren -> tmp_ren2"], &[]);
}

#[test]
fn commits_of_all_leave_them_and_commits_of_tracked_tables_do_not() {
    check(&["CALL dolt_commit('-Am', 'x')"], &[], &IGNORED);
    check(&["CALL dolt_commit('-am', 'x')"], &[], &["tmp_ren -> tmp_ren2"]);
}

#[test]
fn transactions_that_commit_leave_them() {
    let session = session();
    for sql in [
        "CREATE TABLE tmp_a (x INT PRIMARY KEY)",
        "CALL dolt_commit('-Am', 'a')",
        "INSERT INTO dolt_ignore VALUES ('tmp_*', 1)",
        "SET dolt_transaction_commit = 1",
        "INSERT INTO tmp_a VALUES (1)",
    ] {
        rows(&session, sql);
    }
    assert_eq!(rows(&session, "SELECT table_name, staged FROM dolt_status"), [["tmp_a", "0"]]);
}

#[test]
fn contradicting_patterns_are_an_error_for_committed_tables_too() {
    let session = changed();
    rows(&session, "INSERT INTO dolt_ignore VALUES ('*_foo', 0)");
    assert!(error(&session, "CALL dolt_add('tmp_foo')").1.contains("matches conflicting patterns in dolt_ignore"));
}

/// Native Dolt leaves these tables out of a commit that is picked, so that a part of it is lost.
#[test]
fn picked_commits_have_all_their_tables() {
    let session = session();
    for sql in [
        "CREATE TABLE tmp_a (x INT PRIMARY KEY)",
        "INSERT INTO dolt_ignore VALUES ('tmp_*', 1)",
        "CALL dolt_add('-f', '.')",
        "CALL dolt_commit('-Am', 'a')",
        "CALL dolt_checkout('-b', 'o')",
        "INSERT INTO tmp_a VALUES (1)",
        "CALL dolt_commit('-am', 'o')",
        "CALL dolt_checkout('main')",
        "CALL dolt_cherry_pick('o')",
    ] {
        rows(&session, sql);
    }
    assert_eq!(rows(&session, "SELECT * FROM tmp_a AS OF 'HEAD'"), [["1"]]);
}
