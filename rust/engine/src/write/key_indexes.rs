//! Columns and indexes that foreign keys can have (docs/format/database.md, section 9.1).

use value::SqlType;
use vcs::{IndexDefinition, SchemaBuilder};

/// Whether a column of one type may refer to one of the other.
pub fn types_go_together(child: &SqlType, parent: &SqlType) -> bool {
    match (child, parent) {
        (child, parent) if child == parent => true,
        (SqlType::Enum(_), SqlType::Enum(_))
        | (SqlType::Set(_), SqlType::Set(_))
        | (SqlType::Decimal { .. }, SqlType::Decimal { .. }) => true,
        (child, parent) if child.is_temporal() && parent.is_temporal() => true,
        (child, parent) if child.is_text() && parent.is_text() => {
            child.collation().map(|c| c.charset()) == parent.collation().map(|c| c.charset())
        }
        (child, parent) => child.is_binary() && parent.is_binary(),
    }
}

fn starts_with(index: &IndexDefinition, tail: &[u64], columns: &[u64]) -> bool {
    let appended = tail.iter().filter(|tag| !index.columns.contains(tag));
    let mut own = index.columns.iter().chain(appended);
    columns.iter().all(|tag| own.next() == Some(tag))
}

/// Whether an index other than `ignored`, the primary key included, begins with the columns of a foreign key in this order.
pub fn child_has_index(schema: &SchemaBuilder, columns: &[u64], ignored: Option<&str>) -> bool {
    has_index(schema, columns, &[], ignored)
}

/// As [`child_has_index`] for the columns that a foreign key refers to: those of the primary key, with which every index ends,
/// count, too.
pub fn parent_has_index(schema: &SchemaBuilder, columns: &[u64], ignored: Option<&str>) -> bool {
    has_index(schema, columns, &schema.primary_key, ignored)
}

fn has_index(schema: &SchemaBuilder, columns: &[u64], tail: &[u64], ignored: Option<&str>) -> bool {
    let is_whole = |index: &&IndexDefinition| {
        !index.is_spatial && index.fulltext.is_none() && index.prefix_lengths.iter().all(|length| *length == 0)
    };
    let is_ignored = |index: &IndexDefinition| ignored.is_some_and(|name| index.name.eq_ignore_ascii_case(name));
    let ignores_key = ignored.is_some_and(|name| name.eq_ignore_ascii_case("PRIMARY"));
    (!ignores_key && schema.primary_key.starts_with(columns))
        || schema.indexes.iter().filter(is_whole).any(|index| !is_ignored(index) && starts_with(index, tail, columns))
}

/// The secondary index that a key over these columns is said to use: its first columns are these in any order.
pub fn best_index<'s>(schema: &'s SchemaBuilder, columns: &[u64]) -> Option<&'s IndexDefinition> {
    let fits = |index: &&IndexDefinition| {
        let first = index.columns.get(..columns.len());
        first.is_some_and(|first| columns.iter().all(|tag| first.contains(tag)))
    };
    let rank = |index: &&IndexDefinition| {
        let length = index.columns.len();
        (length != columns.len(), core::cmp::Reverse(length), !index.is_unique, index.name.clone())
    };
    schema.indexes.iter().filter(fits).min_by_key(rank)
}
