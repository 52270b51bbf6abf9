//! CREATE TABLE … LIKE and CREATE TABLE … AS SELECT.

use parse::ast::{self, CreateTable, InsertConflict, ObjectName};
use tree::message::schema::TARGET_ROW_BYTES;
use value::{SqlType, Value};
use vcs::{Column, Schema, SchemaBuilder, TableDraft};

use super::column::NewColumn;
use super::expressions::{self, Spelling};
use super::index::{json_in_index, no_length};
use super::new_table::{self, Options};
use super::pause::pause;
use super::{Work, check};
use crate::bind::into_within;
use crate::catalog::BaseTable;
use crate::cursor::Step;
use crate::error::{Result, SqlError};
use crate::expr::Params;
use crate::page::ResultColumn;
use crate::write::{RowRules, TableEditor, tags};

/// Rows that the query works on between two turns of the host.
const FUEL: i64 = 4096;

/// A table with the columns, indexes and checks of another one, and no rows. Foreign keys stay behind.
pub fn like(work: &mut Work<'_>, name: &str, source: &ObjectName) -> Result<()> {
    let database = source.database.as_ref().map(|database| &*database.text);
    let text = &*source.name.text;
    let (place, called) = work.session.catalog().table_place(database, text)?;
    let table = place.root()?.table(&called)?.ok_or_else(|| SqlError::table_not_found(text).at(source.span))?;
    let mut schema = SchemaBuilder::from(&**table.schema());
    schema.indexes.retain(|index| !index.is_system_defined);
    // As in native Dolt the comment, the target size of rows and the prefixes of indexes are not taken over, and a full-text or
    // vector index becomes one of another kind.
    schema.comment = "".into();
    schema.target_row_bytes = TARGET_ROW_BYTES;
    expressions::spell(&mut schema, Spelling::Quoted, |_| true);
    for index in &mut schema.indexes {
        index.prefix_lengths.clear();
        index.fulltext = None;
        index.vector = None;
    }
    for index in schema.indexes.iter().filter(|index| !index.is_unique) {
        for column in index.columns.iter().filter_map(|tag| schema.column_by_tag(*tag)) {
            match column.sql_type {
                SqlType::Text { .. } | SqlType::Blob { .. } => return Err(no_length(&column.name).at(source.span)),
                SqlType::Json => return Err(json_in_index(&column.name)),
                _ => {}
            }
        }
    }
    let head = work.head_root()?;
    let named = schema.columns.iter().map(|column| (&*column.name, &column.sql_type));
    let fresh = tags::of_columns(name, named, &work.root, Some(&head))?;
    let before: Vec<u64> = schema.columns.iter().map(|column| column.tag).collect();
    let renew = |tag: &mut u64| {
        if let Some(at) = before.iter().position(|known| known == tag) {
            *tag = fresh[at];
        }
    };
    schema.columns.iter_mut().for_each(|column| {
        renew(&mut column.tag);
        column.encoding = vcs::encoding(&column.sql_type);
    });
    schema.primary_key.iter_mut().for_each(renew);
    schema.indexes.iter_mut().flat_map(|index| &mut index.columns).for_each(renew);
    for check in core::mem::take(&mut schema.checks) {
        let name = check::free_name(name, &check.expression, &schema, &[]);
        schema.checks.push(vcs::Check { name: name.into(), ..check });
    }
    let written = Schema::create(work.root.objects(), &schema.message())?;
    let table = TableDraft::new(work.root.objects(), written)?.write()?;
    work.root = work.root.with_table(name, &table)?;
    Ok(())
}

/// A table of what a query gives. Columns of the definition that the query does not give come first, then those that both
/// have, as they are defined, then those of the query alone. Tells how many rows there are.
pub async fn as_select(work: &mut Work<'_>, name: &str, create: &CreateTable, query: &ast::Query) -> Result<u64> {
    if query.into.is_some() {
        return Err(into_within(query));
    }
    let prepared = work.session.prepare(query.span.text(work.sql))?;
    let mut cursor = work.session.execute_within(&prepared, &Params::default())?;
    let given = cursor.columns().clone();
    for (at, column) in given.iter().enumerate() {
        if given[..at].iter().any(|other| other.name.eq_ignore_ascii_case(&column.name)) {
            return Err(SqlError::general(format!("duplicate column name: `{}`", column.name)));
        }
    }
    let options = Options::read(&create.options, work.root.collation())?;
    let defined = new_table::read_columns(&create.elements, options.collation)?;
    let in_query = |name: &str| given.iter().position(|column| column.name.eq_ignore_ascii_case(name));
    let (both, alone): (Vec<NewColumn<'_>>, Vec<NewColumn<'_>>) =
        defined.into_iter().partition(|new| in_query(&new.column.name).is_some());
    let mut columns: Vec<NewColumn<'_>> = alone.into_iter().chain(both).collect();
    for column in given.iter() {
        if !columns.iter().any(|new| new.column.name.eq_ignore_ascii_case(&column.name)) {
            columns.push(NewColumn::of(copied(column)?));
        }
    }
    // Where each value of the query goes.
    let places: Vec<usize> = given
        .iter()
        .filter_map(|column| columns.iter().position(|new| new.column.name.eq_ignore_ascii_case(&column.name)))
        .collect();
    new_table::create(work, name, &create.elements, columns, &options)?;
    let empty = work.root.table(name)?.ok_or_else(|| SqlError::internal("a new table is gone"))?;
    let base = BaseTable::new(work.place.name.clone(), name.into(), empty.clone());
    let rules = RowRules::new(&base, &work.context, create.on_conflict == Some(InsertConflict::Ignore))?;
    let width = empty.schema().columns.len();
    let mut editor = TableEditor::new(empty)?;
    let mut rows = 0;
    loop {
        let batch = match cursor.next(FUEL)? {
            Step::Batch(batch) => batch,
            Step::Done(_) => break,
            _ => {
                pause(&work.context, FUEL as usize).await;
                continue;
            }
        };
        pause(&work.context, batch.rows).await;
        for at in 0..batch.rows {
            let mut row = vec![Value::Null; width];
            for position in (0..width).filter(|position| !places.contains(position)) {
                if !rules.is_generated(position) {
                    row[position] = rules.default(position, &row, &work.context)?;
                }
            }
            for (value, place) in batch.row(at).into_iter().zip(&places) {
                row[*place] = rules.assign(*place, &value, &work.context)?;
            }
            rules.generate(&mut row, &work.context)?;
            rules.check_nulls(&mut row, &work.context)?;
            rules.check(&row, &work.context)?;
            let entry = editor.encode(&row)?;
            match (editor.duplicate(&row, &entry, None)?, create.on_conflict) {
                (None, _) => {}
                (Some(_), Some(InsertConflict::Ignore)) => continue,
                (Some(duplicate), Some(InsertConflict::Replace)) => {
                    let old = editor.decode(&duplicate.entry)?;
                    editor.delete(&old, &duplicate.entry)?;
                }
                (Some(duplicate), None) => {
                    let kind = if duplicate.index.is_some() { "unique" } else { "primary" };
                    let values = editor.key_values(duplicate.index, &row);
                    return Err(SqlError::new(1062, format!("duplicate {kind} key given: {values}")));
                }
            }
            editor.insert(&row, &entry)?;
            rows += 1;
        }
        while !editor.merge(false, &work.context)? {
            pause(&work.context, 0).await;
        }
    }
    while !editor.finish_step(&work.context)? {
        pause(&work.context, 0).await;
    }
    if let Some(table) = editor.finish()? {
        work.root = work.root.with_table(name, &table)?;
    }
    Ok(rows)
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
