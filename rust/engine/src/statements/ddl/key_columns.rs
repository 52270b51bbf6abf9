//! Requirements on key columns.

use vcs::{Column, SchemaBuilder};

use super::index;
use crate::error::{Result, SqlError};

/// At most one AUTO_INCREMENT column: an integer without default, part of a key. `keyed` are names of columns in lower case.
pub fn check_auto_increment(schema: &SchemaBuilder, keyed: &[String]) -> Result<()> {
    let text = "there can be only one auto_increment column and it must be defined as a key";
    let mut is_first = true;
    for column in schema.columns.iter().filter(|column| column.is_auto_increment) {
        if !matches!(column.sql_type, value::SqlType::Integer(_)) {
            return Err(SqlError::general(format!("Incorrect column specifier for column '{}'", column.name)));
        }
        let is_key = schema.primary_key.contains(&column.tag) || keyed.contains(&column.name.to_lowercase());
        if !is_key || column.default.is_some() || !is_first {
            return Err(SqlError::general(text));
        }
        is_first = false;
    }
    Ok(())
}

/// # Errors
/// For a type that has no place in a primary key.
pub fn check_type(table: &str, column: &Column) -> Result<()> {
    use value::SqlType::*;
    match column.sql_type {
        Text { .. } | Blob { .. } => Err(index::no_length(&column.name)),
        Geometry { .. } => Err(SqlError::general(format!("can't use Spatial Types as Primary Key for table {table}"))),
        _ => Ok(()),
    }
}
