//! Remotes and upstreams of branches, made in native Dolt and here: the same answers, and each lists what the other has made.

use std::path::Path;

use crate::common;
use crate::common::native::{Connection, Outcome, Server};
use crate::common::told::{native_text, our_text};

/// What only native Dolt can do: a remote with branches, fetched.
const FETCHED: &[&str] = &[
    "create table t (id int primary key)",
    "create table both_are (id int primary key)",
    "call dolt_commit('-Am', 'made')",
    "call dolt_branch('theirs')",
    "call dolt_branch('both')",
    "call dolt_branch('both_are')",
    "call dolt_branch('deep/er')",
    "call dolt_branch('gone')",
    "call dolt_branch('mine')",
    "call dolt_remote('add', 'origin', 'file://FILES/origin')",
    "call dolt_remote('add', 'other', 'file://FILES/other')",
    "call dolt_push('--all', 'origin')",
    "call dolt_push('other', 'both')",
    "call dolt_fetch('origin')",
    "call dolt_branch('-D', 'theirs', 'both', 'both_are', 'deep/er', 'gone')",
];

const SCRIPT: &[&str] = &[
    "select name, url, fetch_specs, params from dolt_remotes order by name",
    "select name from dolt_remote_branches order by name",
    "call dolt_remote('add', 'dolthub', 'owner/name')",
    "call dolt_remote('add', 'dolthub', 'owner/name')",
    "call dolt_remote('add', 'a1', 'example.com/owner/name')",
    "call dolt_remote('add', 'a2', 'localhost:50051/name?x=1')",
    "call dolt_remote('add', 'a3', 'git@github.com:owner/name.git')",
    "call dolt_remote('add', 'a4', 'github.com/owner/name.git')",
    "call dolt_remote('add', 'a5', 'https://github.com/owner/name.git', '--ref', 'refs/x')",
    "call dolt_remote('add', 'a6', 'https://github.com/owner/name', '--ref', 'refs/x')",
    "call dolt_remote('add', 'a6', 'https://github.com/owner/name', '--ref', ' ')",
    "call dolt_remote('add', 'a.6', 'https://github.com/owner/name')",
    "call dolt_remote('add', ' a7 ', 'aws://[table:bucket]/name')",
    "call dolt_remote('add', 'a8', 'ssh://host/path/name.git')",
    "call dolt_remote('add', 'a9', '/owner/name/')",
    "call dolt_remote('add', 'quoted', 'https://example.com/a\"b\\\\c')",
    "call dolt_remote('add', 'a10')",
    "call dolt_remote('remove', 'a1', 'a2')",
    "call dolt_remote('rm', 'a1')",
    "call dolt_remote('remove', 'a1')",
    "call dolt_remote('list')",
    "select * from dolt_remotes order by name",
    // Upstreams.
    "call dolt_checkout('theirs')",
    "call dolt_checkout('main')",
    "call dolt_checkout('both')",
    "call dolt_checkout('both_are')",
    "call dolt_checkout('both_are', '--')",
    "call dolt_checkout('-t', 'origin/deep/er')",
    "call dolt_checkout('-t', 'origin/deep/er')",
    "call dolt_checkout('--track', 'origin/both', 'main')",
    "call dolt_checkout('--track', 'both')",
    "call dolt_checkout('--track', 'inherit')",
    "call dolt_checkout('--track', 'origin/nothing')",
    "call dolt_checkout('-b', 'c1', '--track', 'origin/both')",
    "call dolt_checkout('-b', 'c2', 'origin/both')",
    "call dolt_checkout('-b', 'c3', 'remotes/origin/both')",
    "call dolt_checkout('-b', 'c4', 'deep/er')",
    "call dolt_checkout('-b', 'c5', 'HEAD~1')",
    "call dolt_checkout('main')",
    "call dolt_branch('--track', 'b1', 'origin/both')",
    "call dolt_branch('b2', '--track')",
    "call dolt_branch('b3', 'origin/both')",
    "call dolt_branch('--track', 'b4', 'mine')",
    "call dolt_branch('--track', 'b5', 'nothing')",
    "call dolt_branch('--track', 'b5', 'origin/nothing')",
    "call dolt_branch('--track', 'b5', 'HEAD')",
    "call dolt_branch('--track')",
    "call dolt_branch('--set-upstream-to', 'origin/both')",
    "call dolt_branch('-u', 'origin/deep/er', 'mine')",
    "call dolt_branch('-u', 'mine', 'mine')",
    "call dolt_branch('-u', 'main', 'b6')",
    "call dolt_branch('-u', 'origin/both', 'b7', 'b1')",
    "call dolt_branch('-u', 'origin/both', 'mine', 'b1', 'b2')",
    "call dolt_branch('-u', 'origin/both', '-t', 'b8')",
    "call dolt_branch('-u', 'origin/both', '-t', 'mine')",
    "select name, hash, remote, branch from dolt_branches order by name",
    "select name, branch from dolt_branches where remote = '' order by name",
    "select name from dolt_branches where name = 'b1'",
    // A remote goes with its branches, whatever becomes of the transaction.
    "call dolt_branch('-d', '-r', 'origin/gone')",
    "select name from dolt_remote_branches order by name",
    "start transaction",
    "call dolt_remote('remove', 'origin')",
    "rollback",
    "select name from dolt_remotes order by name",
    "select name from dolt_remote_branches order by name",
    "select name, remote, branch from dolt_branches order by name",
    "call dolt_checkout('both')",
];

const LISTED: &[&str] = &[
    "select * from dolt_remotes order by name",
    "select name, hash, remote, branch from dolt_branches order by name",
    "select name, hash from dolt_remote_branches order by name",
];

fn connect(server: &Server, database: &str) -> Connection {
    let mut connection = server.connect();
    assert!(matches!(connection.query(&format!("use {database}")), Outcome::Done { .. }));
    connection
}

fn copy(from: &Path, to: &Path) {
    let status = std::process::Command::new("cp").arg("-a").args([from, to]).status().expect("cp runs");
    assert!(status.success());
}

#[test]
fn remotes_are_those_of_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("remotes");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    {
        let server = Server::start(&binary, &directory);
        server.connect().query("create database theirs");
        let mut native = connect(&server, "theirs");
        for sql in FETCHED {
            let outcome = native.query(&sql.replace("FILES", &directory.to_string_lossy()));
            assert!(!matches!(outcome, Outcome::Failed { .. } | Outcome::Lost), "{sql}: {outcome:?}");
        }
    }
    let (theirs, ours) = (directory.join("theirs"), directory.join("ours"));
    copy(&theirs, &ours);
    let session = common::open_writable(&ours).expect("the database opens");
    let told: Vec<String> = SCRIPT.iter().map(|sql| our_text(&session, sql)).collect();
    let listed: Vec<String> = LISTED.iter().map(|sql| our_text(&session, sql)).collect();
    // The branch that a session begins on has another name now.
    assert_eq!(our_text(&session, "call dolt_branch('-m', 'main', 'trunk')"), "0");
    assert_eq!(our_text(&session, "call dolt_branch('-m', 'trunk', 'stem')"), "0");
    drop(session);

    let server = Server::start(&binary, &directory);
    let mut native = connect(&server, "theirs");
    let mut differences = Vec::new();
    let mut compare = |sql: &str, theirs: String, ours: &str| {
        if theirs != ours {
            differences.push(format!("{sql}\n  native: {theirs}\n  here:   {ours}"));
        }
    };
    for (sql, ours) in SCRIPT.iter().zip(&told) {
        compare(sql, native_text(native.query(sql)), ours);
    }
    // What was written here is read there, and the other way round.
    let mut native = connect(&server, "ours");
    compare("select active_branch()", native_text(native.query("select active_branch()")), "stem");
    native.query("call dolt_branch('-f', '-m', 'stem', 'main')");
    for (sql, ours) in LISTED.iter().zip(&listed) {
        compare(sql, native_text(native.query(sql)), ours);
    }
    drop(server);
    let session = common::open_writable(&theirs).expect("the database opens");
    for (sql, ours) in LISTED.iter().zip(&listed) {
        compare(sql, our_text(&session, sql), ours);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
