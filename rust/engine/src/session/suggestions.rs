//! Suggestions ("did you mean"): errors about unknown names get the nearest name of their kind as a hint.

use crate::catalog::{Catalog, fragments};
use crate::error::{Result, SqlError};
use crate::functions::callable_names;
use crate::hint::meant;
use crate::procedures;

/// The error with the nearest name of its kind as a hint, where it is about an unknown name.
pub fn with_suggestion(error: SqlError, catalog: &Catalog) -> SqlError {
    if error.hint.is_some() {
        return error;
    }
    let hint = match error.errno {
        1049 => error.message.strip_prefix("database not found: ").and_then(|name| database(name, catalog)),
        1146 => error.message.strip_prefix("table not found: ").and_then(|name| table(name, catalog).ok().flatten()),
        1105 => function(&error.message),
        _ => None,
    };
    error.with_hint(hint)
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
        return meant(name, callable_names());
    }
    let name = message.strip_prefix("stored procedure \"")?.strip_suffix("\" does not exist")?;
    meant(name, procedures::names())
}
