//! Values to integers, doubles and decimals.

use std::borrow::Cow;

use crate::decimal::Decimal;
use crate::error::{ValueError, Warning};
use crate::json::Json;
use crate::number_text::{double_at_start, double_prefix, integer_prefix};
use crate::temporal::{DateTime, SECOND};
use crate::types::IntegerType;
use crate::value::Value;

/// Whether a number fitted the range of the type it went to; if not, it is the nearest end, or wrapped around for unsigned types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Exact,
    Over,
    Under,
}

/// A converted number and what happened to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Converted<T> {
    pub number: T,
    pub fit: Fit,
    /// Only the beginning of a text was a number.
    pub truncated: bool,
}

fn exact<T>(number: T) -> Converted<T> {
    Converted { number, fit: Fit::Exact, truncated: false }
}

/// How text with a fraction becomes an integer: CAST cuts it, a column rounds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFraction {
    Cut,
    Round,
}

fn invalid(value: &Value<'_>, kind: &str) -> ValueError {
    if !matches!(value, Value::Text(_) | Value::Bytes(_) | Value::Double(_)) {
        return ValueError::InvalidType { from: value.family(), kind: kind.to_owned() };
    }
    ValueError::Invalid { value: super::text::shown(value), kind: kind.to_owned() }
}

/// Seconds since 1970, the number that the reference makes of a date.
fn unix_seconds(moment: DateTime) -> i64 {
    moment.microseconds().div_euclid(SECOND)
}

/// Up to eight bytes as a big-endian number.
pub(crate) fn bytes_to_u64(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn f64_to_i64(number: f64) -> Converted<i64> {
    if number >= 9_223_372_036_854_775_808.0 {
        Converted { number: i64::MAX, fit: Fit::Over, truncated: false }
    } else if number < -9_223_372_036_854_775_808.0 {
        Converted { number: i64::MIN, fit: Fit::Under, truncated: false }
    } else {
        exact(number.round() as i64)
    }
}

fn f64_to_u64(number: f64) -> Converted<u64> {
    if number >= 18_446_744_073_709_551_616.0 {
        Converted { number: u64::MAX, fit: Fit::Over, truncated: false }
    } else if number < 0.0 {
        // The fraction of a negative number is cut before it wraps around.
        Converted { number: u64::MAX.wrapping_sub((-number - 1.0) as u64), fit: Fit::Under, truncated: false }
    } else {
        exact(number.round() as u64)
    }
}

/// A JSON number, string or boolean as a SQL value.
pub(super) fn json_scalar(json: &Json) -> Option<Value<'_>> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Int(i64::from(*truth)),
        Json::Int(number) => Value::Int(*number),
        Json::UInt(number) => Value::UInt(*number),
        Json::Double(number) => Value::Double(*number),
        Json::Decimal(number) => Value::Decimal(*number),
        Json::String(text) => Value::Text(Cow::Borrowed(text)),
        Json::Date(date) => Value::Date(*date),
        Json::DateTime(moment) => Value::DateTime(*moment),
        Json::Time(time) => Value::Time(*time),
        Json::Array(_) | Json::Object(_) => return None,
    })
}

pub(super) fn to_i64(value: &Value<'_>, fraction: TextFraction, kind: &str) -> Result<Converted<i64>, ValueError> {
    Ok(match value {
        Value::Null => exact(0),
        Value::Int(number) => exact(*number),
        Value::UInt(number) | Value::Bit(number) => match i64::try_from(*number) {
            Ok(number) => exact(number),
            Err(_) => Converted { number: i64::MAX, fit: Fit::Over, truncated: false },
        },
        Value::Float(number) => f64_to_i64(f64::from(*number)),
        Value::Double(number) if number.is_nan() => return Err(invalid(value, kind)),
        Value::Double(number) => f64_to_i64(*number),
        Value::Decimal(number) => match number.to_i64() {
            Some(number) => exact(number),
            None if number.is_negative() => Converted { number: i64::MIN, fit: Fit::Under, truncated: false },
            None => Converted { number: i64::MAX, fit: Fit::Over, truncated: false },
        },
        Value::Year(year) => exact(i64::from(*year)),
        Value::Enum(member) => exact(i64::from(member.index)),
        Value::Set(members) => exact(members.bits as i64),
        Value::Date(date) => exact(unix_seconds(DateTime::from(*date))),
        Value::DateTime(moment) => exact(unix_seconds(*moment)),
        Value::Bytes(bytes) => {
            return to_i64(&Value::UInt(bytes_to_u64(bytes).ok_or_else(|| invalid(value, kind))?), fraction, kind);
        }
        Value::Text(text) if fraction == TextFraction::Cut => {
            let prefix = integer_prefix(text);
            let number = prefix.digits.parse().map_err(|_| invalid(value, kind))?;
            Converted { number, fit: Fit::Exact, truncated: prefix.truncated }
        }
        Value::Text(text) => {
            let prefix = double_prefix(text);
            let converted = match prefix.digits.parse::<i64>() {
                Ok(number) => exact(number),
                Err(_) => f64_to_i64(prefix.digits.parse().map_err(|_| invalid(value, kind))?),
            };
            Converted { truncated: prefix.truncated, ..converted }
        }
        Value::Json(json) => {
            return to_i64(&json_scalar(json).ok_or_else(|| invalid(value, kind))?, fraction, kind);
        }
        Value::Time(_) | Value::Geometry(_) => return Err(invalid(value, kind)),
    })
}

pub(super) fn to_u64(value: &Value<'_>, fraction: TextFraction, kind: &str) -> Result<Converted<u64>, ValueError> {
    let wrapped = |number: i64| Converted {
        number: number as u64,
        fit: if number < 0 { Fit::Under } else { Fit::Exact },
        truncated: false,
    };
    Ok(match value {
        Value::UInt(number) | Value::Bit(number) => exact(*number),
        Value::Float(number) => f64_to_u64(f64::from(*number)),
        Value::Double(number) if number.is_nan() => return Err(invalid(value, kind)),
        Value::Double(number) => f64_to_u64(*number),
        Value::Decimal(number) if number.is_negative() => {
            // The reference subtracts from the greatest number and rounds, keeping the low 64 bits.
            let distance =
                Decimal::from(u64::MAX).checked_sub(number).map_or(Decimal::ZERO, |distance| distance.round(0));
            let low = distance.checked_rem(&two_to_the_64()).and_then(|low| low.to_u64()).unwrap_or(u64::MAX);
            Converted { number: low, fit: Fit::Under, truncated: false }
        }
        Value::Decimal(number) => match number.to_u64() {
            Some(number) => exact(number),
            None => Converted { number: u64::MAX, fit: Fit::Over, truncated: false },
        },
        Value::Bytes(bytes) => exact(bytes_to_u64(bytes).ok_or_else(|| invalid(value, kind))?),
        Value::Text(text) if fraction == TextFraction::Cut => {
            let prefix = integer_prefix(text);
            let (negative, digits) = match prefix.digits.as_bytes() {
                [b'-', ..] => (true, &prefix.digits[1..]),
                [b'+', ..] => (false, &prefix.digits[1..]),
                _ => (false, prefix.digits),
            };
            let Ok(magnitude) = digits.parse::<u64>() else {
                return Ok(Converted { number: u64::MAX, fit: Fit::Over, truncated: false });
            };
            if negative {
                Converted { number: magnitude.wrapping_neg(), fit: Fit::Under, truncated: prefix.truncated }
            } else {
                Converted { number: magnitude, fit: Fit::Exact, truncated: prefix.truncated }
            }
        }
        Value::Text(text) => {
            let prefix = double_prefix(text);
            let converted = match prefix.digits.parse::<u64>() {
                Ok(number) => exact(number),
                Err(_) => f64_to_u64(prefix.digits.parse().map_err(|_| invalid(value, kind))?),
            };
            Converted { truncated: prefix.truncated, ..converted }
        }
        Value::Json(json) => {
            return to_u64(&json_scalar(json).ok_or_else(|| invalid(value, kind))?, fraction, kind);
        }
        Value::Set(members) => exact(members.bits),
        other => wrapped(to_i64(other, fraction, kind)?.number),
    })
}

fn two_to_the_64() -> Decimal {
    Decimal::new(1 << 64, 0)
}

/// The integer of a type's range; out of range it is the nearest end, or wrapped around below an unsigned type.
pub(super) fn to_integer(
    value: &Value<'_>,
    kind: IntegerType,
    fraction: TextFraction,
) -> Result<Converted<Value<'static>>, ValueError> {
    let name = kind.name();
    if kind.width.bits() == 64 && kind.unsigned {
        let converted = to_u64(value, fraction, name)?;
        return Ok(Converted {
            number: Value::UInt(converted.number),
            fit: converted.fit,
            truncated: converted.truncated,
        });
    }
    let converted = to_i64(value, fraction, name)?;
    let Converted { number, mut fit, truncated } = converted;
    let max = i64::try_from(kind.max()).unwrap_or(i64::MAX);
    let mut clamped = number;
    if number > max {
        (clamped, fit) = (max, Fit::Over);
    } else if number < kind.min() {
        fit = Fit::Under;
        clamped = if kind.unsigned { number & max } else { kind.min() };
    }
    let number = if kind.unsigned { Value::UInt(clamped as u64) } else { Value::Int(clamped) };
    Ok(Converted { number, fit, truncated })
}

/// A double; text counts as far as it is a number.
///
/// # Errors
/// [`ValueError::Invalid`] for TIME, geometry, JSON arrays and objects, and more than eight bytes.
pub fn to_f64(value: &Value<'_>, warnings: &mut Vec<Warning>) -> Result<f64, ValueError> {
    Ok(match value {
        Value::Null => 0.0,
        Value::Int(number) => *number as f64,
        Value::UInt(number) | Value::Bit(number) => *number as f64,
        Value::Float(number) => f64::from(*number),
        Value::Double(number) => *number,
        Value::Decimal(number) => number.to_f64(),
        Value::Text(text) => {
            let (number, truncated) = double_at_start(text);
            if truncated {
                warnings.push(Warning::TruncatedNumber { value: text.to_string(), kind: "double" });
            }
            number
        }
        Value::Set(members) => members.bits as f64,
        Value::Bytes(bytes) => bytes_to_u64(bytes).ok_or_else(|| invalid(value, "double"))? as f64,
        Value::Json(json) => return to_f64(&json_scalar(json).ok_or_else(|| invalid(value, "double"))?, warnings),
        other => to_i64(other, TextFraction::Cut, "double")?.number as f64,
    })
}

/// A decimal with the digits the value has: text as far as it is a number, doubles by their shortest text.
///
/// # Errors
/// [`ValueError::Invalid`] for TIME, dates, geometry, JSON arrays and objects; [`ValueError::DecimalOutOfRange`] for numbers of
/// more than 65 digits before the point.
pub fn to_decimal(value: &Value<'_>, warnings: &mut Vec<Warning>) -> Result<Decimal, ValueError> {
    const TOO_LARGE: ValueError = ValueError::DecimalOutOfRange;
    Ok(match value {
        Value::Null => Decimal::ZERO,
        Value::Int(number) => Decimal::from(*number),
        Value::UInt(number) | Value::Bit(number) => Decimal::from(*number),
        Value::Float(number) => Decimal::from_f64(f64::from(*number)).ok_or(TOO_LARGE)?,
        Value::Double(number) => Decimal::from_f64(*number).ok_or(TOO_LARGE)?,
        Value::Decimal(number) => *number,
        Value::Year(year) => Decimal::from(i64::from(*year)),
        Value::Enum(member) => Decimal::from(i64::from(member.index)),
        Value::Set(members) => Decimal::from(members.bits),
        Value::Text(text) => text_to_decimal(text, warnings).ok_or(TOO_LARGE)?,
        Value::Bytes(bytes) => Decimal::from(bytes_to_u64(bytes).ok_or_else(|| invalid(value, "decimal"))?),
        Value::Json(json) => {
            return to_decimal(&json_scalar(json).ok_or_else(|| invalid(value, "decimal"))?, warnings);
        }
        Value::Date(_) | Value::DateTime(_) | Value::Time(_) | Value::Geometry(_) => {
            return Err(invalid(value, "decimal"));
        }
    })
}

fn text_to_decimal(text: &str, warnings: &mut Vec<Warning>) -> Option<Decimal> {
    use crate::decimal::ParseDecimalError;
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    if let Some(number) = prefixed_integer(trimmed) {
        return Some(number);
    }
    let prefix = double_prefix(trimmed);
    if prefix.truncated {
        warnings.push(Warning::TruncatedNumber { value: text.to_owned(), kind: "decimal" });
    }
    match prefix.digits.parse() {
        Ok(number) => Some(number),
        Err(ParseDecimalError::Syntax) => Some(Decimal::ZERO),
        Err(ParseDecimalError::TooLarge) => None,
    }
}

/// `0x1F`, `0b101` and `0o17`, which the reference's number reader knows.
fn prefixed_integer(text: &str) -> Option<Decimal> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        [b'0', b'o' | b'O', ..] => (8, &text[2..]),
        _ => return None,
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok().map(Decimal::from)
}
