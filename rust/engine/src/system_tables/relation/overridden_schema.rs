//! The rows of a table under the schema of another commit (`@@dolt_override_schema`).

use std::rc::Rc;

use value::{SqlType, Value, ValueError};
use vcs::{Schema, Table, cardinality};

use super::computed::{Computed, nothing, shown_column};
use super::row_reader::{RowReader, ScannedRows, shown};
use crate::catalog::Place;
use crate::error::{Result, SqlError};
use crate::expr::Context;

/// Without rows where the table is not there.
pub fn table(place: &Place, name: &str, rows: Option<Table>, schema: Rc<Schema>) -> Computed {
    let shown: Rc<[usize]> = shown(&schema).into();
    let columns: Vec<_> = shown.iter().map(|&at| shown_column(&schema.columns[at])).collect();
    let expression = |(output, at): (usize, &usize)| Some((output, schema.columns[*at].virtual_expression()?.into()));
    let expressions = shown.iter().enumerate().filter_map(expression).collect();
    let relation = Computed::new(place.name.clone(), name, columns, move |context, wanted, _| {
        let Some(table) = &rows else { return Ok(nothing()) };
        let rows = Rows::new(table, &schema, &shown, wanted);
        let (context, keyless) = (context.clone(), table.schema().is_keyless());
        Ok(Box::new(ScannedRows::new(table, None, None)?.flat_map(move |item| {
            let read = || -> Result<_> {
                let item = item?;
                Ok((rows.read(&item, &context)?, if keyless { cardinality(item.value())? } else { 1 }))
            };
            let (row, times) = match read() {
                Ok((row, times)) => (Ok(row), times),
                Err(error) => (Err(error), 1),
            };
            std::iter::repeat_n(row, usize::try_from(times).unwrap_or(usize::MAX))
        })))
    });
    relation.with_expressions(expressions)
}

struct Rows {
    reader: RowReader,
    width: usize,
    /// Position in the row, and the type, of each column that has another one in the table.
    converted: Vec<(usize, SqlType)>,
}

impl Rows {
    /// Columns correspond by tag, else by exact name; those that the table has not are NULL.
    fn new(table: &Table, schema: &Schema, shown: &[usize], wanted: &[usize]) -> Rows {
        let source = table.schema();
        let (mut outputs, mut converted) = (Vec::new(), Vec::new());
        for &output in wanted {
            let column = &schema.columns[shown[output]];
            let by_name = || source.columns.iter().position(|known| known.name == column.name);
            let found = source.columns.iter().position(|known| known.tag == column.tag).or_else(by_name);
            let Some(at) = found.filter(|_| !column.is_virtual()) else { continue };
            outputs.push((at, output));
            if source.columns[at].sql_type != column.sql_type {
                converted.push((output, column.sql_type.clone()));
            }
        }
        let reader = RowReader::same(table.objects().nodes(), source, outputs.into_iter());
        Rows { reader, width: shown.len(), converted }
    }

    fn read(&self, item: &tree::Item, context: &Context) -> Result<Vec<Value<'static>>> {
        let mut row = vec![Value::Null; self.width];
        self.reader.fill(item, &mut row, context)?;
        for (output, ty) in &self.converted {
            row[*output] = converted(&row[*output], ty, context)?;
        }
        Ok(row)
    }
}

/// Text that is too long is cut, with a warning.
fn converted(value: &Value<'_>, ty: &SqlType, context: &Context) -> Result<Value<'static>> {
    let error = match value::assign(value, ty) {
        Err(error @ ValueError::TooLong { .. }) if ty.is_text() => {
            let text = value::convert::to_string(value).unwrap_or_default();
            context.session.warn(1246, format!("Value '{text}' truncated to fit column of type {ty}"));
            match value::convert::nearest(value, ty) {
                Ok((cut, _)) => return Ok(cut),
                Err(_) => error,
            }
        }
        Err(error) => error,
        Ok(converted) => return Ok(converted),
    };
    Err(SqlError::general(format!("unable to convert value to overridden schema: {error}")))
}
