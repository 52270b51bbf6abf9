//! Values to text and bytes.

use std::borrow::Cow;

use crate::error::ValueError;
use crate::number_text::{double_digits, double_text, float_digits, float_text};
use crate::types::SqlType;
use crate::value::Value;

/// The text of a value in an expression: what CAST AS CHAR and CONCAT make of it.
///
/// Doubles never have an exponent; a DATE is followed by ` 00:00:00`, as in the reference; BIT and YEAR are numbers.
///
/// # Errors
/// [`ValueError::NoConversion`] for NULL and TIME (the reference has no text for a TIME), [`ValueError::IncorrectString`] for bytes
/// that are not UTF-8.
pub fn to_string<'a>(value: &'a Value<'_>) -> Result<Cow<'a, str>, ValueError> {
    Ok(match value {
        Value::Text(text) => Cow::Borrowed(text),
        Value::Int(number) => Cow::Owned(number.to_string()),
        Value::UInt(number) | Value::Bit(number) => Cow::Owned(number.to_string()),
        Value::Float(number) => Cow::Owned(float_digits(*number)),
        Value::Double(number) => Cow::Owned(double_digits(*number)),
        Value::Decimal(number) => Cow::Owned(number.to_string()),
        Value::Year(year) => Cow::Owned(year.to_string()),
        Value::Enum(member) => Cow::Borrowed(member.text()),
        Value::Set(members) => Cow::Owned(members.text()),
        Value::Date(date) => Cow::Owned(format!("{date} 00:00:00")),
        Value::DateTime(moment) => Cow::Owned(shortest_fraction(moment.text(6))),
        Value::Json(document) => document.shown(),
        Value::Bytes(bytes) | Value::Geometry(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(error) => return Err(incorrect_string(&bytes[error.valid_up_to()..])),
        },
        Value::Null | Value::Time(_) => {
            return Err(ValueError::NoConversion { from: value.family(), to: "longtext".to_owned() });
        }
    })
}

/// MySQL shows the first bytes that are no character as `\xFF\xFE`.
fn incorrect_string(bytes: &[u8]) -> ValueError {
    ValueError::IncorrectString(bytes.iter().take(6).map(|byte| format!("\\x{byte:02X}")).collect())
}

fn shortest_fraction(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The bytes of a value in an expression: text as UTF-8, geometry as EWKB, all else as in [`to_string`].
///
/// # Errors
/// As [`to_string`], without the one for bytes.
pub fn to_bytes<'a>(value: &'a Value<'_>) -> Result<Cow<'a, [u8]>, ValueError> {
    match value {
        Value::Bytes(bytes) | Value::Geometry(bytes) => Ok(Cow::Borrowed(bytes)),
        other => Ok(match to_string(other)? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }),
    }
}

/// The bytes that the MySQL text protocol sends for a value of a column of type `kind`; `None` for NULL.
///
/// Differs from [`to_string`]: doubles with an exponent (`1e+10`), TIME with six decimals, DATETIME with the type's decimals,
/// DATE without a time, years below 1000 without leading zeros, BIT as bytes.
pub fn to_text<'a>(value: &'a Value<'_>, kind: &SqlType) -> Option<Cow<'a, [u8]>> {
    let owned = |text: String| Some(Cow::Owned(text.into_bytes()));
    match value {
        Value::Null => None,
        Value::Text(text) => Some(Cow::Borrowed(text.as_bytes())),
        Value::Bytes(bytes) | Value::Geometry(bytes) => Some(Cow::Borrowed(bytes)),
        Value::Int(number) => owned(number.to_string()),
        Value::UInt(number) => owned(number.to_string()),
        Value::Float(number) => owned(float_text(*number)),
        Value::Double(number) => owned(double_text(*number)),
        Value::Decimal(number) if *kind == SqlType::Double => owned(double_text(number.to_f64())),
        Value::Decimal(number) => owned(number.to_string()),
        Value::Date(date) if matches!(kind, SqlType::DateTime { .. } | SqlType::Timestamp { .. }) => {
            owned(wire_date(format!("{date} 00:00:00")))
        }
        Value::Date(date) => owned(wire_date(date.to_string())),
        Value::DateTime(moment) => owned(wire_date(match kind {
            SqlType::Date => moment.date().to_string(),
            SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => {
                moment.round(*decimals).unwrap_or(*moment).text(*decimals)
            }
            _ => shortest_fraction(moment.text(6)),
        })),
        Value::Time(time) => owned(time.text(6)),
        Value::Year(year) => owned(year.to_string()),
        Value::Enum(member) => Some(Cow::Borrowed(member.text().as_bytes())),
        Value::Set(members) => owned(members.text()),
        Value::Bit(bits) => {
            let width = if let SqlType::Bit(width) = kind { usize::from(*width).div_ceil(8) } else { 8 };
            Some(Cow::Owned(bits.to_be_bytes()[8 - width.clamp(1, 8)..].to_vec()))
        }
        Value::Json(document) => Some(match document.shown() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }),
    }
}

/// The reference sends years below 1000 without leading zeros, but year 0 with all four.
fn wire_date(text: String) -> String {
    if text.starts_with('0') && !text.starts_with("0000") { text.trim_start_matches('0').to_owned() } else { text }
}

/// Something readable for a message.
pub(crate) fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Time(time) => time.text(6),
        Value::Double(number) => double_text(*number),
        Value::Float(number) => float_text(*number),
        other => match to_bytes(other) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => other.family().to_owned(),
        },
    }
}
