//! Steps of a cursor: what a running statement reports, and the summary at its end.

use std::rc::Rc;

use value::Value;

use crate::batch::Batch;
use crate::error::Result;
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::state::Warning;

/// What a call of [`Cursor::next`](super::Cursor::next) gave.
#[derive(Debug)]
pub enum Step {
    Batch(Batch),
    /// Only of a procedure: rows of new columns follow, see [`Cursor::columns`](super::Cursor::columns).
    Result,
    /// The fuel is used up; call again.
    Yield,
    /// The host has to take a lock or prepare a file, which it knows of; call again then.
    Wait,
    /// SLEEP: call again in so many milliseconds, or earlier, and be told how many are left.
    Sleep(u32),
    Done(Summary),
}

/// A statement that changes something, while it runs.
pub trait Effect {
    /// Goes on until the fuel is used up. After an error that [`SqlError::is_wait`](crate::SqlError::is_wait) it is called again:
    /// nothing of that call may have happened then.
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress>;
}

pub enum Progress {
    Yield,
    Done(Outcome),
}

/// A statement that may give several results, while it runs.
pub trait Procedure {
    /// Goes on until it has something to give, or `fuel` is used up.
    fn next(&mut self, fuel: i64) -> Result<ProcedureStep>;
}

/// What a call of [`Procedure::next`] gave.
pub enum ProcedureStep {
    /// Rows of these columns follow.
    Result(Rc<[ResultColumn]>),
    Batch(Batch),
    Yield,
    /// The host has something to do first.
    Wait,
    /// The end. How many rows the last statement that tells so has changed, and the id that it tells; `None` if rows were given.
    Done(Option<(u64, u64)>),
}

/// What a statement that changed something tells.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    pub affected: u64,
    /// Such as `Rows matched: 1  Changed: 1  Warnings: 0`.
    pub info: Option<String>,
    /// Rows that an UPDATE has found, whether it changed them or not.
    pub matched: Option<u64>,
    /// The AUTO_INCREMENT value of the first row that it added, also one that was given.
    pub told_id: Option<u64>,
    /// All rows of a table at once: ROW_COUNT() is 0 then.
    pub is_truncation: bool,
    /// Columns and rows, for a procedure that gives some.
    pub rows: Option<(Vec<ResultColumn>, Vec<Vec<Value<'static>>>)>,
}

/// What is known when a statement has ended.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Rows given.
    pub rows: u64,
    /// Rows changed; `None` for a statement that gives rows.
    pub affected: Option<u64>,
    /// The AUTO_INCREMENT value of the first row that the statement inserted; 0 when there was none.
    pub last_insert_id: u64,
    /// What MySQL's clients print below the count of rows.
    pub info: Option<String>,
    pub warnings: Vec<Warning>,
}
