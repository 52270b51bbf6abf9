//! Compares an answer of ours with native Dolt's, by the rules of ../shared/cases/README.md.

use std::fmt::Write;

use engine::{Session, SqlError};
use serde_json::Value as Json;
use value::{Decimal, SqlType, Value};

use super::native::{Outcome, Table};

/// Rows of text with the native types that say how to compare them. Binary values are `0x` and capital hex.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    pub columns: Vec<String>,
    pub types: Vec<String>,
    pub rows: Vec<Vec<Option<String>>>,
    /// The items of ORDER BY where the order counts.
    pub order: Option<Vec<String>>,
}

#[derive(Debug, Clone)]
pub enum Verdict {
    Same,
    /// Native Dolt fails where the statement is sound, and we answer.
    Alone,
    /// An error of ours that says so: 1235.
    NotSupported(String),
    Different(String),
}

/// Our answer to one statement.
pub type Ours = Result<(Vec<SqlType>, Vec<Vec<Value<'static>>>), SqlError>;

pub fn ask(session: &Session, sql: &str) -> Ours {
    let (columns, rows, _) = session.query(sql)?.collect()?;
    Ok((columns.iter().map(|column| column.ty.clone()).collect(), rows))
}

const NOT_SUPPORTED: u16 = 1235;
/// System tables and databases that are not there yet are not found.
const NO_TABLE: u16 = 1146;
const NO_DATABASE: u16 = 1049;

/// What native Dolt 2.2.0 cannot do though the statement is sound: our answer is not compared.
const NATIVE_ONLY: &[&str] = &[
    // DISTINCT over an expression with ORDER BY of the same.
    "unable to sort: unable to find field with index",
];

/// Whether an error of ours says that something is still missing, where native Dolt has an answer.
pub fn is_not_built(error: &SqlError) -> bool {
    error.errno == NOT_SUPPORTED
        || (error.errno == NO_TABLE && error.message.contains("dolt_"))
        || (error.errno == NO_DATABASE && error.message.contains("information_schema"))
}
/// Dolt's general code agrees with every other.
const GENERAL: u16 = 1105;

/// MySQL error numbers that say about the same.
const CLASSES: &[&[u16]] = &[
    &[1064, 1149, 1065, 1235, 1295, 1221, 1234],
    &[1062, 1586, 1557, 1022, 1569],
    &[1146, 1051, 1109, 1347, 1356],
    &[1054, 1072, 1091, 1052, 1176, 1060],
    &[1049, 1046, 1008, 1044],
    &[1050, 1007, 1060, 1061, 1304, 1359, 1826, 1537],
    &[1048, 1364, 1138, 1263, 1171],
    &[1264, 1406, 1265, 1366, 1292, 1690, 1367, 1411, 1416, 3140, 3141, 3143, 3144, 3037, 3617, 1365, 1441, 3548, 3616],
    &[1055, 1056, 1140, 1111, 3029, 1463],
    &[1136, 1058, 1222, 1241, 1242, 1318, 1582],
    &[1305, 1630, 1128],
];

pub fn same_error(expected: u16, ours: u16) -> bool {
    let class = |code: u16| CLASSES.iter().position(|codes| codes.contains(&code));
    expected == ours
        || expected == GENERAL
        || ours == GENERAL
        || class(expected).is_none()
        || class(ours).is_none()
        || class(expected) == class(ours)
}

/// The items of the outermost ORDER BY of a statement as they are written.
pub fn order_of(sql: &str) -> Option<Vec<String>> {
    let statement = parse::statement(sql, &parse::Options::default()).statement?;
    let parse::ast::StatementKind::Query(query) = statement.kind else { return None };
    let items: Vec<String> = query.order_by.iter().map(|item| item.expr.span.text(sql).to_owned()).collect();
    (!items.is_empty()).then_some(items)
}

impl Expected {
    pub fn of_native(table: &Table, sql: &str) -> Expected {
        let cell = |cell: &Option<Vec<u8>>, ty: &String| cell.as_ref().map(|bytes| shown(bytes, ty));
        let row = |row: &Vec<Option<Vec<u8>>>| row.iter().zip(&table.types).map(|(c, ty)| cell(c, ty)).collect();
        Expected {
            columns: table.columns.clone(),
            types: table.types.clone(),
            rows: table.rows.iter().map(row).collect(),
            order: order_of(sql),
        }
    }
}

/// Our answer beside what native Dolt said.
pub fn judge(outcome: &Outcome, ours: Ours, sql: &str) -> Verdict {
    match (outcome, ours) {
        (Outcome::Lost, _) => Verdict::Same,
        (Outcome::Rows(_) | Outcome::Done { .. }, Err(error)) if is_not_built(&error) => {
            Verdict::NotSupported(error.into_message())
        }
        (_, Err(error)) if error.errno == NOT_SUPPORTED => Verdict::NotSupported(error.into_message()),
        (Outcome::Failed { message, .. }, Ok(_)) if NATIVE_ONLY.iter().any(|known| message.contains(known)) => {
            Verdict::Alone
        }
        (Outcome::Failed { errno, .. }, Err(error)) if same_error(*errno, error.errno) => Verdict::Same,
        (Outcome::Failed { errno, message }, Err(error)) => {
            Verdict::Different(format!("error {error}, native has {errno}: {message}"))
        }
        (Outcome::Failed { errno, message }, Ok((_, rows))) => {
            let rows = rows.iter().take(3).collect::<Vec<_>>();
            Verdict::Different(format!("no error but {rows:?}…, native has {errno}: {message}"))
        }
        (Outcome::Rows(table), Err(error)) => {
            let rows = Expected::of_native(table, sql).rows;
            Verdict::Different(format!("error {error}, native gives {}", sample(&rows)))
        }
        (Outcome::Done { .. }, Err(error)) => Verdict::Different(format!("error {error}, native gives OK")),
        (Outcome::Done { .. }, Ok(_)) => Verdict::Same,
        (Outcome::Rows(table), Ok(ours)) => match compare(&Expected::of_native(table, sql), &ours.0, &ours.1) {
            Ok(()) => Verdict::Same,
            Err(why) => Verdict::Different(why),
        },
    }
}

/// The form of a value for people and for comparison: text, or hex where the native type is binary.
fn shown(bytes: &[u8], kind: &str) -> String {
    let binary = ["BINARY", "VARBINARY", "BLOB", "BIT", "GEOMETRY", "VECTOR"].iter().any(|name| kind.ends_with(name));
    match std::str::from_utf8(bytes) {
        Ok(text) if !binary => text.to_owned(),
        _ => bytes.iter().fold("0x".to_owned(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02X}");
            hex
        }),
    }
}

/// Our rows in the form of the expected ones.
pub fn as_text(rows: &[Vec<Value<'static>>], types: &[SqlType], kinds: &[String]) -> Vec<Vec<Option<String>>> {
    let cell = |((value, ty), kind): ((&Value<'static>, &SqlType), &String)| {
        value::to_text(value, ty).map(|bytes| shown(&bytes, kind))
    };
    rows.iter().map(|row| row.iter().zip(types).zip(kinds).map(cell).collect()).collect()
}

/// # Errors
/// What differs, in words.
pub fn compare(expected: &Expected, types: &[SqlType], rows: &[Vec<Value<'static>>]) -> Result<(), String> {
    if types.len() != expected.types.len() {
        return Err(format!("{} columns, native has {}", types.len(), expected.types.len()));
    }
    let ours = as_text(rows, types, &expected.types);
    let differ = || {
        let (mut ours, mut theirs) = (ours.clone(), expected.rows.clone());
        if ours.len() > 6 || theirs.len() > 6 {
            // Only what has no partner.
            let mut left = Vec::new();
            let unmatched: Vec<_> = ours.iter().filter(|row| !theirs.contains(row)).cloned().collect();
            left.extend(theirs.iter().filter(|row| !ours.contains(row)).cloned());
            if !(unmatched.is_empty() && left.is_empty()) {
                (ours, theirs) = (unmatched, left);
            }
        }
        format!("{} rows {}, native has {} {}", rows.len(), sample(&ours), expected.rows.len(), sample(&theirs))
    };
    if ours.len() != expected.rows.len() {
        return Err(differ());
    }
    let keys = |rows: &[Vec<Option<String>>]| -> Vec<Vec<Option<String>>> {
        rows.iter()
            .map(|row| row.iter().zip(&expected.types).map(|(cell, kind)| normal(cell, kind)).collect())
            .collect()
    };
    let (our_keys, their_keys) = (keys(&ours), keys(&expected.rows));
    let positions = expected.order.as_ref().map(|items| positions(items, &expected.columns));
    match &positions {
        // The order is by something that is not shown: all rows have their place.
        Some(None) if !same_lists(&our_keys, &their_keys, &expected.types) => {
            return Err(format!("order: {}", differ()));
        }
        Some(Some(positions)) => {
            let by = |rows: &[Vec<Option<String>>]| -> Vec<Vec<Option<String>>> {
                rows.iter().map(|row| positions.iter().map(|&at| row[at].clone()).collect()).collect()
            };
            let kinds: Vec<String> = positions.iter().map(|&at| expected.types[at].clone()).collect();
            // Sorted by a collation, equal keys may be written differently; rows that tie may change places.
            let fold = |rows: Vec<Vec<Option<String>>>| -> Vec<Vec<Option<String>>> {
                rows.into_iter()
                    .map(|row| row.into_iter().map(|cell| cell.map(|text| text.to_lowercase())).collect())
                    .collect()
            };
            if !same_lists(&fold(by(&our_keys)), &fold(by(&their_keys)), &kinds) {
                return Err(format!("order: {}", differ()));
            }
        }
        _ => {}
    }
    let (mut ours_sorted, mut theirs_sorted) = (our_keys, their_keys);
    ours_sorted.sort();
    theirs_sorted.sort();
    if same_lists(&ours_sorted, &theirs_sorted, &expected.types)
        || same_sets(&ours_sorted, &theirs_sorted, &expected.types)
    {
        return Ok(());
    }
    Err(differ())
}

fn sample(rows: &[Vec<Option<String>>]) -> String {
    let cell = |cell: &Option<String>| match cell {
        None => "NULL".to_owned(),
        Some(text) if text.chars().count() > 80 => format!("{:?}…", text.chars().take(80).collect::<String>()),
        Some(text) => format!("{text:?}"),
    };
    let row = |row: &Vec<Option<String>>| format!("({})", row.iter().map(cell).collect::<Vec<_>>().join(", "));
    let more = if rows.len() > 6 { " …" } else { "" };
    format!("[{}{more}]", rows.iter().take(6).map(row).collect::<Vec<_>>().join(", "))
}

/// Which columns ORDER BY names; `None` when one of its items is no column.
fn positions(items: &[String], columns: &[String]) -> Option<Vec<usize>> {
    let find = |item: &String| {
        if let Ok(number) = item.parse::<usize>() {
            return number.checked_sub(1).filter(|at| *at < columns.len());
        }
        let name = item.replace('`', "");
        let is = |name: &str| columns.iter().position(|column| column.eq_ignore_ascii_case(name));
        is(&name).or_else(|| is(name.rsplit('.').next().unwrap_or_default()))
    };
    items.iter().map(find).collect()
}

type Row = Vec<Option<String>>;

fn same_lists(ours: &[Row], theirs: &[Row], kinds: &[String]) -> bool {
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(o, t)| same_rows(o, t, kinds))
}

/// For rows that rounding sorts differently.
fn same_sets(ours: &[Row], theirs: &[Row], kinds: &[String]) -> bool {
    if ours.len() > 2000 {
        return false;
    }
    let mut left: Vec<&Row> = theirs.iter().collect();
    ours.iter().all(|row| match left.iter().position(|other| same_rows(row, other, kinds)) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    })
}

fn same_rows(ours: &Row, theirs: &Row, kinds: &[String]) -> bool {
    ours.iter().zip(theirs).zip(kinds).all(|((o, t), kind)| match (o, t) {
        (Some(o), Some(t)) => o == t || is_close(o, t, kind),
        (o, t) => o == t,
    })
}

fn is_close(ours: &str, theirs: &str, kind: &str) -> bool {
    let tolerance = match kind.split_whitespace().next() {
        Some("DOUBLE") => 1e-9,
        Some("FLOAT") => 2e-5,
        _ => return false,
    };
    let (Ok(o), Ok(t)) = (ours.parse::<f64>(), theirs.parse::<f64>()) else { return false };
    o == t || (o - t).abs() <= tolerance * o.abs().max(t.abs()) || (o - t).abs() < 1e-300
}

/// A form in which equal values of one native type are equal text.
pub fn normal(cell: &Option<String>, kind: &str) -> Option<String> {
    let text = cell.as_ref()?;
    let base = kind.split(['(', ' ']).next().unwrap_or_default();
    Some(match base {
        // -0 stays what it is, as the cases have it.
        "TINYINT" | "SMALLINT" | "INT" | "MEDIUMINT" | "BIGINT" | "YEAR" | "DECIMAL" => match text.parse::<Decimal>() {
            Ok(number) => plain(&number.to_string()).to_owned(),
            Err(_) => text.clone(),
        },
        "DOUBLE" => text.parse::<f64>().map_or(text.clone(), |number| significant(number, 10)),
        "FLOAT" => text.parse::<f64>().map_or(text.clone(), |number| significant(number, 5)),
        "JSON" => serde_json::from_str::<Json>(text).map_or(text.clone(), |json| normal_json(&json)),
        "TIME" | "DATETIME" | "TIMESTAMP" => plain(text).to_owned(),
        _ => text.clone(),
    })
}

/// Without zeros at the end of the fraction.
fn plain(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// As `%.{digits}g` has it.
pub fn significant(number: f64, digits: usize) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if !number.is_finite() {
        return number.to_string();
    }
    let text = format!("{number:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..digits as i32).contains(&exponent) {
        let fixed = format!("{number:.*}", (digits as i32 - 1 - exponent).max(0) as usize);
        return plain(&fixed).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", plain(mantissa), exponent.abs())
}

fn normal_json(json: &Json) -> String {
    match json {
        Json::Number(number) => match number.as_f64() {
            Some(double) if number.is_f64() => significant(double, 12),
            _ => number.to_string(),
        },
        Json::Array(items) => format!("[{}]", items.iter().map(normal_json).collect::<Vec<_>>().join(",")),
        Json::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            let member =
                |(key, value): (&String, &Json)| format!("{}:{}", Json::String(key.clone()), normal_json(value));
            format!("{{{}}}", sorted.into_iter().map(member).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}
