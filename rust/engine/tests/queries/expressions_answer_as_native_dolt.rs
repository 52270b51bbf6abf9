//! Every `SELECT` without a table in ../shared/cases, against native Dolt's answer.
//!
//! `VARVE_FAILURES=25 cargo test -p engine expressions_answer_as_native_dolt -- --nocapture` prints the first
//! failures of each file; `VARVE_CASES=json` runs one file.

use std::path::Path;

use engine::{Cursor, Session, SqlError};
use serde_json::Value as Json;
use value::Decimal;

use crate::common;

/// How many steps of each file pass at least. Raise these when more do; none may fall.
const FLOORS: &[(&str, usize)] = &[
    ("numeric", 1123),
    ("strings", 1112),
    ("datetime", 400),
    ("json", 400),
    ("select", 22),
    ("fulltext_spatial", 36),
    ("aggregates", 1),
    ("variables", 6),
    ("errors", 103),
];

/// Errors may differ in number where one of them is Dolt's general one; README.md of the cases, rule 4.
const GENERAL: u64 = 1105;

#[test]
fn expressions_answer_as_native_dolt() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let only = std::env::var("VARVE_CASES").ok();
    let mut below = Vec::new();
    for (name, floor) in FLOORS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        let (passed, failures) = run_file(&shared.join("cases").join(format!("{name}.jsonl")));
        println!("{name}: {passed} passed, {} failed", failures.len());
        failures.iter().take(shown).for_each(|failure| println!("  {failure}"));
        if passed < *floor {
            below.push(format!("{name}: {passed} passed, there were {floor}"));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

fn run_file(path: &Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("cases are readable");
    let (mut passed, mut failures) = (0, Vec::new());
    for line in text.lines() {
        let script: Json = serde_json::from_str(line).expect("cases are JSON");
        let Some(steps) = script["steps"].as_array() else { continue };
        let session = common::empty_engine().session();
        for step in steps {
            let sql = step["sql"].as_str().expect("a step has a statement");
            let answer = session.query(sql).and_then(Cursor::collect_rows);
            if step.get("expect").is_none() || !reads_no_table(&session, sql) {
                continue;
            }
            match judge(&step["expect"], answer) {
                Ok(()) => passed += 1,
                Err(why) => failures.push(format!("{sql}\n      {why}")),
            }
        }
    }
    (passed, failures)
}

type Rows = (Vec<value::SqlType>, Vec<Vec<value::Value<'static>>>);

trait CollectRows {
    fn collect_rows(self) -> Result<Rows, SqlError>;
}

impl CollectRows for Cursor {
    fn collect_rows(self) -> Result<Rows, SqlError> {
        let (columns, rows, _) = self.collect()?;
        Ok((columns.iter().map(|column| column.ty.clone()).collect(), rows))
    }
}

/// Whether the statement is a SELECT whose text names no table. FROM also occurs inside some functions.
fn reads_no_table(session: &Session, sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    if !lower.trim_start().starts_with("select") {
        return false;
    }
    if !lower.contains("from") {
        return true;
    }
    let Ok(prepared) = session.prepare(sql) else { return false };
    let parse::ast::StatementKind::Query(query) = &prepared.statement.kind else { return false };
    let text = format!("{query:?}");
    !text.contains("TableExpr")
        && !text.contains("Table {")
        && text.matches("from: [").count() == text.matches("from: []").count()
}

fn judge(expect: &Json, answer: Result<Rows, SqlError>) -> Result<(), String> {
    match (expect.get("error"), answer) {
        (Some(code), Err(error)) => {
            let code = code.as_u64().unwrap_or_default();
            let agrees = code == u64::from(error.errno) || code == GENERAL || u64::from(error.errno) == GENERAL;
            // An error of ours that only says that something is missing proves nothing.
            let built = error.errno != 1235 && !error.message.contains("not found");
            let message = expect["message"].as_str().unwrap_or_default();
            let expects_missing = message.contains("not found") || message.contains("syntax error");
            if agrees && (built || expects_missing) { Ok(()) } else { Err(format!("error {error}, expected {expect}")) }
        }
        (Some(_), Ok((_, rows))) => Err(format!("no error but {rows:?}, expected {}", expect["message"])),
        (None, Err(error)) => Err(format!("error {error}, expected {}", expect["rows"])),
        (None, Ok((types, rows))) => same_rows(expect, &types, &rows),
    }
}

fn same_rows(expect: &Json, types: &[value::SqlType], rows: &[Vec<value::Value<'static>>]) -> Result<(), String> {
    let expected = expect["rows"].as_array().ok_or("no rows expected")?;
    let kinds: Vec<&str> = expect["types"].as_array().ok_or("no types")?.iter().filter_map(Json::as_str).collect();
    let shown: Vec<Vec<Option<String>>> = rows
        .iter()
        .map(|row| row.iter().zip(types).zip(&kinds).map(|((value, ty), kind)| text(value, ty, kind)).collect())
        .collect();
    let mut left: Vec<&Json> = expected.iter().collect();
    for row in &shown {
        let same = |expected: &&Json| {
            let expected = expected.as_array().map(Vec::as_slice).unwrap_or_default();
            expected.len() == row.len()
                && expected
                    .iter()
                    .zip(row)
                    .zip(&kinds)
                    .all(|((expected, value), kind)| same_value(expected.as_str(), value.as_deref(), kind))
        };
        match left.iter().position(same) {
            Some(at) => left.remove(at),
            None => return Err(format!("{shown:?}, expected {}", expect["rows"])),
        };
    }
    if left.is_empty() { Ok(()) } else { Err(format!("{shown:?}, expected {}", expect["rows"])) }
}

/// The text that a client sees; binary as the cases write it.
fn text(value: &value::Value<'_>, ty: &value::SqlType, kind: &str) -> Option<String> {
    let bytes = value::to_text(value, ty)?;
    let binary = ["BINARY", "VARBINARY", "BLOB", "BIT", "GEOMETRY"].iter().any(|name| kind.ends_with(name));
    Some(match std::str::from_utf8(&bytes) {
        Ok(text) if !binary => text.to_owned(),
        _ => format!("0x{}", bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>()),
    })
}

fn same_value(expected: Option<&str>, value: Option<&str>, kind: &str) -> bool {
    let (Some(expected), Some(value)) = (expected, value) else { return expected == value };
    if expected == value {
        return true;
    }
    let kind = kind.split_whitespace().next().unwrap_or_default();
    match kind {
        "TINYINT" | "SMALLINT" | "INT" | "MEDIUMINT" | "BIGINT" | "YEAR" | "DECIMAL" => {
            matches!((expected.parse::<Decimal>(), value.parse::<Decimal>()), (Ok(e), Ok(v)) if e == v)
        }
        "DOUBLE" => is_close(expected, value, 1e-9),
        "FLOAT" => is_close(expected, value, 2e-5),
        "JSON" => match (serde_json::from_str(expected), serde_json::from_str(value)) {
            (Ok(expected), Ok(value)) => same_json(&expected, &value),
            _ => false,
        },
        "TIME" | "DATETIME" | "TIMESTAMP" => trimmed(expected) == trimmed(value),
        _ => false,
    }
}

fn is_close(expected: &str, value: &str, tolerance: f64) -> bool {
    let (Ok(expected), Ok(value)) = (expected.parse::<f64>(), value.parse::<f64>()) else { return false };
    expected == value || (expected - value).abs() <= tolerance * expected.abs().max(value.abs())
}

fn same_json(expected: &Json, value: &Json) -> bool {
    match (expected, value) {
        (Json::Number(expected), Json::Number(value)) => is_close(&expected.to_string(), &value.to_string(), 1e-12),
        (Json::Array(expected), Json::Array(value)) => {
            expected.len() == value.len() && expected.iter().zip(value).all(|(e, v)| same_json(e, v))
        }
        (Json::Object(expected), Json::Object(value)) => {
            expected.len() == value.len()
                && expected.iter().all(|(key, e)| value.get(key).is_some_and(|v| same_json(e, v)))
        }
        _ => expected == value,
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
