//! Text to DATE, DATETIME and TIME: exactly the spellings the reference accepts.
//!
//! Dates are `2020-01-02`, `2020-1-2`, `2020/01/02` or `20200102`, with a time of day behind them in a few forms. Text that
//! goes on after a readable beginning is cut at the last digit that still makes sense, and said to be truncated. Two-digit
//! years and other separators, which MySQL knows, are not dates for the reference: see `relaxed.rs`.

use super::{DAY, Date, DateTime, HOUR, MINUTE, SECOND, Time};

/// A moment as written: nanoseconds survive until the caller says how many decimals to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsedDateTime {
    pub date: Date,
    pub nanoseconds_of_day: i64,
    /// Text behind the moment was ignored.
    pub truncated: bool,
}

impl ParsedDateTime {
    /// The moment rounded half up to `decimals` digits of the second. `None` outside the years 0 to 9999.
    pub fn round(self, decimals: u8) -> Option<DateTime> {
        if self.date.is_zero() {
            return Some(DateTime::ZERO);
        }
        let step = 10i64.pow(9 - u32::from(decimals.min(6)));
        let microseconds = (self.nanoseconds_of_day + step / 2) / step * step / 1000;
        DateTime::from_microseconds(self.date.days() * DAY + microseconds)
    }
}

/// The shortest date, `2000-1-1`, has this many bytes.
const LENGTH_MIN: usize = 8;

/// Reads a date or a moment; the zero date in any number of zeros counts.
pub fn parse_datetime(text: &str) -> Option<ParsedDateTime> {
    if is_zero(text) {
        return Some(ParsedDateTime { date: Date::ZERO, nanoseconds_of_day: 0, truncated: false });
    }
    // No spelling is longer than this; more digits of a fraction than nine count for nothing.
    let bytes = text.as_bytes();
    let mut end = bytes.len();
    if end > 64 {
        end = bytes[..64].iter().rposition(u8::is_ascii_digit).map_or(0, |at| at + 1);
    }
    while end >= LENGTH_MIN {
        if let Some((date, nanoseconds_of_day, zone)) = whole(&bytes[..end]) {
            let truncated = end != bytes.len();
            return in_utc(date, nanoseconds_of_day, zone).map(|(date, nanoseconds_of_day)| ParsedDateTime {
                date,
                nanoseconds_of_day,
                truncated,
            });
        }
        end = bytes[..end - 1].iter().rposition(u8::is_ascii_digit).map_or(0, |at| at + 1);
    }
    None
}

/// `0-0-0`, `0000-00-00`, `0000-00-00 00:00:00` and the forms between.
fn is_zero(text: &str) -> bool {
    let zeros = |text: &str| text.len() - text.trim_start_matches('0').len();
    let mut rest = text;
    for place in 0..3 {
        let count = zeros(rest);
        if count == 0 {
            return false;
        }
        rest = &rest[count..];
        if place < 2 {
            let Some(after) = rest.strip_prefix('-') else { return false };
            rest = after;
        }
    }
    rest.is_empty() || rest.strip_prefix(['.', ' ']).is_some_and(|rest| "00:00:00.000000".starts_with(rest))
}

fn in_utc(date: Date, nanoseconds: i64, zone_seconds: i64) -> Option<(Date, i64)> {
    const DAY_NANOSECONDS: i64 = DAY * 1000;
    let shifted = nanoseconds - zone_seconds * 1_000_000_000;
    let date = Date::from_days(date.days() + shifted.div_euclid(DAY_NANOSECONDS))?;
    Some((date, shifted.rem_euclid(DAY_NANOSECONDS)))
}

/// A cursor over the bytes of a literal.
struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    /// A number of `min` to `max` digits.
    fn number(&mut self, min: usize, max: usize) -> Option<i64> {
        let count = self.0.iter().take(max).take_while(|byte| byte.is_ascii_digit()).count();
        if count < min {
            return None;
        }
        let value = self.0[..count].iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        self.0 = &self.0[count..];
        Some(value)
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `.123456789`: nanoseconds; any number of digits.
    fn fraction(&mut self) -> i64 {
        let [b'.' | b',', digits @ ..] = self.0 else { return 0 };
        let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return 0;
        }
        let kept = count.min(9);
        let value = digits[..kept].iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        self.0 = &digits[count..];
        value * 10i64.pow(9 - kept as u32)
    }
}

/// The whole of `bytes` as a moment: date, nanoseconds of the day, seconds east of UTC.
fn whole(bytes: &[u8]) -> Option<(Date, i64, i64)> {
    let mut scan = Scan(bytes);
    let year = scan.number(4, 4)?;
    if scan.skip(b'/') {
        let month = scan.number(2, 2)?;
        let day = (scan.skip(b'/')).then(|| scan.number(2, 2)).flatten()?;
        return scan.is_empty().then_some((date_of(year, month, day)?, 0, 0));
    }
    if !scan.skip(b'-') {
        return compact(year, scan);
    }
    let before_month = scan.0.len();
    let month = scan.number(1, 2)?;
    let month_digits = before_month - scan.0.len();
    if !scan.skip(b'-') {
        return None;
    }
    let before_day = scan.0.len();
    let day = scan.number(1, 2)?;
    let padded = month_digits == 2 && before_day - scan.0.len() == 2;
    let date = date_of(year, month, day)?;
    let (nanoseconds, zone) = match scan.0.first() {
        None => (0, 0),
        Some(b'T') if padded => {
            scan.skip(b'T');
            let nanoseconds = clock(&mut scan, true)?;
            (nanoseconds, if scan.is_empty() { 0 } else { zone_colon(&mut scan)? })
        }
        Some(b':') => {
            scan.skip(b':');
            (clock(&mut scan, false)?, 0)
        }
        Some(b' ') => {
            while scan.skip(b' ') {}
            after_space(&mut scan, padded)?
        }
        Some(_) => return None,
    };
    scan.is_empty().then_some((date, nanoseconds, zone))
}

/// `20200102` or `20200102030405`, the year already read.
fn compact(year: i64, mut scan: Scan<'_>) -> Option<(Date, i64, i64)> {
    let date = date_of(year, scan.number(2, 2)?, scan.number(2, 2)?)?;
    if scan.is_empty() {
        return Some((date, 0, 0));
    }
    let (hour, minute, second) = (scan.number(2, 2)?, scan.number(2, 2)?, scan.number(2, 2)?);
    let nanoseconds = of_clock(hour, minute, second)? + scan.fraction();
    scan.is_empty().then_some((date, nanoseconds, 0))
}

fn date_of(year: i64, month: i64, day: i64) -> Option<Date> {
    Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
        .filter(|date| !date.is_zero())
}

fn of_clock(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour < 24 && minute < 60 && second < 60).then_some((hour * HOUR + minute * MINUTE + second * SECOND) * 1000)
}

/// `15:04:05.999`; `padded`: minutes and seconds need two digits.
fn clock(scan: &mut Scan<'_>, padded: bool) -> Option<i64> {
    let digits_min = if padded { 2 } else { 1 };
    let hour = scan.number(1, 2)?;
    let minute = scan.skip(b':').then(|| scan.number(digits_min, 2)).flatten()?;
    let second = scan.skip(b':').then(|| scan.number(digits_min, 2)).flatten()?;
    Some(of_clock(hour, minute, second)? + scan.fraction())
}

/// The time of day behind `2020-01-02 `, which may stop after the minutes, and `-0700 MST` behind that.
fn after_space(scan: &mut Scan<'_>, padded: bool) -> Option<(i64, i64)> {
    let mut probe = Scan(scan.0);
    if let Some(nanoseconds) = clock(&mut probe, padded).or_else(|| {
        probe = Scan(scan.0);
        clock(&mut probe, false)
    }) {
        probe.skip(b'.');
        let zone = if padded && probe.skip(b' ') { zone_named(&mut probe)? } else { 0 };
        scan.0 = probe.0;
        return Some((nanoseconds, zone));
    }
    if !padded {
        return None;
    }
    let hour = scan.number(1, 2)?;
    let minute = scan.skip(b':').then(|| scan.number(1, 2)).flatten()?;
    if scan.skip(b':') {
        scan.skip(b'.');
    }
    Some((of_clock(hour, minute, 0)?, 0))
}

/// `Z` or `+07:00`.
fn zone_colon(scan: &mut Scan<'_>) -> Option<i64> {
    if scan.skip(b'Z') {
        return Some(0);
    }
    let sign = if scan.skip(b'-') { -1 } else { scan.skip(b'+').then_some(1)? };
    let hours = scan.number(2, 2)?;
    let minutes = scan.skip(b':').then(|| scan.number(2, 2)).flatten()?;
    (hours <= 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// `+0000 UTC`.
fn zone_named(scan: &mut Scan<'_>) -> Option<i64> {
    let sign = if scan.skip(b'-') { -1 } else { scan.skip(b'+').then_some(1)? };
    let (hours, minutes) = (scan.number(2, 2)?, scan.number(2, 2)?);
    scan.skip(b' ').then_some(())?;
    let letters = scan.0.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    scan.0 = &scan.0[letters..];
    ((3..=5).contains(&letters) && hours <= 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Reads `[-]hours:minutes[:seconds][.fraction]` or digits read from the right (`101112`); as the reference does, a fraction of
/// more than six digits is rounded by its last one. `None` for minutes or seconds above 59 and all other text.
pub fn parse_time(text: &str) -> Option<Time> {
    parse_clock(text).or_else(|| {
        if text.contains('.') { time_from_f64(text.parse().ok()?) } else { time_from_i64(text.parse().ok()?) }
    })
}

fn parse_clock(text: &str) -> Option<Time> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !text.is_ascii() {
        return None;
    }
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let mut microseconds = 0;
    if let Some(fraction) = fraction {
        let kept = &fraction[..fraction.len().min(6)];
        microseconds = if kept.is_empty() { 0 } else { number(kept)? * 10i64.pow(6 - kept.len() as u32) };
        microseconds += i64::from(fraction.len() > 6 && fraction.as_bytes().last().is_some_and(|last| *last >= b'5'));
    }
    let parts: Vec<&str> = clock.splitn(3, ':').collect();
    let (hours, minutes, seconds) = match parts.as_slice() {
        [hours, minutes] if hours.len() <= 3 && minutes.len() <= 2 => (*hours, *minutes, ""),
        [hours, minutes, seconds] if hours.len() <= 3 && minutes.len() <= 2 && seconds.len() <= 2 => {
            (*hours, *minutes, *seconds)
        }
        [digits] => {
            let (rest, seconds) = digits.split_at(digits.len().saturating_sub(2));
            let (rest, minutes) = rest.split_at(rest.len().saturating_sub(2));
            (&rest[rest.len().saturating_sub(3)..], minutes, seconds)
        }
        _ => return None,
    };
    let place = |text: &str| if text.is_empty() { Some(0) } else { number(text) };
    let (hours, minutes, seconds) = (place(hours)?, place(minutes)?, place(seconds)?);
    if minutes >= 60 || seconds >= 60 {
        return None;
    }
    let total = hours * HOUR + minutes * MINUTE + seconds * SECOND + microseconds;
    Some(Time::from_microseconds(if negative { -total } else { total }))
}

fn number(digits: &str) -> Option<i64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// A number read as digits hhmmss: 101112 is 10:11:12. `None` when minutes or seconds exceed 59.
pub fn time_from_i64(number: i64) -> Option<Time> {
    let time = hhmmss(number.unsigned_abs())?;
    Some(Time::from_microseconds(if number < 0 { -time } else { time }))
}

/// As [`time_from_i64`], with a fraction of seconds.
pub fn time_from_f64(number: f64) -> Option<Time> {
    if number.is_nan() || number.abs() >= 1e7 {
        return None;
    }
    let time = hhmmss(number.abs().trunc() as u64)? + (number.abs().fract() * SECOND as f64).round() as i64;
    Some(Time::from_microseconds(if number < 0.0 { -time } else { time }))
}

fn hhmmss(digits: u64) -> Option<i64> {
    if digits > 9_999_999 {
        return None;
    }
    let digits = digits as i64;
    let (hours, minutes, seconds) = (digits / 10_000, digits / 100 % 100, digits % 100);
    (minutes < 60 && seconds < 60).then_some(hours * HOUR + minutes * MINUTE + seconds * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str, decimals: u8) -> String {
        match parse_datetime(text) {
            Some(parsed) => {
                let moment = parsed.round(decimals).map_or("out of range".to_owned(), |moment| moment.text(decimals));
                format!("{moment}{}", if parsed.truncated { " cut" } else { "" })
            }
            None => "none".to_owned(),
        }
    }

    #[test]
    fn moments_read_as_the_reference_reads_them() {
        let cases = [
            ("2020-01-02", 0, "2020-01-02 00:00:00"),
            ("2020-1-2", 0, "2020-01-02 00:00:00"),
            ("2020/01/02", 0, "2020-01-02 00:00:00"),
            ("20200101101112", 0, "2020-01-01 10:11:12"),
            ("2020-01-01 1:2:3", 0, "2020-01-01 01:02:03"),
            ("2020-1-1 1:2", 0, "2020-01-01 00:00:00 cut"),
            ("2020-01-01 1:2", 0, "2020-01-01 01:02:00"),
            ("2020-01-01T01:02:03Z", 0, "2020-01-01 01:02:03"),
            ("2020-01-01T01:02:03+05:00", 0, "2019-12-31 20:02:03"),
            ("2020-01-01 01:02:03.6", 0, "2020-01-01 01:02:04"),
            ("2020-01-01 01:02:03.123456789", 6, "2020-01-01 01:02:03.123457"),
            ("2020-02-30", 0, "2020-02-03 00:00:00 cut"),
            ("2020-01-01 25:00:00", 0, "2020-01-01 00:00:00 cut"),
            ("2020-01-01 xx", 0, "2020-01-01 00:00:00 cut"),
            ("2020-01-02 ", 0, "2020-01-02 00:00:00 cut"),
            ("2020-01-01 10:11:12 +0200 CEST", 0, "2020-01-01 08:11:12"),
            ("9999-12-31 23:59:59.9", 0, "out of range"),
            ("0000-00-00", 0, "0000-00-00 00:00:00"),
            ("0000-00-00 00:00:00.000", 3, "0000-00-00 00:00:00.000"),
            (" 2020-01-02", 0, "none"),
            ("24-1-5", 0, "none"),
            ("2020-00-01", 0, "none"),
            ("2020-01-00", 0, "none"),
            ("10000-01-01", 0, "none"),
            ("", 0, "none"),
            ("bad", 0, "none"),
        ];
        for (text, decimals, expected) in cases {
            assert_eq!(moment(text, decimals), expected, "{text}");
        }
    }

    #[test]
    fn times_read_as_the_reference_reads_them() {
        let cases = [
            ("10:11:12", Some("10:11:12")),
            ("101112", Some("10:11:12")),
            ("10:11", Some("10:11:00")),
            ("11", Some("00:00:11")),
            ("839:00:00", Some("838:59:59")),
            ("-1:00", Some("-01:00:00")),
            ("10:11:12.7", Some("10:11:12.700000")),
            ("1e3", None),
            ("x", None),
            ("99:99:99", None),
            ("1 2:3:4", None),
            ("2020-01-01 10:11:12", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_time(text).map(|time| time.to_string()).as_deref(), expected, "{text}");
        }
        assert_eq!(time_from_i64(101_112).map(|time| time.to_string()).as_deref(), Some("10:11:12"));
        assert_eq!(time_from_i64(-9999), None);
    }
}
