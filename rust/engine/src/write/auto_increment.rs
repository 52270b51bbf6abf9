//! AUTO_INCREMENT: numbers as values of a column and back.

use value::{SqlType, Value};

/// The counter as the column's type has it.
pub fn value_of(number: u64, ty: &SqlType) -> Value<'static> {
    let number = if number <= i64::MAX as u64 { Value::Int(number as i64) } else { Value::UInt(number) };
    value::convert::nearest(&number, ty).map_or(number, |(value, _)| value)
}

/// The number that a row has in the column; `None` for one that is not positive.
pub fn number_of(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::UInt(number) => Some(*number),
        Value::Float(number) if *number >= 0.0 => Some(*number as u64),
        Value::Double(number) if *number >= 0.0 => Some(*number as u64),
        Value::Decimal(number) => number.to_u64(),
        _ => None,
    }
    .filter(|number| *number > 0)
}
