//! `dolt_column_diff`: which commit changed which column.

use std::rc::Rc;

use tree::tuple::decode;
use value::{Collation, SqlType, Value};
use vcs::{Column, Commit, Objects, RootDelta, RowDiff, Table, TableDelta};

use crate::catalog::RowIterator;
use crate::error::Result;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{
    Computed, TEXT, column, equal_text, key, moment_in_seconds, required, text,
};

pub const ENTRIES: &[Entry] = &[Entry::table("dolt_column_diff", table)];

type Row = Vec<Value<'static>>;

fn owned(text: &str) -> Value<'static> {
    Value::text(text.to_owned())
}

pub fn table(at: At) -> Computed {
    let date = |name| required(column(name, SqlType::DateTime { decimals: 0 }));
    let columns = vec![
        key("commit_hash", TEXT),
        key("table_name", TEXT),
        key("column_name", TEXT),
        text("committer"),
        text("email"),
        date("date"),
        text("message"),
        required(text("diff_type")),
        text("author"),
        text("author_email"),
        date("author_date"),
    ];
    let columns = columns.into_iter().enumerate().map(|(position, mut column)| {
        column.ty.nullable = matches!(position, 3..=6 | 8..);
        column
    });
    Computed::new(at.database(), "dolt_column_diff", columns.collect(), move |_, _, pushed| {
        let objects = at.objects().clone();
        let hash = equal_text(pushed, 0);
        let uncommitted = match hash {
            None | Some("WORKING" | "STAGED") => uncommitted(&at)?,
            Some(_) => Vec::new(),
        };
        let commits: Box<dyn Iterator<Item = vcs::Result<Rc<Commit>>>> = match hash {
            Some(hash) => Box::new(at.reachable(hash)?.into_iter().map(Ok)),
            None => Box::new(objects.walk(&[at.head()?.address])),
        };
        // A condition on the table spares comparing the others.
        let only = equal_text(pushed, 1).map(str::to_owned);
        let committed = commits.flat_map(move |commit| {
            let rows = commit.map_err(Into::into).and_then(|commit| commit_rows(&objects, &commit, only.as_deref()));
            match rows {
                Ok(rows) => rows.into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            }
        });
        let rows: RowIterator = Box::new(uncommitted.into_iter().map(Ok).chain(committed));
        Ok(rows)
    })
}

fn commit_rows(objects: &Rc<Objects>, commit: &Commit, only: Option<&str>) -> Result<Vec<Row>> {
    let meta = &commit.meta;
    let mut rows = Vec::new();
    let Some(delta) = RootDelta::of_commit(objects, commit)? else { return Ok(rows) };
    for table in delta.tables.iter().filter(|table| only.is_none_or(|only| only == table.name())) {
        for (name, kind) in changed_columns(table)? {
            rows.push(vec![
                Value::text(commit.address.to_string()),
                owned(table.name()),
                owned(&name),
                owned(&meta.committer.name),
                owned(&meta.committer.email),
                moment_in_seconds(meta.committer_millis),
                owned(&meta.description),
                Value::text(kind),
                owned(&meta.author.name),
                owned(&meta.author.email),
                moment_in_seconds(meta.author_millis),
            ]);
        }
    }
    Ok(rows)
}

fn uncommitted(at: &At) -> Result<Vec<Row>> {
    let Some(branch) = at.place.branch() else { return Ok(Vec::new()) };
    let roots = at.place.refs.roots(branch)?;
    let mut rows = Vec::new();
    for (set, from, to) in [("STAGED", &roots.head, &roots.staged), ("WORKING", &roots.staged, &roots.working)] {
        for table in &RootDelta::between(from, to)?.tables {
            for (name, kind) in changed_columns(table)? {
                let mut row = vec![Value::text(set), owned(table.name()), owned(&name)];
                row.resize(7, Value::Null);
                row.push(Value::text(kind));
                row.resize(11, Value::Null);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// Names of the columns that changed, and how: those that came, those that went, those with other values in some row.
fn changed_columns(delta: &TableDelta) -> Result<Vec<(Rc<str>, &'static str)>> {
    let all = |table: &Table, kind: &'static str| {
        table.schema().columns.iter().filter(|c| !c.is_hidden).map(|c| (c.name.clone(), kind)).collect()
    };
    let (from, to) = match (&delta.from, &delta.to) {
        (Some(from), Some(to)) => (&from.table, &to.table),
        (None, Some(to)) => return Ok(all(&to.table, "added")),
        (Some(from), None) => return Ok(all(&from.table, "removed")),
        (None, None) => return Ok(Vec::new()),
    };
    let (old, new) = (from.schema(), to.schema());
    let mut changed: Vec<(Rc<str>, &'static str)> = Vec::new();
    let mut shared = Vec::new();
    for column in new.columns.iter().filter(|column| !column.is_hidden) {
        match old.column_by_tag(column.tag) {
            Some(twin) => shared.push((twin, column)),
            None => changed.push((column.name.clone(), "added")),
        }
    }
    for column in old.columns.iter().filter(|column| !column.is_hidden) {
        if new.column_by_tag(column.tag).is_none() {
            changed.push((column.name.clone(), "removed"));
        }
    }
    if from.rows_root().address() != to.rows_root().address() {
        for change in RowDiff::new(Some(from), Some(to))? {
            let change = change?;
            let mut failed = None;
            shared.retain(|(twin, column)| {
                let values = value_of(from, twin, change.from.as_ref())
                    .and_then(|old| Ok((as_in(old, twin, column), value_of(to, column, change.to.as_ref())?)));
                match values {
                    Ok((old, new)) if is_same(&old, &new, column) => true,
                    Ok(_) => {
                        changed.push((column.name.clone(), "modified"));
                        false
                    }
                    Err(error) => {
                        failed = Some(error);
                        true
                    }
                }
            });
            if let Some(error) = failed {
                return Err(error);
            }
            if shared.is_empty() {
                break;
            }
        }
    }
    Ok(changed)
}

fn value_of(table: &Table, column: &Column, item: Option<&tree::Item>) -> Result<Value<'static>> {
    let Some(item) = item else { return Ok(Value::Null) };
    let schema = table.schema();
    let (kind, field) = match column.place {
        vcs::Place::Key(at) => (schema.key.fields().get(at), item.key_tuple().field(at)),
        vcs::Place::Value(at) => (schema.value.fields().get(at), item.value_tuple().field(at)),
        vcs::Place::Virtual => return Ok(Value::Null),
    };
    let Some(kind) = kind else { return Ok(Value::Null) };
    Ok(decode(table.objects().nodes(), kind, field)?.into_owned())
}

/// A value as a column has it that is of another type now. One that this type cannot have stays what it is, and differs.
fn as_in(value: Value<'static>, before: &Column, now: &Column) -> Value<'static> {
    if before.sql_type == now.sql_type {
        return value;
    }
    value::assign(&value, &now.sql_type).unwrap_or(value)
}

fn is_same(old: &Value<'_>, new: &Value<'_>, column: &Column) -> bool {
    match (old.is_null(), new.is_null()) {
        (true, true) => true,
        (true, false) | (false, true) => false,
        (false, false) => {
            let collation = column.sql_type.collation().unwrap_or(Collation::UTF8MB4_0900_BIN);
            value::compare(old, new, collation).ok().flatten().is_some_and(|order| order.is_eq())
        }
    }
}
