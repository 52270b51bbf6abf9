//! Fetch, pull, push, clone and backups, between databases in memory. What native Dolt answers is compared in web/src/node/remotes.

use crate::common::fresh::{affected, error, rows, session};

fn committed(session: &engine::Session, sql: &str) {
    affected(session, sql);
    rows(session, "CALL dolt_commit('-Am', 'changed')");
}

#[test]
fn a_clone_pulls_what_was_pushed_and_its_own_push_is_refused_until_then() {
    let session = session();
    committed(&session, "CREATE TABLE t (id INT PRIMARY KEY)");
    rows(&session, "CALL dolt_remote('add', 'origin', 'file:///there')");
    let told = rows(&session, "CALL dolt_push('-u', 'origin', 'main')");
    assert_eq!(
        told[0][1],
        "To file:///there\n * [new branch]          main -> main\nbranch 'main' set up to track 'origin/main'."
    );
    rows(&session, "CALL dolt_clone('file:///there', 'two')");
    committed(&session, "INSERT INTO t VALUES (1)");
    rows(&session, "CALL dolt_push()");
    affected(&session, "USE two");
    committed(&session, "INSERT INTO t VALUES (2)");
    let (_, text) = error(&session, "CALL dolt_push()");
    assert!(text.contains(" ! [rejected]            main -> main (non-fast-forward)\nerror: failed to push"), "{text}");
    assert_eq!(rows(&session, "CALL dolt_pull()"), [["0", "0", "merge successful"]]);
    assert_eq!(rows(&session, "SELECT id FROM t"), [["1"], ["2"]]);
    rows(&session, "CALL dolt_push()");
    assert_eq!(rows(&session, "CALL dolt_push()"), [["0", "Everything up-to-date"]]);
    affected(&session, "USE mydb");
    rows(&session, "CALL dolt_fetch()");
    assert_eq!(rows(&session, "SELECT count(*) FROM t AS OF 'origin/main'"), [["2"]]);
    assert_eq!(rows(&session, "CALL dolt_pull()"), [["1", "0", "merge successful"]]);
    assert_eq!(rows(&session, "SELECT id FROM t"), [["1"], ["2"]]);
}

#[test]
fn a_backup_is_restored_with_what_was_not_committed() {
    let session = session();
    committed(&session, "CREATE TABLE t (id INT PRIMARY KEY)");
    affected(&session, "INSERT INTO t VALUES (7)");
    rows(&session, "CALL dolt_backup('sync-url', 'file:///kept')");
    rows(&session, "CALL dolt_backup('restore', 'file:///kept', 'again')");
    assert_eq!(rows(&session, "SELECT id FROM again.t"), [["7"]]);
    let (_, text) = error(&session, "CALL dolt_backup('restore', 'file:///kept', 'again')");
    assert_eq!(text, "database 'again' already exists, use '--force' to overwrite");
    assert_eq!(error(&session, "CALL dolt_backup('restore', 'file:///none', 'b')").1, "not found");
}

#[test]
fn a_clone_that_fails_leaves_no_database() {
    let session = session();
    let (_, text) = error(&session, "CALL dolt_clone('file:///none', 'two')");
    assert_eq!(text, "clone failed; remote at that url contains no Dolt data");
    committed(&session, "CREATE TABLE t (id INT PRIMARY KEY)");
    rows(&session, "CALL dolt_remote('add', 'origin', 'file:///there')");
    rows(&session, "CALL dolt_push('origin', 'main')");
    let (_, text) = error(&session, "CALL dolt_clone('--branch', 'none', 'file:///there', 'two')");
    assert_eq!(text, "clone failed; branch not found: none");
    rows(&session, "CALL dolt_clone('file:///there', 'two')");
    assert_eq!(rows(&session, "SELECT name FROM two.dolt_remote_branches"), [["remotes/origin/main"]]);
}

#[test]
fn a_pull_with_rebase_puts_local_commits_on_those_of_the_remote() {
    let session = session();
    committed(&session, "CREATE TABLE t (id INT PRIMARY KEY)");
    rows(&session, "CALL dolt_remote('add', 'origin', 'file:///there')");
    rows(&session, "CALL dolt_push('-u', 'origin', 'main')");
    rows(&session, "CALL dolt_clone('file:///there', 'two')");
    committed(&session, "INSERT INTO t VALUES (1)");
    rows(&session, "CALL dolt_push()");
    affected(&session, "USE two");
    committed(&session, "INSERT INTO t VALUES (2)");
    let told = rows(&session, "CALL dolt_pull('--rebase')");
    assert_eq!(told, [["0", "0", "Successfully rebased and updated refs/heads/main"]]);
    assert_eq!(rows(&session, "SELECT id FROM t"), [["1"], ["2"]]);
    assert_eq!(rows(&session, "SELECT count(*) FROM dolt_commit_ancestors WHERE parent_index = 1"), [["0"]]);
    assert_eq!(rows(&session, "SELECT active_branch()"), [["main"]]);
    assert_eq!(rows(&session, "CALL dolt_pull('-r')"), [["0", "0", "Everything up-to-date"]]);
    rows(&session, "CALL dolt_push()");
    affected(&session, "USE mydb");
    assert_eq!(rows(&session, "CALL dolt_pull('--rebase')"), [["1", "0", "merge successful"]]);
    let (_, text) = error(&session, "CALL dolt_pull('--rebase', '--squash')");
    assert_eq!(text, "error: Flags '--rebase' and '--squash' cannot be used together");
    let (_, text) = error(&session, "CALL dolt_clone('--ref', 'x', 'file:///there', 'three')");
    assert_eq!(text, "error: --ref is only supported for git remotes");
}
