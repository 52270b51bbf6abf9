//! Aggregates that take the value of one row: ANY_VALUE, FIRST, LAST.

use std::rc::Rc;

use value::Value;

use super::{Accumulator, Aggregate, Role, same_as_first};
use crate::error::Result;
use crate::expr::Context;
use crate::functions::{Entry, Traits, declared};
use crate::vector::Vector;

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[
    Entry::aggregate("any_value", (1, 1), same_as_first, |_| Box::new(Pick::new(Row::FirstValue)))
        .known_as(Role::AnyValue)
        .with(Traits::GIVES_ARGUMENT)
        .about("x", "The value of some row of the group"),
    Entry::aggregate("first", (1, 1), same_as_first, |_| Box::new(Pick::new(Row::First)))
        .with(Traits::GIVES_ARGUMENT)
        .declared(declared::first_never_null)
        .about("x", "The value of the first row"),
    Entry::aggregate("last", (1, 1), same_as_first, |_| Box::new(Pick::new(Row::LastValue)))
        .with(Traits::GIVES_ARGUMENT)
        .declared(declared::first_never_null)
        .about("x", "The value of the last row"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    /// The first, NULL or not.
    First,
    /// The first that is not NULL.
    FirstValue,
    /// The last that is not NULL.
    LastValue,
}

struct Pick {
    row: Row,
    /// `None` until a row was taken.
    values: Vec<Option<Value<'static>>>,
    open: usize,
}

impl Pick {
    fn new(row: Row) -> Pick {
        Pick { row, values: Vec::new(), open: 0 }
    }
}

impl Accumulator for Pick {
    fn resize(&mut self, groups: usize) {
        self.open += groups.saturating_sub(self.values.len());
        self.values.resize(groups, None);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        if self.row == Row::LastValue {
            for (row, &group) in groups.iter().enumerate() {
                if !values.is_null(row) {
                    self.values[group as usize] = Some(values.value(row).into_owned());
                }
            }
            return Ok(());
        }
        for (row, &group) in groups.iter().enumerate() {
            // Nothing to do for rows of groups that have their value, which are most.
            if self.open == 0 {
                break;
            }
            let taken = &mut self.values[group as usize];
            if taken.is_none() && (self.row == Row::First || !values.is_null(row)) {
                *taken = Some(values.value(row).into_owned());
                self.open -= 1;
            }
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        Ok(self.values[group].take().unwrap_or(Value::Null))
    }
}
