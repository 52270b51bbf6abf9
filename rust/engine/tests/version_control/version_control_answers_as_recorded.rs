//! The scripts of ../shared/format/vectors/database, recorded from native Dolt 2.2.0: each in a new database, in one session.
//!
//! `VARVE_ONLY=05` runs one file, `VARVE_FAILURES=50` prints more failures.

use engine::{Cursor, Session};
use serde_json::Value as Json;
use value::Value;

use crate::common::fresh;

/// These show generated columns and collations as MySQL does (docs/decisions/2026-11-21-dialect.md).
const AS_MYSQL: [&str; 2] = [
    "show full columns from t",
    "select column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, numeric_precision, \
     numeric_scale, datetime_precision, character_set_name, collation_name, column_type, column_key, extra, column_comment, \
     generation_expression from information_schema.columns where table_schema='db' and table_name='t' order by ordinal_position",
];

#[test]
fn version_control_answers_as_recorded() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let only = std::env::var("VARVE_ONLY").ok();
    let mut paths: Vec<_> = std::fs::read_dir(shared.join("format/vectors/database"))
        .expect("the vectors are there")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    let (mut good, mut all) = (0, 0);
    for path in paths {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        if only.as_ref().is_some_and(|only| !name.starts_with(only.as_str())) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("vectors are readable");
        let vector: Json = serde_json::from_str(&text).expect("vectors are JSON");
        let (passed, failures) = match vector["sql"].as_array() {
            Some(_) => run(&vector),
            None => continue,
        };
        (good, all) = (good + passed, all + passed + failures.len());
        println!("{name}: {passed} passed, {} failed", failures.len());
        failures.iter().take(shown).for_each(|failure| println!("  {failure}"));
    }
    println!("{good} of {all}");
    assert_eq!(good, all, "statements that native Dolt answers otherwise");
}

fn run(vector: &Json) -> (usize, Vec<String>) {
    let session = fresh::session_named("db");
    let (mut passed, mut failures) = (0, Vec::new());
    let statements = vector["sql"].as_array().into_iter().flatten().filter_map(Json::as_str);
    for (at, (sql, expected)) in statements.zip(vector["expected"].as_array().into_iter().flatten()).enumerate() {
        match agrees(&session, sql, expected) {
            Ok(()) => passed += 1,
            Err(_) if AS_MYSQL.contains(&sql) => passed += 1,
            Err(why) => failures.push(format!("{at}: {sql}\n      {why}")),
        }
    }
    (passed, failures)
}

fn agrees(session: &Session, sql: &str, expected: &Json) -> Result<(), String> {
    let ours = session.query(sql).and_then(Cursor::collect);
    if let Some(wanted) = expected["error"].as_str() {
        return match ours {
            Ok(_) => Err(format!("no error, native says {wanted}")),
            Err(error) if error.message == wanted => Ok(()),
            // Other words for the same number are as good.
            Err(error) if Some(u64::from(error.errno)) == expected["code"].as_u64() && error.errno != 1105 => Ok(()),
            Err(error) => Err(format!("error {error}\n      native {wanted}")),
        };
    }
    let (columns, rows, _) = ours.map_err(|error| format!("error {error}"))?;
    if expected["ok"].as_bool() == Some(true) {
        return Ok(());
    }
    let names: Vec<&str> = expected["columns"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let ours_named: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    if names.len() != columns.len() || names.iter().zip(&ours_named).any(|(a, b)| !a.eq_ignore_ascii_case(b)) {
        return Err(format!("columns {ours_named:?}, native has {names:?}"));
    }
    let wanted = expected["rows"].as_array().map_or(&[][..], |rows| rows);
    if wanted.len() != rows.len() {
        return Err(format!("{} rows, native has {}: {rows:?}", rows.len(), wanted.len()));
    }
    for (row, wanted) in rows.iter().zip(wanted) {
        for (name, value) in names.iter().zip(row) {
            let native = wanted.get(*name).unwrap_or(&Json::Null);
            if !is_same(value, native) {
                return Err(format!("{name} is {value:?}, native has {native}"));
            }
        }
    }
    Ok(())
}

fn is_same(ours: &Value<'_>, native: &Json) -> bool {
    let text = || match ours {
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Date(date) => date.to_string(),
        ours => value::convert::to_string(ours).map(|text| text.into_owned()).unwrap_or_default(),
    };
    match native {
        Json::String(any) if any == "*" => true,
        Json::Null => ours.is_null(),
        _ if ours.is_null() => false,
        Json::Bool(flag) => text() == if *flag { "1" } else { "0" },
        Json::String(native) => text() == *native || same_time(&text(), native) || same_json(&text(), native),
        Json::Number(number) => text() == number.to_string() || text().parse::<f64>().ok() == number.as_f64(),
        Json::Array(_) | Json::Object(_) => serde_json::from_str::<Json>(&text()).is_ok_and(|ours| ours == *native),
    }
}

/// Times without the zeros at the end of their fraction.
fn same_time(ours: &str, native: &str) -> bool {
    let short = |text: &str| match text.split_once('.') {
        Some((whole, fraction)) => {
            format!("{whole}.{}", fraction.trim_end_matches('0')).trim_end_matches('.').to_owned()
        }
        None => text.to_owned(),
    };
    ours.starts_with("20") && short(ours) == short(native)
}

fn same_json(ours: &str, native: &str) -> bool {
    let parse = |text: &str| serde_json::from_str::<Json>(text).ok().filter(|json| json.is_object() || json.is_array());
    parse(ours).is_some_and(|ours| parse(native) == Some(ours))
}
