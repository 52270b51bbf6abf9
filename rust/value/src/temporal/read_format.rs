//! STR_TO_DATE: text read by a format.

use super::calendar::days_from_civil;
use super::format::MONTH_NAMES;
use super::{DAY, Date, DateTime, HOUR, MINUTE, SECOND, Time};

/// What a format with letters of a date, of a time or of both reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMoment {
    Date(Date),
    Time(Time),
    DateTime(DateTime),
}

/// The parts read so far. AM and PM are read and, as in the reference, change nothing.
#[derive(Default)]
struct Parts {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    microsecond: Option<i64>,
    weekday: bool,
    half_day: bool,
}

const DATE_LETTERS: &str = "abcDdejMmUuVvWwXxYy";
const TIME_LETTERS: &str = "fHhIiklprSsT";

/// Reads `text` by `format`; `None` when it does not fit. Text after the format's end is ignored, spaces are allowed anywhere.
/// Days, hours and so on beyond their range run over, as in the reference: 2024-02-30 is 2024-03-01.
pub fn str_to_date(text: &str, format: &str) -> Option<ReadMoment> {
    let letters = || format.split('%').skip(1).filter_map(|part| part.chars().next());
    let has = |set: &str| letters().any(|letter| set.contains(letter));
    if has("p") && has("HkT") {
        return None;
    }
    let mut parts = Parts::default();
    let mut rest = text.trim();
    let mut wanted = format.chars();
    while let Some(character) = wanted.next() {
        rest = rest.trim_start_matches(' ');
        match character {
            '%' => rest = parts.read(wanted.next()?, rest)?,
            ' ' => {}
            literal => rest = rest.strip_prefix(literal)?,
        }
    }
    if parts.is_empty() {
        return None;
    }
    let moment = parts.moment()?;
    let date = Date::from_days(moment.div_euclid(DAY));
    Some(match (has(DATE_LETTERS), has(TIME_LETTERS)) {
        (true, false) => ReadMoment::Date(date?),
        (false, _) => ReadMoment::Time(Time::from_microseconds(parts.time()?)),
        (true, true) => ReadMoment::DateTime(DateTime::from_microseconds(moment)?),
    })
}

/// Digits, at most `digits_max`, and what follows.
fn number(text: &str, digits_max: usize) -> Option<(i64, &str)> {
    let count = text.bytes().take(digits_max).take_while(u8::is_ascii_digit).count();
    let number: u32 = text[..count].parse().ok()?;
    Some((i64::from(number), &text[count..]))
}

/// The place of the name, by its first `letters` letters (all of them if `None`), that `text` begins with, and what follows.
fn name<'a>(text: &'a str, names: &[&str], letters: Option<usize>) -> Option<(usize, &'a str)> {
    names.iter().enumerate().find_map(|(at, name)| {
        let name = &name[..letters.unwrap_or(name.len())];
        let start = text.get(..name.len())?;
        start.eq_ignore_ascii_case(name).then(|| (at, &text[name.len()..]))
    })
}

impl Parts {
    fn read<'a>(&mut self, letter: char, text: &'a str) -> Option<&'a str> {
        const ANY: usize = usize::MAX;
        let (slot, (value, rest)) = match letter {
            'a' => {
                let (_, rest) = name(text, &super::format::WEEKDAY_NAMES, Some(3))?;
                self.weekday = true;
                return Some(rest);
            }
            'p' => {
                let (_, rest) = name(text, &["AM", "PM"], None)?;
                self.half_day = true;
                return Some(rest);
            }
            'r' | 'T' => {
                let rest = self.read_clock(text)?;
                return if letter == 'r' { self.read('p', rest.trim_start_matches(' ')) } else { Some(rest) };
            }
            '%' => return text.strip_prefix('%'),
            'b' => {
                let (at, rest) = name(text, &MONTH_NAMES, Some(3))?;
                (&mut self.month, (at as i64 + 1, rest))
            }
            'M' => {
                let (at, rest) = name(text, &MONTH_NAMES, None)?;
                (&mut self.month, (at as i64 + 1, rest))
            }
            'c' => (&mut self.month, number(text, ANY)?),
            'm' => (&mut self.month, number(text, 2).filter(|(month, _)| (1..=12).contains(month))?),
            'e' => (&mut self.day, number(text, ANY)?),
            'd' => (&mut self.day, number(text, 2).filter(|(day, _)| (1..=31).contains(day))?),
            'D' => {
                let (day, rest) = number(text, ANY)?;
                let (_, rest) = name(rest, &["st", "nd", "rd", "th"], None)?;
                (&mut self.day, (day, rest))
            }
            'j' => (&mut self.day_of_year, number(text, 3).filter(|(day, _)| (1..=366).contains(day))?),
            'Y' => (&mut self.year, number(text, 4)?),
            'y' => {
                let (year, rest) = number(text, 2)?;
                (&mut self.year, (if year < 70 { 2000 + year } else { 1900 + year }, rest))
            }
            'H' | 'k' | 'h' | 'I' | 'l' => (&mut self.hour, number(text, ANY)?),
            'i' => (&mut self.minute, number(text, ANY)?),
            'S' | 's' => (&mut self.second, number(text, ANY)?),
            'f' => (&mut self.microsecond, number(text, ANY)?),
            _ => return None,
        };
        *slot = Some(value);
        Some(rest)
    }

    /// `10:11:12`, two digits each.
    fn read_clock<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let (hour, rest) = number(text, 2)?;
        let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
        let (second, rest) = number(rest.strip_prefix(':')?, 2)?;
        (self.hour, self.minute, self.second) = (Some(hour), Some(minute), Some(second));
        Some(rest)
    }

    fn is_empty(&self) -> bool {
        let numbers =
            [self.year, self.month, self.day, self.day_of_year, self.hour, self.minute, self.second, self.microsecond];
        !self.weekday && !self.half_day && numbers.iter().all(Option::is_none)
    }

    fn time(&self) -> Option<i64> {
        let part = |value: Option<i64>, unit: i64| value.unwrap_or(0).checked_mul(unit);
        part(self.hour, HOUR)?
            .checked_add(part(self.minute, MINUTE)?)?
            .checked_add(part(self.second, SECOND)?)?
            .checked_add(self.microsecond.unwrap_or(0))
    }

    fn moment(&self) -> Option<i64> {
        let year = self.year.unwrap_or(0);
        let days = match self.day_of_year {
            Some(day) => days_from_civil(year as i32, 1, 1) + day - 1,
            None => {
                // Month 0 is December of the year before, day 0 the last of the month before.
                let month = self.month.unwrap_or(0) - 1;
                let year = i32::try_from(year + month.div_euclid(12)).ok()?;
                days_from_civil(year, (month.rem_euclid(12) + 1) as u8, 1) + self.day.unwrap_or(0) - 1
            }
        };
        days.checked_mul(DAY)?.checked_add(self.time()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: &str) -> String {
        match str_to_date(text, format) {
            Some(ReadMoment::Date(date)) => date.to_string(),
            Some(ReadMoment::Time(time)) => time.text(6),
            Some(ReadMoment::DateTime(moment)) => moment.to_string(),
            None => "NULL".to_owned(),
        }
    }

    #[test]
    fn formats_read_what_the_reference_reads() {
        let cases = [
            ("2024-02-30", "%Y-%m-%d", "2024-03-01"),
            ("15/03/2024", "%d/%m/%Y", "2024-03-15"),
            ("10:20:30", "%H:%i:%s", "10:20:30.000000"),
            ("March 5, 2024", "%M %e, %Y", "2024-03-05"),
            ("5 Mar 24", "%e %b %y", "2024-03-05"),
            ("2024-01-01 10:11:12", "%Y-%m-%d %H:%i:%s", "2024-01-01 10:11:12"),
            ("xx", "%Y", "NULL"),
            ("20240102", "%Y%m%d", "2024-01-02"),
            ("1:02 PM", "%h:%i %p", "01:02:00.000000"),
            ("2024 100", "%Y %j", "2024-04-09"),
            ("1", "%q", "NULL"),
            ("Thu, Aug 5th, 2021", "%a, %b %D, %Y", "2021-08-05"),
            ("01/02/99 05:14:12 PM", "%m/%e/%y %r", "1999-01-02 05:14:12"),
            ("10 PM", "%H %p", "NULL"),
            ("", "", "NULL"),
            ("é", "%b", "NULL"),
            ("99999999999 1", "%e %c", "NULL"),
            ("2024", "%Y%", "NULL"),
        ];
        for (text, format, expected) in cases {
            assert_eq!(read(text, format), expected, "{text} {format}");
        }
    }
}
