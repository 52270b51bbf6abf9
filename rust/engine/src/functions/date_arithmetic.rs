//! Dates and intervals: DATE_ADD, DATE_SUB, `+ INTERVAL`, DATEDIFF, TIMEDIFF, TIMESTAMPADD, TIMESTAMPDIFF.

use value::temporal::{DAY, HOUR, Interval, MINUTE, SECOND};
use value::{Date, DateTime, SqlType, Time, Value};

use super::argument::text_of;
use super::date_time::incorrect;
use super::{Arguments, Entry, Form, Function, declared, result};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprType};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::rewritten("adddate", (2, 2), Form::AddDays)
        .about("date, days or INTERVAL n unit", "The date that is days, or an interval, later"),
    Entry::new("date_add", (3, 3), result::datetime, |a| moved(a, [0, 1, 2], Direction::Forth))
        .typed_by(|args| moved_type(args, 0, 2))
        .common()
        .bound_as(Form::Shift)
        .declared(declared::moment_as_text)
        .about("date, INTERVAL n unit", "The date or moment that is an interval later"),
    Entry::new("date_sub", (3, 3), result::datetime, |a| moved(a, [0, 1, 2], Direction::Back))
        .typed_by(|args| moved_type(args, 0, 2))
        .common()
        .bound_as(Form::Shift)
        .declared(declared::moment_as_text)
        .about("date, INTERVAL n unit", "The date or moment that is an interval earlier"),
    Entry::new("datediff", (2, 2), result::bigint, |a| match (a.moment(0), a.moment(1)) {
        // The zero date is no day.
        (Some(left), Some(right)) if left.date() != Date::ZERO && right.date() != Date::ZERO => {
            let days = left.date().days() - right.date().days();
            Ok(Value::Int(days.clamp(-DAYS_APART_MAX, DAYS_APART_MAX)))
        }
        _ => Ok(Value::Null),
    })
    .common()
    .about("date, from", "The number of days from one date to another"),
    // What `x - INTERVAL …` becomes: always a moment, counted from a whole second.
    Entry::new("minus_interval", (3, 3), whole_seconds, |a| moved_from_second(a, Direction::Back))
        .internal()
        .about("moment, n, unit", "What `x - INTERVAL n unit` becomes"),
    Entry::new("plus_interval", (3, 3), whole_seconds, |a| moved_from_second(a, Direction::Forth))
        .internal()
        .about("moment, n, unit", "What `x + INTERVAL n unit` becomes"),
    Entry::rewritten("subdate", (2, 2), Form::SubtractDays)
        .about("date, days or INTERVAL n unit", "The date that is days, or an interval, earlier"),
    Entry::new("timediff", (2, 2), result::time, time_difference)
        .null_as_arguments()
        .about("time, from", "The time from one moment to another"),
    Entry::new("timestampadd", (3, 3), result::datetime, |a| moved(a, [2, 1, 0], Direction::Forth))
        .typed_by(|args| moved_type(args, 2, 0))
        .about("unit, n, moment", "The moment that is n units later"),
    Entry::new("timestampdiff", (3, 3), result::bigint, difference)
        .about("unit, from, to", "The whole units from one moment to another"),
];

/// The reference counts in nanoseconds of 64 bits: dates further apart than that are as far as that.
const DAYS_APART_MAX: i64 = 106_752;

fn has_time(unit: &str) -> bool {
    ["hour", "minute", "second", "microsecond"].iter().any(|part| unit.contains(part))
}

fn has_date(unit: &str) -> bool {
    ["day", "week", "month", "quarter", "year"].iter().any(|part| unit.contains(part))
}

/// The answer is of the kind that the argument is, text for text; a DATE and hours are a DATETIME.
fn moved_type(args: &[Expr], date: usize, unit: usize) -> ExprType {
    let unit = match args.get(unit).and_then(Expr::as_literal) {
        Some(Value::Text(unit)) => unit.clone(),
        _ => "second".into(),
    };
    let datetime = SqlType::DateTime { decimals: 6 };
    let sql = match args.get(date).map(|date| &date.ty.sql) {
        Some(SqlType::Null) | None => return ExprType::null(),
        Some(SqlType::DateTime { .. } | SqlType::Timestamp { .. }) => datetime,
        Some(SqlType::Date) if has_time(&unit) => datetime,
        Some(SqlType::Date) => SqlType::Date,
        Some(SqlType::Time) if has_date(&unit) => datetime,
        Some(SqlType::Time) => SqlType::Time,
        Some(_) => return ExprType::text(),
    };
    ExprType::new(sql, true)
}

/// The span that an amount of a unit is. Amounts of composite units are text with a number for each part.
fn interval(a: &Arguments<'_>, amount: usize, unit: &str) -> Result<Option<Interval>> {
    let invalid = |text: &str| SqlError::general(format!("invalid interval format for {unit:?}: {text}"));
    let Some((first, last)) = unit.split_once('_') else {
        return Ok(span(unit, a.integer(amount)?));
    };
    const PARTS: [&str; 7] = ["year", "month", "day", "hour", "minute", "second", "microsecond"];
    let place = |name: &str| PARTS.iter().position(|part| *part == name);
    let (Some(first), Some(last)) = (place(first), place(last)) else { return Err(invalid("")) };
    let text = a.text(amount)?;
    let trimmed = text.trim();
    let (sign, digits) = trimmed.strip_prefix('-').map_or((1, trimmed), |digits| (-1, digits));
    let numbers: Vec<&str> = digits.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    if numbers.is_empty() || numbers.len() > last - first + 1 {
        return Err(invalid(&text));
    }
    let mut total = Interval::default();
    // Numbers that are left out are those of the greater units.
    for (part, number) in PARTS[..=last].iter().rev().zip(numbers.iter().rev()) {
        let number: i64 = number.parse().map_err(|_| invalid(&text))?;
        let Some(span) = span(part, sign * number) else { return Ok(None) };
        total.months = total.months.saturating_add(span.months);
        total.days = total.days.saturating_add(span.days);
        total.microseconds = total.microseconds.saturating_add(span.microseconds);
    }
    Ok(Some(total))
}

/// `None` for an amount that no calendar has.
fn span(unit: &str, amount: i64) -> Option<Interval> {
    let none = Interval::default();
    Some(match unit {
        "microsecond" => Interval { microseconds: amount, ..none },
        "second" => Interval { microseconds: amount.checked_mul(SECOND)?, ..none },
        "minute" => Interval { microseconds: amount.checked_mul(MINUTE)?, ..none },
        "hour" => Interval { microseconds: amount.checked_mul(HOUR)?, ..none },
        "day" => Interval { days: amount, ..none },
        "week" => Interval { days: amount.checked_mul(7)?, ..none },
        "month" => Interval { months: amount, ..none },
        "quarter" => Interval { months: amount.checked_mul(3)?, ..none },
        "year" => Interval { months: amount.checked_mul(12)?, ..none },
        _ => return None,
    })
}

fn whole_seconds(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::DateTime { decimals: 0 }, true)
}

/// Moments lose their fraction first, texts are rounded to the second, as in the reference.
fn moved_from_second(a: &Arguments<'_>, direction: Direction) -> Result<Value<'static>> {
    let second = |moment: DateTime| DateTime::from_microseconds(moment.microseconds().div_euclid(SECOND) * SECOND);
    let from = match a.get(0) {
        Value::DateTime(moment) if moment.microsecond() != 0 => second(*moment),
        Value::Text(_) => a.moment(0).and_then(|moment| match moment.microsecond() {
            0 => None,
            _ => second(DateTime::from_microseconds(moment.microseconds() + SECOND / 2)?),
        }),
        _ => None,
    };
    let Some(from) = from else { return moved(a, [0, 1, 2], direction) };
    let values = [Value::DateTime(from), a.get(1).borrowed(), a.get(2).borrowed()];
    moved(&Arguments { values: &values, ..*a }, [0, 1, 2], direction)
}

/// Which way along the calendar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forth,
    Back,
}

/// A moment moved by an interval. The arguments stand at these positions: the moment, the amount, the unit.
fn moved(a: &Arguments<'_>, [date, amount, unit]: [usize; 3], direction: Direction) -> Result<Value<'static>> {
    let unit = a.text(unit)?;
    let interval = interval(a, amount, &unit)?;
    let interval = match direction {
        Direction::Forth => interval,
        Direction::Back => interval.and_then(Interval::negated),
    };
    let Some(interval) = interval else { return Ok(Value::Null) };
    if let (Value::Time(time), SqlType::Time) = (a.get(date), &a.result.sql) {
        let moved = time.microseconds().saturating_add(interval.microseconds);
        return Ok(Value::Time(Time::from_microseconds(moved)));
    }
    let Some(moment) = a.moment(date) else { return Ok(Value::Null) };
    if moment.is_zero() {
        a.context.session.warn(1292, incorrect(a, date).into_message());
        return Ok(Value::Null);
    }
    let Some(moved) = moment.checked_add(interval) else { return Ok(Value::Null) };
    Ok(match &a.result.sql {
        SqlType::Date => Value::Date(moved.date()),
        sql if sql.is_text() => {
            let text = text_of(a.get(date))?;
            let only_date = text.len() <= "2020-01-01".len() && !has_time(&unit) && moved.microsecond() == 0;
            Value::text(if only_date { moved.date().to_string() } else { moved.to_string() })
        }
        _ => Value::DateTime(moved),
    })
}

/// A side of TIMEDIFF.
enum Side {
    Moment(DateTime),
    Time(Time),
}

fn side(a: &Arguments<'_>, n: usize) -> Option<Side> {
    match a.get(n) {
        Value::Time(time) => Some(Side::Time(*time)),
        Value::Date(date) => Some(Side::Moment((*date).into())),
        Value::DateTime(moment) => Some(Side::Moment(*moment)),
        text @ Value::Text(_) => {
            let moment = value::convert::to_moment(text).ok().filter(|moment| !moment.truncated);
            match moment.and_then(|moment| moment.round(6)) {
                Some(moment) => Some(Side::Moment(moment)),
                None => value::convert::to_time(text).ok().map(Side::Time),
            }
        }
        _ => None,
    }
}

fn time_difference(a: &Arguments<'_>) -> Result<Value<'static>> {
    let is_moment = |n| matches!(a.get(n), Value::Text(_) | Value::Date(_) | Value::DateTime(_) | Value::Time(_));
    if !is_moment(0) && (!matches!(a.get(1), Value::Text(_)) || side(a, 1).is_some()) {
        return Err(SqlError::general("function 'timediff' received invalid argument types"));
    }
    let microseconds = match (side(a, 0), side(a, 1)) {
        (Some(Side::Moment(left)), Some(Side::Moment(right))) => left.microseconds() - right.microseconds(),
        (Some(Side::Time(left)), Some(Side::Time(right))) => left.microseconds() - right.microseconds(),
        _ => return Ok(Value::Null),
    };
    Ok(Value::Time(Time::from_microseconds(microseconds)))
}

fn difference(a: &Arguments<'_>) -> Result<Value<'static>> {
    let unit = a.text(0)?;
    let (Some(from), Some(to)) = (a.moment(1), a.moment(2)) else {
        return Err(incorrect(a, if a.moment(1).is_none() { 1 } else { 2 }));
    };
    let microseconds = to.microseconds() - from.microseconds();
    Ok(Value::Int(match &*unit {
        "microsecond" => microseconds,
        "second" => microseconds / SECOND,
        "minute" => microseconds / MINUTE,
        "hour" => microseconds / HOUR,
        "day" => microseconds / DAY,
        "week" => microseconds / (7 * DAY),
        "month" => from.months_until(to),
        "quarter" => from.months_until(to) / 3,
        "year" => from.months_until(to) / 12,
        other => return Err(SqlError::general(format!("invalid interval unit: {other}"))),
    }))
}
