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

use super::declared::DeclaredBy;
use super::entry::{Entry, Family, Traits};
use crate::error::Result;
use crate::expr::{AggregateCall, Context, ExprType};
use crate::vector::Vector;

/// An aggregate function.
#[derive(Clone, Copy)]
pub struct Aggregate {
    /// Lower case.
    pub name: &'static str,
    pub arity: (usize, usize),
    pub role: Role,
    pub(super) traits: Traits,
    pub result: fn(&[ExprType]) -> ExprType,
    /// The type that a column made of a call is declared with, where it is another than that of the answer.
    pub declared: Option<DeclaredBy>,
    /// As what a select list shows the answer, where that is another type than it is computed with.
    pub(super) shown: Option<fn(&AggregateCall) -> Option<ExprType>>,
    /// State for all groups of one call.
    pub accumulator: fn(&AggregateCall) -> Box<dyn Accumulator>,
}

/// What the optimizer knows an aggregate function as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    AnyValue,
    Average,
    Count,
    Maximum,
    Minimum,
    Other,
    Sum,
}

impl Aggregate {
    pub fn is(&self, of: Traits) -> bool {
        self.traits.has(of)
    }

    /// Whether a statement may call it by its name.
    pub fn is_callable(&self) -> bool {
        !self.is(Traits::INTERNAL)
    }

    /// COUNT.
    pub fn counts(&self) -> bool {
        self.role == Role::Count
    }

    /// SUM and AVG.
    pub fn adds(&self) -> bool {
        matches!(self.role, Role::Sum | Role::Average)
    }

    /// MIN and MAX.
    pub fn is_extreme(&self) -> bool {
        matches!(self.role, Role::Minimum | Role::Maximum)
    }

    /// As what a select list shows the answer of a call.
    pub fn shown_type(&self, call: &AggregateCall) -> Option<ExprType> {
        self.shown.and_then(|shown| shown(call))
    }
}

impl Entry<Aggregate> {
    pub(super) const fn aggregate(
        name: &'static str,
        arity: (usize, usize),
        result: fn(&[ExprType]) -> ExprType,
        accumulator: fn(&AggregateCall) -> Box<dyn Accumulator>,
    ) -> Entry<Aggregate> {
        let (role, traits) = (Role::Other, Traits::NONE);
        Entry::of(Aggregate { name, arity, role, traits, result, declared: None, shown: None, accumulator })
    }

    pub(super) const fn known_as(self, role: Role) -> Entry<Aggregate> {
        Entry { function: Aggregate { role, ..self.function }, ..self }
    }

    pub(super) const fn with(self, traits: Traits) -> Entry<Aggregate> {
        let traits = self.function.traits.and(traits);
        Entry { function: Aggregate { traits, ..self.function }, ..self }
    }

    pub(super) const fn declared(self, declared: DeclaredBy) -> Entry<Aggregate> {
        Entry { function: Aggregate { declared: Some(declared), ..self.function }, ..self }
    }

    const fn shown(self, shown: fn(&AggregateCall) -> Option<ExprType>) -> Entry<Aggregate> {
        Entry { function: Aggregate { shown: Some(shown), ..self.function }, ..self }
    }
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

pub(super) const FAMILIES: &[Family<Aggregate>] = &[
    Family { heading: HEADING, entries: bits::ENTRIES },
    Family { heading: HEADING, entries: count::ENTRIES },
    Family { heading: HEADING, entries: extreme::ENTRIES },
    Family { heading: HEADING, entries: super::full_text::AGGREGATES },
    Family { heading: HEADING, entries: group_concat::ENTRIES },
    Family { heading: HEADING, entries: json::ENTRIES },
    Family { heading: HEADING, entries: pick::ENTRIES },
    Family { heading: HEADING, entries: sum::ENTRIES },
    Family { heading: HEADING, entries: variance::ENTRIES },
];

const HEADING: &str = "Aggregates";

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
