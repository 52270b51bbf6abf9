//! `dolt_history_<table>`: every row at every commit (docs/format/database.md, section 11.3).

use std::rc::Rc;

use value::{Collation, SqlType, Value};
use vcs::{ColumnMap, Commit, Table, TableHistory, cardinality};

use crate::catalog::{Column, RowIterator, ToldIndex};
use crate::error::Result;
use crate::expr::Context;
use crate::system_tables::entry::{Entry, RowsOfTable};
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{
    Computed, column, equal_text, moment, moment_in_seconds, nothing, required, shown_column,
};
use crate::system_tables::relation::row_reader::{KeyConditions, RowReader, shown};

pub const ENTRIES: &[Entry] =
    &[Entry::of_table("dolt_history_", RowsOfTable::Past(|at, name, stored, now| Ok(table(at, name, stored, now))))];

/// Columns of the table as it is now, then the commit.
pub fn table(at: At, name: &str, stored: Box<str>, now: &Table) -> Computed {
    let ascii = Collation::from_name("ascii_bin").unwrap_or(Collation::BINARY);
    let schema = now.schema().clone();
    // The reference shows these two in a way of its own: of views, triggers and events, and of procedures.
    let of_definitions = has_definitions(&stored);
    let shown: Rc<[usize]> = shown(&schema).into();
    let mut columns: Vec<_> = shown.iter().map(|&at| shown_column(&schema.columns[at])).collect();
    columns.extend([
        required(column("commit_hash", SqlType::Char { length: 32, collation: ascii })),
        required(column("committer", SqlType::VarChar { length: 1024, collation: ascii })),
        required(column("commit_date", SqlType::DateTime { decimals: if of_definitions { 0 } else { 3 } })),
    ]);
    let width = columns.len();
    if of_definitions {
        as_definitions(&stored, &mut columns);
        columns[width - 3].primary = true;
    }
    let computed = shown
        .iter()
        .enumerate()
        .filter_map(|(output, &column)| Some((output, schema.columns[column].virtual_expression()?.into())));
    let expressions = computed.collect();
    let indexes = if of_definitions { Vec::new() } else { indexes_of(&schema, &shown) };
    let relation = Computed::new(at.database(), name, columns, move |context, wanted, pushed| {
        let asked = Asked {
            schema: schema.clone(),
            outputs: shown.iter().copied().enumerate().filter(|(output, _)| wanted.contains(output)).collect(),
            conditions: KeyConditions::new(&schema, pushed, |column| {
                shown.iter().position(|&at| at == column).unwrap_or(usize::MAX)
            }),
            width,
            of_definitions,
            context: context.clone(),
        };
        let commits: Box<dyn Iterator<Item = vcs::Result<Rc<Commit>>>> = match equal_text(pushed, width - 3) {
            Some(hash) => Box::new(at.reachable(hash)?.into_iter().map(Ok)),
            None => Box::new(at.objects().walk(&[at.head()?.address])),
        };
        let versions = TableHistory::new(at.objects(), &stored, commits);
        let rows: RowIterator = Box::new(versions.flat_map(move |version| -> RowIterator {
            match version.map_err(Into::into).and_then(|(commit, table)| asked.rows(&commit, &table)) {
                Ok(rows) => rows,
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        }));
        Ok(rows)
    });
    relation.with_expressions(expressions).with_indexes(indexes)
}

/// Whether a stored table holds the definitions of views, triggers and events, or of procedures.
pub fn has_definitions(stored: &str) -> bool {
    matches!(stored, "dolt_schemas" | "dolt_procedures")
}

/// The columns of definitions have types of their own in listings of changes.
pub fn as_definitions(stored: &str, columns: &mut [Column]) {
    if stored != "dolt_procedures" {
        return;
    }
    let text = |length| SqlType::VarChar { length, collation: Collation::UTF8MB4_0900_AI_CI };
    for column in columns {
        let (side, name) = match column.name.split_once('_') {
            Some((side @ ("to" | "from"), name)) => (side, name),
            _ => ("", &*column.name),
        };
        column.ty.sql = match name {
            "name" => text(64),
            "create_stmt" => text(4096),
            "created_at" | "modified_at" => SqlType::Timestamp { decimals: 0 },
            "sql_mode" => text(256),
            _ => continue,
        };
        column.ty.nullable = !side.is_empty() || name == "sql_mode";
    }
}

/// The indexes of the table, of which none is unique over all commits, and that of the commits.
fn indexes_of(schema: &vcs::Schema, shown: &[usize]) -> Vec<ToldIndex> {
    let place = |column: &usize| shown.iter().position(|at| at == column);
    let places = |columns: &[usize]| columns.iter().map(place).collect::<Option<Vec<_>>>();
    let key = (!schema.is_keyless()).then(|| Some(ToldIndex::repeating("PRIMARY", places(&schema.primary_key)?)));
    let indexes = schema.indexes.iter().map(|index| {
        let shows = Some(Rc::new(index.clone()));
        Some(ToldIndex { shows, ..ToldIndex::repeating(index.name.clone(), places(&index.columns)?) })
    });
    let told = key.into_iter().chain(indexes).flatten();
    told.chain([ToldIndex::repeating("commit_hash", [shown.len()])]).collect()
}

struct Asked {
    schema: Rc<vcs::Schema>,
    /// Position in the row and in the schema of the columns that are read.
    outputs: Vec<(usize, usize)>,
    conditions: KeyConditions,
    width: usize,
    /// Committers include their addresses.
    of_definitions: bool,
    context: Rc<Context>,
}

impl Asked {
    /// The rows of a version of the table.
    fn rows(&self, commit: &Commit, table: &Table) -> Result<RowIterator> {
        let part = self.conditions.bounds(table, &self.schema, &self.context)?;
        if part.spans().is_empty() {
            return Ok(nothing());
        }
        let (map, differing) = ColumnMap::for_history(table.schema(), &self.schema);
        for column in differing {
            let name = &self.schema.columns[column].name;
            let text = format!(
                "Unable to convert field {name} in historical rows because its type doesn't match current schema"
            );
            self.context.session.warn(1246, text);
        }
        let nodes = table.objects().nodes();
        let outputs = self.outputs.iter().map(|&(output, column)| (column, output));
        let reader = RowReader::new(nodes, table.schema(), &self.schema, &map, outputs);
        let mut row = vec![Value::Null; self.width];
        row[self.width - 3] = Value::text(commit.address.to_string());
        let committer = &commit.meta.committer;
        row[self.width - 2] = Value::text(match self.of_definitions {
            true => format!("{} <{}>", committer.name, committer.email),
            false => committer.name.to_string(),
        });
        let millis = commit.meta.committer_millis;
        row[self.width - 1] = if self.of_definitions { moment_in_seconds(millis) } else { moment(millis) };
        let (context, keyless) = (self.context.clone(), table.schema().is_keyless());
        let rows = part.rows(table)?;
        Ok(Box::new(rows.flat_map(move |item| {
            let read = || -> Result<(Vec<Value<'static>>, u64)> {
                let item = item?;
                let mut row = row.clone();
                reader.fill(&item, &mut row, &context)?;
                Ok((row, if keyless { cardinality(item.value())? } else { 1 }))
            };
            let (row, times) = match read() {
                Ok((row, times)) => (Ok(row), times),
                Err(error) => (Err(error), 1),
            };
            std::iter::repeat_n(row, usize::try_from(times).unwrap_or(usize::MAX))
        })))
    }
}
