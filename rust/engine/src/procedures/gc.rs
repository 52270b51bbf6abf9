//! `dolt_gc`: gives back the space of what nothing leads to.

use super::arguments::Syntax;
use super::call::{Answer, Call};
use crate::error::{Result, SqlError};

const SYNTAX: Syntax = Syntax {
    command: "gc",
    flags: &[("shallow", "s"), ("full", "f")],
    values: &[("archive-level", ""), ("incremental-gc-file-size", "")],
    positional_max: Some(0),
    too_many: None,
};

/// Chunks of one part of a collection.
const PART_CHUNKS: usize = 4096;

pub fn collect(call: &Call) -> Result<Answer> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    arguments.exclude("shallow", "full", || {
        "cannot supply both --shallow and --full to dolt_gc: error: invalid usage".to_owned()
    })?;
    if call.context.catalog.transaction.is_open() {
        return Err(SqlError::general("dolt_gc is not possible while a transaction is open"));
    }
    let database = &place.attached.database;
    let mode = match (arguments.has("full"), arguments.has("shallow")) {
        (true, _) => vcs::CollectMode::Full,
        (_, true) => vcs::CollectMode::Shallow,
        _ => vcs::CollectMode::Default,
    };
    let kept = call.context.catalog.engine.roots_in_transactions(&place.attached);
    let mut collection = database.collection(mode, kept)?;
    while !database.collect(&mut collection, PART_CHUNKS)?.is_done {}
    Ok(Answer::status(0))
}
