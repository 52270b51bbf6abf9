//! `dolt_gc`: garbage collection, gives back the space of unreachable chunks.

use std::rc::Rc;

use vcs::{CollectMode, Collection};

use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::{Entry, Work};

pub const ENTRIES: &[Entry] = &[Entry::of(
    "dolt_gc",
    Work::Cursor(|call, context| Ok(Cursor::of_running(Box::new(Collecting::new(call)), context))),
)
.help(
    "dolt_gc()",
    "Frees what nothing refers to",
    &[("--shallow", "removes files only"), ("--full", "of all generations")],
)];

const SYNTAX: Syntax = Syntax {
    command: "gc",
    flags: &[("shallow", "s"), ("full", "f")],
    values: &[("archive-level", ""), ("incremental-file-size", "")],
    positional_max: Some(0),
    too_many: None,
};

/// Chunks of one part of a collection: each takes about as long as some tens of rows.
const PART_CHUNKS: usize = 64;
const PART_ROWS: usize = 64 * 32;

/// A collection while it runs. Other sessions read meanwhile and change what they see; commits wait.
pub struct Collecting {
    call: Call,
    running: Option<(Rc<Attached>, Collection)>,
}

impl Collecting {
    pub fn new(call: Call) -> Collecting {
        Collecting { call, running: None }
    }
}

impl Effect for Collecting {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let (attached, collection) = match &mut self.running {
            Some(running) => running,
            none => none.insert(begin(&self.call)?),
        };
        while !attached.database.collect(collection, PART_CHUNKS)?.is_done {
            context.spend(PART_ROWS);
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
        }
        let Answer { columns, rows, .. } = Answer::status(0);
        Ok(Progress::Done(Outcome { rows: Some((columns, rows)), ..Outcome::default() }))
    }
}

fn begin(call: &Call) -> Result<(Rc<Attached>, Collection)> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    arguments.exclude("shallow", "full", || {
        "cannot supply both --shallow and --full to dolt_gc: error: invalid usage".to_owned()
    })?;
    let no_number = |text: &str, kind: &str| SqlError::general(format!("error: \"{text}\" is not a valid {kind}."));
    if let Some(text) = arguments.value("incremental-file-size") {
        text.parse::<u64>().map_err(|_| no_number(text, "uint"))?;
    }
    if let Some(text) = arguments.value("archive-level") {
        let level: i64 = text.parse().map_err(|_| no_number(text, "int"))?;
        if !matches!(level, 0 | 1) {
            return Err(SqlError::general(format!("invalid value for archive-level: {level}")));
        }
    }
    if call.context.catalog.transaction.is_open() {
        return Err(SqlError::general("dolt_gc is not possible while a transaction is open"));
    }
    let mode = match (arguments.has("full"), arguments.has("shallow")) {
        (true, _) => CollectMode::Full,
        (_, true) => CollectMode::Shallow,
        _ => CollectMode::Default,
    };
    crate::transaction::redo_recovery::take_over(&call.context.catalog, &place.attached, true)?;
    let kept = call.context.catalog.engine.roots_in_transactions(&place.attached);
    let collection = place.attached.database.collection(mode, kept)?;
    Ok((place.attached, collection))
}
