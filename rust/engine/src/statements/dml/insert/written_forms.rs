//! Localized dates and numbers in the forms of SQL: 10.02.2024, 2/10/2024 3:04 PM, 9,50, 1.234,50.
//!
//! `web/src/client/transfer/table/written_forms.ts` guesses from the same forms what a new table is to have.

use std::borrow::Cow;

use crate::prepared::{DateOrder, DecimalMark};

/// `YYYY-MM-DD`, with the time where there is one; `None` for what is no date in this order.
pub fn date(text: &str, order: DateOrder) -> Option<Cow<'_, str>> {
    if begins_with_year(text.as_bytes()) {
        return Some(Cow::Borrowed(text));
    }
    let mut reader = Reader { rest: text.as_bytes() };
    let first = reader.number(1, 2)?;
    let mark = reader.one_of(b"./-")?;
    let second = reader.number(1, 2)?;
    reader.one_of(&[mark])?;
    let year = reader.number(4, 4)?;
    let (day, month) = match order {
        DateOrder::DayFirst => (first, second),
        DateOrder::MonthFirst => (second, first),
    };
    if !(1..=31).contains(&day) || !(1..=12).contains(&month) {
        return None;
    }
    let mut date = format!("{year:04}-{month:02}-{day:02}");
    if reader.rest.is_empty() {
        return Some(Cow::Owned(date));
    }
    reader.one_of(b",");
    reader.one_of(b" Tt")?;
    let written_hour = reader.number(1, 2)?;
    reader.one_of(b":")?;
    let minute = reader.number(2, 2)?;
    let mut seconds: &[u8] = b"00";
    if reader.one_of(b":").is_some() {
        let from = reader.rest;
        reader.number(2, 2)?;
        if reader.one_of(b".").is_some() {
            reader.number(1, 6)?;
        }
        seconds = &from[..from.len() - reader.rest.len()];
    }
    let hour = match reader.half()? {
        None => written_hour,
        Some(_) if !(1..=12).contains(&written_hour) => return None,
        Some(Half::Morning) => written_hour % 12,
        Some(Half::Afternoon) => written_hour % 12 + 12,
    };
    if hour > 23 || minute > 59 {
        return None;
    }
    date.push_str(&format!(" {hour:02}:{minute:02}:{}", String::from_utf8_lossy(seconds)));
    Some(Cow::Owned(date))
}

/// A number as SQL writes it; `None` for what is none with this mark. Only with a point it may have an exponent.
pub fn number(text: &str, mark: DecimalMark) -> Option<Cow<'_, str>> {
    let (mark, group) = match mark {
        DecimalMark::Comma => (b',', b'.'),
        DecimalMark::Point => (b'.', b','),
    };
    let mut reader = Reader { rest: text.as_bytes() };
    reader.one_of(b"+-");
    let whole = reader.digits();
    if whole.is_empty() {
        return None;
    }
    if reader.rest.first() == Some(&group) {
        if whole.len() > 3 || whole[0] == b'0' {
            return None;
        }
        while reader.one_of(&[group]).is_some() {
            if reader.digits().len() != 3 {
                return None;
            }
        }
    }
    if reader.one_of(&[mark]).is_some() && reader.digits().is_empty() {
        return None;
    }
    if mark == b'.' && reader.one_of(b"eE").is_some() {
        reader.one_of(b"+-");
        if reader.digits().is_empty() {
            return None;
        }
    }
    if !reader.rest.is_empty() {
        return None;
    }
    let plain = text.strip_prefix('+').unwrap_or(text);
    if !plain.contains(',') && (mark == b'.' || !plain.contains('.')) {
        return Some(Cow::Borrowed(plain));
    }
    let bytes = plain.bytes().filter(|byte| *byte != group);
    Some(Cow::Owned(bytes.map(|byte| if byte == mark { '.' } else { char::from(byte) }).collect()))
}

/// `YYYY-MM-DD`, alone or with something behind it that the column will look at.
fn begins_with_year(text: &[u8]) -> bool {
    let mut reader = Reader { rest: text };
    let mut date = || {
        reader.number(4, 4)?;
        reader.one_of(b"-")?;
        reader.number(2, 2)?;
        reader.one_of(b"-")?;
        reader.number(2, 2)
    };
    date().is_some() && (reader.rest.is_empty() || reader.one_of(b" T").is_some() && !reader.rest.contains(&b'\n'))
}

enum Half {
    Morning,
    Afternoon,
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next byte, if it is one of these.
    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        if !bytes.contains(first) {
            return None;
        }
        self.rest = rest;
        Some(*first)
    }

    fn digits(&mut self) -> &'a [u8] {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        digits
    }

    /// A number of so many digits, which no other follows.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let digits = self.digits();
        let is_as_long = (least..=most).contains(&digits.len());
        is_as_long.then(|| digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
    }

    /// The rest: ` PM`, `am`, `a.m.`, or nothing.
    fn half(&mut self) -> Option<Option<Half>> {
        if self.rest.is_empty() {
            return Some(None);
        }
        self.one_of(b" ");
        let half = match self.one_of(b"aApP")? {
            b'a' | b'A' => Half::Morning,
            _ => Half::Afternoon,
        };
        self.one_of(b".");
        self.one_of(b"mM")?;
        self.one_of(b".");
        self.rest.is_empty().then_some(Some(half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DateOrder::{DayFirst, MonthFirst};
    use DecimalMark::{Comma, Point};

    #[test]
    fn dates_are_read_in_the_order_that_is_said_and_in_no_other() {
        for (text, order, expected) in [
            ("10.02.2024", DayFirst, "2024-02-10"),
            ("2/10/2024", MonthFirst, "2024-02-10"),
            ("2/10/2024 3:04 PM", MonthFirst, "2024-02-10 15:04:00"),
            ("2/10/2024, 12:04:05 a.m.", MonthFirst, "2024-02-10 00:04:05"),
            ("10-02-2024T03:04:05.5", DayFirst, "2024-02-10 03:04:05.5"),
            ("2024-02-10", DayFirst, "2024-02-10"),
            ("2024-02-10 whatever", DayFirst, "2024-02-10 whatever"),
        ] {
            assert_eq!(date(text, order).as_deref(), Some(expected), "{text}");
        }
        let wrong = "13.13.2024|1.2.24|10.02/2024|1.2.2024 25:00|1.2.2024 13:00 pm|1.2.2024 0:00 am|1.2.2024 1:60||soon|\
                     1.2.20245|0.2.2024|1.2.2024 |1.2.2024 1:2|1.2.2024 1:02:3|1.2.2024 1:02:03.|1.2.2024 1:02  pm|2024-2-10|é";
        for text in wrong.split('|') {
            assert_eq!(date(text, DayFirst), None, "{text}");
        }
        assert_eq!(date("13/02/2024", MonthFirst), None);
    }

    #[test]
    fn numbers_have_one_mark_before_decimals_and_groups_of_three_digits() {
        for (text, mark, expected) in [
            ("9,50", Comma, "9.50"),
            ("-1.234.567,5", Comma, "-1234567.5"),
            ("1.234", Comma, "1234"),
            ("1,234.50", Point, "1234.50"),
            ("+12", Comma, "12"),
            ("007", Point, "007"),
            ("1,234e-5", Point, "1234e-5"),
        ] {
            assert_eq!(number(text, mark).as_deref(), Some(expected), "{text}");
        }
        for text in "1.5|1.2345|1,2,3|0.123|1e5|12.34.567||x|+|,5|5,|1 |1234.567".split('|') {
            assert_eq!(number(text, Comma), None, "{text}");
        }
        for text in "1.2.3|1,23|1e|e5|.5|5.|-".split('|') {
            assert_eq!(number(text, Point), None, "{text}");
        }
    }
}
