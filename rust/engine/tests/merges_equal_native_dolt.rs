//! Three-way merges as native Dolt 2.2.0 makes them: ./merges/native.jsonl has scripts for the base, our and their branch, and
//! what native Dolt answers: the new commit, the merged root, conflicts of schemas and rows, violated constraints.
//!
//! `VARVE_ONLY=name` runs one.

mod common;

use common::fresh;
use engine::{Cursor, Session};
use serde_json::{Map, Value as Json};
use value::Value;

const VARIABLES: &str = "set @@dolt_author_name = 'A', @@dolt_author_email = 'a@b.c', @@dolt_committer_name = 'A', \
    @@dolt_committer_email = 'a@b.c', @@dolt_author_date = '2024-02-01T00:00:00', \
    @@dolt_committer_date = '2024-02-01T00:00:00'";

/// What is asked after the merge of each script.
const QUESTIONS: [&str; 5] = [
    "call dolt_merge('br')",
    "select dolt_hashof_db('working') as root",
    "select table_name, description from dolt_schema_conflicts order by table_name",
    "select * from dolt_conflicts order by `table`",
    "select * from dolt_constraint_violations order by `table`",
];

/// How many merges are not as they should be.
const KNOWN: usize = 0;

#[test]
fn merges_equal_native_dolt() {
    let only = std::env::var("VARVE_ONLY").ok();
    let text = include_str!("merges/native.jsonl");
    let (mut good, mut bad) = (0, 0);
    for line in text.lines() {
        let merge: Json = serde_json::from_str(line).expect("merges are JSON");
        let name = merge["case"].as_str().unwrap_or_default();
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        match run(&merge) {
            Ok(()) => good += 1,
            Err(why) => {
                bad += 1;
                println!("{name}: {why}");
            }
        }
    }
    println!("{good} merges are the same, {bad} are not");
    assert!(bad <= KNOWN, "{bad} merges differ, there were {KNOWN}");
}

fn run(merge: &Json) -> Result<(), String> {
    let session = fresh::session_named("db");
    let run = |sql: &str| query(&session, sql).map_err(|error| format!("{sql}: {error}"));
    run(VARIABLES)?;
    run("call dolt_commit('--amend', '-m', 'Initialize data repository', '--date', '2024-01-01T00:00:00')")?;
    for (script, commit) in [
        ("base", "call dolt_branch('br')"),
        ("ours", "call dolt_checkout('br')"),
        ("theirs", "call dolt_checkout('main')"),
    ] {
        for sql in merge[script].as_array().into_iter().flatten().filter_map(Json::as_str) {
            run(sql)?;
        }
        run("call dolt_add('-A')")?;
        run(&format!("call dolt_commit('--allow-empty', '-m', '{script}')"))?;
        run(commit)?;
    }
    for sql in
        ["set autocommit = 0", "set @@dolt_allow_commit_conflicts = 1", "set @@dolt_force_transaction_commit = 1"]
    {
        run(sql)?;
    }
    let mut differences = Vec::new();
    for (at, question) in QUESTIONS.into_iter().enumerate() {
        let native = &merge["answers"][at];
        match (query(&session, question), merge["error"].as_str().filter(|_| at == 0)) {
            (Err(ours), Some(native)) if ours == native => {}
            (Ok(ours), None) if ours == *native => {}
            (ours, error) => differences
                .push(format!("{question}\n  ours   {ours:?}\n  native {native} {}", error.unwrap_or_default())),
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// The rows as objects, without what is NULL.
fn query(session: &Session, sql: &str) -> Result<Json, String> {
    let (columns, rows, _) = session.query(sql).and_then(Cursor::collect).map_err(|error| error.message)?;
    let cell = |value: &Value<'static>| match value {
        Value::Int(number) => Json::from(*number),
        Value::UInt(number) => Json::from(*number),
        value => Json::from(value::convert::to_string(value).expect("a value has a text").into_owned()),
    };
    let object = |row: &Vec<Value<'static>>| -> Json {
        let cells = columns.iter().zip(row).filter(|(_, value)| !value.is_null());
        cells.map(|(column, value)| (column.name.to_string(), cell(value))).collect::<Map<String, Json>>().into()
    };
    Ok(rows.iter().map(object).collect())
}
