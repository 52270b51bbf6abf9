//! CREATE TABLE … AS SELECT.

use std::rc::Rc;

use parse::ast::{self, CreateTable, InsertConflict};
use value::{SqlType, Value};
use vcs::Column;

use super::column::NewColumn;
use super::new_table::{self, Options};
use super::pause::{give_turn, pause};
use super::work::Work;
use crate::bind::into_within;
use crate::catalog::BaseTable;
use crate::cursor::Step;
use crate::error::{Result, SqlError};
use crate::expr::{Context, Params};
use crate::page::ResultColumn;
use crate::write::{MergePoint, RowRules, TableEditor};

/// Rows that the query works on between two turns of the host.
const FUEL: i64 = 4096;

/// A table of what a query gives. Columns of the definition that the query does not give come first, then those that both
/// have, as they are defined, then those of the query alone. Tells how many rows there are.
pub async fn as_select(work: &mut Work<'_>, name: &str, create: &CreateTable, query: &ast::Query) -> Result<u64> {
    if query.into.is_some() {
        return Err(into_within(query));
    }
    let prepared = work.session.prepare_within(query.span.text(work.sql))?;
    let mut cursor = work.session.start_nested(&prepared, &Params::default())?;
    let given = cursor.columns().clone();
    for (at, column) in given.iter().enumerate() {
        if given[..at].iter().any(|other| other.name.eq_ignore_ascii_case(&column.name)) {
            return Err(SqlError::general(format!("duplicate column name: `{}`", column.name)));
        }
    }
    let options = Options::read(&create.options, work.root.collation())?;
    let defined = new_table::read_columns(&create.elements, options.collation)?;
    let columns = columns_of(&given, defined)?;
    // Where each value of the query goes.
    let places: Vec<usize> = given
        .iter()
        .filter_map(|column| columns.iter().position(|new| new.column.name.eq_ignore_ascii_case(&column.name)))
        .collect();
    new_table::create(work, name, &create.elements, columns, &options)?;
    let empty = work.root.table(name)?.ok_or_else(|| SqlError::internal("a new table is gone"))?;
    let base = BaseTable::new(work.place.name.clone(), name.into(), empty.clone());
    let rules = RowRules::new(&base, &work.context, create.on_conflict == Some(InsertConflict::Ignore))?;
    let mut filling = Filling { rules, places, editor: TableEditor::new(empty)?, on_conflict: create.on_conflict };
    let mut rows = 0;
    loop {
        let batch = match cursor.next(FUEL)? {
            Step::Batch(batch) => batch,
            Step::Done(_) => break,
            _ => {
                // The query cannot go on before the next call, whatever fuel is left.
                give_turn().await;
                continue;
            }
        };
        pause(&work.context, batch.rows).await;
        for at in 0..batch.rows {
            rows += u64::from(filling.put(&batch.row(at), &work.context)?);
        }
        while !filling.editor.merge(MergePoint::Between, &work.context)? {
            pause(&work.context, 0).await;
        }
    }
    while !filling.editor.finish_step(&work.context)? {
        pause(&work.context, 0).await;
    }
    if let Some(table) = filling.editor.finish()? {
        work.root = work.root.with_table(name, &table)?;
    }
    Ok(rows)
}

/// The columns of the new table: those that are defined, and those of the query alone.
fn columns_of<'c>(given: &[ResultColumn], defined: Vec<NewColumn<'c>>) -> Result<Vec<NewColumn<'c>>> {
    let is_given = |new: &NewColumn<'_>| given.iter().any(|column| column.name.eq_ignore_ascii_case(&new.column.name));
    let (both, alone): (Vec<NewColumn<'_>>, Vec<NewColumn<'_>>) = defined.into_iter().partition(is_given);
    let mut columns: Vec<NewColumn<'_>> = alone.into_iter().chain(both).collect();
    for column in given {
        if !columns.iter().any(|new| new.column.name.eq_ignore_ascii_case(&column.name)) {
            columns.push(NewColumn::of(copied(column)?));
        }
    }
    Ok(columns)
}

/// A new table that is filled from a query.
struct Filling {
    rules: RowRules,
    /// Where each value of the query goes.
    places: Vec<usize>,
    editor: TableEditor,
    on_conflict: Option<InsertConflict>,
}

impl Filling {
    /// Puts a row of the query; `false` where one that is there stays.
    fn put(&mut self, values: &[Value<'_>], context: &Rc<Context>) -> Result<bool> {
        let Filling { rules, places, editor, on_conflict } = self;
        let width = editor.schema().columns.len();
        let mut row = vec![Value::Null; width];
        for position in (0..width).filter(|position| !places.contains(position)) {
            if !rules.is_generated(position) {
                row[position] = rules.default(position, &row, context)?;
            }
        }
        for (value, place) in values.iter().zip(places) {
            row[*place] = rules.assign(*place, value, context)?;
        }
        rules.generate(&mut row, context)?;
        rules.check_nulls(&mut row, context)?;
        rules.check(&row, context)?;
        let entry = editor.encode(&row)?;
        match (editor.duplicate(&row, &entry, None)?, on_conflict) {
            (None, _) => {}
            (Some(_), Some(InsertConflict::Ignore)) => return Ok(false),
            (Some(duplicate), Some(InsertConflict::Replace)) => {
                let old = editor.decode(&duplicate.entry)?;
                editor.delete(&old, &duplicate.entry)?;
            }
            (Some(duplicate), None) => return Err(editor.duplicate_error(&duplicate, &row)),
        }
        editor.insert(&row, &entry)?;
        Ok(true)
    }
}

/// A column for what a query gives: its type, and the default of the column that it is.
fn copied(given: &ResultColumn) -> Result<Column> {
    let (sql_type, is_nullable) = given.declaration();
    let sql_type = match sql_type {
        SqlType::Null => SqlType::Binary { length: 0 },
        ty => ty.clone(),
    };
    let mut column = Column::new(super::column::name(&given.name)?, sql_type, 0);
    column.is_nullable = is_nullable;
    column.default = given.default.as_deref().map(Box::from);
    Ok(column)
}
