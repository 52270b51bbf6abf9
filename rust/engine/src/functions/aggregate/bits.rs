//! BIT_AND, BIT_OR, BIT_XOR.

use std::rc::Rc;

use value::{SqlType, Value};

use super::{Accumulator, Aggregate};
use crate::error::Result;
use crate::expr::{Context, ExprType};
use crate::functions::{Entry, Traits};
use crate::vector::{Data, Vector};

fn unsigned(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::BIGINT_UNSIGNED, false)
}

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[
    Entry::aggregate("bit_and", (1, 1), unsigned, |_| {
        Box::new(Bits { empty: u64::MAX, join: |bits, more| bits & more, states: Vec::new() })
    })
    .with(Traits::FREE_OF_ORDER.and(Traits::WHOLE_FRAME))
    .about("x", "The bits that all values have"),
    Entry::aggregate("bit_or", (1, 1), unsigned, |_| {
        Box::new(Bits { empty: 0, join: |bits, more| bits | more, states: Vec::new() })
    })
    .with(Traits::FREE_OF_ORDER.and(Traits::WHOLE_FRAME))
    .about("x", "The bits that some value has"),
    Entry::aggregate("bit_xor", (1, 1), unsigned, |_| {
        Box::new(Bits { empty: 0, join: |bits, more| bits ^ more, states: Vec::new() })
    })
    .with(Traits::FREE_OF_ORDER.and(Traits::WHOLE_FRAME))
    .about("x", "The bits that an odd number of values have"),
];

struct Bits {
    empty: u64,
    join: fn(u64, u64) -> u64,
    states: Vec<u64>,
}

/// A value as 64 bits; what is no number has none.
fn bits_of(value: &Value<'_>) -> u64 {
    match value {
        Value::Int(number) => *number as u64,
        Value::UInt(number) | Value::Bit(number) => *number,
        Value::Text(text) if text.trim().parse::<f64>().is_err() => 0,
        other => match value::cast(other, &SqlType::BIGINT_UNSIGNED, &mut Vec::new()) {
            Ok(Value::UInt(number)) => number,
            _ => 0,
        },
    }
}

impl Accumulator for Bits {
    fn resize(&mut self, groups: usize) {
        self.states.resize(groups, self.empty);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        if matches!(values.data, Data::Null(_)) {
            return Ok(());
        }
        for (row, &group) in groups.iter().enumerate() {
            if !values.is_null(row) {
                let state = &mut self.states[group as usize];
                *state = (self.join)(*state, bits_of(&values.value(row)));
            }
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        Ok(Value::UInt(self.states[group]))
    }
}
