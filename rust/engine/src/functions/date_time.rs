//! Parts of dates, formats, and the clock.

use value::temporal::{self, DAY, HOUR, MINUTE, MONTH_NAMES, ReadMoment, SECOND, WEEKDAY_NAMES, WeekMode};
use value::{Date, DateTime, Decimal, SqlType, Time, Value};

use super::{Arguments, DeclaredCall, Entry, Function, Traits, declared, result, zone};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("convert_tz", (3, 3), result::datetime, convert_zone)
        .handling_nulls()
        .about("moment, from, to", "The moment of one time zone in another"),
    Entry::new("curdate", (0, 0), result::date, current_date)
        .stable()
        .with(Traits::GIVES_DAY)
        .not_in_checks()
        .common()
        .declared(|_| declared::never_null(SqlType::LONGTEXT))
        .about("", "The current date")
        .also(&["current_date"]),
    Entry::new("curtime", (0, 1), result::time, current_time)
        .stable()
        .not_in_checks()
        .declared(declared::own_never_null)
        .about("[digits]", "The current time of day")
        .also(&["current_time"]),
    Entry::new("date", (1, 1), result::date, |a| Ok(a.moment(0).map_or(Value::Null, |m| Value::Date(m.date()))))
        .with(Traits::GIVES_DAY)
        .common()
        .about("moment", "The date of a moment"),
    Entry::new("date_format", (2, 2), result::text, |a| {
        if a.is_null(0) {
            return Ok(Value::Null);
        }
        let Some(moment) = a.moment(0) else { return Err(incorrect(a, 0)) };
        if a.is_null(1) {
            return Ok(Value::Null);
        }
        Ok(Value::text(temporal::date_format(moment, format_of(a)?)))
    })
    .handling_nulls()
    .null_as_arguments()
    .common()
    .declared(declared::regular_text)
    .about("moment, format", "A moment as text, by a format such as '%Y-%m-%d'"),
    Entry::new("datetime", (1, 1), result::first, timestamp).about("moment", "The argument as a moment"),
    Entry::new("day", (1, 1), result::int, |a| part(a, |moment| Some(moment.date().day().into())))
        .common()
        .about("date", "The day of the month, 1 to 31")
        .also(&["dayofmonth"]),
    Entry::new("dayname", (1, 1), result::text, |a| {
        name(a, |date| WEEKDAY_NAMES[usize::from(temporal::weekday(date.days()))])
    })
    .declared(declared::regular_text)
    .about("date", "The name of the weekday"),
    Entry::new("dayofweek", (1, 1), result::int, |a| {
        day_part(a, |date| i64::from((temporal::weekday(date.days()) + 1) % 7 + 1))
    })
    .about("date", "The weekday as a number: 1 is Sunday"),
    Entry::new("dayofyear", (1, 1), result::int, |a| {
        day_part(a, |date| i64::from(temporal::day_of_year(date.year(), date.days())))
    })
    .about("date", "The day of the year, 1 to 366"),
    Entry::new("extract", (2, 2), result::bigint, extract)
        .about("unit FROM moment", "A part of a moment, such as its YEAR or HOUR"),
    Entry::new("from_days", (1, 1), result::date, |a| {
        // Text that is not a number from end to end is day 0, and the reference starts with year 1.
        let is_number = !matches!(a.get(0), Value::Text(text) if text.trim().parse::<f64>().is_err());
        let days = if is_number { a.integer(0)? } else { 0 };
        let date = if days <= 365 { Some(Date::ZERO) } else { Date::from_day_number(days) };
        date.map(Value::Date).ok_or_else(|| SqlError::general(format!("day {days} is outside of date range")))
    })
    .null_as_arguments()
    .about("days", "The date with this day number"),
    Entry::new("from_unixtime", (1, 2), from_unixtime_type, from_unixtime)
        .about("seconds[, format]", "The moment of a Unix time"),
    Entry::new("get_format", (2, 2), result::text, get_format)
        .about("DATE or TIME or DATETIME, standard", "The format of a standard, for DATE_FORMAT"),
    Entry::new("hour", (1, 1), result::int, |a| part(a, |moment| Some(moment.hour().into())))
        .null_as_arguments()
        .about("time", "The hour of a time"),
    Entry::new("last_day", (1, 1), result::date, |a| {
        Ok(a.moment(0).map_or(Value::Null, |moment| Value::Date(moment.date().last_of_month())))
    })
    .about("date", "The last day of the month"),
    Entry::new("microsecond", (1, 1), result::unsigned, |a| part(a, |moment| Some(moment.microsecond().into())))
        .null_as_arguments()
        .about("time", "The microseconds of a time"),
    Entry::new("minute", (1, 1), result::int, |a| part(a, |moment| Some(moment.minute().into())))
        .null_as_arguments()
        .about("time", "The minute of a time"),
    Entry::new("month", (1, 1), result::int, |a| part(a, |moment| Some(moment.date().month().into())))
        .common()
        .about("date", "The month, 1 to 12"),
    Entry::new("monthname", (1, 1), result::text, |a| {
        name(a, |date| MONTH_NAMES[usize::from(date.month().clamp(1, 12) - 1)])
    })
    .declared(declared::regular_text)
    .about("date", "The name of the month"),
    Entry::new("now", (0, 1), now_type, now)
        .stable()
        .not_in_checks()
        .common()
        .about("[digits]", "The moment at which the statement began")
        .also(&["current_timestamp", "localtime", "localtimestamp"]),
    Entry::new("quarter", (1, 1), result::int, |a| part(a, |moment| Some((i64::from(moment.date().month()) + 2) / 3)))
        .about("date", "The quarter of the year, 1 to 4"),
    Entry::new("second", (1, 1), result::int, |a| part(a, |moment| Some(moment.second().into())))
        .null_as_arguments()
        .about("time", "The second of a time"),
    Entry::new("str_to_date", (2, 2), result::datetime, str_to_date)
        .typed_by(str_to_date_type)
        .about("text, format", "The moment that a text names, read by a format"),
    Entry::new("sysdate", (0, 1), now_type, |a| clock(a, a.context.session.now()))
        .volatile()
        .not_in_checks()
        .about("[digits]", "The moment at which the function is evaluated"),
    Entry::new("time", (1, 1), result::time, time).null_as_arguments().about("moment", "The time of day of a moment"),
    Entry::new("time_format", (2, 2), result::text, |a| {
        let time = value::convert::to_time(a.get(0))?;
        Ok(Value::text(temporal::time_format(time.microseconds().rem_euclid(DAY), format_of(a)?)))
    })
    .null_as_arguments()
    .declared(declared::regular_text)
    .about("time, format", "A time as text, by a format"),
    Entry::new("time_to_sec", (1, 1), result::unsigned, |a| match a.get(0) {
        Value::Time(time) => Ok(Value::Int(time.microseconds() / SECOND)),
        _ => part(a, |moment| Some(moment.since_midnight() / SECOND)),
    })
    .about("time", "A time in seconds"),
    Entry::new("timestamp", (1, 1), result::first, timestamp)
        .with(Traits::GIVES_MOMENT)
        .null_as_arguments()
        .about("moment", "The argument as a moment"),
    Entry::new("to_days", (1, 1), result::bigint, |a| {
        // The days of the year 0 count from 1, so that its last is the first of the year 1, too.
        day_part(a, |date| date.day_number() + i64::from(date.year() == 0))
    })
    .about("date", "The day number of a date"),
    Entry::new("unix_timestamp", (0, 1), result::bigint, unix_timestamp)
        .stable()
        .typed_by(unix_timestamp_type)
        .null_as_arguments()
        .declared(declared_seconds)
        .about("[moment]", "The Unix time of a moment, or the current one"),
    Entry::new("utc_timestamp", (0, 1), result::datetime, |a| Ok(Value::DateTime(a.context.now())))
        .stable()
        .declared(declared::own_never_null)
        .about("[digits]", "The current moment in UTC"),
    Entry::new("week", (1, 2), result::int, |a| {
        let mode = week_mode(a, 1)?;
        day_part(a, |date| {
            let (year, week) = mode.with_year().week(date.year(), date.days());
            match year - date.year() {
                ..0 => 0,
                0 => week.into(),
                _ => 53,
            }
        })
    })
    .handling_nulls()
    .about("date[, mode]", "The number of the week"),
    Entry::new("weekday", (1, 1), result::int, |a| day_part(a, |date| temporal::weekday(date.days()).into()))
        .about("date", "The weekday as a number: 0 is Monday"),
    Entry::new("weekofyear", (1, 1), result::unsigned, |a| {
        day_part(a, |date| WeekMode::new(3).week(date.year(), date.days()).1.into())
    })
    .about("date", "The number of the week by ISO 8601"),
    Entry::new("year", (1, 1), result::int, |a| part(a, |moment| Some(moment.date().year().into())))
        .null_as_arguments()
        .common()
        .with(Traits::GIVES_YEAR)
        .about("date", "The year"),
    Entry::new("yearweek", (1, 2), result::int, |a| {
        let mode = week_mode(a, 1)?.with_year();
        day_part(a, |date| {
            let (year, week) = mode.week(date.year(), date.days());
            i64::from(year) * 100 + i64::from(week)
        })
    })
    .handling_nulls()
    .about("date[, mode]", "The year and the number of the week, as one number"),
];

fn declared_seconds(call: &DeclaredCall<'_>) -> Option<ExprType> {
    match call.argument(0).map(|of| of.sql) {
        None => declared::never_null(SqlType::BIGINT),
        Some(_) if matches!(call.ty.sql, SqlType::Decimal { .. }) => None,
        Some(of) => call.sql(SqlType::Decimal { precision: 19, scale: if of.is_date() { 0 } else { 6 } }),
    }
}

/// The last moment that has a Unix time: 3001-01-18, as in the reference.
const UNIX_SECONDS_MAX: i64 = 32_536_771_199;

impl Arguments<'_> {
    /// The n-th argument as a moment; `None` for NULL, and with a warning for what is no date.
    pub(super) fn moment(&self, n: usize) -> Option<DateTime> {
        let moment = match self.get(n) {
            Value::Null => return None,
            Value::DateTime(moment) => return Some(*moment),
            Value::Date(date) => return Some((*date).into()),
            Value::Time(time) => value::convert::on_day(self.context.local_now().date(), *time),
            // Text that goes on behind a moment, as that of a day that a month does not have, is none.
            other => value::convert::to_moment(other)
                .ok()
                .filter(|moment| !moment.truncated)
                .and_then(|moment| moment.round(6)),
        };
        if moment.is_none() {
            let error = incorrect(self, n);
            self.context.session.warn(1292, error.into_message());
        }
        moment
    }
}

pub(super) fn incorrect(a: &Arguments<'_>, n: usize) -> SqlError {
    let text = super::argument::text_of(a.get(n)).unwrap_or_default();
    SqlError::general(format!("Incorrect datetime value: '{text}'"))
}

fn part(a: &Arguments<'_>, part: impl Fn(DateTime) -> Option<i64>) -> Result<Value<'static>> {
    Ok(a.moment(0).and_then(part).map_or(Value::Null, Value::Int))
}

/// A number of a day; the zero date is no day.
fn day_part(a: &Arguments<'_>, part: impl Fn(Date) -> i64) -> Result<Value<'static>> {
    Ok(day(a).map_or(Value::Null, |date| Value::Int(part(date))))
}

fn name(a: &Arguments<'_>, name: impl Fn(Date) -> &'static str) -> Result<Value<'static>> {
    Ok(day(a).map_or(Value::Null, |date| Value::text(name(date))))
}

fn day(a: &Arguments<'_>) -> Option<Date> {
    let date = a.moment(0)?.date();
    if date.is_zero() {
        a.context.session.warn(1292, incorrect(a, 0).into_message());
        return None;
    }
    Some(date)
}

fn week_mode(a: &Arguments<'_>, n: usize) -> Result<WeekMode> {
    let mode = if a.len() > n && !a.is_null(n) { a.integer(n)? } else { 0 };
    Ok(WeekMode::new(mode.rem_euclid(8) as u8))
}

fn extract(a: &Arguments<'_>) -> Result<Value<'static>> {
    let unit = a.text(0)?;
    let Some(moment) = a.moment(1) else { return Ok(Value::Null) };
    let date = moment.date();
    let (day, time) = (i64::from(date.day()), moment.since_midnight());
    let (hour, minute, second) = (time / HOUR, time / MINUTE % 60, time / SECOND % 60);
    let clock = hour * 10_000 + minute * 100 + second;
    let microsecond = time % SECOND;
    Ok(Value::Int(match &*unit {
        "microsecond" => microsecond,
        "second" => second,
        "minute" => minute,
        "hour" => hour,
        "day" => day,
        "week" if date.is_zero() => 1,
        "week" => WeekMode::new(4).week(date.year(), date.days()).1.into(),
        "month" => date.month().into(),
        "quarter" => (i64::from(date.month()) + 2) / 3,
        "year" => date.year().into(),
        "second_microsecond" => second * SECOND + microsecond,
        "minute_microsecond" => (minute * 100 + second) * SECOND + microsecond,
        "minute_second" => minute * 100 + second,
        "hour_microsecond" => clock * SECOND + microsecond,
        "hour_second" => clock,
        "hour_minute" => hour * 100 + minute,
        "day_microsecond" => (day * 1_000_000 + clock) * SECOND + microsecond,
        "day_second" => day * 1_000_000 + clock,
        "day_minute" => day * 10_000 + hour * 100 + minute,
        "day_hour" => day * 100 + hour,
        "year_month" => i64::from(date.year()) * 100 + i64::from(date.month()),
        other => return Err(SqlError::general(format!("invalid time unit {other}"))),
    }))
}

fn now_type(types: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::DateTime { decimals: if types.is_empty() { 0 } else { 6 } }, false)
}

fn now(a: &Arguments<'_>) -> Result<Value<'static>> {
    clock(a, a.context.now())
}

/// A moment of the clock in the session's zone, with as many decimals as the first argument says.
fn clock(a: &Arguments<'_>, now: DateTime) -> Result<Value<'static>> {
    let local = a.context.local(now);
    Ok(Value::DateTime(cut(local, decimals(a)?)))
}

fn decimals(a: &Arguments<'_>) -> Result<u32> {
    match if a.is_empty() { 0 } else { a.integer(0)? } {
        decimals @ 0..=6 => Ok(decimals as u32),
        decimals => Err(SqlError::general(format!("Too-big precision {decimals} for 'now'. Maximum is 6."))),
    }
}

fn cut(moment: DateTime, decimals: u32) -> DateTime {
    let step = 10i64.pow(6 - decimals);
    DateTime::from_microseconds(moment.microseconds().div_euclid(step) * step).unwrap_or(moment)
}

fn current_date(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(Value::Date(a.context.local_now().date()))
}

fn current_time(a: &Arguments<'_>) -> Result<Value<'static>> {
    decimals(a)?;
    // Whole seconds whatever the argument says, as in the reference.
    Ok(Value::Time(Time::from_microseconds(a.context.local_now().since_midnight() / SECOND * SECOND)))
}

fn timestamp(a: &Arguments<'_>) -> Result<Value<'static>> {
    let Some(moment) = a.moment(0) else { return Err(incorrect(a, 0)) };
    Ok(if a.result.sql.is_text() { Value::text(short(&moment.to_string())) } else { Value::DateTime(moment) })
}

/// A moment's text without zeros at the end of its fraction.
fn short(moment: &str) -> String {
    if moment.contains('.') { moment.trim_end_matches('0').trim_end_matches('.') } else { moment }.to_owned()
}

fn time(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(match a.get(0) {
        Value::Time(time) => Value::Time(*time),
        // A day that there is not has no time either.
        Value::Text(text) if a.moment(0).is_none() && value::convert::to_moment(a.get(0)).is_ok() => {
            a.context.session.warn(1292, format!("Incorrect time value: '{text}'"));
            Value::Null
        }
        other => match value::convert::to_moment(other).ok().and_then(|moment| moment.round(6)) {
            Some(moment) => Value::Time(moment.time()),
            None => match value::convert::to_time(other) {
                Ok(time) => Value::Time(time),
                Err(error) => {
                    a.context.session.warn(1292, error);
                    Value::Null
                }
            },
        },
    })
}

fn str_to_date_type(args: &[Expr]) -> ExprType {
    let letters = |set: &str, format: &str| format.split('%').skip(1).any(|rest| rest.starts_with(|c| set.contains(c)));
    let sql = match args.get(1).and_then(Expr::as_literal) {
        Some(Value::Text(format)) => match (letters("abcDdejMmUuVvWwXxYy", format), letters("fHhIiklprSsT", format)) {
            (true, false) => SqlType::Date,
            (false, true) => SqlType::Time,
            _ => SqlType::DateTime { decimals: 0 },
        },
        _ => SqlType::DateTime { decimals: 0 },
    };
    ExprType::new(sql, true)
}

/// The format of DATE_FORMAT and TIME_FORMAT, which must be text.
fn format_of<'a>(a: &'a Arguments<'_>) -> Result<&'a str> {
    match a.get(1) {
        Value::Text(format) => check_format(format).map(|()| &**format),
        _ => Err(SqlError::general("Invalid argument to DATE_FORMAT or TIME_FORMAT: format must be a string")),
    }
}

/// Behind a % stands a letter or another one.
fn check_format(format: &str) -> Result<()> {
    let mut rest = format.chars();
    while rest.by_ref().any(|c| c == '%') {
        let why = match rest.next() {
            Some(c) if c.is_alphabetic() || c == '%' || c == '#' => continue,
            Some(c) => format!("pattern compilation failed: lookup failed: '%{c}' was not found in specification set"),
            None => "stray % at the end of pattern".to_owned(),
        };
        return Err(SqlError::general(format!("failed to compile format: {why}")));
    }
    Ok(())
}

fn str_to_date(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (Value::Text(text), Value::Text(format)) = (a.get(0), a.get(1)) else {
        return Err(SqlError::general("invalid type: str_to_date takes texts"));
    };
    let read = temporal::str_to_date(text, format);
    Ok(match (read, &a.result.sql) {
        (Some(ReadMoment::Date(date)), SqlType::DateTime { .. }) => Value::DateTime(date.into()),
        (Some(ReadMoment::Date(date)), _) => Value::Date(date),
        (Some(ReadMoment::Time(time)), _) => Value::Time(time),
        (Some(ReadMoment::DateTime(moment)), _) => Value::DateTime(moment),
        (None, _) => {
            a.context.session.warn(1411, format!("Incorrect value: '{text}' for function str_to_date"));
            Value::Null
        }
    })
}

fn get_format(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (kind, region) = (a.text(0)?.to_ascii_lowercase(), a.text(1)?.to_ascii_lowercase());
    let kind = if kind == "timestamp" { "datetime" } else { &kind };
    Ok(match (kind, &*region) {
        ("date", "usa") => Value::text("%m.%d.%Y"),
        ("date", "jis" | "iso") => Value::text("%Y-%m-%d"),
        ("date", "eur") => Value::text("%d.%m.%Y"),
        ("date", "internal") => Value::text("%Y%m%d"),
        ("datetime", "usa" | "eur") => Value::text("%Y-%m-%d %H.%i.%s"),
        ("datetime", "jis" | "iso") => Value::text("%Y-%m-%d %H:%i:%s"),
        ("datetime", "internal") => Value::text("%Y%m%d%H%i%s"),
        ("time", "usa") => Value::text("%h:%i:%s %p"),
        ("time", "jis" | "iso") => Value::text("%H:%i:%s"),
        ("time", "eur") => Value::text("%H.%i.%s"),
        ("time", "internal") => Value::text("%H%i%s"),
        _ => Value::Null,
    })
}

/// The seconds of a moment are a DECIMAL of its digits, those of text one of as many as can be known beforehand.
fn unix_timestamp_type(args: &[Expr]) -> ExprType {
    let decimal = |scale: u8| SqlType::Decimal { precision: 19, scale };
    let sql = match args.first() {
        None => SqlType::BIGINT,
        Some(Expr { kind: ExprKind::Literal(Value::Text(text)), .. }) => {
            match (text.split_once('.'), value::temporal::parse_datetime(text)) {
                (Some((_, fraction)), Some(_)) => decimal(fraction.trim_end().len().min(6) as u8),
                _ => SqlType::BIGINT,
            }
        }
        Some(arg) => match arg.ty.sql {
            SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => decimal(decimals),
            SqlType::Date => decimal(0),
            SqlType::Time | SqlType::Text { .. } | SqlType::VarChar { .. } | SqlType::Char { .. } => decimal(6),
            _ => SqlType::BIGINT,
        },
    };
    ExprType::new(sql, true)
}

fn unix_timestamp(a: &Arguments<'_>) -> Result<Value<'static>> {
    let moment = if a.is_empty() {
        a.context.now()
    } else {
        match a.moment(0) {
            Some(moment) if matches!(a.types.first().map(|ty| &ty.sql), Some(SqlType::Timestamp { .. })) => moment,
            Some(moment) => zone::to_utc(a.context, &zone::of_session(a.context), moment).unwrap_or(moment),
            None => return Ok(Value::Int(0)),
        }
    };
    let microseconds = moment.microseconds();
    if !(SECOND..=UNIX_SECONDS_MAX * SECOND + SECOND - 1).contains(&microseconds) {
        return Ok(Value::Int(0));
    }
    Ok(match &a.result.sql {
        SqlType::Decimal { scale, .. } => Value::Decimal(Decimal::new(microseconds.into(), 6).truncate(*scale)),
        _ => Value::Int(microseconds / SECOND),
    })
}

fn from_unixtime_type(types: &[ExprType]) -> ExprType {
    if types.len() > 1 { ExprType::text() } else { result::datetime(types) }
}

fn from_unixtime(a: &Arguments<'_>) -> Result<Value<'static>> {
    let seconds = a.count(0)?;
    let moment = match seconds {
        0..=UNIX_SECONDS_MAX => DateTime::from_microseconds(seconds * SECOND),
        _ => None,
    };
    let Some(local) = moment.map(|moment| a.context.local(moment)) else { return Ok(Value::Null) };
    if a.len() > 1 {
        return Ok(Value::text(temporal::date_format(local, &a.text(1)?)));
    }
    Ok(Value::DateTime(local))
}

fn convert_zone(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (Value::Text(from), Value::Text(to)) = (a.get(1), a.get(2)) else { return Ok(Value::Null) };
    let Some(moment) = a.moment(0) else { return Ok(Value::Null) };
    let converted = zone::to_utc(a.context, from, moment).and_then(|utc| zone::from_utc(a.context, to, utc));
    Ok(converted.map_or(Value::Null, Value::DateTime))
}
