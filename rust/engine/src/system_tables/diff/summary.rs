//! Table functions that compare two states table by table: `dolt_diff_summary`, `dolt_diff_stat`, `dolt_schema_diff`.

use value::{SqlType, Value};
use vcs::{DeltaKind, IgnorePatterns, RootDelta, StatWalk, TableDelta, TableStat};

use super::revision_range::Range;
use crate::batch::BATCH_ROWS;
use crate::catalog::Place;
use crate::catalog::create_table::definition;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::computed::{Computed, all, column, required, text};

pub const ENTRIES: &[Entry] = &[
    Entry::function("dolt_diff_summary", |call| diff_summary(&call.place()?, call.arguments)),
    Entry::function("dolt_diff_stat", |call| diff_stat(&call.place()?, call.arguments)),
    Entry::function("dolt_schema_diff", |call| schema_diff(&call.place()?, call.arguments)),
];

/// Warning when rows of two versions have different keys.
pub const KEY_CHANGED: u16 = 1105;

pub fn key_changed_text(from: &str, to: &str) -> String {
    format!("cannot render full diff between commits {from} and {to} due to primary key set change")
}

/// The table name of the database itself, where its default collation changed.
pub fn database_row_name(database: &str) -> String {
    format!("__DATABASE__{database}")
}

fn owned(text: &str) -> Value<'static> {
    Value::text(text.to_owned())
}

fn name_of(side: &Option<vcs::NamedTable>) -> Value<'static> {
    owned(side.as_ref().map_or("", |side| &side.name))
}

/// The tables that differ, in the order of their new names: the one that was asked for, or all but those that `dolt_ignore` hides.
fn listed(range: &Range) -> Result<RootDelta> {
    let mut delta = range.deltas_by_new_name()?;
    if let Some(table) = &range.table {
        delta.tables = range.delta_of(table)?.into_iter().collect();
        delta.collation_changed = false;
    }
    if range.is_uncommitted() {
        let working = if range.to.commit.is_none() { &range.to.root } else { &range.from.root };
        let patterns = IgnorePatterns::read(working)?;
        let mut kept = Vec::new();
        for table in delta.tables {
            let may_be_hidden = matches!(table.kind(), DeltaKind::Added | DeltaKind::Dropped);
            if !(may_be_hidden && patterns.is_ignored(table.name())?) {
                kept.push(table);
            }
        }
        delta.tables = kept;
    }
    Ok(delta)
}

pub fn diff_summary(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let range = Range::parse(place, "dolt_diff_summary", arguments)?;
    let columns = ["from_table_name", "to_table_name", "diff_type"].map(|name| required(text(name)));
    let flags = ["data_change", "schema_change"].map(|name| required(column(name, SqlType::BOOLEAN)));
    let columns = columns.into_iter().chain(flags).collect();
    let database = place.attached.name.clone();
    Ok(Computed::new(place.name.clone(), "dolt_diff_summary", columns, move |context, _, _| {
        let deltas = listed(&range)?;
        let mut rows = Vec::new();
        if deltas.collation_changed {
            let name = Value::text(database_row_name(&database));
            rows.push(vec![name.clone(), name, owned("modified"), Value::boolean(false), Value::boolean(true)]);
        }
        for delta in &deltas.tables {
            if delta.primary_key_changed() {
                if range.table.is_some() {
                    return Err(key_set_changed("summary", delta));
                }
                warn(context, &range);
                continue;
            }
            rows.push(vec![
                name_of(&delta.from),
                name_of(&delta.to),
                owned(kind_text(delta.kind())),
                Value::boolean(delta.data_changed()),
                Value::boolean(delta.schema_changed()),
            ]);
        }
        all(Ok(rows))
    }))
}

fn kind_text(kind: DeltaKind) -> &'static str {
    match kind {
        DeltaKind::Added => "added",
        DeltaKind::Dropped => "dropped",
        DeltaKind::Renamed => "renamed",
        DeltaKind::Modified => "modified",
    }
}

fn key_set_changed(what: &str, delta: &TableDelta) -> SqlError {
    let text = format!("failed to compute diff {what} for table {}: primary key set changed", delta.name());
    SqlError::general(text)
}

fn warn(context: &Context, range: &Range) {
    context.session.warn(KEY_CHANGED, key_changed_text(&range.from.hash(), &range.to.hash()));
}

pub fn diff_stat(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let range = Range::parse(place, "dolt_diff_stat", arguments)?;
    range.check_table()?;
    let counts = [
        "rows_unmodified",
        "rows_added",
        "rows_deleted",
        "rows_modified",
        "cells_added",
        "cells_deleted",
        "cells_modified",
        "old_row_count",
        "new_row_count",
        "old_cell_count",
        "new_cell_count",
    ];
    let counts = counts.map(|name| column(name, SqlType::BIGINT));
    let columns = std::iter::once(required(text("table_name"))).chain(counts).collect();
    Ok(Computed::new(place.name.clone(), "dolt_diff_stat", columns, move |context, _, _| {
        let deltas = match &range.table {
            Some(table) => range.delta_of(table)?.into_iter().collect(),
            None => range.deltas()?.tables,
        };
        let (has_table, asked) = (range.table.is_some(), range.table.clone());
        let context = context.clone();
        let key_changed = move |delta: &TableDelta| {
            if has_table {
                return Err(key_set_changed("stat", delta));
            }
            let text = format!("stat for table {} cannot be determined. Primary key set changed.", delta.name());
            context.session.warn(KEY_CHANGED, text);
            let mut row = vec![owned(delta.name())];
            row.resize(12, Value::Int(0));
            Ok(row)
        };
        // Each table is compared when its row is asked for, some changes at a time.
        let (mut deltas, mut walk) = (deltas.into_iter(), None);
        let mut next = move || {
            loop {
                let Some((delta, under_way)) = &mut walk else {
                    let Some(delta) = deltas.next() else { return Ok(None) };
                    if delta.primary_key_changed() {
                        return key_changed(&delta).map(Some);
                    }
                    let [from, to] = [&delta.from, &delta.to].map(|side| side.as_ref().map(|side| side.table.clone()));
                    walk = Some((delta, StatWalk::new(from.as_ref(), to.as_ref())?));
                    continue;
                };
                let Some(stat) = under_way.step(BATCH_ROWS)? else { return Ok(Some(Vec::new())) };
                let row = stat_row(asked.as_deref().unwrap_or(delta.name()), &stat);
                walk = None;
                if !stat.is_empty() {
                    return Ok(Some(row));
                }
            }
        };
        Ok(Box::new(std::iter::from_fn(move || next().transpose())))
    }))
}

/// The counts of a table.
fn stat_row(name: &str, stat: &TableStat) -> Vec<Value<'static>> {
    let mut row = vec![owned(name)];
    let number = |number: u64| Value::Int(number as i64);
    let (Some(keyed), Some(unmodified), Some((added, removed))) =
        (stat.keyed, stat.rows_unmodified(), stat.cells_added_and_removed())
    else {
        row.extend([Value::Null, number(stat.rows_added), number(stat.rows_removed)]);
        row.resize(12, Value::Null);
        return row;
    };
    let counts = [
        unmodified,
        stat.rows_added,
        stat.rows_removed,
        stat.rows_modified,
        added,
        removed,
        stat.cells_modified,
        keyed.old_rows,
        keyed.new_rows,
        keyed.old_cells,
        keyed.new_cells,
    ];
    row.extend(counts.map(number));
    row
}

pub fn schema_diff(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let range = Range::parse(place, "dolt_schema_diff", arguments)?;
    let columns = ["from_table_name", "to_table_name", "from_create_statement", "to_create_statement"];
    let columns = columns.map(|name| required(text(name))).into();
    let database = place.attached.name.clone();
    Ok(Computed::new(place.name.clone(), "dolt_schema_diff", columns, move |_, _, _| {
        let deltas = match &range.table {
            Some(table) => RootDelta { tables: range.delta_of(table)?.into_iter().collect(), collation_changed: false },
            None => range.deltas_by_new_name()?,
        };
        let mut rows = Vec::new();
        if deltas.collation_changed {
            let name = Value::text(database_row_name(&database));
            rows.push(vec![name.clone(), name, owned(""), owned("")]);
        }
        for delta in deltas.tables {
            let create = |side: &Option<vcs::NamedTable>, root: &vcs::RootValue| -> Result<String> {
                Ok(match side {
                    Some(side) => definition(&side.name, side.table.schema(), root)?,
                    None => String::new(),
                })
            };
            let (from, to) = (create(&delta.from, &range.from.root)?, create(&delta.to, &range.to.root)?);
            if from != to {
                rows.push(vec![name_of(&delta.from), name_of(&delta.to), Value::text(from), Value::text(to)]);
            }
        }
        all(Ok(rows))
    }))
}
