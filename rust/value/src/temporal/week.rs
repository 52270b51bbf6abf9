//! Weeks of the year in MySQL's eight modes, and days of the week.

use super::calendar::days_from_civil;

/// Monday is 0, Sunday 6 (WEEKDAY). `days` counts from 1970-01-01, a Thursday.
pub const fn weekday(days: i64) -> u8 {
    (days + 3).rem_euclid(7) as u8
}

/// 1 to 366 (DAYOFYEAR).
pub const fn day_of_year(year: i32, days: i64) -> u16 {
    (days - days_from_civil(year, 1, 1) + 1) as u16
}

/// How weeks are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeekMode {
    monday_first: bool,
    /// Days before the first week belong to the last week of the year before, else to a week 0 of this year.
    in_year_of_week: bool,
    /// The first week is the first with four days of the year, else the first that starts in the year.
    four_days: bool,
}

impl WeekMode {
    /// MySQL's modes 0 to 7; only the lowest three bits of others count.
    pub const fn new(mode: u8) -> WeekMode {
        let monday_first = mode & 1 != 0;
        WeekMode { monday_first, in_year_of_week: mode & 2 != 0, four_days: (mode & 4 != 0) != monday_first }
    }

    /// The mode for YEARWEEK, which never has a week 0.
    pub const fn with_year(self) -> WeekMode {
        WeekMode { in_year_of_week: true, ..self }
    }

    /// The first day of the first week of `year`.
    const fn first_day(self, year: i32) -> i64 {
        let new_year = counted(days_from_civil(year, 1, 1));
        let since_start = if self.monday_first { weekday(new_year) } else { (weekday(new_year) + 1) % 7 } as i64;
        let belongs = if self.four_days { since_start <= 3 } else { since_start == 0 };
        if belongs { new_year - since_start } else { new_year - since_start + 7 }
    }

    /// The year and the week of the day `days` (since 1970-01-01) of `year`.
    pub const fn week(self, year: i32, days: i64) -> (i32, u8) {
        let days = counted(days);
        let first = self.first_day(year);
        if days < first {
            if !self.in_year_of_week {
                return (year, 0);
            }
            return (year - 1, ((days - self.first_day(year - 1)) / 7 + 1) as u8);
        }
        if self.in_year_of_week && days >= self.first_day(year + 1) {
            return (year + 1, 1);
        }
        (year, ((days - first) / 7 + 1) as u8)
    }
}

/// A day as weeks count it: the year 0 is no leap year to MySQL, whose January and February come a day late.
const fn counted(days: i64) -> i64 {
    days + (days >= days_from_civil(0, 1, 1) && days < days_from_civil(0, 3, 1)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weeks(year: i32, month: u8, day: u8) -> [u8; 8] {
        let days = days_from_civil(year, month, day);
        std::array::from_fn(|mode| WeekMode::new(mode as u8).week(year, days).1)
    }

    #[test]
    fn the_eight_modes_are_mysqls() {
        // From MySQL's manual and from the reference.
        assert_eq!(weeks(2008, 2, 20), [7, 8, 7, 8, 8, 7, 8, 7]);
        assert_eq!(weeks(2000, 1, 1), [0, 0, 52, 52, 0, 0, 52, 52]);
        assert_eq!(weeks(2008, 12, 31), [52, 53, 52, 1, 53, 52, 53, 52]);
        assert_eq!(weeks(2023, 12, 31)[..4], [53, 52, 53, 52]);
        assert_eq!(WeekMode::new(0).with_year().week(2000, days_from_civil(2000, 1, 1)), (1999, 52));
        assert_eq!(WeekMode::new(1).with_year().week(2024, days_from_civil(2024, 1, 1)), (2024, 1));
    }

    #[test]
    fn mode_three_is_the_iso_week() {
        for days in (days_from_civil(1, 1, 10)..days_from_civil(9999, 12, 20)).step_by(97) {
            let date = super::super::Date::from_days(days).unwrap();
            let iso = jiff::civil::date(date.year() as i16, date.month() as i8, date.day() as i8).iso_week_date();
            assert_eq!(WeekMode::new(3).week(date.year(), days), (i32::from(iso.year()), iso.week() as u8), "{date}");
            assert_eq!(weekday(days), iso.weekday().to_monday_zero_offset() as u8);
        }
    }
}
