//! MIN and MAX.

use std::cmp::Ordering;
use std::rc::Rc;

use value::Value;

use super::{Accumulator, Aggregate, Role, same_as_first};
use crate::error::Result;
use crate::expr::{AggregateCall, Comparison, Context};
use crate::functions::{Entry, Traits, declared};
use crate::vector::{Data, Vector};

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[
    Entry::aggregate("max", (1, 1), same_as_first, |call| Box::new(Extreme::new(call, Ordering::Greater)))
        .known_as(Role::Maximum)
        .with(Traits::FREE_OF_ORDER.and(Traits::GIVES_ARGUMENT).and(Traits::WHOLE_FRAME))
        .declared(declared::first_never_null)
        .common()
        .about("x", "The greatest value"),
    Entry::aggregate("min", (1, 1), same_as_first, |call| Box::new(Extreme::new(call, Ordering::Less)))
        .known_as(Role::Minimum)
        .with(Traits::FREE_OF_ORDER.and(Traits::GIVES_ARGUMENT))
        .declared(declared::first_never_null)
        .common()
        .about("x", "The least value"),
];

struct Extreme {
    /// How a better value compares with the best so far.
    better: Ordering,
    comparison: Comparison,
    groups: usize,
    best: Best,
}

/// The best value of each group so far.
enum Best {
    Int(Vec<Option<i64>>),
    Double(Vec<Option<f64>>),
    Values(Vec<Value<'static>>),
}

/// Puts values in their groups' places where they are better.
fn improve<T: PartialOrd + Copy>(best: &mut [Option<T>], groups: &[u32], values: &[T], better: Ordering) {
    for (&group, &value) in groups.iter().zip(values) {
        let best = &mut best[group as usize];
        let is_better = match (*best, better) {
            (None, _) => true,
            (Some(best), Ordering::Less) => value < best,
            (Some(best), _) => value > best,
        };
        if is_better {
            *best = Some(value);
        }
    }
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
        Extreme { better, comparison, groups: 0, best: Best::Values(Vec::new()) }
    }

    /// Takes on the kind of the first values, if there is a loop for it.
    fn begin(&mut self, values: &Vector) {
        if let (Best::Values(best), Data::Int(_) | Data::Double(_)) = (&self.best, &values.data)
            && self.groups > 1
            && best.iter().all(Value::is_null)
        {
            match &values.data {
                Data::Int(_) => self.best = Best::Int(vec![None; self.groups]),
                Data::Double(_) => self.best = Best::Double(vec![None; self.groups]),
                _ => {}
            }
        }
    }

    /// The best values one by one, whatever they were before.
    fn values(&mut self) -> &mut [Value<'static>] {
        let values = match &self.best {
            Best::Int(best) => Some(best.iter().map(|best| best.map_or(Value::Null, Value::Int)).collect()),
            Best::Double(best) => Some(best.iter().map(|best| best.map_or(Value::Null, Value::Double)).collect()),
            Best::Values(_) => None,
        };
        if let Some(values) = values {
            self.best = Best::Values(values);
        }
        match &mut self.best {
            Best::Values(values) => values,
            _ => &mut [],
        }
    }

    fn add(&mut self, group: usize, value: Value<'_>) -> Result<()> {
        let (better, comparison) = (self.better, self.comparison);
        let best = &mut self.values()[group];
        let order = match (&*best, &value) {
            (Value::Null, _) => Some(better),
            (Value::Int(best), Value::Int(value)) => Some(value.cmp(best)),
            (Value::Double(best), Value::Double(value)) => value.partial_cmp(best),
            (best, value) => comparison.compare(value, best)?,
        };
        if order == Some(better) {
            *best = value.into_owned();
        }
        Ok(())
    }
}

impl Accumulator for Extreme {
    fn resize(&mut self, groups: usize) {
        self.groups = groups;
        match &mut self.best {
            Best::Int(best) => best.resize(groups, None),
            Best::Double(best) => best.resize(groups, None),
            Best::Values(best) => best.resize(groups, Value::Null),
        }
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        if self.groups == 1
            && let Some(row) = best_row(values, self.better)
        {
            return self.add(0, values.value(row));
        }
        self.begin(values);
        match (&mut self.best, &values.data, &values.validity) {
            (Best::Int(best), Data::Int(values), None) => improve(best, groups, values, self.better),
            (Best::Double(best), Data::Double(values), None) => improve(best, groups, values, self.better),
            _ => {
                for (row, &group) in groups.iter().enumerate() {
                    if !values.is_null(row) {
                        self.add(group as usize, values.value(row))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        // A window function asks again after more rows.
        Ok(match &self.best {
            Best::Int(best) => best[group].map_or(Value::Null, Value::Int),
            Best::Double(best) => best[group].map_or(Value::Null, Value::Double),
            Best::Values(best) => best[group].clone(),
        })
    }
}
