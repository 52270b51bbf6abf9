//! Table functions that need no more than a few lines: `dolt_branch_status`, `dolt_json_diff`.

use std::rc::Rc;

use codec::CompactSort;
use value::{Json, SqlType, Value};
use vcs::Commit;

use super::arguments::invalid;
use super::computed::{Computed, all, column, required, text};
use crate::catalog::Place;
use crate::error::{Result, SqlError};

/// How many commits branches are ahead of and behind a base.
pub fn branch_status(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    const NAME: &str = "dolt_branch_status";
    let mut commits: Vec<(String, Rc<Commit>)> = Vec::new();
    for argument in arguments {
        let Value::Text(text) = argument else {
            let shown = value::convert::to_string(argument).unwrap_or_default().into_owned();
            return Err(invalid(NAME, shown));
        };
        commits.push((text.to_string(), place.refs.commit(text, &place.head)?));
    }
    if commits.is_empty() {
        return Err(SqlError::general(format!("function '{NAME}' expected at least 1 arguments, 0 received")));
    }
    let counts = ["commits_ahead", "commits_behind"].map(|name| required(column(name, SqlType::BIGINT_UNSIGNED)));
    let columns = std::iter::once(required(text("branch"))).chain(counts).collect();
    let objects = place.refs.objects().clone();
    Ok(Computed::new(place.name.clone(), NAME, columns, move |_, _, _| {
        let Some(((_, base), branches)) = commits.split_first() else { return all(Ok(Vec::new())) };
        let count = |from: &Commit, without: &Commit| -> Result<Value<'static>> {
            let mut commits = 0;
            for commit in objects.log(&[from.address], &[without.address])? {
                commit?;
                commits += 1;
            }
            Ok(Value::UInt(commits))
        };
        let row = |(name, branch): &(String, Rc<Commit>)| -> Result<Vec<Value<'static>>> {
            Ok(vec![Value::text(name.clone()), count(branch, base)?, count(base, branch)?])
        };
        all(branches.iter().map(row).collect())
    }))
}

/// What differs between two JSON documents, path by path.
pub fn json_diff(arguments: &[Value<'_>]) -> Result<Computed> {
    const NAME: &str = "dolt_json_diff";
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
