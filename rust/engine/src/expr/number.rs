//! Lossy conversion of values to numbers, without warnings.

use value::{Decimal, Value};

/// A value as a double; NULL and what is no number are zero.
pub fn to_double(value: &Value<'_>) -> f64 {
    match value {
        Value::Int(number) => *number as f64,
        Value::UInt(number) | Value::Bit(number) => *number as f64,
        Value::Double(number) => *number,
        Value::Null => 0.0,
        other => value::convert::to_f64(other, &mut Vec::new()).unwrap_or(0.0),
    }
}

/// A value as a decimal; NULL and what is no number are zero.
pub fn to_decimal(value: &Value<'_>) -> Decimal {
    match value {
        Value::Decimal(number) => *number,
        Value::Null => Decimal::ZERO,
        other => value::convert::to_decimal(other, &mut Vec::new()).unwrap_or(Decimal::ZERO),
    }
}
