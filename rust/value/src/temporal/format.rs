//! DATE_FORMAT and TIME_FORMAT.

use std::fmt::Write;

use super::week::{WeekMode, day_of_year, weekday};
use super::{DateTime, HOUR, MINUTE, SECOND};

/// From January.
pub const MONTH_NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// From Monday.
pub const WEEKDAY_NAMES: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// DATE_FORMAT: `%` and a letter is replaced, any other character after `%` is literal.
pub fn date_format(moment: DateTime, format: &str) -> String {
    let mut text = String::with_capacity(format.len() + 8);
    expand(format, &mut text, |text, letter| {
        if !date_part(text, letter, moment) && !time_part(text, letter, moment.since_midnight()) {
            match letter {
                'k' => push(text, format_args!("{}", moment.hour())),
                'l' => push(text, format_args!("{}", twelve(moment.since_midnight()))),
                other => text.push(other),
            }
        }
    });
    text
}

/// TIME_FORMAT of a time of day: as [`date_format`] without the letters of dates; `%k` and `%l` are not known to the reference.
pub fn time_format(microseconds_of_day: i64, format: &str) -> String {
    let mut text = String::with_capacity(format.len() + 8);
    expand(format, &mut text, |text, letter| {
        if !time_part(text, letter, microseconds_of_day) {
            text.push(letter);
        }
    });
    text
}

fn expand(format: &str, text: &mut String, mut part: impl FnMut(&mut String, char)) {
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => match characters.next() {
                Some(letter) => part(text, letter),
                None => text.push('%'),
            },
            other => text.push(other),
        }
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
}

fn twelve(microseconds_of_day: i64) -> i64 {
    (microseconds_of_day / HOUR + 11) % 12 + 1
}

/// Returns whether the letter is one of a date.
fn date_part(text: &mut String, letter: char, moment: DateTime) -> bool {
    // The zero date is formatted as the day it is stored as.
    let (year, month, day) = moment.date().civil();
    let days = moment.date().days();
    let month_name = MONTH_NAMES[usize::from(month.clamp(1, 12)) - 1];
    let weekday_name = WEEKDAY_NAMES[usize::from(weekday(days))];
    let week = |mode| WeekMode::new(mode).week(year, days);
    match letter {
        'a' => text.push_str(&weekday_name[..3]),
        'b' => text.push_str(&month_name[..3]),
        'c' => push(text, format_args!("{month}")),
        'D' => push(text, format_args!("{day}{}", suffix(day))),
        'd' => push(text, format_args!("{day:02}")),
        'e' => push(text, format_args!("{day}")),
        'j' => push(text, format_args!("{:03}", day_of_year(year, days))),
        'M' => text.push_str(month_name),
        'm' => push(text, format_args!("{month:02}")),
        'U' => push(text, format_args!("{:02}", week(0).1)),
        'u' => push(text, format_args!("{:02}", week(1).1)),
        'V' => push(text, format_args!("{:02}", week(2).1)),
        'v' => push(text, format_args!("{:02}", week(3).1)),
        'W' => text.push_str(weekday_name),
        'w' => push(text, format_args!("{}", (weekday(days) + 1) % 7)),
        'X' => push(text, format_args!("{}", week(2).0)),
        'x' => push(text, format_args!("{}", week(3).0)),
        'Y' if year < 0 => push(text, format_args!("{year:05}")),
        'Y' => push(text, format_args!("{year:04}")),
        'y' => push(text, format_args!("{}", year % 100)),
        _ => return false,
    }
    true
}

/// Returns whether the letter is one of a time of day.
fn time_part(text: &mut String, letter: char, time: i64) -> bool {
    let (hour, minute, second) = (time / HOUR % 24, time / MINUTE % 60, time / SECOND % 60);
    let half = if hour < 12 { "AM" } else { "PM" };
    match letter {
        'f' => push(text, format_args!("{:06}", time % SECOND)),
        'H' => push(text, format_args!("{hour:02}")),
        'h' | 'I' => push(text, format_args!("{:02}", twelve(time))),
        'i' => push(text, format_args!("{minute:02}")),
        'p' => text.push_str(half),
        'r' => push(text, format_args!("{:02}:{minute:02}:{second:02} {half}", twelve(time))),
        'S' | 's' => push(text, format_args!("{second:02}")),
        'T' => push(text, format_args!("{hour:02}:{minute:02}:{second:02}")),
        _ => return false,
    }
    true
}

fn suffix(day: u8) -> &'static str {
    match (day, day % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::parse_datetime;

    fn check(text: &str, format: &str, expected: &str) {
        let moment = parse_datetime(text).unwrap().round(6).unwrap();
        assert_eq!(date_format(moment, format), expected, "{text} {format}");
    }

    #[test]
    fn every_letter_is_the_references() {
        check("2024-02-29", "%Y-%m-%d", "2024-02-29");
        check("0001-01-01", "%Y-%m-%d", "0001-01-01");
        check("9999-12-31", "%d/%m/%y", "31/12/99");
        check("0001-01-01", "%W, %M %e %Y", "Monday, January 1 0001");
        check("1999-03-15 08:05:09.123456", "%a %b %D", "Mon Mar 15th");
        check("2023-12-31 23:59:59", "%a %b %D", "Sun Dec 31st");
        check("2023-12-31 23:59:59", "%j %U %u %V %v %X %x", "365 53 52 53 52 2023 2023");
        check("2024-02-29", "%j %U %u %V %v %X %x", "060 08 09 08 09 2024 2024");
        check("2023-12-31 23:59:59", "%h:%i %p", "11:59 PM");
        check("0001-01-01", "%r", "12:00:00 AM");
        check("1999-03-15 08:05:09.123456", "%c/%e/%k/%l %T.%f %w", "3/15/8/8 08:05:09.123456 1");
        check("2024-02-29", "%%%Z?%", "%Z?%");
        check("0000-00-00", "%Y/%m", "-0001/11");
        assert_eq!(time_format(HOUR + 10 * MINUTE + 5 * SECOND, "%H %k %h %i"), "01 k 01 10");
    }
}
