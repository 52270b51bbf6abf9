//! TIME: a span of up to 838:59:59 either way.

use std::fmt;

use super::{HOUR, MINUTE, SECOND, write_fraction};

/// Microseconds, −838:59:59.000000 to 838:59:59.000000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    pub const ZERO: Time = Time(0);
    pub const MAX: Time = Time(838 * HOUR + 59 * MINUTE + 59 * SECOND);
    pub const MIN: Time = Time(-Time::MAX.0);

    /// Spans out of range become the nearest end, as MySQL does.
    pub fn from_microseconds(microseconds: i64) -> Time {
        Time(microseconds).clamp(Time::MIN, Time::MAX)
    }

    pub fn microseconds(self) -> i64 {
        self.0
    }

    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// 0 to 838, without the sign.
    pub fn hours(self) -> u16 {
        (self.0.abs() / HOUR) as u16
    }

    pub fn minute(self) -> u8 {
        (self.0.abs() % HOUR / MINUTE) as u8
    }

    pub fn second(self) -> u8 {
        (self.0.abs() % MINUTE / SECOND) as u8
    }

    pub fn microsecond(self) -> u32 {
        (self.0.abs() % SECOND) as u32
    }

    /// `-838:59:59` with `decimals` digits of the second.
    pub fn text(self, decimals: u8) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, decimals);
        text
    }

    fn write(self, f: &mut impl fmt::Write, decimals: u8) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        write!(f, "{sign}{:02}:{:02}:{:02}", self.hours(), self.minute(), self.second())?;
        write_fraction(f, i64::from(self.microsecond()), decimals)
    }
}

impl fmt::Display for Time {
    /// With six decimals, or none when the fraction is zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, if self.microsecond() == 0 { 0 } else { 6 })
    }
}
