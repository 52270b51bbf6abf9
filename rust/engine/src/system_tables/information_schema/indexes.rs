//! Indexes, column by column.

use value::Value;

use super::source::{Asked, Row, Source, def, text};
use crate::catalog::index_columns;
use crate::error::Result;

pub fn statistics(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        for column in index_columns(stored.table.schema()) {
            rows.push(vec![
                def(),
                text(stored.database),
                text(&*stored.name),
                Value::Int(i64::from(!column.is_unique)),
                text(stored.database),
                text(column.index),
                Value::UInt(column.number),
                column.name(),
                text("A"),
                Value::Int(0),
                column.prefix.map_or(Value::Null, |prefix| Value::Int(i64::from(prefix))),
                Value::Null,
                text(column.nullable()),
                text("BTREE"),
                text(""),
                text(column.comment),
                text("YES"),
                column.expression(),
            ]);
        }
        Ok(())
    })
}
