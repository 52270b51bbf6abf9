//! `dolt_diff`: which commit changed which table.

use std::rc::Rc;

use value::{SqlType, Value};
use vcs::{Commit, DeltaKind, IgnorePatterns, Objects, RootDelta, TableDelta};

use crate::catalog::{RowIterator, ToldIndex};
use crate::error::Result;
use crate::system_tables::diff::summary::database_row_name;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, TEXT, column, equal_text, key, moment, required, text};

pub const ENTRIES: &[Entry] = &[Entry::table("dolt_diff", diff)];

fn owned(text: &str) -> Value<'static> {
    Value::text(text.to_owned())
}

pub fn diff(at: At) -> Computed {
    let date = |name| required(column(name, SqlType::DateTime { decimals: 6 }));
    let columns = vec![
        key("commit_hash", TEXT),
        key("table_name", TEXT),
        text("committer"),
        text("email"),
        date("date"),
        text("message"),
        required(column("data_change", SqlType::BOOLEAN)),
        required(column("schema_change", SqlType::BOOLEAN)),
        text("author"),
        text("author_email"),
        date("author_date"),
    ];
    // What is not committed has neither committer nor date.
    let columns = columns.into_iter().enumerate().map(|(position, mut column)| {
        column.ty.nullable = matches!(position, 2..=5 | 8..);
        column
    });
    let database = at.place.attached.name.clone();
    Computed::new(at.database(), "dolt_diff", columns.collect(), move |_, _, pushed| {
        let objects = at.objects().clone();
        let hash = equal_text(pushed, 0);
        let uncommitted = match hash {
            None | Some("WORKING" | "STAGED") => uncommitted(&at)?,
            Some(_) => Vec::new(),
        };
        let uncommitted = uncommitted.into_iter().map(Ok);
        let commits: Box<dyn Iterator<Item = vcs::Result<Rc<Commit>>>> = match hash {
            Some(hash) => Box::new(at.reachable(hash)?.into_iter().map(Ok)),
            None => Box::new(objects.walk(&[at.head()?.address])),
        };
        let database = database.clone();
        let committed = commits
            .map(move |commit| commit_rows(&objects, &*commit?, &database))
            .take_while(|rows| !matches!(rows, Ok(None)))
            .flat_map(|rows| match rows {
                Ok(rows) => rows.unwrap_or_default().into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            });
        let rows: RowIterator = Box::new(uncommitted.chain(committed));
        Ok(rows)
    })
    .with_indexes([ToldIndex::repeating("commit_hash", [0])])
}

/// The tables that a commit changed; `None` where a shallow clone was cut.
fn commit_rows(objects: &Rc<Objects>, commit: &Commit, database: &str) -> Result<Option<Vec<Vec<Value<'static>>>>> {
    let Some(delta) = RootDelta::of_commit(objects, commit)? else { return Ok(None) };
    let meta = &commit.meta;
    let row = |table: Value<'static>, data: bool, schema: bool| {
        vec![
            Value::text(commit.address.to_string()),
            table,
            owned(&meta.committer.name),
            owned(&meta.committer.email),
            moment(meta.committer_millis),
            owned(&meta.description),
            Value::boolean(data),
            Value::boolean(schema),
            owned(&meta.author.name),
            owned(&meta.author.email),
            moment(meta.author_millis),
        ]
    };
    let mut rows: Vec<Vec<Value<'static>>> = Vec::new();
    if delta.collation_changed {
        rows.push(row(Value::text(database_row_name(database)), false, true));
    }
    let changed = |table: &TableDelta| row(owned(table.name()), table.data_changed(), table.schema_changed());
    rows.extend(delta.tables.iter().map(changed));
    Ok(Some(rows))
}

/// Changes that are not committed: staged ones, then those that are not.
fn uncommitted(at: &At) -> Result<Vec<Vec<Value<'static>>>> {
    let Some(branch) = at.place.branch() else { return Ok(Vec::new()) };
    let roots = at.place.refs.roots(branch)?;
    let patterns = IgnorePatterns::read(&roots.working)?;
    let mut rows = Vec::new();
    let mut add = |set: &'static str, name: &str, data: bool, schema: bool| {
        let mut row = vec![Value::text(set), owned(name)];
        row.resize(6, Value::Null);
        row.extend([Value::boolean(data), Value::boolean(schema)]);
        row.resize(11, Value::Null);
        rows.push(row);
    };
    let database = database_row_name(&at.place.attached.name);
    for (set, from, to) in [("STAGED", &roots.head, &roots.staged), ("WORKING", &roots.staged, &roots.working)] {
        let changes = RootDelta::between(from, to)?;
        if changes.collation_changed {
            add(set, &database, false, true);
        }
        for delta in &changes.tables {
            // Where patterns contradict each other the table is shown.
            let is_new = set == "WORKING" && delta.kind() == DeltaKind::Added;
            if !(is_new && patterns.is_ignored(delta.name()).unwrap_or(false)) {
                add(set, delta.name(), delta.data_changed(), delta.schema_changed());
            }
        }
    }
    Ok(rows)
}
