//! The same INSERT, UPDATE and DELETE on both sides leave the same bytes: tables and databases have equal hashes.
//!
//! Native Dolt makes the tables; we go on from a copy of its files. `VARVE_WRITES=keyless` runs one scenario,
//! `VARVE_FAILURES=50` prints more of what is different.
#![allow(clippy::disallowed_methods)] // native: it has directories

use std::path::{Path, PathBuf};
use std::process::Command;

use engine::{Cursor, Session};

use crate::common;
use crate::common::native::{self, Outcome};
use crate::common::{judge, over};

/// A scenario of `tests/writes`: what makes its tables, a line `-- writes`, then statements.
struct Scenario {
    name: String,
    tables: String,
    writes: Vec<String>,
}

fn statements(script: &str) -> Vec<String> {
    let pieces = parse::split(script, &parse::Options::default());
    pieces.iter().map(|piece| piece.span.text(script).to_owned()).collect()
}

fn scenarios() -> Vec<Scenario> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/writes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).expect("scripts").flatten().map(|e| e.path()).collect();
    files.sort();
    let only = std::env::var("VARVE_WRITES").ok();
    let scenario = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let script = std::fs::read_to_string(file).expect("a script");
        let (tables, writes) = script.split_once("-- writes\n").expect("a script has a line `-- writes`");
        let mut writes = statements(writes);
        writes.extend(common::random_writes::script(tables, 20_261_121, 150));
        Scenario { name, tables: tables.to_owned(), writes }
    };
    let all = files.iter().map(scenario);
    all.filter(|scenario| only.as_ref().is_none_or(|only| *only == scenario.name)).collect()
}

struct Directories(PathBuf);

impl Drop for Directories {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Names and hashes of all tables, then the hash of the database.
fn hashes(ask: &mut dyn FnMut(&str) -> Vec<Vec<Option<String>>>) -> Vec<String> {
    let tables: Vec<String> = ask("SHOW TABLES").into_iter().flatten().flatten().collect();
    let mut hashes = Vec::new();
    for table in tables {
        let hash = ask(&format!("SELECT dolt_hashof_table('{table}')")).concat();
        hashes.push(format!("{table} {}", hash.into_iter().flatten().collect::<String>()));
    }
    hashes.push(ask("SELECT dolt_hashof_db()").concat().into_iter().flatten().collect());
    hashes
}

fn ask_native(native: &mut native::Connection, sql: &str) -> Vec<Vec<Option<String>>> {
    match native.query(sql) {
        Outcome::Rows(table) => judge::Expected::of_native(&table, sql).rows,
        other => panic!("{sql}: {other:?}"),
    }
}

fn ask_ours(session: &Session, sql: &str) -> Vec<Vec<Option<String>>> {
    let (types, rows) = judge::ask(session, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    judge::as_text(&rows, &types, &vec![String::new(); types.len()])
}

/// What is different after a statement; `None` when nothing is.
fn difference(database: &str, sql: &str, native: &mut native::Connection, session: &Session) -> Option<String> {
    let theirs = native.query(sql);
    if theirs == Outcome::Lost {
        // A panic of native Dolt leaves its tables as they were.
        native.query(&format!("USE `{database}`"));
        return None;
    }
    let ours = session.query(sql).and_then(Cursor::collect);
    let outcome = match (&theirs, &ours) {
        (Outcome::Done { affected, .. }, Ok((_, _, summary))) if summary.affected == Some(*affected) => None,
        (Outcome::Failed { errno, message }, Err(error)) => {
            let same = judge::same_error(*errno, error.errno) && *message == error.message;
            (!same).then(|| format!("native {errno} {message}\n      ours {error}"))
        }
        (Outcome::Rows(_), Ok(_)) => None,
        (theirs, Ok((_, _, summary))) => Some(format!("native {theirs:?}\n      ours {:?} rows", summary.affected)),
        (theirs, Err(error)) => Some(format!("native {theirs:?}\n      ours {error}")),
    };
    let theirs = hashes(&mut |sql| ask_native(native, sql));
    let ours = hashes(&mut |sql| ask_ours(session, sql));
    let hashes = theirs.iter().zip(&ours).filter(|(theirs, ours)| theirs != ours);
    let hashes: Vec<String> = hashes.map(|(theirs, ours)| format!("native {theirs}, ours {ours}")).collect();
    match (outcome, hashes.is_empty()) {
        (outcome, true) => outcome,
        (outcome, false) => Some(format!("{}{}", outcome.map_or(String::new(), |o| o + "\n      "), hashes.join("; "))),
    }
}

#[test]
fn writes_equal_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let directories = Directories(std::env::temp_dir().join(format!("varve-writes-{}", std::process::id())));
    let theirs = directories.0.join("native");
    std::fs::create_dir_all(&theirs).expect("a temporary directory");
    let server = native::Server::start(&binary, &theirs);
    let mut native = server.connect();
    let mut failures = Vec::new();
    let mut same = 0;
    for scenario in scenarios() {
        let name = &scenario.name;
        for sql in [format!("CREATE DATABASE `{name}`"), format!("USE `{name}`")] {
            assert!(matches!(native.query(&sql), Outcome::Done { .. }), "{sql}");
        }
        for sql in statements(&scenario.tables) {
            let outcome = native.query(&sql);
            assert!(!matches!(outcome, Outcome::Failed { .. } | Outcome::Lost), "{name}: {sql}: {outcome:?}");
        }
        let copied = directories.0.join(name);
        let status = Command::new("cp").arg("-r").arg(theirs.join(name)).arg(&copied).status();
        assert!(status.is_ok_and(|status| status.success()), "{name} is copied");
        let session = over::session(&copied);
        let mut different = Vec::new();
        for sql in &scenario.writes {
            let before = different.len();
            different.extend(
                difference(name, sql, &mut native, &session).map(|what| format!("{name}: {sql}\n      {what}")),
            );
            // What follows from one difference says nothing new.
            if different.len() > before && different[before].contains(" ours ") && different[before].contains(';') {
                break;
            }
            same += usize::from(different.len() == before);
        }
        println!("{name}: {} statements, {} different", scenario.writes.len(), different.len());
        different.iter().take(shown).for_each(|what| println!("  {what}"));
        failures.extend(different);
    }
    println!("{same} statements left the same");
    assert!(failures.is_empty(), "{} differ", failures.len());
}
