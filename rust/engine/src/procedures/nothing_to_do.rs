//! Procedures that have nothing to do here: of threads and dropped databases.

use super::call::{Answer, Call};
use crate::error::{Result, SqlError};

/// `dolt_thread_dump`: there is one thread, and nobody to look into it.
pub fn thread_dump(_: &Call) -> Result<Answer> {
    Err(SqlError::general("dolt_thread_dump is not supported in the browser"))
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
