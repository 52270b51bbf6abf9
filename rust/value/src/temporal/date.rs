//! DATE.

use std::fmt;

use super::calendar::{civil_from_days, days_from_civil, days_in_month};

/// A day from 0000-01-01 to 9999-12-31, or the zero date 0000-00-00, which comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    pub const ZERO: Date = Date { year: 0, month: 0, day: 0 };
    pub const MAX: Date = Date { year: 9999, month: 12, day: 31 };

    /// The day, if it exists: month 1 to 12, day 1 to the month's last. 0, 0, 0 is the zero date.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let exists = year <= 9999 && day >= 1 && day <= days_in_month(i32::from(year), month);
        let zero = (year, month, day) == (0, 0, 0);
        (exists || zero).then_some(Date { year, month, day })
    }

    /// The stored form: year<<16 | month<<8 | day (docs/format/tree.md, section 6).
    pub fn from_packed(packed: u32) -> Option<Date> {
        Date::new((packed >> 16) as u16, (packed >> 8) as u8, packed as u8)
    }

    pub fn packed(self) -> u32 {
        u32::from(self.year) << 16 | u32::from(self.month) << 8 | u32::from(self.day)
    }

    /// The day `days` after 1970-01-01, if its year is 0 to 9999.
    pub fn from_days(days: i64) -> Option<Date> {
        if !(days_from_civil(0, 1, 1)..=days_from_civil(9999, 12, 31)).contains(&days) {
            return None;
        }
        let (year, month, day) = civil_from_days(days);
        Date::new(u16::try_from(year).ok()?, month, day)
    }

    /// Days since 1970-01-01. The zero date counts as -0001-11-30, as in its stored form as a DATETIME.
    pub fn days(self) -> i64 {
        if self.is_zero() { days_from_civil(-1, 11, 30) } else { days_from_civil(self.year(), self.month, self.day) }
    }

    pub fn is_zero(self) -> bool {
        self == Date::ZERO
    }

    pub fn year(self) -> i32 {
        i32::from(self.year)
    }

    /// 1 to 12; 0 in the zero date.
    pub fn month(self) -> u8 {
        self.month
    }

    pub fn day(self) -> u8 {
        self.day
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}
