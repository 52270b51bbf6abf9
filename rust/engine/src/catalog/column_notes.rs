//! What is told of a column of a table beside its type: in DESCRIBE, SHOW COLUMNS and information_schema.

/// `PRI`, `UNI` for a column with a unique index of its own, `MUL` for the first one of another index.
pub fn key_kind(schema: &vcs::Schema, position: usize) -> &'static str {
    let alone = schema.indexes.iter().any(|index| index.columns == [position] && index.is_unique);
    let first = schema.indexes.iter().any(|index| index.columns.first() == Some(&position));
    match () {
        () if schema.columns[position].is_primary_key => "PRI",
        () if alone => "UNI",
        () if first => "MUL",
        () => "",
    }
}

/// What stands in the column Extra.
pub fn extra(column: &vcs::Column) -> &'static str {
    match &column.default {
        _ if column.is_auto_increment => "auto_increment",
        Some(default) if is_computed(default) => "DEFAULT_GENERATED",
        _ => "",
    }
}

/// Whether a default, as a schema keeps it, is an expression and no value.
pub fn is_computed(default: &str) -> bool {
    default.starts_with('(') || default.starts_with("CURRENT_TIMESTAMP")
}
