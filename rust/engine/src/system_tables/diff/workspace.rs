//! `dolt_workspace_<table>`: changed rows that are not committed, staged ones first.

use value::{SqlType, Value};
use vcs::{ColumnMap, RootValue, RowDiff, Schema, Table};

use super::table_diff::prefixed;
use crate::catalog::{Place, RowIterator};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::system_tables::entry::{self, RowsOfTable};
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, column, key, required};
use crate::system_tables::relation::row_reader::{RowReader, shown};
use crate::write::Entry;

/// What the names of these tables begin with.
pub const PREFIX: &str = "dolt_workspace_";

pub const ENTRIES: &[entry::Entry] = &[entry::Entry::of_table(PREFIX, RowsOfTable::Name(table))];

const FIRST: usize = 3;

/// The columns follow the table as it is now, or was last; a table that never was has none.
pub fn table(at: At, name: &str, stored: &str) -> Result<Computed> {
    let roots = at.place.branch().map(|branch| at.place.refs.roots(branch)).transpose()?;
    let tables: [Option<Table>; 3] = match &roots {
        Some(roots) => [roots.head.table(stored)?, roots.staged.table(stored)?, roots.working.table(stored)?],
        None => [None, None, None],
    };
    let mut columns = vec![key("id", SqlType::BIGINT_UNSIGNED), required(column("staged", SqlType::BOOLEAN))];
    let [head, staged, working] = tables.clone();
    let to = working.or(staged).or(head.clone());
    let from = head.or_else(|| to.clone());
    let (Some(to), Some(from)) = (to, from) else {
        return Ok(Computed::of_rows(at.database(), name, columns, Vec::new()));
    };
    let (to_schema, from_schema) = (to.schema().clone(), from.schema().clone());
    columns.push(required(column("diff_type", SqlType::varchar(1023))));
    let (to_shown, from_shown) = (shown(&to_schema), shown(&from_schema));
    columns.extend(to_shown.iter().map(|&at| prefixed("to", &to_schema.columns[at])));
    columns.extend(from_shown.iter().map(|&at| prefixed("from", &from_schema.columns[at])));
    let width = columns.len();
    Ok(Computed::new(at.database(), name, columns, move |context, wanted, _| {
        let [head, staged, working] = &tables;
        let mut rows: Vec<RowIterator> = Vec::new();
        for (from, to, is_staged) in [(head, staged, true), (staged, working, false)] {
            if from.as_ref().map(Table::address) == to.as_ref().map(Table::address) {
                continue;
            }
            let reader = |table: &Option<Table>, target: &vcs::Schema, shown: &[usize], start: usize| {
                let table = table.as_ref()?;
                let map = ColumnMap::for_diff(table.schema(), target)?;
                let outputs = shown.iter().enumerate().map(|(at, &column)| (column, start + at));
                let wanted = outputs.filter(|(_, output)| wanted.contains(output));
                Some(RowReader::new(table.objects().nodes(), table.schema(), target, &map, wanted))
            };
            let readers = [
                reader(to, &to_schema, &to_shown, FIRST),
                reader(from, &from_schema, &from_shown, FIRST + to_shown.len()),
            ];
            let mut blank = vec![Value::Null; width];
            blank[1] = Value::boolean(is_staged);
            rows.push(changes(RowDiff::new(from.as_ref(), to.as_ref())?, readers, blank, context));
        }
        let numbered = rows.into_iter().flatten().enumerate().map(|(id, row)| {
            let mut row = row?;
            row[0] = Value::UInt(id as u64);
            Ok(row)
        });
        let numbered: RowIterator = Box::new(numbered);
        Ok(numbered)
    }))
}

/// A row for each change: `blank` with its kind and what the readers of the two sides, to and from, find.
fn changes(
    diff: RowDiff,
    readers: [Option<RowReader>; 2],
    blank: Vec<Value<'static>>,
    context: &std::rc::Rc<Context>,
) -> RowIterator {
    let context = context.clone();
    Box::new(diff.flat_map(move |change| {
        let read = || -> Result<(Vec<Value<'static>>, u64)> {
            let change = change?;
            let mut row = blank.clone();
            row[2] = Value::text(change.kind.text());
            for (item, reader) in [&change.to, &change.from].into_iter().zip(&readers) {
                if let (Some(item), Some(reader)) = (item, reader) {
                    reader.fill(item, &mut row, &context)?;
                }
            }
            Ok((row, change.times))
        };
        let (row, times) = match read() {
            Ok((row, times)) => (Ok(row), times),
            Err(error) => (Err(error), 1),
        };
        std::iter::repeat_n(row, usize::try_from(times).unwrap_or(usize::MAX))
    }))
}

/// Every change with its number, whether it is staged, and its rows before and after.
pub fn each_change(
    place: &Place,
    table: &str,
    each: &mut dyn FnMut(u64, bool, Option<Entry>, Option<Entry>) -> Result<()>,
) -> Result<()> {
    let Some(branch) = place.branch() else { return Ok(()) };
    let roots = place.refs.roots(branch)?;
    let find = |root: &RootValue| -> Result<Option<Table>> {
        let found = root.find_table(table)?;
        Ok(found.map(|(_, address)| root.objects().table(&address)).transpose()?)
    };
    let [head, staged, working] = [find(&roots.head)?, find(&roots.staged)?, find(&roots.working)?];
    let mut id = 0;
    for (from, to, is_staged) in [(&head, &staged, true), (&staged, &working, false)] {
        if from.as_ref().map(Table::address) == to.as_ref().map(Table::address) {
            continue;
        }
        if let (Some(from), Some(to)) = (from, to)
            && !have_same_columns(from.schema(), to.schema())
        {
            let text = format!("dolt_workspace_{table} table is not modifiable due to schema change");
            return Err(SqlError::general(text));
        }
        let entry = |item: tree::Item| Entry { key: item.key().into(), value: item.value().into() };
        for change in RowDiff::new(from.as_ref(), to.as_ref())? {
            let change = change?;
            let (from, to) = (change.from.map(entry), change.to.map(entry));
            for _ in 0..change.times {
                each(id, is_staged, from.clone(), to.clone())?;
                id += 1;
            }
        }
    }
    Ok(())
}

fn have_same_columns(from: &Schema, to: &Schema) -> bool {
    let (from, to) = (&from.columns, &to.columns);
    from.len() == to.len() && from.iter().zip(to).all(|(from, to)| to.takes_rows_of(from))
}
