//! DATE, DATETIME, TIMESTAMP, TIME and YEAR: values, reading, writing and calendar arithmetic.

mod calendar;
mod date;
mod datetime;
mod format;
mod interval;
mod parse;
mod read_format;
mod relaxed;
mod time;
mod week;

pub use calendar::{days_from_civil, days_in_month, is_leap_year};
pub use date::Date;
pub use datetime::DateTime;
pub use format::{MONTH_NAMES, WEEKDAY_NAMES, date_format, time_format};
pub use interval::Interval;
pub use parse::{ParsedDateTime, parse_datetime, parse_time, time_from_f64, time_from_i64};
pub use read_format::{ReadMoment, str_to_date};
pub use relaxed::{moment_of_number, parse_moment};
pub use time::Time;
pub use week::{WeekMode, day_of_year, weekday};

/// Microseconds of a second, minute, hour and day.
pub const SECOND: i64 = 1_000_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// Rounds microseconds half away from zero to `decimals` digits after the second's point (6 and more change nothing).
pub fn round_microseconds(microseconds: i64, decimals: u8) -> i64 {
    let step = step_of(decimals);
    let half = step / 2;
    if step == 1 {
        microseconds
    } else if microseconds >= 0 {
        microseconds.saturating_add(half) / step * step
    } else {
        microseconds.saturating_sub(half) / step * step
    }
}

fn step_of(decimals: u8) -> i64 {
    10i64.pow(6 - u32::from(decimals.min(6)))
}

/// Writes `.123` for `decimals` 3; nothing for 0.
fn write_fraction(f: &mut impl std::fmt::Write, microseconds: i64, decimals: u8) -> std::fmt::Result {
    match decimals.min(6) {
        0 => Ok(()),
        decimals => write!(f, ".{:0width$}", microseconds / step_of(decimals), width = usize::from(decimals)),
    }
}
