//! DATETIME and TIMESTAMP.

use std::fmt;

use super::{DAY, Date, HOUR, MINUTE, SECOND, Time, days_from_civil, round_microseconds, write_fraction};

/// Microseconds from 1970-01-01 00:00:00, without a zone; years 0 to 9999, and 0000-00-00 00:00:00.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime(i64);

impl DateTime {
    /// 0000-00-00 00:00:00 (docs/format/tree.md, section 6).
    pub const ZERO: DateTime = DateTime(-62_169_984_000_000_000);
    pub const MIN: DateTime = DateTime(days_from_civil(0, 1, 1) * DAY);
    pub const MAX: DateTime = DateTime((days_from_civil(9999, 12, 31) + 1) * DAY - 1);

    /// Microseconds since the epoch, if the year is 0 to 9999 or it is the zero moment.
    pub fn from_microseconds(microseconds: i64) -> Option<DateTime> {
        let moment = DateTime(microseconds);
        ((DateTime::MIN..=DateTime::MAX).contains(&moment) || moment == DateTime::ZERO).then_some(moment)
    }

    pub fn microseconds(self) -> i64 {
        self.0
    }

    /// The moment `since_midnight` microseconds (0 to 24 h) after the start of `date`.
    pub fn new(date: Date, since_midnight: i64) -> DateTime {
        if date.is_zero() && since_midnight == 0 {
            return DateTime::ZERO;
        }
        DateTime(date.days() * DAY + since_midnight.clamp(0, DAY - 1))
    }

    pub fn is_zero(self) -> bool {
        self == DateTime::ZERO
    }

    pub fn date(self) -> Date {
        Date::from_days(self.0.div_euclid(DAY)).unwrap_or(Date::ZERO)
    }

    /// Microseconds since midnight.
    pub fn since_midnight(self) -> i64 {
        self.0.rem_euclid(DAY)
    }

    /// The time of day.
    pub fn time(self) -> Time {
        Time::from_microseconds(self.since_midnight())
    }

    pub fn hour(self) -> u8 {
        (self.since_midnight() / HOUR) as u8
    }

    pub fn minute(self) -> u8 {
        (self.since_midnight() % HOUR / MINUTE) as u8
    }

    pub fn second(self) -> u8 {
        (self.since_midnight() % MINUTE / SECOND) as u8
    }

    pub fn microsecond(self) -> u32 {
        (self.since_midnight() % SECOND) as u32
    }

    /// Rounds half up to `decimals` digits of the second. `None` past the last moment of 9999.
    pub fn round(self, decimals: u8) -> Option<DateTime> {
        // Most are whole seconds.
        if decimals >= 6 || self.is_zero() || self.microsecond() == 0 {
            return Some(self);
        }
        // The start of a day is a whole second, so rounding the time of day rounds the moment the same way before 1970 too.
        let since_midnight = self.since_midnight();
        let rounded = round_microseconds(since_midnight, decimals);
        DateTime::from_microseconds(self.0 - since_midnight + rounded)
    }

    /// `2020-01-02 03:04:05` with `decimals` digits of the second.
    pub fn text(self, decimals: u8) -> String {
        let mut text = self.date().to_string();
        // Writing to a string cannot fail.
        let _ = self.write_time(&mut text, decimals);
        text
    }

    fn write_time(self, f: &mut impl fmt::Write, decimals: u8) -> fmt::Result {
        write!(f, " {:02}:{:02}:{:02}", self.hour(), self.minute(), self.second())?;
        write_fraction(f, i64::from(self.microsecond()), decimals)
    }
}

impl From<Date> for DateTime {
    fn from(date: Date) -> DateTime {
        DateTime::new(date, 0)
    }
}

impl fmt::Display for DateTime {
    /// With six decimals, or none when the fraction is zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.date())?;
        self.write_time(f, if self.microsecond() == 0 { 0 } else { 6 })
    }
}
