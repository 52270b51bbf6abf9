//! MIN and MAX.

use std::cmp::Ordering;
use std::rc::Rc;

use value::Value;

use super::{Accumulator, Aggregate, same_as_first};
use crate::error::Result;
use crate::expr::{Comparison, Context};
use crate::plan::AggregateCall;
use crate::vector::{Data, Vector};

pub(super) static FUNCTIONS: &[Aggregate] = &[
    Aggregate {
        name: "max",
        arity: (1, 1),
        result: same_as_first,
        accumulator: |call| Box::new(Extreme::new(call, Ordering::Greater)),
    },
    Aggregate {
        name: "min",
        arity: (1, 1),
        result: same_as_first,
        accumulator: |call| Box::new(Extreme::new(call, Ordering::Less)),
    },
];

struct Extreme {
    /// How a better value compares with the best so far.
    better: Ordering,
    comparison: Comparison,
    best: Vec<Value<'static>>,
}

/// The row of the first best value of a column without NULLs; `None` where there is no loop for its kind.
fn best_row(values: &Vector, better: Ordering) -> Option<usize> {
    fn find<T: PartialOrd + Copy>(values: &[T], better: Ordering) -> Option<usize> {
        let mut best = *values.first()?;
        // Two passes: the first is a plain reduction, which the compiler turns into vector instructions.
        match better {
            Ordering::Less => values.iter().for_each(|&value| best = if value < best { value } else { best }),
            _ => values.iter().for_each(|&value| best = if value > best { value } else { best }),
        }
        values.iter().position(|value| *value == best)
    }
    if values.validity.is_some() {
        return None;
    }
    match &values.data {
        Data::Int(values) => find(values, better),
        Data::UInt(values) => find(values, better),
        Data::Double(values) => find(values, better),
        Data::Date(values) => find(values, better),
        Data::DateTime(values) => find(values, better),
        _ => None,
    }
}

impl Extreme {
    fn new(call: &AggregateCall, better: Ordering) -> Extreme {
        let comparison = call.args.first().map_or(Comparison::Int, |arg| Comparison::within(&arg.ty));
        Extreme { better, comparison, best: Vec::new() }
    }

    #[inline]
    fn add(&mut self, group: usize, value: Value<'_>) -> Result<()> {
        let best = &mut self.best[group];
        let order = match (&*best, &value) {
            (Value::Null, _) => Some(self.better),
            (Value::Int(best), Value::Int(value)) => Some(value.cmp(best)),
            (Value::Double(best), Value::Double(value)) => value.partial_cmp(best),
            (best, value) => self.comparison.compare(value, best)?,
        };
        if order == Some(self.better) {
            *best = value.into_owned();
        }
        Ok(())
    }
}

impl Accumulator for Extreme {
    fn resize(&mut self, groups: usize) {
        self.best.resize(groups, Value::Null);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        if self.best.len() == 1
            && let Some(row) = best_row(values, self.better)
        {
            return self.add(0, values.value(row));
        }
        for (row, &group) in groups.iter().enumerate() {
            if !values.is_null(row) {
                self.add(group as usize, values.value(row))?;
            }
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        // A window function asks again after more rows.
        Ok(self.best[group].clone())
    }
}
