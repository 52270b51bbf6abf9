//! `dolt_json_diff`: what differs between two JSON documents, path by path.

use codec::CompactSort;
use value::{Json, SqlType, Value};

use crate::error::{Result, SqlError};
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::computed::{Computed, column, required, text};

pub const ENTRIES: &[Entry] =
    &[Entry::late_function("dolt_json_diff", |call| function(call.arguments), &[Value::Null, Value::Null])];

const NAME: &str = "dolt_json_diff";

pub fn function(arguments: &[Value<'_>]) -> Result<Computed> {
    let [from, to] = arguments else {
        let text = format!("function '{NAME}' expected 2 arguments, {} received", arguments.len());
        return Err(SqlError::general(text));
    };
    let json = |value: &Value<'_>| -> Result<Json> {
        Ok(match value {
            Value::Null => Json::Null,
            Value::Json(json) => (**json).clone(),
            Value::Text(text) => Json::parse(text)?,
            other => Json::from_scalar(other)?,
        })
    };
    let mut rows = Vec::new();
    compare(&mut "$".to_owned(), Some(&json(from)?), Some(&json(to)?), &mut rows);
    let columns = vec![
        required(text("diff_type")),
        required(text("path")),
        column("from_value", SqlType::Json),
        column("to_value", SqlType::Json),
    ];
    Ok(Computed::of_rows("", NAME, columns, rows))
}

/// Documents are at most 100 levels deep, so this recursion is.
fn compare(path: &mut String, from: Option<&Json>, to: Option<&Json>, rows: &mut Vec<Vec<Value<'static>>>) {
    let length = path.len();
    match (from, to) {
        (Some(Json::Object(old)), Some(Json::Object(new))) => {
            let mut keys: Vec<&str> = old.iter().chain(new.iter()).map(|(key, _)| key).collect();
            keys.compact_sort();
            keys.dedup();
            for key in keys {
                path.push('.');
                path.push_str(key);
                compare(path, old.get(key), new.get(key), rows);
                path.truncate(length);
            }
        }
        (Some(Json::Array(old)), Some(Json::Array(new))) => {
            for at in 0..old.len().max(new.len()) {
                path.push_str(&format!("[{at}]"));
                compare(path, old.get(at), new.get(at), rows);
                path.truncate(length);
            }
        }
        (Some(old), Some(new)) if old == new => {}
        _ => {
            let kind = match (from, to) {
                (None, _) => "added",
                (_, None) => "removed",
                _ => "modified",
            };
            let value = |side: Option<&Json>| side.map_or(Value::Null, |json| Value::json(json.clone()));
            rows.push(vec![Value::text(kind), Value::text(path.clone()), value(from), value(to)]);
        }
    }
}
