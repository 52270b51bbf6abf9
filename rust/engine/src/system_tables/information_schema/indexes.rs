//! Indexes, column by column.

use value::Value;

use super::source::{Asked, Row, Source, def, text};
use crate::catalog::index_columns;
use crate::error::Result;

pub fn statistics(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        let statistics = &stored.place.attached.statistics;
        let counted = stored.place.branch().and_then(|branch| statistics.of(branch, &stored.name));
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
                column.order(),
                Value::UInt(column.cardinality(counted.as_deref())),
                column.prefix.map_or(Value::Null, |prefix| Value::Int(i64::from(prefix))),
                Value::Null,
                text(column.nullable()),
                text(column.kind()),
                text(""),
                text(column.comment),
                text("YES"),
                column.expression(),
            ]);
        }
        Ok(())
    })
}
