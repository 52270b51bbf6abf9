//! Index columns of a table, as SHOW INDEX and `information_schema.STATISTICS` list them.

use value::Value;
use vcs::{Column, Schema};

use crate::engine::{IndexStatistics, TableStatistics};

/// One column of one index.
pub struct IndexColumn<'a> {
    pub index: &'a str,
    pub is_unique: bool,
    /// Its place in the index, from 1.
    pub number: u64,
    pub comment: &'a str,
    /// How many characters are in the index; `None` where no column of it has a prefix.
    pub prefix: Option<u16>,
    is_full_text: bool,
    column: &'a Column,
}

/// All of them, the primary key's first.
pub fn index_columns(schema: &Schema) -> Vec<IndexColumn<'_>> {
    let mut listed = Vec::new();
    let mut list = |index, is_unique, columns: &[usize], prefixes: &[u16], comment, is_full_text| {
        let has_prefix = prefixes.iter().any(|prefix| *prefix > 0);
        for (at, &position) in columns.iter().enumerate() {
            listed.push(IndexColumn {
                index,
                is_unique,
                number: at as u64 + 1,
                comment,
                prefix: prefixes.get(at).copied().filter(|_| has_prefix),
                is_full_text,
                column: &schema.columns[position],
            });
        }
    };
    list("PRIMARY", true, &schema.primary_key, &[], "", false);
    for index in &schema.indexes {
        let prefixes: Vec<u16> = index.prefix_lengths().collect();
        list(&*index.name, index.is_unique, &index.columns, &prefixes, &*index.comment, index.fulltext.is_some());
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

    /// How the index is kept, as MySQL tells it.
    pub fn kind(&self) -> &'static str {
        if self.is_full_text { "FULLTEXT" } else { "BTREE" }
    }

    /// How many values ANALYZE TABLE has counted in the columns up to this one: 0 before that, and where a longer index was counted.
    pub fn cardinality(&self, counted: Option<&TableStatistics>) -> u64 {
        let Some(counted) = counted else { return 0 };
        if self.is_full_text {
            // Words are not counted: MySQL shows the rows of the table.
            let rows = counted.indexes.iter().map(|index| index.buckets.iter().map(|bucket| bucket.rows).sum());
            return rows.max().unwrap_or(0);
        }
        let index = counted.indexes.iter().find(|known| self.is(known));
        index.map_or(0, |index| index.buckets.iter().map(|bucket| bucket.distinct).sum())
    }

    /// How the index is sorted: ascending, but a full-text index is not sorted.
    pub fn order(&self) -> Value<'static> {
        if self.is_full_text { Value::Null } else { Value::text("A".to_owned()) }
    }

    fn is(&self, known: &IndexStatistics) -> bool {
        known.index.eq_ignore_ascii_case(self.index) && known.columns.len() as u64 == self.number
    }

    /// `YES` where it may be NULL.
    pub fn nullable(&self) -> &'static str {
        if self.column.is_nullable && !self.column.is_primary_key { "YES" } else { "" }
    }
}
