//! Native Dolt makes branches, tags and commits and tells its reflog; from the same files we tell the same.

use crate::common;
use crate::common::judge::Verdict;
use crate::common::native::{self, Outcome};

const MADE: &[&str] = &[
    "create table t (id int primary key)",
    "call dolt_commit('-Am', 'made')",
    "call dolt_branch('other')",
    "call dolt_tag('v1', 'main', '-m', 'a tag')",
    "insert into t values (1)",
    "call dolt_commit('-am', 'one')",
    "call dolt_branch('-f', 'other', 'main')",
    "call dolt_branch('more/main')",
    "call dolt_reset('--hard', 'HEAD~1')",
    "insert into t values (2)",
    "call dolt_commit('-am', 'two')",
    "call dolt_tag('-d', 'v1')",
    "call dolt_branch('-D', 'other')",
];

const ASKED: &[&str] = &[
    // A running server rounds times up that it writes down cut off: only that there are times can be compared.
    "select count(*), count(ref_timestamp), min(ref_timestamp) > '2020-01-01' from dolt_reflog()",
    "select ref, commit_hash, commit_message from dolt_reflog()",
    "select ref, commit_hash, commit_message from dolt_reflog('--all')",
    "select ref, commit_hash, commit_message from dolt_reflog('main')",
    "select ref, commit_message from dolt_reflog('MAIN', '--all')",
    "select ref, commit_hash from dolt_reflog('other')",
    "select ref from dolt_reflog('refs/heads/more/main')",
    "select ref from dolt_reflog('more/main')",
    "select ref, commit_hash, commit_message from dolt_reflog('v1')",
    "select count(*) from dolt_reflog('nobody')",
    "select * from dolt_reflog('--all', '--all')",
    "select * from dolt_reflog('main', 'other')",
    "select * from dolt_reflog('a', 'b', 'c')",
];

#[test]
fn the_reflog_is_that_of_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let directory = std::env::temp_dir().join(format!("varve-reflog-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let server = native::Server::start(&binary, &directory);
    let mut connection = server.connect();
    connection.query("create database mydb");
    connection.query("use mydb");
    for sql in MADE {
        let outcome = connection.query(sql);
        assert!(!matches!(outcome, Outcome::Failed { .. } | Outcome::Lost), "{sql}: {outcome:?}");
    }
    let session = common::open(&directory.join("mydb")).expect("the server's database");
    let mut differences = Vec::new();
    for sql in ASKED {
        let theirs = connection.query(sql);
        let ours = common::judge::ask(&session, sql);
        match common::judge::judge(&theirs, ours, sql) {
            Verdict::Same => {}
            other => differences.push(format!("{sql}: {other:?}\n  native: {theirs:?}")),
        }
    }
    drop(server);
    let _ = std::fs::remove_dir_all(&directory);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
