//! Native Dolt makes branches, tags and commits and tells its reflog; from the same files we tell the same.

use std::path::PathBuf;

use crate::common;
use crate::common::judge::Verdict;
use crate::common::native::{self, Connection, Outcome};

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

/// What is exact while no other writer has changed the files since they were opened.
const ASKED_AFTER_A_RESTART: &[&str] =
    &["select * from dolt_reflog()", "select * from dolt_reflog('--all')", "select * from dolt_reflog('main')"];

/// Native Dolt over a database, which begins anew as often as one likes.
struct Native {
    binary: PathBuf,
    directory: PathBuf,
    server: Option<native::Server>,
}

impl Native {
    fn new(binary: PathBuf, name: &str) -> Native {
        let directory = std::env::temp_dir().join(format!("varve-reflog-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let native = Native { binary, directory, server: None };
        native.database()
    }

    fn database(mut self) -> Native {
        self.restarted().query("create database mydb");
        self
    }

    /// A connection to a server that has just begun.
    fn restarted(&mut self) -> Connection {
        self.server = None;
        let server = native::Server::start(&self.binary, &self.directory);
        let mut connection = server.connect();
        connection.query("use mydb");
        self.server = Some(server);
        connection
    }

    fn run(&mut self, statements: &[&str]) -> Connection {
        let mut connection = self.restarted();
        for sql in statements {
            let outcome = connection.query(sql);
            assert!(!matches!(outcome, Outcome::Failed { .. } | Outcome::Lost), "{sql}: {outcome:?}");
        }
        connection
    }

    /// The same with Varve, while no server has the files.
    fn run_in_varve(&mut self, statements: &[&str]) {
        self.server = None;
        let session = common::open_writable(&self.directory.join("mydb")).expect("the server's database");
        statements.iter().for_each(|sql| _ = common::fresh::rows(&session, sql));
    }

    fn check(&self, connection: &mut Connection, questions: &[&str]) {
        let session = common::open(&self.directory.join("mydb")).expect("the server's database");
        let mut differences = Vec::new();
        for sql in questions {
            let theirs = connection.query(sql);
            let ours = common::judge::ask(&session, sql);
            match common::judge::judge(&theirs, ours, sql) {
                Verdict::Same => {}
                other => differences.push(format!("{sql}: {other:?}\n  native: {theirs:?}")),
            }
        }
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }

    fn check_after_a_restart(&mut self) {
        let mut connection = self.restarted();
        self.check(&mut connection, ASKED_AFTER_A_RESTART);
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        self.server = None;
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

#[test]
fn the_reflog_is_that_of_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let mut native = Native::new(binary, "made");
    let mut connection = native.run(MADE);
    native.check(&mut connection, ASKED);
    native.check_after_a_restart();
}

#[test]
fn the_reflog_outlives_restarts_and_ends_with_collections() {
    let Some(binary) = native_dolt::binary() else { return };
    let mut native = Native::new(binary, "restarts");
    native.run(MADE);
    native.run_in_varve(&["insert into t values (10)", "call dolt_commit('-am', 'ours')", "call dolt_branch('ours')"]);
    native.check_after_a_restart();
    native.run(&["call dolt_gc()"]);
    native.check_after_a_restart();
    native.run(&["insert into t values (11)", "call dolt_commit('-am', 'behind a collection')"]);
    native.check_after_a_restart();
    native.run_in_varve(&["call dolt_gc()"]);
    native.check_after_a_restart();
    native.run_in_varve(&["insert into t values (12)", "call dolt_commit('-am', 'behind another')"]);
    native.check_after_a_restart();
}
