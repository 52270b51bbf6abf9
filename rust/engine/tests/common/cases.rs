//! Scripts of ../shared/cases and the judgement of their steps, by the rules of its README.

use engine::{Session, SqlError};
use fancy_regex::Regex;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use value::{SqlType, Value};

use super::judge::{self, Expected, Ours, Verdict, normal};
use super::native::Outcome;

pub fn texts(json: &Json) -> Vec<String> {
    json.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Runs a step and judges the answer; `None` for a step that is not judged.
pub fn run(session: &Session, step: &Json) -> Option<Verdict> {
    let sql = step["sql"].as_str().expect("a step has a statement");
    let answer = session.query(sql).and_then(engine::Cursor::collect);
    let expect = step.get("expect")?;
    if expect["ok"] == true {
        return Some(match answer {
            Err(error) => failed(error, &Json::from("OK")),
            Ok((_, _, summary)) => match expect["affected"].as_u64() {
                Some(affected) if counts_rows(sql) && summary.affected != Some(affected) => {
                    Verdict::Different(format!("{:?} rows changed, native changes {affected}", summary.affected))
                }
                _ => Verdict::Same,
            },
        });
    }
    let ours: Ours = answer.map(|(columns, rows, _)| (columns.iter().map(|column| column.ty.clone()).collect(), rows));
    let masks = texts(&expect["mask"]);
    Some(match (ours, masks.is_empty()) {
        (Ok((types, rows)), false) => masked(expect, &types, &rows, &masks, sql),
        (ours, _) => verdict(expect, ours, sql),
    })
}

fn counts_rows(sql: &str) -> bool {
    let word: String = sql.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    ["insert", "update", "delete", "replace"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Hashes and times are the same whatever they are.
fn masked(expect: &Json, types: &[SqlType], rows: &[Vec<Value<'static>>], masks: &[String], sql: &str) -> Verdict {
    let hash = Regex::new(r"\b[0-9a-v]{32}\b").expect("a pattern");
    let time = Regex::new(r"20\d\d-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?)?( [+-]\d{4} UTC)?").expect("a pattern");
    let mask = |text: &str| {
        let mut text = text.to_owned();
        if masks.iter().any(|mask| mask == "hash") {
            text = hash.replace_all(&text, "<hash>").into_owned();
        }
        if masks.iter().any(|mask| mask == "time") {
            text = time.replace_all(&text, "<time>").into_owned();
        }
        text
    };
    let kinds = texts(&expect["types"]);
    let ours = judge::as_text(rows, types, &kinds);
    let as_values = |row: &Vec<Option<String>>| {
        row.iter().map(|cell| cell.as_ref().map_or(Value::Null, |text| Value::text(mask(text)))).collect()
    };
    let ours: Vec<Vec<Value<'static>>> = ours.iter().map(as_values).collect();
    let mut expect = expect.clone();
    let cells = expect["rows"].as_array_mut().into_iter().flatten().filter_map(Json::as_array_mut).flatten();
    for cell in cells {
        if let Some(text) = cell.as_str() {
            *cell = Json::from(mask(text));
        }
    }
    verdict(&expect, Ok((vec![SqlType::LONGTEXT; types.len()], ours)), sql)
}

fn failed(error: SqlError, expected: &Json) -> Verdict {
    match judge::is_not_built(&error) {
        true => Verdict::NotSupported(error.into_message()),
        false => Verdict::Different(format!("error {error}, native gives {expected}")),
    }
}

/// An answer of ours beside what a step expects.
pub fn verdict(expect: &Json, ours: Ours, sql: &str) -> Verdict {
    if let Some(errno) = expect["error"].as_u64() {
        let message = expect["message"].as_str().unwrap_or_default().to_owned();
        return judge::judge(&Outcome::Failed { errno: errno as u16, message }, ours, sql);
    }
    let expected = Expected {
        columns: texts(&expect["columns"]),
        types: texts(&expect["types"]),
        rows: expect["rows"].as_array().into_iter().flatten().map(row).collect(),
        order: expect.get("order").map(texts),
    };
    match (ours, expect["sha256"].as_str()) {
        (Err(error), _) => failed(error, &expect["rows"]),
        (Ok((types, rows)), None) => match judge::compare(&expected, &types, &rows) {
            Ok(()) => Verdict::Same,
            Err(why) => Verdict::Different(why),
        },
        (Ok((types, rows)), Some(sum)) => {
            let ours = checksum(&judge::as_text(&rows, &types, &expected.types), &expected.types);
            if expect["count"].as_u64() == Some(rows.len() as u64) && ours == sum {
                Verdict::Same
            } else {
                Verdict::Different(format!("{} rows {ours}, native has {} {sum}", rows.len(), expect["count"]))
            }
        }
    }
}

fn row(row: &Json) -> Vec<Option<String>> {
    row.as_array().into_iter().flatten().map(|cell| cell.as_str().map(str::to_owned)).collect()
}

/// Rule 7 of the cases.
fn checksum(rows: &[Vec<Option<String>>], kinds: &[String]) -> String {
    let cell = |(cell, kind): (&Option<String>, &String)| match normal(cell, kind) {
        None => "\\N".to_owned(),
        Some(text) => text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n"),
    };
    let mut lines: Vec<String> =
        rows.iter().map(|row| row.iter().zip(kinds).map(cell).collect::<Vec<_>>().join("\t")).collect();
    lines.sort();
    let mut hash = Sha256::new();
    for line in &lines {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
