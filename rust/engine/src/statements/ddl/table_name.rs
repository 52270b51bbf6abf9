//! Names of new tables and views.

use super::column;
use crate::error::{Result, SqlError};

/// The last character of the plane that names may use.
const NAME_CHARACTER_MAX: char = '\u{ffff}';

/// `table with name t already exists`.
pub fn taken(name: &str) -> SqlError {
    SqlError::new(1105, format!("table with name {name} already exists"))
}

/// # Errors
/// For a name that no new table may have.
pub fn check(name: &str) -> Result<()> {
    column::name(name)?;
    if name.is_empty()
        || name.ends_with(char::is_whitespace)
        || name.chars().any(|c| c == '\0' || c > NAME_CHARACTER_MAX)
    {
        return Err(SqlError::general(format!("Invalid table name {name}.")));
    }
    if name.get(..12).is_some_and(|prefix| prefix == "__DATABASE__") {
        let text = format!(
            "Invalid table name {name}. Table names beginning with `__DATABASE__` are reserved for internal use"
        );
        return Err(SqlError::general(text));
    }
    // More than the text says.
    if name.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("dolt")) {
        let text =
            format!("Invalid table name {name}. Table names beginning with `dolt_` are reserved for internal use");
        return Err(SqlError::general(text));
    }
    Ok(())
}
