//! Calendar arithmetic: INTERVAL, LAST_DAY, TIMESTAMPDIFF.

use super::calendar::{civil_from_days, days_from_civil, days_in_month};
use super::{DAY, Date, DateTime};

/// A span of the calendar, as INTERVAL has it: months first, then days, then time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interval {
    /// Years count twelve.
    pub months: i64,
    /// Weeks count seven.
    pub days: i64,
    pub microseconds: i64,
}

impl Interval {
    /// The span the other way. `None` when a number has no opposite.
    pub fn negated(self) -> Option<Interval> {
        Some(Interval {
            months: self.months.checked_neg()?,
            days: self.days.checked_neg()?,
            microseconds: self.microseconds.checked_neg()?,
        })
    }
}

impl DateTime {
    /// The moment after `interval`: a day that the month does not have becomes its last. `None` outside the years 0 to 9999 and from
    /// the zero date.
    pub fn checked_add(self, interval: Interval) -> Option<DateTime> {
        if self.is_zero() {
            return None;
        }
        let date = self.date().add_months(interval.months)?;
        let days = date.days().checked_add(interval.days)?;
        let moved = days.checked_mul(DAY)?.checked_add(self.since_midnight())?.checked_add(interval.microseconds)?;
        DateTime::from_microseconds(moved).filter(|moment| !moment.is_zero())
    }

    /// Whole months from `self` to `other`; a month is whole when the same day and time of day is reached.
    pub fn months_until(self, other: DateTime) -> i64 {
        if other < self {
            return -other.months_until(self);
        }
        let (from, to) = (self.date(), other.date());
        let months = i64::from(to.year() - from.year()) * 12 + i64::from(to.month()) - i64::from(from.month());
        let incomplete = (to.day(), other.since_midnight()) < (from.day(), self.since_midnight());
        months - i64::from(incomplete)
    }
}

impl Date {
    /// The day `months` later; a day that the month does not have becomes its last. `None` outside the years 0 to 9999 and from the
    /// zero date.
    pub fn add_months(self, months: i64) -> Option<Date> {
        if self.is_zero() {
            return None;
        }
        let total = (i64::from(self.year()) * 12 + i64::from(self.month()) - 1).checked_add(months)?;
        let year = i32::try_from(total.div_euclid(12)).ok()?;
        let month = (total.rem_euclid(12) + 1) as u8;
        Date::new(u16::try_from(year).ok()?, month, self.day().min(days_in_month(year, month)))
    }

    /// The last day of the month; the zero date stays.
    pub fn last_of_month(self) -> Date {
        Date::new(self.year() as u16, self.month(), days_in_month(self.year(), self.month())).unwrap_or(self)
    }

    /// Year, month and day as the reference sees them in arithmetic: the zero date is -0001-11-30.
    pub fn civil(self) -> (i32, u8, u8) {
        civil_from_days(self.days())
    }

    /// TO_DAYS: days since 0000-01-01, year 0 being a leap year.
    pub fn day_number(self) -> i64 {
        self.days() - days_from_civil(0, 1, 1)
    }

    /// FROM_DAYS.
    pub fn from_day_number(number: i64) -> Option<Date> {
        Date::from_days(number.checked_add(days_from_civil(0, 1, 1))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::{HOUR, parse_datetime};

    fn moment(text: &str) -> DateTime {
        parse_datetime(text).unwrap().round(6).unwrap()
    }

    #[test]
    fn months_clamp_and_everything_has_a_range() {
        let add = |text, months, days, microseconds| {
            moment(text).checked_add(Interval { months, days, microseconds }).map(|moment| moment.to_string())
        };
        assert_eq!(add("2024-01-31", 1, 0, 0).as_deref(), Some("2024-02-29 00:00:00"));
        assert_eq!(add("2024-02-29", 12, 0, 0).as_deref(), Some("2025-02-28 00:00:00"));
        assert_eq!(add("2024-01-31", -2, 0, 0).as_deref(), Some("2023-11-30 00:00:00"));
        assert_eq!(add("1999-03-15 08:05:09.123456", 0, 2800, 0).as_deref(), Some("2006-11-13 08:05:09.123456"));
        assert_eq!(add("2024-01-01", 0, 0, -HOUR).as_deref(), Some("2023-12-31 23:00:00"));
        assert_eq!(add("9999-12-31", 0, 91, 0), None);
        assert_eq!(add("0001-01-01", -24, 0, 0), None);
        assert_eq!(add("2024-01-01", i64::MAX, 0, 0), None);
        assert_eq!(add("2024-01-01", 0, i64::MIN, i64::MAX), None);
        assert_eq!(add("0000-00-00", 0, 1, 0), None);
    }

    #[test]
    fn whole_months_between_moments() {
        assert_eq!(moment("2024-01-31").months_until(moment("2024-02-29")), 0);
        assert_eq!(moment("2024-01-15").months_until(moment("2024-02-15")), 1);
        assert_eq!(moment("2024-02-15").months_until(moment("2024-01-15 00:00:01")), 0);
        assert_eq!(moment("2000-01-01").months_until(moment("1999-01-01")), -12);
    }

    #[test]
    fn day_numbers_are_mysqls() {
        assert_eq!(moment("0001-01-01").date().day_number(), 366);
        assert_eq!(moment("2021-06-07").date().day_number(), 738_313);
        assert_eq!(Date::from_day_number(738_000).map(|date| date.to_string()).as_deref(), Some("2020-07-29"));
        assert_eq!(Date::from_day_number(i64::MIN), None);
        assert_eq!(moment("2023-02-01").date().last_of_month().to_string(), "2023-02-28");
    }

    #[test]
    fn the_calendar_agrees_with_jiff() {
        let start = jiff::civil::date(0, 1, 1);
        for days in (0..3_652_059i64).step_by(13) {
            let expected = start + jiff::Span::new().days(days);
            let date = Date::from_days(days + days_from_civil(0, 1, 1)).unwrap();
            let own = (date.year(), date.month(), date.day());
            assert_eq!(own, (i32::from(expected.year()), expected.month() as u8, expected.day() as u8));
            assert_eq!(days_from_civil(own.0, own.1, own.2), days + days_from_civil(0, 1, 1));
            let months = days % 500 - 250;
            if let Ok(expected) = expected.checked_add(jiff::Span::new().months(months)) {
                let moved = date.add_months(months).map(|date| date.to_string());
                assert_eq!(moved, (expected.year() >= 0).then(|| expected.to_string()), "{date} {months}");
            }
        }
    }
}
