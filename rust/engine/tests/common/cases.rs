//! Lines of ../shared/cases: what they expect, and whether we answer so.

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::judge::{self, Expected, Ours, Verdict, normal};
use super::native::Outcome;

pub fn texts(json: &Json) -> Vec<String> {
    json.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

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
        (Err(error), _) if judge::is_not_built(&error) => Verdict::NotSupported(error.message),
        (Err(error), _) => Verdict::Different(format!("error {error}, native gives {}", expect["rows"])),
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
