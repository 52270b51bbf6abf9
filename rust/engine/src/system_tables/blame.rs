//! `dolt_blame_<table>`: the commit that changed each row last (docs/format/database.md, section 11.3).

use std::cmp::Ordering;
use std::rc::Rc;

use codec::CompactSort;
use hashbrown::HashMap;
use value::{SqlType, Value};
use vcs::{ChangeKind, Commit, Comparable, DiffHistory, Table};

use super::at::At;
use super::computed::{Computed, column, moment, required, text};
use super::row_reader::{KeyConditions, Part, RowReader};
use super::summary::{KEY_CHANGED, key_changed_text};
use super::table_diff::prefixed;
use crate::error::{Result, SqlError};
use crate::expr::Context;

/// The newest change of a row that was met so far.
struct Last {
    /// `None` for a change that is not committed.
    commit: Option<Rc<Commit>>,
    removed: bool,
}

/// # Errors
/// 1105 for a table without primary key.
pub fn table(at: At, name: &str, stored: Box<str>, now: &Table) -> Result<Computed> {
    let schema = now.schema().clone();
    if schema.is_keyless() {
        return Err(SqlError::general("unable to generate blame view for table without primary key"));
    }
    let mut columns: Vec<_> = schema.primary_key.iter().map(|&at| prefixed("", &schema.columns[at])).collect();
    for (column, &at) in columns.iter_mut().zip(&schema.primary_key) {
        column.name = schema.columns[at].name.clone();
    }
    columns.push(column("commit", SqlType::varchar(1023)));
    columns.push(column("commit_date", SqlType::DateTime { decimals: 6 }));
    columns.extend(["committer", "email", "message"].map(|name| required(text(name))));
    let (width, keys) = (columns.len(), schema.primary_key.len());
    let now = now.clone();
    Ok(Computed::new(at.database(), name, columns, move |context, _, pushed| {
        let place = |column| schema.primary_key.iter().position(|&at| at == column).unwrap_or(usize::MAX);
        let part = KeyConditions::new(&schema, pushed, place).bounds(&now, &schema, context)?;
        let blamed = blamed(&at, &stored, &now, &part, context)?;
        let outputs = schema.primary_key.iter().copied().enumerate().map(|(output, column)| (column, output));
        let reader = RowReader::same(at.objects().nodes(), &schema, outputs);
        let context = context.clone();
        Ok(Box::new(blamed.into_iter().map(move |(key, commit)| {
            let mut row = vec![Value::Null; width];
            reader.fill_from(&key, &[], &mut row, &context)?;
            row[keys] = Value::text(commit.address.to_string());
            row[keys + 1] = moment(commit.meta.committer_millis);
            row[keys + 2] = Value::text(commit.meta.committer.name.to_string());
            row[keys + 3] = Value::text(commit.meta.committer.email.to_string());
            row[keys + 4] = Value::text(commit.meta.description.to_string());
            Ok(row)
        })))
    }))
}

/// The key of a row and the commit that last changed it.
type Blamed = (Box<[u8]>, Rc<Commit>);

/// Keys of the rows of a part of the table with the commits that changed them last, in key order. Rows that were changed since,
/// or are gone, have none.
fn blamed(at: &At, stored: &str, now: &Table, part: &Part, context: &Context) -> Result<Vec<Blamed>> {
    let spans = part.spans();
    if spans.is_empty() {
        return Ok(Vec::new());
    }
    let mut last: HashMap<Box<[u8]>, Last> = HashMap::new();
    let date = |commit: &Option<Rc<Commit>>| commit.as_ref().map_or(i64::MAX, |commit| commit.meta.committer_millis);
    for pair in DiffHistory::new(at.objects(), stored, &*at.head()?, Some(now.address())) {
        let pair = pair?;
        let comparable = pair.comparable()?;
        if comparable != Comparable::Fully {
            let hash = |commit: &Option<Rc<Commit>>| {
                commit.as_ref().map_or_else(|| "WORKING".to_owned(), |commit| commit.address.to_string())
            };
            context.session.warn(KEY_CHANGED, key_changed_text(&hash(&pair.from.commit), &hash(&pair.to.commit)));
            break;
        }
        let changes = spans.iter().map(|(lower, upper)| pair.rows_between(lower.as_ref(), upper.as_ref()));
        for change in changes.collect::<vcs::Result<Vec<_>>>()?.into_iter().flatten() {
            let change = change?;
            let Some(item) = change.to.as_ref().or(change.from.as_ref()) else { continue };
            let removed = change.kind == ChangeKind::Removed;
            match last.get_mut(item.key()) {
                // Of changes at one time the one that was met first counts.
                Some(known) if date(&known.commit) >= date(&pair.to.commit) => {}
                Some(known) => *known = Last { commit: pair.to.commit.clone(), removed },
                None => {
                    last.insert(item.key().into(), Last { commit: pair.to.commit.clone(), removed });
                }
            }
        }
    }
    let mut rows: Vec<(Box<[u8]>, Rc<Commit>)> = last
        .into_iter()
        .filter(|(_, last)| !last.removed)
        .filter_map(|(key, last)| Some((key, last.commit?)))
        .collect();
    let mut failed = None;
    rows.compact_sort_by(|(a, _), (b, _)| {
        now.schema().key.compare(at.objects().nodes(), a, b).unwrap_or_else(|error| {
            failed.get_or_insert(error);
            Ordering::Equal
        })
    });
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(rows),
    }
}
