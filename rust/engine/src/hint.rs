//! Suggestions beside native Dolt's messages: the name that was meant, the switch to MySQL's grammar.

use crate::catalog::Column;

/// What helps where MySQL reads what Dolt does not.
pub const BEYOND_DOLT: &str =
    "MySQL reads this, Dolt does not: SET varve_beyond_dolt = 1 lets the queries of a session use it";

/// The nearest of the columns of a table.
pub fn column(name: &str, columns: &[Column]) -> Option<String> {
    let shown = columns.iter().filter(|column| !column.hidden);
    meant(name, shown.map(|column| &*column.name))
}

/// The name among `names` that was meant, as people are asked.
pub fn meant<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    parse::nearest_name(name, names).map(|name| format!("did you mean {name}?"))
}
