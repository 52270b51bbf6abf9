//! What aggregate functions have in common. Each family has a file of its own.
//!
//! An accumulator sees whole columns. Most queries have one group or few, and numbers without NULLs: those have loops
//! of their own; everything else goes value by value.

mod bits;
mod count;
mod extreme;
mod group_concat;
mod json;
mod pick;
mod sum;
mod variance;

use std::rc::Rc;

use value::Value;

pub(crate) use variance::shown_type;

use crate::error::Result;
use crate::expr::{AggregateCall, Context, ExprType};
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

/// The tables of all families.
pub(super) static FAMILIES: &[&[Aggregate]] = &[
    bits::FUNCTIONS,
    count::FUNCTIONS,
    extreme::FUNCTIONS,
    super::full_text::AGGREGATES,
    group_concat::FUNCTIONS,
    json::FUNCTIONS,
    pick::FUNCTIONS,
    sum::FUNCTIONS,
    variance::FUNCTIONS,
];

/// The type of an answer that is one of the argument's values.
fn same_as_first(types: &[ExprType]) -> ExprType {
    ExprType { nullable: true, ..types.first().cloned().unwrap_or_else(ExprType::null) }.of_column()
}

/// A value as a number to add; text that is not a number from end to end counts as zero.
fn number_of(value: &Value<'_>, context: &Context) -> f64 {
    match value {
        Value::Text(text) => text.trim().parse().unwrap_or(0.0),
        value => context.to_double(value),
    }
}

fn double(_: &[ExprType]) -> ExprType {
    ExprType::double()
}
