//! Operator interface: what operators return, and how their parents hold and poll them.

use std::rc::Rc;

use super::join::runtime_filter::RuntimeFilter;
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::Context;

/// What an operator answers.
#[derive(Debug)]
pub enum Poll {
    /// At least one row.
    Batch(Batch),
    /// Out of fuel; call again.
    Yield,
    Done,
}

/// A running operator. Settings live in the plan, state lives here.
pub trait Operator {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll>;

    /// Leaves out up to `rows` rows before the first is given, where that needs no look at them; says how many.
    fn skip(&mut self, _rows: u64) -> Result<u64> {
        Ok(0)
    }

    /// Before the first row: rows that a filter does not let through are not wanted. What can leave them out early does, or tells
    /// those below it; all others give them, and the caller drops them.
    fn push_runtime_filter(&mut self, _filter: &RuntimeFilter) {}
}

/// An operator behind a pointer, as parents hold their inputs.
pub type Source = Box<dyn Operator>;

/// Pulls from an input: the batch, or `None` at its end; a yield leaves the calling function.
macro_rules! pull {
    ($input:expr, $context:expr) => {
        match $input.next($context)? {
            $crate::exec::Poll::Batch(batch) => Some(batch),
            $crate::exec::Poll::Yield => return Ok($crate::exec::Poll::Yield),
            $crate::exec::Poll::Done => None,
        }
    };
}
pub(crate) use pull;
