//! Indexes, column by column.

use value::Value;

use super::{Asked, Row, Source, def, text};
use crate::error::Result;

pub fn statistics(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for stored in source.stored(&root, asked, "TABLE_NAME")? {
            let schema = stored.table.schema();
            let mut push = |unique: bool, name: &str, columns: &[usize], prefixes: &[u16], comment: &str| {
                let has_prefix = prefixes.iter().any(|prefix| *prefix > 0);
                for (at, &position) in columns.iter().enumerate() {
                    let column = &schema.columns[position];
                    let expression = column.generated.as_ref().filter(|_| column.is_hidden);
                    let prefix = prefixes.get(at).filter(|_| has_prefix);
                    rows.push(vec![
                        def(),
                        text(&*place.name),
                        text(&*stored.name),
                        Value::Int(i64::from(!unique)),
                        text(&*place.name),
                        text(name),
                        Value::UInt(at as u64 + 1),
                        if expression.is_some() { Value::Null } else { text(&*column.name) },
                        text("A"),
                        Value::Int(0),
                        prefix.map_or(Value::Null, |prefix| Value::Int(i64::from(*prefix))),
                        Value::Null,
                        text(if column.is_nullable && !column.is_primary_key { "YES" } else { "" }),
                        text("BTREE"),
                        text(""),
                        text(comment),
                        text("YES"),
                        expression.map_or(Value::Null, |generated| text(&*generated.expression)),
                    ]);
                }
            };
            if !schema.primary_key.is_empty() {
                push(true, "PRIMARY", &schema.primary_key, &[], "");
            }
            for index in &schema.indexes {
                let prefixes: Vec<u16> = index.prefix_lengths().collect();
                push(index.is_unique, &index.name, &index.columns, &prefixes, &index.comment);
            }
        }
    }
    Ok(rows)
}
