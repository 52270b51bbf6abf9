//! Running plans: operators that pull column batches from each other.
//!
//! `next` returns a batch, `Yield` when the statement's fuel is used up (the caller comes back with more, after it has
//! looked whether somebody cancelled), or `Done`. An operator that pulls from another passes a `Yield` on at once and
//! keeps what it has in its own fields, so a statement can stop and go on at every pull.

mod aggregate;
mod aggregate_in_order;
mod apply;
mod build;
mod concat;
mod distinct;
mod filter;
mod hash_table;
mod index_groups;
mod join;
mod json_table;
mod kept_table;
mod key_filter;
mod keyed_scan;
mod keys;
mod lateral;
pub(crate) mod limit;
mod lookup_join;
mod measure;
mod merge;
mod order;
mod point;
mod project;
mod recursive;
mod relation_scan;
mod remembered;
mod seen;
mod set_operation;
mod shared;
mod sort;
mod spill;
mod table_function;
pub(crate) mod table_scan;
mod template;
mod values;
mod window;

use std::rc::Rc;

use crate::batch::Batch;
use crate::error::Result;
use crate::expr::Context;
use key_filter::KeyFilter;

pub use build::{lower, lower_measured};
pub use index_groups::estimate as estimate_groups;
pub use measure::{Measure, Measures};
pub use point::{PointAnswer, PointKey, PointRead};
pub use table_scan::ranges::ascending;
pub use table_scan::sample::{all_passing, count_passing};
pub use table_scan::{bounds_of, count_ranges};
pub use template::Template;

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
    /// those below it; all others give them, and who asks drops them.
    fn filter_early(&mut self, _filter: &KeyFilter) {}
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
