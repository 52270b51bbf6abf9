//! `dolt_undrop` and `dolt_purge_dropped_databases`: restores or deletes dropped databases.

use codec::CompactSort;

use crate::error::{Result, SqlError};
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_purge_dropped_databases", purge), Entry::new("dolt_undrop", undrop)];

pub fn undrop(call: &Call) -> Result<Answer> {
    let engine = &call.context.catalog.engine;
    // Where databases are neither made nor removed none is aside.
    let host = engine.databases_of_host().ok();
    let aside = || host.as_ref().map_or_else(|| Ok(Vec::new()), |host| host.removed());
    let name = match &call.arguments[..] {
        [] => return Err(SqlError::general(format!("no database name specified. {}", available(aside()?)))),
        [name] => name,
        _ => {
            let text = "dolt_undrop called with too many arguments: dolt_undrop only accepts one argument - the name of the \
                        dropped database to restore";
            return Err(SqlError::general(text));
        }
    };
    let not_found = |aside: Vec<String>| {
        SqlError::general(format!("no database named '{name}' found to undrop. {}", available(aside)))
    };
    if engine.database(name).is_some() {
        let aside = aside()?;
        let Some(own) = aside.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
            return Err(not_found(aside));
        };
        return Err(SqlError::general(format!(
            "unable to undrop database '{own}'; another database already exists with the same case-insensitive name"
        )));
    }
    match host.as_ref().map(|host| host.restore(name)).transpose()?.flatten() {
        Some((own, database)) => {
            engine.attach(&own, database);
            Ok(Answer::status(0))
        }
        None => Err(not_found(aside()?)),
    }
}

fn available(mut names: Vec<String>) -> String {
    names.compact_sort();
    match names.is_empty() {
        true => "there are no databases currently available to be undropped".to_owned(),
        false => format!("available databases that can be undropped: {}", names.join(", ")),
    }
}

pub fn purge(call: &Call) -> Result<Answer> {
    if !call.arguments.is_empty() {
        return Err(SqlError::general("dolt_purge_dropped_databases does not take any arguments"));
    }
    if let Ok(host) = call.context.catalog.engine.databases_of_host() {
        host.purge()?;
    }
    Ok(Answer::status(0))
}
