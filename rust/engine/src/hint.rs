//! What helps beside messages that are native Dolt's: the name that was meant, the switch to MySQL's grammar.

use crate::catalog::{Catalog, Column, fragments};
use crate::error::{Result, SqlError};
use crate::functions::{aggregates, scalars};
use crate::system_tables::procedure_names;

/// What helps where MySQL reads what Dolt does not.
pub const BEYOND_DOLT: &str =
    "MySQL reads this, Dolt does not: SET varve_beyond_dolt = 1 lets the queries of a session use it";

/// The error with the nearest name of its kind, where it is about a name that nothing has.
pub fn helped(error: SqlError, catalog: &Catalog) -> SqlError {
    if error.hint.is_some() {
        return error;
    }
    let hint = match error.errno {
        1049 => error.message.strip_prefix("database not found: ").and_then(|name| database(name, catalog)),
        1146 => error.message.strip_prefix("table not found: ").and_then(|name| table(name, catalog).ok().flatten()),
        1105 | 1305 => function(&error.message),
        _ => None,
    };
    error.with_hint(hint)
}

/// The nearest of the columns of a table.
pub fn column(name: &str, columns: &[Column]) -> Option<String> {
    let shown = columns.iter().filter(|column| !column.hidden);
    meant(name, shown.map(|column| &*column.name))
}

fn meant<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    parse::nearest_name(name, names).map(|name| format!("did you mean {name}?"))
}

fn database(name: &str, catalog: &Catalog) -> Option<String> {
    let databases = catalog.engine.databases();
    let databases = databases.iter().filter(|attached| !attached.is_temporary);
    meant(name, databases.map(|attached| &*attached.name))
}

/// A table or view of the session's database, or the same name in another database.
fn table(name: &str, catalog: &Catalog) -> Result<Option<String>> {
    let place = catalog.place(None)?;
    let root = place.root()?;
    let mut names: Vec<Box<str>> = root.tables().map(|entry| Ok(entry?.0)).collect::<Result<_>>()?;
    let views = fragments::read(catalog, &place, &root)?.into_iter().filter(|fragment| fragment.kind == "view");
    names.extend(views.map(|view| view.name.into_boxed_str()));
    if let Some(hint) = meant(name, names.iter().map(|name| &**name)) {
        return Ok(Some(hint));
    }
    for attached in catalog.engine.databases().iter().filter(|attached| !attached.is_temporary) {
        if catalog.place(Some(&attached.name))?.root()?.find_table(name)?.is_some() {
            return Ok(Some(format!("database {} has one: {}.{name}", attached.name, attached.name)));
        }
    }
    Ok(None)
}

fn function(message: &str) -> Option<String> {
    if let Some(name) = message.strip_prefix("function: '").and_then(|rest| rest.strip_suffix("' not found")) {
        let names = scalars().map(|function| function.name).chain(aggregates().map(|function| function.name));
        return meant(name, names);
    }
    let name = message.strip_prefix("stored procedure \"")?.strip_suffix("\" does not exist")?;
    meant(name, procedure_names())
}
