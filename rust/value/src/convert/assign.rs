//! The way of a value into a column: strict, and its lenient twin for INSERT IGNORE.

use std::borrow::Cow;
use std::rc::Rc;

use super::number::{Fit, TextFraction, bytes_to_u64, to_decimal, to_f64, to_i64, to_integer};
use super::temporal::{fit_moment, to_moment_relaxed, to_time, to_year};
use super::text::{shown, to_bytes, to_string};
use crate::decimal::Decimal;
use crate::error::{ValueError, Warning};
use crate::geometry;
use crate::json::Json;
use crate::members::{EnumType, EnumValue, SetType, SetValue};
use crate::types::{IntegerType, SqlType};
use crate::value::Value;
use crate::vector;

/// The value as a column of type `kind` stores it. NULL stays NULL; whether the column allows it is the caller's question.
///
/// # Errors
/// Any [`ValueError`] when the value does not fit or only the beginning of a text does.
pub fn assign(value: &Value<'_>, kind: &SqlType) -> Result<Value<'static>, ValueError> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    let invalid = || ValueError::Invalid { value: shown(value), kind: kind.shown_without_collation() };
    let out_of_range = || ValueError::OutOfRange { value: shown(value), kind: kind.shown_without_collation() };
    match kind {
        SqlType::Null => Ok(Value::Null),
        SqlType::Integer(integer) => {
            let converted = to_integer(value, *integer, TextFraction::Round)?;
            match (converted.truncated, converted.fit) {
                (true, _) => Err(invalid()),
                (false, Fit::Exact) => Ok(converted.number),
                (false, _) => Err(out_of_range()),
            }
        }
        SqlType::Float => {
            let number = strictly(value, invalid, to_f64)?;
            if number.abs() > f64::from(f32::MAX) { Err(out_of_range()) } else { Ok(Value::Float(number as f32)) }
        }
        SqlType::Double => strictly(value, invalid, to_f64).map(Value::Double),
        SqlType::Decimal { precision, scale } => {
            // Bytes are the text of a number here, where whole numbers take them for one.
            let number = match value {
                Value::Bytes(bytes) if bytes.is_empty() => Decimal::ZERO,
                Value::Bytes(bytes) => strictly(&Value::Text(String::from_utf8_lossy(bytes)), invalid, to_decimal)?,
                _ => strictly(value, invalid, to_decimal)?,
            };
            let fitted = number.fit(*precision, *scale);
            fitted.map(Value::Decimal).ok_or(ValueError::DecimalOutOfRange)
        }
        SqlType::Bit(bits) => assign_bit(value, *bits),
        SqlType::Year => to_year(value).map(Value::Year),
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => {
            let moment = to_moment_relaxed(value)?;
            if moment.truncated { Err(invalid()) } else { fit_moment(moment, kind, value) }
        }
        SqlType::Time => to_time(value).map(Value::Time),
        SqlType::Char { length, .. } | SqlType::VarChar { length, .. } => {
            let text = to_string(value)?;
            let length = *length as usize;
            if text.len() > length && text.chars().count() > length {
                return Err(ValueError::TooLong { value: text.into_owned() });
            }
            Ok(Value::Text(Cow::Owned(text.into_owned())))
        }
        SqlType::Text { size, .. } => {
            let text = to_string(value)?;
            if text.len() as u64 > size.bytes_max() {
                return Err(ValueError::TooLong { value: text.into_owned() });
            }
            Ok(Value::Text(Cow::Owned(text.into_owned())))
        }
        SqlType::Binary { length } => {
            let mut bytes = bytes_within(value, u64::from(*length))?;
            bytes.resize(*length as usize, 0);
            Ok(Value::Bytes(Cow::Owned(bytes)))
        }
        SqlType::VarBinary { length } => {
            bytes_within(value, u64::from(*length)).map(|bytes| Value::Bytes(Cow::Owned(bytes)))
        }
        SqlType::Blob { size } => bytes_within(value, size.bytes_max()).map(|bytes| Value::Bytes(Cow::Owned(bytes))),
        SqlType::Enum(kind) => assign_enum(value, kind),
        SqlType::Set(kind) => assign_set(value, kind),
        SqlType::Json => Json::from_value(value).map(Value::json),
        SqlType::Geometry { kind, srid } => {
            let bytes: &[u8] = match value {
                Value::Geometry(bytes) | Value::Bytes(bytes) => bytes,
                // MariaDB's dumps have its bytes as a string, some of which are UTF-8.
                Value::Text(text) => text.as_bytes(),
                _ => return Err(ValueError::InvalidGeometry(geometry::NOT_GEOMETRY.to_owned())),
            };
            geometry::check_column(bytes, *kind, *srid)?;
            Ok(Value::Geometry(Cow::Owned(bytes.to_vec())))
        }
        SqlType::Vector { dimensions } => assign_vector(value, *dimensions),
    }
}

/// The number of a text only if the whole text is one.
fn strictly<T>(
    value: &Value<'_>,
    invalid: impl Fn() -> ValueError,
    convert: impl Fn(&Value<'_>, &mut Vec<Warning>) -> Result<T, ValueError>,
) -> Result<T, ValueError> {
    let mut warnings = Vec::new();
    let number = convert(value, &mut warnings)?;
    if warnings.is_empty() { Ok(number) } else { Err(invalid()) }
}

fn bytes_within(value: &Value<'_>, length_max: u64) -> Result<Vec<u8>, ValueError> {
    let bytes = to_bytes(value)?;
    if bytes.len() as u64 > length_max {
        Err(ValueError::TooLong { value: shown(value) })
    } else {
        Ok(bytes.into_owned())
    }
}

fn assign_bit(value: &Value<'_>, bits: u8) -> Result<Value<'static>, ValueError> {
    let too_many = |number: u64| ValueError::TooManyBits { value: number, bits };
    let number = match value {
        Value::Text(text) if text.is_empty() => 0,
        Value::Bytes(bytes) if bytes.is_empty() => 0,
        Value::Text(text) => bytes_to_u64(text.as_bytes()).ok_or_else(|| too_many(0))?,
        Value::Bytes(bytes) => bytes_to_u64(bytes).ok_or_else(|| too_many(0))?,
        Value::Int(number) => *number as u64,
        Value::UInt(number) | Value::Bit(number) => *number,
        Value::Decimal(number) => number.abs().to_u64().ok_or_else(|| too_many(u64::MAX))?,
        Value::Float(_) | Value::Double(_) => {
            let number = to_f64(value, &mut Vec::new())?;
            if number < 0.0 {
                return Err(ValueError::Invalid { value: shown(value), kind: format!("bit({bits})") });
            }
            number as u64
        }
        other => to_i64(other, TextFraction::Cut, "bit")?.number as u64,
    };
    if bits < 64 && number >> bits != 0 { Err(too_many(number)) } else { Ok(Value::Bit(number)) }
}

fn assign_enum(value: &Value<'_>, kind: &Rc<EnumType>) -> Result<Value<'static>, ValueError> {
    let index = match value {
        // No member is none of any type: what ALTER TABLE gives to rows that were there before a column.
        Value::Enum(member) if member.index == 0 || Rc::ptr_eq(&member.kind, kind) => Some(member.index),
        Value::Enum(member) => kind.index_of(member.text()),
        Value::Text(text) => kind.index_of(text),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok().and_then(|text| kind.index_of(text)),
        Value::Date(_) | Value::DateTime(_) | Value::Time(_) | Value::Json(_) | Value::Geometry(_) => None,
        // The fraction of a double is cut, that of a decimal rounded.
        Value::Float(number) => kind.valid_index(i64::from(*number as i32)),
        Value::Double(number) => kind.valid_index(*number as i64),
        number => kind.valid_index(to_i64(number, TextFraction::Cut, "enum")?.number),
    };
    match index {
        Some(index) => Ok(Value::Enum(EnumValue { index, kind: Rc::clone(kind) })),
        None => Err(ValueError::NotAMember { value: shown(value) }),
    }
}

fn assign_set(value: &Value<'_>, kind: &Rc<SetType>) -> Result<Value<'static>, ValueError> {
    let within = |bits: u64| Some(bits).filter(|bits| *bits & !kind.all_bits() == 0);
    let bits = match value {
        Value::Set(members) if Rc::ptr_eq(&members.kind, kind) => Some(members.bits),
        Value::Set(members) => kind.parse(&members.text()).ok(),
        Value::Text(text) => kind.parse(text).ok(),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok().and_then(|text| kind.parse(text).ok()),
        Value::Enum(member) => kind.parse(member.text()).ok(),
        Value::Date(_) | Value::DateTime(_) | Value::Time(_) | Value::Json(_) | Value::Geometry(_) => None,
        Value::Int(number) => within(*number as u64),
        Value::Float(number) => within(*number as i64 as u64),
        Value::Double(number) => within(*number as i64 as u64),
        Value::Decimal(number) => number.to_u64().and_then(within),
        Value::UInt(number) | Value::Bit(number) => within(*number),
        Value::Year(year) => within(u64::from(*year)),
        Value::Null => None,
    };
    match bits {
        Some(bits) => Ok(Value::Set(SetValue { bits, kind: Rc::clone(kind) })),
        None => Err(ValueError::NotAMember { value: shown(value) }),
    }
}

/// A vector: its bytes (f32 little-endian), or a JSON array of numbers.
fn assign_vector(value: &Value<'_>, dimensions: u32) -> Result<Value<'static>, ValueError> {
    let bytes = match value {
        Value::Bytes(bytes) if bytes.len().is_multiple_of(4) => bytes.to_vec(),
        Value::Text(text) => vector::to_bytes(&vector::from_json(&Json::parse(text)?)?),
        Value::Json(json) => vector::to_bytes(&vector::from_json(json)?),
        _ => return Err(ValueError::Invalid { value: shown(value), kind: format!("VECTOR({dimensions})") }),
    };
    match (bytes.len() / 4, dimensions as usize) {
        (found, expected) if found == expected => Ok(Value::Bytes(Cow::Owned(bytes))),
        (found, expected) => Err(ValueError::WrongDimensions { expected, found }),
    }
}

/// The text of a value; of bytes, what can be read of them.
fn readable<'v>(value: &'v Value<'_>) -> Cow<'v, str> {
    match value {
        Value::Bytes(bytes) => {
            let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            Cow::Borrowed(valid)
        }
        value => to_string(value).unwrap_or_default(),
    }
}

/// The end of an integer type's range that is nearest to a number beyond it, or beyond one of fewer than 64 bits to a number at the
/// beginning of a text. `None` within the range.
pub fn end_beyond(value: &Value<'_>, kind: IntegerType) -> Option<Value<'static>> {
    let converted = to_integer(value, kind, TextFraction::Round).ok()?;
    let is_number = !converted.truncated || kind.width.bits() < 64;
    (is_number && converted.fit != Fit::Exact).then_some(converted.number)
}

/// What INSERT IGNORE stores where [`assign`] fails: the nearest number, text cut to the column's length, the type's zero; and the
/// warning to record.
///
/// # Errors
/// JSON and geometry have no substitute: the error stays one.
pub fn nearest(value: &Value<'_>, kind: &SqlType) -> Result<(Value<'static>, Option<Warning>), ValueError> {
    let error = match assign(value, kind) {
        Ok(value) => return Ok((value, None)),
        Err(error) => error,
    };
    let warning = Warning::Ignored { errno: error.errno(), message: error.to_string() };
    let substitute = match kind {
        SqlType::Integer(integer) => match to_integer(value, *integer, TextFraction::Round) {
            Ok(converted) => converted.number,
            Err(_) if integer.unsigned => Value::UInt(0),
            Err(_) => Value::Int(0),
        },
        SqlType::Float => {
            let number = to_f64(value, &mut Vec::new()).unwrap_or(0.0);
            Value::Float(number.clamp(f64::from(-f32::MAX), f64::from(f32::MAX)) as f32)
        }
        SqlType::Double => Value::Double(to_f64(value, &mut Vec::new()).unwrap_or(0.0)),
        SqlType::Decimal { precision, scale } => {
            let is_text = !matches!(value, Value::Bytes(_));
            let number = is_text.then(|| to_decimal(value, &mut Vec::new()).ok()).flatten();
            let number = number.and_then(|number| number.fit(*precision, *scale));
            Value::Decimal(number.unwrap_or(Decimal::new(0, *scale)))
        }
        SqlType::Bit(_) => Value::Bit(0),
        SqlType::Year => Value::Year(0),
        SqlType::Date => Value::Date(crate::temporal::Date::ZERO),
        SqlType::DateTime { .. } | SqlType::Timestamp { .. } => Value::DateTime(crate::temporal::DateTime::ZERO),
        SqlType::Time => Value::Time(crate::temporal::Time::ZERO),
        SqlType::Char { length, .. } | SqlType::VarChar { length, .. } => {
            let text = readable(value);
            Value::Text(Cow::Owned(text.chars().take(*length as usize).collect()))
        }
        SqlType::Text { size, .. } => {
            let mut text = readable(value).into_owned();
            text.truncate(text.floor_char_boundary(usize::try_from(size.bytes_max()).unwrap_or(usize::MAX)));
            Value::Text(Cow::Owned(text))
        }
        SqlType::Binary { length } | SqlType::VarBinary { length } => {
            let mut bytes = to_bytes(value).unwrap_or_default().into_owned();
            bytes.truncate(*length as usize);
            if matches!(kind, SqlType::Binary { .. }) {
                bytes.resize(*length as usize, 0);
            }
            Value::Bytes(Cow::Owned(bytes))
        }
        SqlType::Blob { size } => {
            let mut bytes = to_bytes(value).unwrap_or_default().into_owned();
            bytes.truncate(usize::try_from(size.bytes_max()).unwrap_or(usize::MAX));
            Value::Bytes(Cow::Owned(bytes))
        }
        SqlType::Enum(kind) => Value::Enum(EnumValue { index: 0, kind: Rc::clone(kind) }),
        SqlType::Set(kind) => Value::Set(SetValue { bits: 0, kind: Rc::clone(kind) }),
        SqlType::Null | SqlType::Json | SqlType::Geometry { .. } | SqlType::Vector { .. } => return Err(error),
    };
    Ok((substitute, Some(warning)))
}
