//! What aggregate functions have in common. Each family has a file of its own.

use std::rc::Rc;

use value::Value;

use crate::error::Result;
use crate::expr::{Context, ExprType};
use crate::plan::AggregateCall;
use crate::vector::Vector;

/// An aggregate function.
pub struct Aggregate {
    /// Lower case.
    pub name: &'static str,
    pub arity: (usize, usize),
    pub result: fn(&[ExprType]) -> ExprType,
    /// State for all groups of one call.
    pub accumulator: fn(&AggregateCall) -> Box<dyn Accumulator>,
}

impl core::fmt::Debug for Aggregate {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// The running state of one call, for every group at once.
pub trait Accumulator {
    /// Makes room for `groups` groups; new ones are empty.
    fn resize(&mut self, groups: usize);

    /// Adds rows: row `i` belongs to group `groups[i]`; `args` are the evaluated arguments, then the evaluated
    /// expressions of the call's own ORDER BY.
    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], context: &Context) -> Result<()>;

    /// The answer for a group.
    fn value(&mut self, group: usize, context: &Context) -> Result<Value<'static>>;
}
