//! Dates and moments as MySQL writes and reads them beyond what native Dolt takes: any punctuation between the parts, years of two
//! digits, blanks around, and numbers of 14 digits.

use super::{Date, HOUR, MINUTE, ParsedDateTime, SECOND, parse_datetime};

/// Years of two digits below this are in the 21st century.
const CENTURY_FROM: u16 = 70;
/// No spelling is longer.
const LENGTH_MAX: usize = 64;

/// Reads a date or a moment as native Dolt does or, where that leaves something out, as MySQL.
pub fn parse_moment(text: &str) -> Option<ParsedDateTime> {
    match parse_datetime(text) {
        Some(moment) if !moment.truncated => Some(moment),
        cut => relaxed(text).or(cut),
    }
}

/// The moment of a number of 14 digits, YYYYMMDDhhmmss, as which old servers dump a TIMESTAMP. Shorter numbers, which MySQL reads as
/// well, are none for native Dolt, and may be something else.
pub fn moment_of_number(number: u64) -> Option<ParsedDateTime> {
    let (days, time) = (number / 1_000_000, number % 1_000_000);
    let year = u16::try_from(days / 10_000).ok().filter(|year| (1_000..10_000).contains(year))?;
    let date = Date::new(year, (days / 100 % 100) as u8, (days % 100) as u8)?;
    moment(date, [time / 10_000, time / 100 % 100, time % 100], 0)
}

/// A year as it was written.
fn full_year(year: u16, digits: usize) -> u16 {
    match year {
        _ if digits != 2 => year,
        0..CENTURY_FROM => year + 2000,
        _ => year + 1900,
    }
}

fn moment(date: Date, clock: [u64; 3], nanoseconds: i64) -> Option<ParsedDateTime> {
    let [hour, minute, second] = clock.map(|part| part as i64);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let nanoseconds_of_day = (hour * HOUR + minute * MINUTE + second * SECOND) * 1000 + nanoseconds;
    Some(ParsedDateTime { date, nanoseconds_of_day, truncated: false })
}

/// The number of up to `digits_max` digits at the beginning of `text`, and the digits that it has.
fn number(text: &[u8], digits_max: usize) -> (u64, usize) {
    let digits = text.iter().take(digits_max).take_while(|byte| byte.is_ascii_digit()).count();
    let value = text[..digits].iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    (value, digits)
}

/// Year, month, day and what there is of hour, minute, second and fraction, each with any punctuation after it.
fn relaxed(text: &str) -> Option<ParsedDateTime> {
    let mut rest = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b').as_bytes();
    if rest.len() > LENGTH_MAX {
        return None;
    }
    // Digits alone say by their number how many of them are the year's.
    let run = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'T').count();
    let is_compact = rest.get(run).is_none_or(|byte| *byte == b'.');
    let year_digits_max = if is_compact && !matches!(run, 4 | 8 | 14..) { 2 } else { 4 };
    let (mut parts, mut nanoseconds, mut year_digits) = ([0u64; 6], 0, 0);
    let mut count = 0;
    while count < parts.len() {
        let (value, digits) = number(rest, if count == 0 { year_digits_max } else { 2 });
        if digits == 0 {
            break;
        }
        if count == 0 {
            year_digits = digits;
        }
        parts[count] = value;
        rest = &rest[digits..];
        count += 1;
        if let (6, [b'.', fraction @ ..]) = (count, rest) {
            let (value, digits) = number(fraction, 9);
            nanoseconds = value as i64 * 10i64.pow(9 - digits as u32);
            let more = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest = &fraction[more..];
            break;
        }
        match rest {
            [b'T', after @ ..] if count == 3 => rest = after,
            _ => {
                let is_between = |byte: &u8| byte.is_ascii_punctuation() || count == 3 && byte.is_ascii_whitespace();
                let between = rest.iter().take_while(|byte| is_between(byte)).count();
                // Nothing separates what ends there.
                if between < rest.len() {
                    rest = &rest[between..];
                }
            }
        }
    }
    if count < 3 || !rest.is_empty() || !matches!(year_digits, 2 | 4) {
        return None;
    }
    let [year, month, day, hour, minute, second] = parts;
    let is_zero = parts == [0; 6] && nanoseconds == 0;
    let date = match is_zero {
        true => Date::ZERO,
        false => {
            Date::new(full_year(year as u16, year_digits), month as u8, day as u8).filter(|date| !date.is_zero())?
        }
    };
    moment(date, [hour, minute, second], nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(moment: Option<ParsedDateTime>) -> String {
        let moment = moment.filter(|moment| !moment.truncated).and_then(|moment| moment.round(6));
        moment.map_or("none".to_owned(), |moment| moment.text(6).trim_end_matches(".000000").to_owned())
    }

    #[test]
    fn text_is_read_as_mysql_reads_it() {
        for (text, expected) in [
            ("1962/2/18", "1962-02-18 00:00:00"),
            ("17-02-20 09:00:00", "2017-02-20 09:00:00"),
            ("70-1-1", "1970-01-01 00:00:00"),
            ("69-1-1", "2069-01-01 00:00:00"),
            ("\n2009-02-03\n", "2009-02-03 00:00:00"),
            ("2009.02.03", "2009-02-03 00:00:00"),
            ("17.02.20", "2017-02-20 00:00:00"),
            ("2012^12^31 11+30+45", "2012-12-31 11:30:45"),
            ("2012@1@2T3:4:5.25", "2012-01-02 03:04:05.250000"),
            ("2020-1-1 1:2", "2020-01-01 01:02:00"),
            ("2020-01-02  3", "2020-01-02 03:00:00"),
            ("090203", "2009-02-03 00:00:00"),
            ("20090203", "2009-02-03 00:00:00"),
            ("090203010203", "2009-02-03 01:02:03"),
            ("20090203010203", "2009-02-03 01:02:03"),
            ("20090203T010203", "2009-02-03 01:02:03"),
            ("20090203010203.5", "2009-02-03 01:02:03.500000"),
            ("0000/00/00", "0000-00-00 00:00:00"),
            ("2020-02-30", "none"),
            ("2020/13/01", "none"),
            ("20201301", "none"),
            ("2020/01/02 24:00:00", "none"),
            ("2020/01/02 10:60:00", "none"),
            ("2020/00/01", "none"),
            ("2020 01 02", "none"),
            ("2020/01", "none"),
            ("2020/01/02x", "none"),
            ("2020/01/02 1:2:3 PM", "none"),
            ("/2020/01/02", "none"),
            ("1-2-3", "none"),
            ("", "none"),
            ("2020/01/02/", "none"),
            ("x", "none"),
        ] {
            assert_eq!(shown(parse_moment(text)), expected, "{text:?}");
        }
        assert_eq!(shown(parse_moment(&"1".repeat(1000))), "none");
    }

    #[test]
    fn numbers_of_14_digits_are_moments() {
        for (number, expected) in [
            (20_090_203_010_203, "2009-02-03 01:02:03"),
            (20_090_203_250_000, "none"),
            (20_091_303_000_000, "none"),
            (20_090_203, "none"),
            (90_203, "none"),
            (170_220_090_000, "none"),
            (0, "none"),
            (u64::MAX, "none"),
        ] {
            assert_eq!(shown(moment_of_number(number)), expected, "{number}");
        }
    }
}
