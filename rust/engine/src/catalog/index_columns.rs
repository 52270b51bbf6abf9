//! The columns of a table's indexes, as SHOW INDEX and `information_schema.STATISTICS` list them.

use value::Value;
use vcs::{Column, Schema};

/// One column of one index.
pub struct IndexColumn<'a> {
    pub index: &'a str,
    pub is_unique: bool,
    /// Its place in the index, from 1.
    pub number: u64,
    pub comment: &'a str,
    /// How many characters are in the index; `None` where no column of it has a prefix.
    pub prefix: Option<u16>,
    column: &'a Column,
}

/// All of them, the primary key's first.
pub fn index_columns(schema: &Schema) -> Vec<IndexColumn<'_>> {
    let mut listed = Vec::new();
    let mut list = |index, is_unique, columns: &[usize], prefixes: &[u16], comment| {
        let has_prefix = prefixes.iter().any(|prefix| *prefix > 0);
        for (at, &position) in columns.iter().enumerate() {
            listed.push(IndexColumn {
                index,
                is_unique,
                number: at as u64 + 1,
                comment,
                prefix: prefixes.get(at).copied().filter(|_| has_prefix),
                column: &schema.columns[position],
            });
        }
    };
    list("PRIMARY", true, &schema.primary_key, &[], "");
    for index in &schema.indexes {
        let prefixes: Vec<u16> = index.prefix_lengths().collect();
        list(&*index.name, index.is_unique, &index.columns, &prefixes, &*index.comment);
    }
    listed
}

impl IndexColumn<'_> {
    /// NULL for an expression.
    pub fn name(&self) -> Value<'static> {
        if self.column.is_hidden && self.column.generated.is_some() {
            return Value::Null;
        }
        Value::text(self.column.name.to_string())
    }

    /// The text of an expression; NULL for a column that has a name.
    pub fn expression(&self) -> Value<'static> {
        let generated = self.column.generated.as_ref().filter(|_| self.column.is_hidden);
        generated.map_or(Value::Null, |generated| Value::text(generated.expression.to_string()))
    }

    /// `YES` where it may be NULL.
    pub fn nullable(&self) -> &'static str {
        if self.column.is_nullable && !self.column.is_primary_key { "YES" } else { "" }
    }
}
