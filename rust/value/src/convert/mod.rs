//! Conversion of values between types, by the reference's rules (docs/format/sql-surface.md, section 10).
//!
//! [`cast`] is CAST and CONVERT: what does not fit becomes NULL, zero or the nearest value, with a warning. [`assign()`] is the way of
//! a value into a column: what does not fit is an error.

mod assign;
mod number;
mod temporal;
mod text;

pub use assign::{assign, end_beyond, nearest};
pub use number::{to_decimal, to_f64};
pub use temporal::{on_day, to_moment, to_moment_relaxed, to_time};
pub use text::{to_bytes, to_string, to_text};

use std::borrow::Cow;

use number::{Fit, TextFraction, to_integer};
use temporal::{fit_moment, to_year};

use crate::error::{ValueError, Warning};
use crate::json::Json;
use crate::types::{IntegerType, IntegerWidth, SqlType};
use crate::value::Value;

/// CAST(`value` AS `kind`). NULL stays NULL; warnings go to the end of `warnings`.
///
/// Not of [`cast`]'s making: CAST AS DECIMAL without a precision keeps the digits a value has ([`to_decimal`]); CAST AS YEAR is a
/// number in the reference (`cast` with [`SqlType::BIGINT_UNSIGNED`]); a length on CHAR counts for nothing in the reference, one on
/// BINARY pads.
///
/// # Errors
/// JSON text that cannot be read; dates as text that are none ([`ValueError::IncorrectDateTime`], which functions turn into NULL
/// and a warning); everything else has a value.
pub fn cast(value: &Value<'_>, kind: &SqlType, warnings: &mut Vec<Warning>) -> Result<Value<'static>, ValueError> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    match kind {
        SqlType::Null => Ok(Value::Null),
        SqlType::Integer(kind) => Ok(cast_integer(value, *kind, warnings)),
        SqlType::Float => {
            let number = to_f64(value, warnings).unwrap_or(0.0);
            Ok(Value::Float(number.clamp(f64::from(-f32::MAX), f64::from(f32::MAX)) as f32))
        }
        SqlType::Double => Ok(Value::Double(to_f64(value, warnings).unwrap_or(0.0))),
        SqlType::Decimal { precision, scale } => {
            let number = to_decimal(value, warnings).ok().and_then(|number| number.fit(*precision, *scale));
            Ok(Value::Decimal(number.unwrap_or(crate::decimal::Decimal::new(0, *scale))))
        }
        SqlType::Bit(_) | SqlType::Geometry { .. } | SqlType::Vector { .. } => assign(value, kind),
        SqlType::Year => {
            // Of a text the number at its beginning counts: that of a date is its year.
            let number = match value {
                Value::Text(_) | Value::Json(_) => Some(cast(value, &SqlType::BIGINT_UNSIGNED, warnings)?),
                _ => None,
            };
            Ok(to_year(number.as_ref().unwrap_or(value)).map_or(Value::Null, Value::Year))
        }
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => {
            let is_moment = matches!(value, Value::Date(_) | Value::DateTime(_) | Value::Text(_) | Value::Bytes(_));
            if !is_moment {
                return Ok(Value::Null);
            }
            let moment = to_moment_relaxed(value)?;
            if moment.truncated {
                warnings.push(Warning::IncorrectDateTime { value: text::shown(value) });
            }
            fit_moment(moment, kind, value)
        }
        SqlType::Time => Ok(to_time(value).map_or(Value::Null, Value::Time)),
        SqlType::Char { .. } | SqlType::VarChar { .. } | SqlType::Text { .. } => {
            Ok(to_string(value).map_or(Value::Null, |text| Value::Text(Cow::Owned(text.into_owned()))))
        }
        SqlType::Binary { length } => Ok(to_bytes(value).map_or(Value::Null, |bytes| {
            let mut bytes = bytes.into_owned();
            bytes.resize(*length as usize, 0);
            Value::Bytes(Cow::Owned(bytes))
        })),
        SqlType::VarBinary { .. } | SqlType::Blob { .. } => {
            Ok(to_bytes(value).map_or(Value::Null, |bytes| Value::Bytes(Cow::Owned(bytes.into_owned()))))
        }
        SqlType::Enum(_) | SqlType::Set(_) => Ok(assign(value, kind).unwrap_or(Value::Null)),
        SqlType::Json => Json::from_value(value).map(Value::json),
    }
}

fn cast_integer(value: &Value<'_>, kind: IntegerType, warnings: &mut Vec<Warning>) -> Value<'static> {
    let Ok(converted) = to_integer(value, kind, TextFraction::Cut) else {
        return if kind.unsigned { Value::UInt(0) } else { Value::Int(0) };
    };
    if converted.truncated {
        warnings.push(Warning::TruncatedNumber { value: text::shown(value), kind: kind.name() });
    }
    if converted.fit != Fit::Exact && kind.unsigned && kind.width == IntegerWidth::Big {
        warnings.push(Warning::WrappedNegative);
    }
    converted.number
}

/// The truth of a value in WHERE, AND, IF: `None` for NULL, else whether it is a number other than zero.
pub fn truth(value: &Value<'_>) -> Option<bool> {
    match value {
        Value::Null => None,
        Value::Int(number) => Some(*number != 0),
        Value::UInt(number) | Value::Bit(number) => Some(*number != 0),
        Value::Decimal(number) => Some(!number.is_zero()),
        Value::Enum(member) => Some(member.index != 0),
        Value::Set(members) => Some(members.bits != 0),
        Value::Time(time) => Some(time.microseconds() != 0),
        Value::Date(date) => Some(!date.is_zero()),
        Value::DateTime(moment) => Some(!moment.is_zero()),
        // Bytes are read as text; what is none is no number.
        Value::Bytes(bytes) => {
            Some(std::str::from_utf8(bytes).is_ok_and(|text| crate::number_text::double_at_start(text).0 != 0.0))
        }
        Value::Geometry(_) => Some(true),
        other => Some(to_f64(other, &mut Vec::new()).is_ok_and(|number| number != 0.0)),
    }
}
