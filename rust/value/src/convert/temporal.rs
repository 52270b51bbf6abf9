//! Values to DATE, DATETIME, TIME and YEAR.

use crate::error::ValueError;
use crate::number_text::double_at_start;
use crate::temporal::{
    Date, DateTime, ParsedDateTime, Time, moment_of_number, parse_datetime, parse_moment, parse_time, time_from_f64,
    time_from_i64,
};
use crate::types::SqlType;
use crate::value::Value;

use super::text::shown;

/// The moment of a value, with the nanoseconds that its text has. Zero in any form of number is the zero date; other numbers are
/// no dates. A TIME needs today's date to become one: see [`on_day`].
///
/// # Errors
/// [`ValueError::IncorrectDateTime`].
pub fn to_moment(value: &Value<'_>) -> Result<ParsedDateTime, ValueError> {
    let of = |date: Date, nanoseconds_of_day| ParsedDateTime { date, nanoseconds_of_day, truncated: false };
    let zero = match value {
        Value::Date(date) => return Ok(of(*date, 0)),
        Value::DateTime(moment) => return Ok(of(moment.date(), moment.since_midnight() * 1000)),
        Value::Text(text) => {
            return parse_datetime(text).ok_or_else(|| ValueError::IncorrectDateTime(text.to_string()));
        }
        Value::Bytes(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            return parse_datetime(&text).ok_or_else(|| ValueError::IncorrectDateTime(text.into_owned()));
        }
        Value::Json(json) => {
            return match super::number::json_scalar(json) {
                Some(scalar) => to_moment(&scalar),
                None => Err(ValueError::IncorrectDateTime(shown(value))),
            };
        }
        Value::Int(number) => *number == 0,
        Value::UInt(number) | Value::Bit(number) => *number == 0,
        Value::Float(number) => *number == 0.0,
        Value::Double(number) => *number == 0.0,
        Value::Decimal(number) => number.is_zero(),
        Value::Enum(member) => member.index == 0,
        Value::Set(members) => members.bits == 0,
        Value::Year(year) => *year == 0,
        Value::Null | Value::Time(_) | Value::Geometry(_) => false,
    };
    if zero { Ok(of(Date::ZERO, 0)) } else { Err(ValueError::IncorrectDateTime(shown(value))) }
}

/// As [`to_moment`], with all spellings that MySQL reads where a date is wanted: assignments, casts and comparisons. Functions that
/// take a time as well use the narrower ones.
///
/// # Errors
/// As [`to_moment`].
pub fn to_moment_relaxed(value: &Value<'_>) -> Result<ParsedDateTime, ValueError> {
    let read = match value {
        Value::Text(text) => parse_moment(text),
        Value::Int(number) => u64::try_from(*number).ok().and_then(moment_of_number),
        Value::UInt(number) => moment_of_number(*number),
        _ => None,
    };
    read.map_or_else(|| to_moment(value), Ok)
}

/// `time` after the start of `day`: a TIME where a DATETIME is wanted, `day` being today.
pub fn on_day(day: Date, time: Time) -> Option<DateTime> {
    DateTime::from_microseconds(DateTime::from(day).microseconds() + time.microseconds())
}

/// First and last moment of a TIMESTAMP: 1970-01-01 00:00:01 and 2038-01-19 03:14:07.999999.
const TIMESTAMP_RANGE: std::ops::RangeInclusive<i64> = 1_000_000..=2_147_483_647_999_999;

/// A moment of DATE, DATETIME or TIMESTAMP type, rounded to the type's decimals; a DATE loses its time of day.
///
/// # Errors
/// [`ValueError::OutOfRange`] outside the type's range.
pub(super) fn fit_moment(
    moment: ParsedDateTime,
    kind: &SqlType,
    value: &Value<'_>,
) -> Result<Value<'static>, ValueError> {
    let out_of_range = || ValueError::OutsideRange { value: shown(value), kind: kind.shown_without_collation() };
    match kind {
        SqlType::DateTime { decimals } => moment.round(*decimals).map(Value::DateTime).ok_or_else(out_of_range),
        SqlType::Timestamp { decimals } => {
            let rounded = moment.round(*decimals).ok_or_else(out_of_range)?;
            let in_range = rounded.is_zero() || TIMESTAMP_RANGE.contains(&rounded.microseconds());
            if in_range {
                Ok(Value::DateTime(rounded))
            } else {
                Err(ValueError::OutsideRange { value: rounded.text(0), kind: "timestamp".to_owned() })
            }
        }
        _ => Ok(Value::Date(moment.date)),
    }
}

/// A TIME: numbers and digits are read as hhmmss.
///
/// # Errors
/// [`ValueError::IncorrectTime`].
pub fn to_time(value: &Value<'_>) -> Result<Time, ValueError> {
    let time = match value {
        Value::Time(time) => Some(*time),
        Value::Int(number) => time_from_i64(*number),
        Value::UInt(number) | Value::Bit(number) => i64::try_from(*number).ok().and_then(time_from_i64),
        Value::Year(year) => time_from_i64(i64::from(*year)),
        Value::Float(number) => time_from_f64(f64::from(*number)),
        Value::Double(number) => time_from_f64(*number),
        Value::Decimal(number) => number.to_i64().and_then(time_from_i64),
        Value::Text(text) => parse_time(text),
        Value::DateTime(moment) => Some(moment.time()),
        Value::Date(_) => Some(Time::ZERO),
        Value::Enum(member) => time_from_i64(i64::from(member.index)),
        Value::Set(members) => i64::try_from(members.bits).ok().and_then(time_from_i64),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok().and_then(parse_time),
        Value::Json(json) => {
            return match super::number::json_scalar(json) {
                Some(scalar) => to_time(&scalar),
                None => Err(ValueError::IncorrectTime(shown(value))),
            };
        }
        Value::Null | Value::Geometry(_) => None,
    };
    time.ok_or_else(|| ValueError::IncorrectTime(shown(value)))
}

/// A YEAR: 1 to 69 are 2001 to 2069, 70 to 99 are 1970 to 1999; the texts '0' and '00' are 2000, the number 0 is year 0.
///
/// # Errors
/// [`ValueError::IncorrectYear`].
pub(super) fn to_year(value: &Value<'_>) -> Result<u16, ValueError> {
    let of = |number: i64| match number {
        0 => Some(0),
        1..=69 => Some(2000 + number),
        70..=99 => Some(1900 + number),
        1901..=2155 => Some(number),
        _ => None,
    };
    let year = match value {
        Value::Year(year) => return Ok(*year),
        Value::Int(number) => of(*number),
        Value::UInt(number) | Value::Bit(number) => i64::try_from(*number).ok().and_then(of),
        Value::Float(number) => of(*number as i64),
        Value::Double(number) => of(*number as i64),
        Value::Decimal(number) => number.to_i64().and_then(of),
        Value::Text(text) => match text.len() {
            1 | 2 | 4 => text.parse().ok().and_then(|number| if number == 0 { Some(2000) } else { of(number) }),
            _ => match double_at_start(text) {
                (number, false) if !text.is_empty() => of(number as i64),
                _ => None,
            },
        },
        Value::Date(date) => Some(i64::from(date.year())).filter(|year| *year == 0 || (1901..=2155).contains(year)),
        Value::DateTime(moment) => {
            Some(i64::from(moment.date().year())).filter(|year| *year == 0 || (1901..=2155).contains(year))
        }
        _ => None,
    };
    year.and_then(|year| u16::try_from(year).ok()).ok_or_else(|| ValueError::IncorrectYear(shown(value)))
}
