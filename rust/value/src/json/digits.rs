//! JSON numbers by their digits, up to eight of which are read at once.

/// A number as it is written: where its parts end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    /// Behind the sign.
    whole_from: usize,
    whole_to: usize,
    /// As `whole_to` where there is no point.
    decimals_to: usize,
    /// The byte behind the number; as `decimals_to` where there is no exponent.
    pub end: usize,
}

impl Number {
    /// Reads the number that begins at `start`; `None` for what is no JSON number.
    #[inline(always)]
    pub fn read(text: &[u8], start: usize) -> Option<Number> {
        let whole_from = start + usize::from(text.get(start) == Some(&b'-'));
        let whole_to = digits_end(text, whole_from);
        // A longer number does not begin with a zero.
        if whole_to == whole_from || (whole_to - whole_from > 1 && text.get(whole_from) == Some(&b'0')) {
            return None;
        }
        match text.get(whole_to) {
            Some(b'.' | b'e' | b'E') => Number::read_parts(text, whole_from, whole_to),
            _ => Some(Number { whole_from, whole_to, decimals_to: whole_to, end: whole_to }),
        }
    }

    #[inline]
    fn read_parts(text: &[u8], whole_from: usize, whole_to: usize) -> Option<Number> {
        let mut decimals_to = whole_to;
        if text.get(whole_to) == Some(&b'.') {
            decimals_to = digits_end(text, whole_to + 1);
            if decimals_to == whole_to + 1 {
                return None;
            }
        }
        let mut end = decimals_to;
        if matches!(text.get(end), Some(b'e' | b'E')) {
            let from = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
            end = digits_end(text, from);
            if end == from {
                return None;
            }
        }
        Some(Number { whole_from, whole_to, decimals_to, end })
    }

    /// Whether it has neither a point nor an exponent.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        self.end == self.whole_to
    }

    #[inline(always)]
    pub fn has_exponent(&self) -> bool {
        self.end != self.decimals_to
    }

    /// Digits behind the point.
    #[inline(always)]
    pub fn decimals(&self) -> usize {
        (self.decimals_to - self.whole_to).saturating_sub(1)
    }

    /// Digits before and behind the point.
    #[inline(always)]
    pub fn places(&self) -> usize {
        self.whole_to - self.whole_from + self.decimals()
    }

    /// Whether it is a zero with a sign and without a point.
    #[inline(always)]
    pub fn is_negative_zero(&self, text: &[u8]) -> bool {
        text.get(self.whole_from) == Some(&b'0') && self.is_negative(text)
    }

    #[inline(always)]
    fn is_negative(&self, text: &[u8]) -> bool {
        self.whole_from > 0 && text.get(self.whole_from - 1) == Some(&b'-')
    }

    /// Whether the last digit before an exponent is a zero.
    #[inline(always)]
    pub fn ends_with_zero(&self, text: &[u8]) -> bool {
        text.get(self.decimals_to - 1) == Some(&b'0')
    }

    /// The digits without the point, as an integer: 1250 of `-12.50`. `None` for more than a `u64` holds in any case.
    #[inline]
    pub fn digits(&self, text: &[u8]) -> Option<u64> {
        if self.places() > PLACES_MAX {
            return None;
        }
        let [whole, decimals] = self.parts(text)?;
        Some(append_digits(append_digits(0, whole), decimals))
    }

    /// The digits before the point and behind it.
    #[inline]
    fn parts<'a>(&self, text: &'a [u8]) -> Option<[&'a [u8]; 2]> {
        let decimals = self.decimals_to - self.decimals()..self.decimals_to;
        Some([text.get(self.whole_from..self.whole_to)?, text.get(decimals)?])
    }

    /// The exponent, 0 where there is none.
    fn exponent(&self, text: &[u8]) -> Option<i32> {
        let written = text.get(self.decimals_to..self.end)?.get(1..).unwrap_or_default();
        let is_negative = written.first() == Some(&b'-');
        let digits = written.strip_prefix(b"-").or(written.strip_prefix(b"+")).unwrap_or(written);
        let exponent = if digits.len() > EXPONENT_PLACES_MAX { EXPONENT_MAX } else { append_digits(0, digits) as i32 };
        Some(if is_negative { -exponent } else { exponent })
    }

    /// Writes a number with an exponent, or with noughts at its end, without either: `1.50e-7` is `0.00000015`. False, and nothing is
    /// written, when its double may have other digits, and for whole doubles that would be read as integers.
    pub fn write_scaled(&self, text: &[u8], out: &mut Vec<u8>) -> bool {
        let (Some(exponent), Some(parts)) = (self.exponent(text), self.parts(text)) else { return false };
        let mut written = [0; PLACES_MAX];
        let mut places = 0;
        for byte in parts.into_iter().flatten() {
            // Noughts in front are none of its digits.
            if places == 0 && *byte == b'0' {
                continue;
            }
            let Some(place) = written.get_mut(places) else { return false };
            *place = *byte;
            places += 1;
        }
        let mut digits = &written[..places];
        let mut scale = exponent - self.decimals() as i32;
        while let [rest @ .., b'0'] = digits {
            digits = rest;
            scale += 1;
        }
        if digits.is_empty() || digits.len() > DOUBLE_PLACES_MAX {
            return false;
        }
        let places = digits.len() as i32 + scale;
        let is_whole_double = || places <= DOUBLE_PLACES_MAX as i32 || INTEGERS_END.contains(&places);
        if scale < -SCALE_MAX || (scale >= 0 && !is_whole_double()) {
            return false;
        }
        if self.is_negative(text) {
            out.push(b'-');
        }
        if scale >= 0 {
            out.extend_from_slice(digits);
            out.resize(out.len() + scale as usize, b'0');
        } else if places > 0 {
            let (whole, decimals) = digits.split_at(places as usize);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(decimals);
        } else {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + places.unsigned_abs() as usize, b'0');
            out.extend_from_slice(digits);
        }
        true
    }
}

/// The place behind the digits that begin at `at`.
#[inline(always)]
fn digits_end(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let others = others_among_digits(digits_of(*block));
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + text.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Each byte less `0`, first byte lowest: less than ten for a digit.
#[inline(always)]
fn digits_of(text: [u8; 8]) -> u64 {
    u64::from_le_bytes(text) ^ 0x3030_3030_3030_3030
}

/// The upper bit of a byte that is no digit is set, and of some behind the first of these.
#[inline(always)]
fn others_among_digits(digits: u64) -> u64 {
    (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
}

/// The digits of `number` followed by those of a text, eight at a time (SWAR). The caller sees to it that they fit.
#[inline]
fn append_digits(number: u64, text: &[u8]) -> u64 {
    let (blocks, rest) = text.as_chunks();
    let number = blocks.iter().fold(number, |number, block| {
        let digits = digits_of(*block);
        let pairs = (digits * 10).wrapping_add(digits >> 8);
        let (first, second) = (pairs & 0xff_0000_00ff, pairs >> 16 & 0xff_0000_00ff);
        let sum = first.wrapping_mul((1_000_000 << 32) + 100).wrapping_add(second.wrapping_mul((10_000 << 32) + 1));
        number.wrapping_mul(100_000_000).wrapping_add(sum >> 32)
    });
    rest.iter().fold(number, |number, byte| number.wrapping_mul(10).wrapping_add(u64::from(byte.wrapping_sub(b'0'))))
}

/// A `u64` holds any number of so many digits.
const PLACES_MAX: usize = 19;
/// A decimal of so many digits is the shortest of its double. Any whole number of so many digits is a double.
pub(super) const DOUBLE_PLACES_MAX: usize = f64::DIGITS as usize;
pub(super) const DOUBLE_DIGITS_END: u64 = 10u64.pow(f64::DIGITS);
/// Whole numbers of so many digits are larger than integers, and no larger than doubles.
const INTEGERS_END: std::ops::RangeInclusive<i32> = 21..=308;
/// So few decimals are far from the smallest doubles, which have fewer digits than others.
const SCALE_MAX: i32 = 290;
const EXPONENT_PLACES_MAX: usize = 8;
/// No double has such an exponent.
const EXPONENT_MAX: i32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Its digits, how many there are, how many of these are decimals, and the exponent.
    fn read(text: &str) -> Option<(u64, usize, usize, i32)> {
        let number = Number::read(text.as_bytes(), 0)?;
        let text = text.as_bytes();
        Some((number.digits(text)?, number.places(), number.decimals(), number.exponent(text)?))
    }

    #[test]
    fn numbers_are_read_by_their_digits() {
        for after in ["", ",", "]              ", ":12345678901", "\u{80}\u{80}\u{80}\u{80}", "/////////"] {
            for (text, expected) in [
                ("0", (0, 1, 0, 0)),
                ("-7", (7, 1, 0, 0)),
                ("12345678", (12_345_678, 8, 0, 0)),
                ("123456789", (123_456_789, 9, 0, 0)),
                ("9999999999999999999", (9_999_999_999_999_999_999, 19, 0, 0)),
                ("-122.42200352825247", (12_242_200_352_825_247, 17, 14, 0)),
                ("0.50", (50, 3, 2, 0)),
                ("1.5e-07", (15, 2, 1, -7)),
                ("2E+3", (2, 1, 0, 3)),
                ("1e99999999999999999999", (1, 1, 0, EXPONENT_MAX)),
            ] {
                let whole = format!("{text}{after}");
                assert_eq!(read(&whole), Some(expected), "{whole}");
                assert_eq!(Number::read(whole.as_bytes(), 0).map(|number| number.end), Some(text.len()), "{whole}");
            }
        }
        for text in ["", "-", "01", "-00", "1.", "1.e5", "1e", "1e+", ".5", "+1", "-a", "12345678901234567890"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(Number::read(b"-0", 0).unwrap().is_negative_zero(b"-0"));
        assert!(!Number::read(b"1-0", 2).unwrap().is_negative_zero(b"1-1"));
    }

    #[test]
    fn digits_end_at_any_other_byte() {
        for byte in (0..=255).filter(|byte: &u8| !byte.is_ascii_digit()) {
            for at in 0..9 {
                let mut text = *b"123456789";
                text[at] = byte;
                assert_eq!(digits_end(&text, 0), at, "{text:?}");
            }
        }
        for text in ["0", "12345678", "00000001", "123456789012345", "99999999999999999"] {
            assert_eq!(append_digits(7, text.as_bytes()), format!("7{text}").parse::<u64>().unwrap(), "{text}");
        }
    }

    #[test]
    fn exponents_are_written_out() {
        let scaled = |text: &str| {
            let mut out = Vec::new();
            let number = Number::read(text.as_bytes(), 0).unwrap();
            number.write_scaled(text.as_bytes(), &mut out).then(|| String::from_utf8(out).unwrap())
        };
        for (text, expected) in [
            ("1e-7", "0.0000001"),
            ("-1.50e-7", "-0.00000015"),
            ("1.10", "1.1"),
            ("123.456e-2", "1.23456"),
            ("1234.5e2", "123450"),
            ("1.234e2", "123.4"),
            ("123e-3", "0.123"),
            ("1230e-3", "1.23"),
            ("1e5", "100000"),
            ("-5.50e+2", "-550"),
            ("1.0", "1"),
            ("1.25e20", "125000000000000000000"),
            ("0.000000000000000000001", "0.000000000000000000001"),
        ] {
            assert_eq!(scaled(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(scaled("1e307").map(|text| text.len()), Some(308));
        for text in
            ["0.0", "1e15", "1e19", "1e308", "1e-300", "1.2345678901234567e-3", "1e999", "12345678901234567890.5"]
        {
            assert_eq!(scaled(text), None, "{text}");
        }
    }
}
