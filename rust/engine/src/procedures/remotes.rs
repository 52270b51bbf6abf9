//! Procedures of remotes and backups. A page has no way to speak to them: arguments are checked as native Dolt checks them, then
//! the error says what to do instead.

use super::call::{Answer, Call};
use crate::error::{Result, SqlError};

const NO_DESTINATION: &str = "fatal: No configured push destination.\nEither specify the URL from the command-line or configure a remote \
     repository using\n\n\tdolt remote add <name> <url>\n\nand then push using the remote name\n\n\tdolt push <name>\n";

/// The error of what only a server or a command line can do.
pub fn not_here(what: &str, instead: &str) -> SqlError {
    SqlError::general(format!("{what} is not supported in the browser: {instead}"))
}

/// Arguments that are no options.
fn words(call: &Call) -> Vec<&str> {
    call.arguments.iter().map(String::as_str).filter(|argument| !argument.starts_with('-')).collect()
}

/// Whether the database has a remote of this name.
fn is_known(call: &Call, name: &str) -> Result<bool> {
    Ok(call.place()?.attached.database.state().remotes.iter().any(|remote| &*remote.name == name))
}

fn has_remotes(call: &Call) -> Result<bool> {
    Ok(!call.place()?.attached.database.state().remotes.is_empty())
}

fn unknown(name: &str) -> SqlError {
    SqlError::general(format!("fatal: remote '{name}' not found.\nPlease make sure the remote exists."))
}

pub fn remote(call: &Call) -> Result<Answer> {
    let error = match &words(call)[..] {
        [] => SqlError::general("error: invalid argument, use 'dolt_remotes' system table to list remotes"),
        ["add", name, _] if is_known(call, name)? => SqlError::general("remote already exists"),
        ["remove" | "rm", name] if !is_known(call, name)? => {
            SqlError::general(format!("error: unknown remote: '{name}'"))
        }
        ["add", _, _] | ["remove" | "rm", _] => {
            not_here("a change of remotes", "make it with native Dolt in the database's directory")
        }
        _ => SqlError::general("error: invalid argument"),
    };
    Err(error)
}

pub fn fetch(call: &Call) -> Result<Answer> {
    let name = words(call).first().copied().unwrap_or("origin");
    Err(match is_known(call, name)? {
        false => SqlError::general("no remote"),
        true => not_here("dolt_fetch", "fetch with native Dolt, or open the remote's address as a database of its own"),
    })
}

pub fn pull(call: &Call) -> Result<Answer> {
    Err(match words(call).first() {
        Some(name) if !is_known(call, name)? => unknown(name),
        None if !has_remotes(call)? => SqlError::general("no remote"),
        _ => not_here("dolt_pull", "pull with native Dolt, or open the remote's address as a database of its own"),
    })
}

pub fn push(call: &Call) -> Result<Answer> {
    Err(match words(call).first() {
        Some(name) if !is_known(call, name)? => unknown(name),
        None if !has_remotes(call)? => SqlError::general(NO_DESTINATION),
        _ => not_here("dolt_push", "save the database as a file, and push it with native Dolt"),
    })
}

pub fn clone(call: &Call) -> Result<Answer> {
    Err(match words(call)[..] {
        [] => SqlError::general(
            "error: invalid number of arguments: database URL must be specified and database name is optional",
        ),
        _ => not_here("dolt_clone", "open the address instead, then copy the database to where it can be written"),
    })
}

pub fn backup(call: &Call) -> Result<Answer> {
    Err(match words(call)[..] {
        [] => SqlError::general("use 'dolt_backups' table to list backups"),
        _ => not_here("dolt_backup", "save the database as a file"),
    })
}

/// `dolt_undrop`: what is dropped here is gone at once.
pub fn undrop(call: &Call) -> Result<Answer> {
    let none = "there are no databases currently available to be undropped";
    Err(SqlError::general(match &call.arguments[..] {
        [] => format!("no database name specified. {none}"),
        [name] => format!("no database named '{name}' found to undrop. {none}"),
        _ => "dolt_undrop called with too many arguments: dolt_undrop only accepts one argument - the name of the dropped \
              database to restore"
            .to_owned(),
    }))
}

/// `dolt_purge_dropped_databases`: there is nothing left to purge.
pub fn purge(call: &Call) -> Result<Answer> {
    match &call.arguments[..] {
        [] => Ok(Answer::status(0)),
        _ => Err(SqlError::general("dolt_purge_dropped_databases does not take any arguments")),
    }
}
