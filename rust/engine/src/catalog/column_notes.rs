//! Column attributes beside the type, for DESCRIBE, SHOW COLUMNS and information_schema.

/// As DESCRIBE tells it: `PRI` for the primary key, `UNI` for a column with a unique index of its own, `MUL` for the first one of
/// another index. Without a primary key the first unique index takes its place if no column of it can be NULL.
pub fn key_kind(schema: &vcs::Schema, position: usize) -> &'static str {
    let is_first = |index: &vcs::Index| index.columns.first() == Some(&position);
    let stands_in =
        schema.primary_key.is_empty()
            && schema.indexes.iter().find(|index| index.is_unique).is_some_and(|index| {
                is_first(index) && index.columns.iter().all(|&at| !schema.columns[at].is_nullable)
            });
    let alone = schema.indexes.iter().any(|index| index.columns == [position] && index.is_unique);
    match () {
        () if schema.columns[position].is_primary_key || stands_in => "PRI",
        () if alone => "UNI",
        () if schema.indexes.iter().any(is_first) => "MUL",
        () => "",
    }
}

/// As information_schema tells it of each column: the last index counts, and one that is not unique marks all its columns.
/// Without a primary key the first column with a unique index of its own that is never NULL takes its place.
pub fn key_kinds(schema: &vcs::Schema) -> Vec<&'static str> {
    let mut kinds = vec![""; schema.columns.len()];
    for index in &schema.indexes {
        let (kind, marked) = match (index.is_unique, &index.columns[..]) {
            (true, [_]) => ("UNI", 1),
            (true, _) => ("MUL", 1),
            (false, columns) => ("MUL", columns.len()),
        };
        index.columns.iter().take(marked).for_each(|&at| kinds[at] = kind);
    }
    schema.primary_key.iter().for_each(|&at| kinds[at] = "PRI");
    let alone = |at: &usize| kinds[*at] == "UNI" && !schema.columns[*at].is_nullable;
    if schema.primary_key.is_empty()
        && let Some(at) = (0..kinds.len()).find(alone)
    {
        kinds[at] = "PRI";
    }
    kinds
}

/// What DESCRIBE has in the column Extra.
pub fn extra(column: &vcs::Column) -> &'static str {
    match &column.default {
        _ if column.is_auto_increment => "auto_increment",
        Some(default) if is_computed(default) => "DEFAULT_GENERATED",
        _ => "",
    }
}

/// The same with what is generated and ON UPDATE, as in MySQL: for `information_schema` and SHOW FULL COLUMNS.
pub fn full_extra(column: &vcs::Column) -> &'static str {
    match (&column.generated, extra(column), &column.on_update) {
        (Some(generated), ..) => {
            if generated.is_virtual {
                "VIRTUAL GENERATED"
            } else {
                "STORED GENERATED"
            }
        }
        (None, "DEFAULT_GENERATED", Some(_)) => "DEFAULT_GENERATED on update CURRENT_TIMESTAMP",
        (None, "", Some(_)) => "on update CURRENT_TIMESTAMP",
        (None, extra, _) => extra,
    }
}

/// How the columns behind expressions in indexes are called: then the index and two numbers.
pub const HIDDEN_PREFIX: &str = "!hidden!";

/// Whether a default, as a schema keeps it, is an expression and no value.
pub fn is_computed(default: &str) -> bool {
    default.starts_with('(') || default.starts_with("CURRENT_TIMESTAMP")
}
