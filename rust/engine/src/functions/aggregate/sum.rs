//! SUM and AVG.
//!
//! Both answer with a DOUBLE whatever they add (docs/format/sql-surface.md, section 10), but whole numbers and decimals are added
//! exactly, and what decimals give stays a decimal as long as nobody counts on with it or shows it: as text, or in a column of
//! decimals, it has all its digits. The average has four more than the sum.

use std::rc::Rc;

use value::{Decimal, Rounding, Value};

use super::{Accumulator, Aggregate, Role, double, number_of};
use crate::error::Result;
use crate::expr::Context;
use crate::functions::{Entry, Traits, declared};
use crate::vector::{Data, Vector};

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[
    Entry::aggregate("avg", (1, 1), double, |_| Box::new(Sum::new(true)))
        .known_as(Role::Average)
        .with(Traits::FREE_OF_ORDER)
        .common()
        .about("x", "The average of the values"),
    Entry::aggregate("sum", (1, 1), double, |_| Box::new(Sum::new(false)))
        .known_as(Role::Sum)
        .with(Traits::FREE_OF_ORDER)
        .declared(declared::own_never_null)
        .common()
        .about("x", "The sum of the values"),
];

/// Digits that an average of decimals has more than their sum.
const AVERAGE_DIGITS: u8 = 4;

#[derive(Clone, Copy, Default)]
struct State {
    rows: u64,
    /// What was added as whole numbers.
    whole: i128,
    /// What was added as doubles, in the order of the rows.
    double: f64,
}

struct Sum {
    average: bool,
    states: Vec<State>,
    /// What was added as decimals; empty until there is one.
    decimals: Vec<Decimal>,
}

/// The exact sum; halves of the numbers are added apart so that the loop needs no wide arithmetic. At most 2^31 values.
fn sum_of_integers(values: &[i64]) -> i128 {
    let (mut low, mut high) = (0u64, 0i64);
    for &value in values {
        low += value as u64 & 0xffff_ffff;
        high += value >> 32;
    }
    (i128::from(high) << 32) + i128::from(low)
}

fn add_decimal(sum: &mut Decimal, number: &Decimal, state: &mut State) {
    *sum = sum.checked_add(number).unwrap_or_else(|| {
        // More digits than a decimal has.
        state.double += sum.to_f64() + number.to_f64();
        Decimal::ZERO
    });
}

impl Sum {
    fn new(average: bool) -> Sum {
        Sum { average, states: Vec::new(), decimals: Vec::new() }
    }

    fn add(&mut self, group: usize, value: &Value<'_>, context: &Context) -> Result<()> {
        let groups = self.states.len();
        let state = &mut self.states[group];
        state.rows += 1;
        match value {
            Value::Int(number) => state.whole += i128::from(*number),
            Value::UInt(number) => state.whole += i128::from(*number),
            Value::Decimal(number) => {
                if self.decimals.len() < groups {
                    self.decimals.resize(groups, Decimal::ZERO);
                }
                add_decimal(&mut self.decimals[group], number, state);
            }
            other => state.double += number_of(other, context),
        }
        Ok(())
    }
}

impl Accumulator for Sum {
    fn resize(&mut self, groups: usize) {
        self.states.resize(groups, State::default());
        if !self.decimals.is_empty() {
            self.decimals.resize(groups, Decimal::ZERO);
        }
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], context: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        match (&values.data, &values.validity, &mut self.states[..]) {
            (Data::Null(_), ..) => {}
            (Data::Int(numbers), None, [only]) => {
                only.rows += numbers.len() as u64;
                only.whole += sum_of_integers(numbers);
            }
            (Data::Double(numbers), None, [only]) => {
                only.rows += numbers.len() as u64;
                only.double = numbers.iter().fold(only.double, |sum, number| sum + number);
            }
            (Data::Int(numbers), None, states) => {
                for (&group, &number) in groups.iter().zip(numbers) {
                    let state = &mut states[group as usize];
                    state.rows += 1;
                    state.whole += i128::from(number);
                }
            }
            (Data::Double(numbers), None, states) => {
                for (&group, &number) in groups.iter().zip(numbers) {
                    let state = &mut states[group as usize];
                    state.rows += 1;
                    state.double += number;
                }
            }
            (Data::Decimal(numbers), None, states) => {
                self.decimals.resize(states.len(), Decimal::ZERO);
                for (&group, number) in groups.iter().zip(numbers) {
                    let state = &mut states[group as usize];
                    state.rows += 1;
                    add_decimal(&mut self.decimals[group as usize], number, state);
                }
            }
            _ => {
                for (row, &group) in groups.iter().enumerate() {
                    if !values.is_null(row) {
                        self.add(group as usize, &values.value(row), context)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        let State { rows, whole, double } = self.states[group];
        if rows == 0 {
            return Ok(Value::Null);
        }
        let decimal = self.decimals.get(group).copied();
        let exact = decimal.filter(|_| whole == 0 && double == 0.0);
        let sum = double + whole as f64 + decimal.map_or(0.0, |decimal| decimal.to_f64());
        Ok(match (exact, self.average) {
            (Some(sum), false) => Value::Decimal(sum),
            (Some(sum), true) if sum.is_zero() => Value::Decimal(Decimal::ZERO),
            (Some(sum), true) => {
                let scale = (sum.scale() as u8).saturating_add(AVERAGE_DIGITS);
                let average = sum.checked_div(&Decimal::from(rows), scale, Rounding::HalfAwayFromZero);
                average.map_or_else(|| Value::Double(sum.to_f64() / rows as f64), Value::Decimal)
            }
            (None, false) => Value::Double(sum),
            (None, true) => Value::Double(sum / rows as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_add_up() {
        let values = [i64::MAX, i64::MIN, -1, 0, 7, i64::MAX, i64::MAX, -4_294_967_297];
        assert_eq!(sum_of_integers(&values), values.iter().map(|v| i128::from(*v)).sum::<i128>());
    }
}
