//! Every fixture, every branch, every table: schema, count and checksum as native Dolt gave them.

use std::fmt::Write;

use engine::{Session, SqlError};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use value::{SqlType, Value};

use crate::common;

/// A value in the oracle's text form (fixtures/README.md).
fn oracle_text(value: &Value<'_>, ty: &SqlType) -> String {
    if value.is_null() {
        return "\\N".to_owned();
    }
    let bytes = value::to_text(value, ty).unwrap_or_default();
    let text = match ty {
        SqlType::Bit(_)
        | SqlType::Binary { .. }
        | SqlType::VarBinary { .. }
        | SqlType::Blob { .. }
        | SqlType::Geometry { .. } => bytes.iter().fold("0x".to_owned(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02X}");
            hex
        }),
        SqlType::Json => match value {
            Value::Json(json) => match json.canonical() {
                // The server that made the oracle sent no text for documents of more than 64 KiB; its shell shows them.
                text if text.len() >= 65_536 => String::new(),
                // Python reads -0 as the integer 0.
                text if text == "-0" => "0".to_owned(),
                text => text,
            },
            other => format!("{other:?}"),
        },
        SqlType::Year => match value {
            Value::Year(year) => year.to_string(),
            other => format!("{other:?}"),
        },
        SqlType::Time => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        // Native Dolt sends stored numbers without exponent, and years below 1000 without zeros.
        SqlType::Float | SqlType::Double => match value {
            Value::Float(number) => format!("{number}"),
            Value::Double(number) => format!("{number}"),
            other => format!("{other:?}"),
        },
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if text.starts_with("0000") { text } else { text.trim_start_matches('0').to_owned() }
        }
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    };
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\0' => escaped.push_str("\\0"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Count and checksum of all rows, lines sorted bytewise.
fn checksum(session: &Session, sql: &str) -> Result<(u64, String), SqlError> {
    let (columns, rows, summary) = session.query(sql)?.collect()?;
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| row.iter().zip(columns.iter()).map(|(v, c)| oracle_text(v, &c.ty)).collect::<Vec<_>>().join("\t"))
        .collect();
    lines.sort();
    let mut hash = Sha256::new();
    for line in &lines {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    let digest = hash.finalize();
    Ok((
        summary.rows,
        digest.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        }),
    ))
}

struct Tally {
    checked: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn check(&mut self, what: String, got: &str, wanted: &str) {
        self.checked += 1;
        if got != wanted {
            self.wrong.push(format!("{what}: got {got}, want {wanted}"));
        }
    }
}

fn check_tables(session: &Session, place: &str, as_of: Option<&str>, tables: &Json, tally: &mut Tally) {
    let suffix = as_of.map_or(String::new(), |revision| format!(" AS OF '{revision}'"));
    for (table, expected) in tables.as_object().expect("tables by name") {
        let name = format!("{}.{}", quoted(place), quoted(table));
        let what = format!("{name}{suffix}");
        if let Some(wanted) = expected["sha256_sorted"].as_str() {
            match checksum(session, &format!("SELECT * FROM {name}{suffix}")) {
                Ok((count, sum)) => {
                    tally.check(
                        format!("{what} count"),
                        &count.to_string(),
                        expected["count"].as_str().unwrap_or(&expected["count"].to_string()),
                    );
                    tally.check(format!("{what} checksum"), &sum, wanted);
                }
                Err(error) => tally.check(what.clone(), &error.to_string(), "rows"),
            }
        }
        if let (Some(wanted), None) = (expected["create"].as_str(), as_of) {
            let created = session.query(&format!("SHOW CREATE TABLE {name}")).and_then(engine::Cursor::collect);
            let got = match &created {
                Ok((_, rows, _)) => match rows.first().and_then(|row| row.get(1)) {
                    Some(Value::Text(text)) => text.to_string(),
                    other => format!("{other:?}"),
                },
                Err(error) => error.to_string(),
            };
            tally.check(format!("{what} definition"), &got, wanted);
        }
    }
}

#[test]
fn every_table_of_every_branch() {
    let mut tally = Tally { checked: 0, wrong: Vec::new() };
    for name in common::fixtures() {
        let Some(directory) = common::fixture(name) else { return };
        let oracle =
            native_dolt::fixtures::shared().expect("it is there").join("fixtures").join(format!("{name}.json"));
        let oracle: Json = serde_json::from_slice(&std::fs::read(oracle).expect("an oracle")).expect("JSON");
        let session = common::open(&directory).expect("the fixture opens");
        for (database, expected) in oracle["databases"].as_object().expect("databases") {
            for (branch, expected) in expected["per_branch"].as_object().into_iter().flatten() {
                let place = format!("{database}/{branch}");
                check_tables(&session, &place, None, &expected["tables"], &mut tally);
                for revision in expected["as_of"].as_array().into_iter().flatten() {
                    let commit = revision["commit"].as_str().expect("a commit");
                    check_tables(&session, &place, Some(commit), &revision["tables"], &mut tally);
                }
                for (view, expected) in expected["views"].as_object().into_iter().flatten() {
                    if let Some(wanted) = expected["data"]["sha256_sorted"].as_str() {
                        let name = format!("{}.{}", quoted(&place), quoted(view));
                        match checksum(&session, &format!("SELECT * FROM {name}")) {
                            Ok((_, sum)) => tally.check(format!("view {name}"), &sum, wanted),
                            Err(error) => tally.check(format!("view {name}"), &error.to_string(), "rows"),
                        }
                    }
                }
            }
        }
    }
    println!("{} facts checked, {} wrong", tally.checked, tally.wrong.len());
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}
