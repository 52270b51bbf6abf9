//! Random scripts of commits, branches, merges, resets, picks, reverts and stashes: ./merges/scripts.jsonl has what native Dolt
//! 2.2.0 answers to each statement, hashes and all.

mod common;

use common::fresh;
use engine::{Cursor, Session};
use serde_json::{Map, Value as Json};
use value::Value;

#[test]
fn histories_grow_as_in_native_dolt() {
    for line in include_str!("merges/scripts.jsonl").lines() {
        let script: Json = serde_json::from_str(line).expect("scripts are JSON");
        let session = fresh::session_named("db");
        for step in script["steps"].as_array().expect("a script has steps") {
            let sql = step["sql"].as_str().expect("a step has a statement");
            let ours = query(&session, sql);
            let context = format!("script {}: {sql}", script["seed"]);
            match (step["error"].as_str(), step.get("rows")) {
                (Some(error), _) => assert_eq!(ours.as_ref().map_err(|error| error.trim()), Err(error), "{context}"),
                (None, Some(rows)) => assert_eq!(ours.as_ref(), Ok(rows), "{context}"),
                (None, None) => assert!(ours.is_ok(), "{context}: {ours:?}"),
            }
        }
    }
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
