//! Scripts from an empty database on, asked statement by statement of us and of the native binary: rows, what their columns are
//! called, errors, counts, insert ids and how many warnings there are must be the same.
//!
//! `VARVE_SESSION=groups` runs one file of `tests/sessions`. A statement that begins with `@b:` is asked by a second session, which is
//! called b and stays; so with any other letter.

use std::collections::BTreeMap;
use std::path::Path;

use engine::{Cursor, Session};
use value::SqlType;

use crate::common::native::{self, Connection, Outcome};
use crate::common::{fresh, judge};

/// Placeholder of the database in a script.
const DATABASE: &str = "@db@";
/// Placeholder of a directory that is removed when the test ends.
const FILES: &str = "@files@";
/// Placeholder of the directory of files that LOAD DATA reads.
const LINES: &str = "@lines@";
const LINES_OF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lines");
const OUR_DATABASE: &str = "mydb";
/// In a script: every session commits as a known author, and the first commit is made anew, so that hashes are the same.
const KNOWN_AUTHOR: &str = "-- Everything is committed by A on 2024-01-01.";
const AS_A: [&str; 2] = [
    "set @@dolt_author_name = 'A', @@dolt_author_email = 'a@b.c', @@dolt_committer_name = 'A', @@dolt_committer_email = 'a@b.c'",
    "set @@dolt_author_date = '2024-01-01T00:00:00', @@dolt_committer_date = '2024-01-01T00:00:00'",
];
const FIRST_COMMIT: &str = "call dolt_commit('--amend', '--allow-empty', '-m', 'init')";
/// In a script: errors are compared with number and text, else only by their class.
const WHOLE_ERRORS: &str = "-- Errors have the same number and text.";
/// In a script: rows have the same types, texts and order.
const SAME_TYPES: &str = "-- Types and texts are the same.";

/// Warnings of values that were stored as other ones.
const CHANGED_VALUE: [u16; 2] = [1264, 1366];

/// Begins statements whose columns native Dolt names by accident: values of parameters for their names, and the names of one
/// side's columns for the other's.
const NAMED_BY_ACCIDENT: [&str; 2] = ["call ", "select * from dolt_preview_merge_conflicts('b', 'c', 'u')"];

fn scripts() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let only = std::env::var("VARVE_SESSION").ok();
    let mut scripts = Vec::new();
    for file in std::fs::read_dir(directory).expect("scripts").flatten() {
        let name = file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if only.as_ref().is_none_or(|only| *only == name) {
            scripts.push((name, std::fs::read_to_string(file.path()).expect("a script")));
        }
    }
    scripts.sort();
    scripts
}

/// The session that a statement is for, and the statement.
fn asked_by(text: &str) -> (char, &str) {
    let named = text.strip_prefix('@').and_then(|rest| rest.split_once(':'));
    match named.and_then(|(name, sql)| Some((name.chars().next().filter(|_| name.len() == 1)?, sql.trim_start()))) {
        Some(named) => named,
        None => ('a', text),
    }
}

/// A type as a client sees it.
fn told(ty: &SqlType) -> String {
    let name = ty.to_string().to_uppercase();
    let kind = match name.split(['(', ' ']).next().unwrap_or_default() {
        text if text.ends_with("TEXT") => "TEXT",
        bytes if bytes.ends_with("BLOB") => "BLOB",
        _ if matches!(ty, SqlType::Geometry { .. }) => "GEOMETRY",
        kind => kind,
    };
    if name.contains(" UNSIGNED") { format!("{kind} UNSIGNED") } else { kind.to_owned() }
}

/// What is different; `None` when nothing is.
fn difference(theirs: &Outcome, session: &Session, asked: &str, database: &str, script: &str) -> Option<String> {
    let whole_errors = script.contains(WHOLE_ERRORS);
    let sql = &asked.replace(DATABASE, OUR_DATABASE);
    let ours = session.query(sql).and_then(Cursor::collect);
    if let (true, Outcome::Failed { errno, message }, Err(error)) = (whole_errors, theirs, &ours) {
        let same = error.errno == *errno && error.message == *message;
        return (!same).then(|| format!("error {error}, native has {message} ({errno})"));
    }
    if let (Outcome::Done { affected, insert_id, warnings }, Ok((_, _, summary))) = (theirs, &ours) {
        let (mut ours, mut theirs) = (
            (summary.affected.unwrap_or(0), summary.last_insert_id, summary.warnings.len()),
            (*affected, *insert_id, usize::from(*warnings)),
        );
        // Of REPLACE it is that of the new row here, and a number below zero is none.
        if sql.starts_with("replace") || *insert_id > i64::MAX as u64 {
            (ours.1, theirs.1) = (0, 0);
        }
        // There definitions warn of indexes that are alike and are not, and SET and PREPARE of what was before.
        if ["create", "alter", "lock", "set", "prepare"].iter().any(|begin| sql.starts_with(begin)) {
            (ours.2, theirs.2) = (0, 0);
        }
        // There a value that an UPDATE or a mode that is not strict changes is changed in silence.
        if theirs.2 == 0 && summary.warnings.iter().all(|warning| CHANGED_VALUE.contains(&warning.code)) {
            ours.2 = 0;
        }
        return (ours != theirs).then(|| format!("(rows, insert id, warnings) {ours:?}, native has {theirs:?}"));
    }
    if let (Outcome::Rows(table), Ok((columns, rows, _))) = (theirs, &ours) {
        // SHOW TABLES names the database.
        let theirs =
            table.columns.iter().map(|name| name.replace(&format!("_in_{database}"), &format!("_in_{OUR_DATABASE}")));
        let (theirs, names): (Vec<_>, Vec<_>) =
            (theirs.collect(), columns.iter().map(|column| &*column.name).collect());
        if theirs != names && !NAMED_BY_ACCIDENT.iter().any(|begin| sql.starts_with(begin)) {
            return Some(format!("columns {names:?}, native has {theirs:?}"));
        }
        if script.contains(SAME_TYPES) {
            let types: Vec<String> = columns.iter().map(|column| told(&column.ty)).collect();
            if types != table.types {
                return Some(format!("types {types:?}, native has {:?}", table.types));
            }
            let kinds: Vec<SqlType> = columns.iter().map(|column| column.ty.clone()).collect();
            let (ours, theirs) =
                (judge::as_text(rows, &kinds, &table.types), judge::Expected::of_native(table, sql).rows);
            if ours != theirs {
                return Some(format!("rows {ours:?}, native has {theirs:?}"));
            }
        }
    }
    let ours = ours.map(|(columns, rows, _)| (columns.iter().map(|column| column.ty.clone()).collect(), rows));
    match judge::judge(theirs, ours, sql) {
        judge::Verdict::Same => None,
        judge::Verdict::Alone => Some("native refuses it".to_owned()),
        judge::Verdict::NotSupported(what) | judge::Verdict::Different(what) => Some(what),
    }
}

/// A statement with which a session begins, which neither refuses.
fn begin((native, session): &mut (Connection, Session), theirs: &str, ours: &str) {
    let outcome = native.query(theirs);
    assert!(!matches!(outcome, Outcome::Failed { .. }), "{theirs}: {outcome:?}");
    session.query(ours).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{ours}: {error}"));
}

#[test]
fn sessions_equal_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let directory = std::env::temp_dir().join(format!("varve-sessions-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let files = directory.join(".files").to_string_lossy().into_owned();
    let server = native::Server::start(&binary, &directory);
    let (mut different, mut asked) = (Vec::new(), 0);
    for (name, script) in scripts() {
        let made = server.connect().query(&format!("create database `{name}`"));
        assert!(matches!(made, Outcome::Done { .. }), "{name}");
        let engine = fresh::engine_over(&fresh::chunks());
        let mut sessions = BTreeMap::new();
        for piece in parse::split(&script, &parse::Options::default()) {
            let text = piece.span.text(&script).replace(FILES, &files).replace(LINES, LINES_OF);
            let (letter, sql) = asked_by(&text);
            let is_first = sessions.is_empty();
            let (native, session) = sessions.entry(letter).or_insert_with(|| {
                let mut both = (server.connect(), engine.session());
                begin(&mut both, &format!("use `{name}`"), &format!("use {OUR_DATABASE}"));
                if script.contains(KNOWN_AUTHOR) {
                    AS_A.iter().chain(is_first.then_some(&FIRST_COMMIT)).for_each(|sql| begin(&mut both, sql, sql));
                }
                both
            });
            asked += 1;
            if let Some(why) = difference(&native.query(&sql.replace(DATABASE, &name)), session, sql, &name, &script) {
                different.push(format!("{name}: {text}\n    {why}"));
            }
        }
        // What a server lists of all databases is not for the next script.
        drop(sessions);
        server.connect().query(&format!("drop database `{name}`"));
    }
    drop(server);
    let _ = std::fs::remove_dir_all(directory);
    println!("{asked} statements");
    assert!(different.is_empty(), "{} of {asked}:\n{}", different.len(), different.join("\n"));
}
