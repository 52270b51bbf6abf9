//! JSON numbers by their digits, up to eight of which are read at once.

/// A number as it is written. Its digits without the point are an integer: `-12.50` has the digits 1250 and two decimals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    /// The byte behind it.
    pub end: usize,
    pub is_negative: bool,
    /// Meaningless when there are too many, see [`Number::fits`].
    pub digits: u64,
    /// Digits before and behind the point.
    pub places: usize,
    /// Digits behind the point.
    pub decimals: usize,
    pub has_exponent: bool,
    pub exponent: i32,
}

impl Number {
    /// Reads the number that begins at `start`; `None` for what is no JSON number.
    #[inline]
    pub fn read(text: &[u8], start: usize) -> Option<Number> {
        let is_negative = text.get(start) == Some(&b'-');
        let whole_from = start + usize::from(is_negative);
        let mut digits = 0;
        let whole_to = read_digits(text, whole_from, &mut digits);
        let mut places = whole_to - whole_from;
        // Another number does not begin with a zero.
        if places == 0 || (places > 1 && text.get(whole_from) == Some(&b'0')) {
            return None;
        }
        let (mut end, mut decimals) = (whole_to, 0);
        if text.get(end) == Some(&b'.') {
            end = read_digits(text, whole_to + 1, &mut digits);
            decimals = end - whole_to - 1;
            places += decimals;
            if decimals == 0 {
                return None;
            }
        }
        let number = Number { end, is_negative, digits, places, decimals, has_exponent: false, exponent: 0 };
        if matches!(text.get(end), Some(b'e' | b'E')) { number.with_exponent(text) } else { Some(number) }
    }

    fn with_exponent(mut self, text: &[u8]) -> Option<Number> {
        let sign = text.get(self.end + 1).filter(|byte| matches!(byte, b'+' | b'-'));
        let start = self.end + 1 + usize::from(sign.is_some());
        let mut exponent = 0;
        self.end = read_digits(text, start, &mut exponent);
        let places = self.end - start;
        if places == 0 {
            return None;
        }
        let exponent = if places > EXPONENT_PLACES_MAX { EXPONENT_MAX } else { exponent as i32 };
        self.exponent = if sign == Some(&b'-') { -exponent } else { exponent };
        self.has_exponent = true;
        Some(self)
    }

    /// Whether it has neither a point nor an exponent.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.decimals == 0 && !self.has_exponent
    }

    /// Whether `digits` holds all of them.
    #[inline]
    pub fn fits(&self) -> bool {
        self.places <= PLACES_MAX
    }

    /// Writes a number with an exponent, or with noughts at its end, without either: `1.50e-7` is `0.00000015`. False, and nothing is
    /// written, when its double may have other digits, and for whole doubles that would be read as integers.
    pub fn write_scaled(&self, out: &mut Vec<u8>) -> bool {
        if !self.fits() || self.digits == 0 || self.digits >= 10u64.pow(f64::DIGITS) {
            return false;
        }
        let (mut digits, mut scale) = (self.digits, self.exponent - self.decimals as i32);
        while digits.is_multiple_of(10) {
            digits /= 10;
            scale += 1;
        }
        let digits = digits.to_string();
        let places = digits.len() as i32 + scale;
        let is_whole_double = || (1..=DOUBLE_PLACES_MAX).contains(&places) || INTEGERS_END.contains(&places);
        if scale < -SCALE_MAX || (scale >= 0 && !is_whole_double()) {
            return false;
        }
        if self.is_negative {
            out.push(b'-');
        }
        if scale >= 0 {
            out.extend_from_slice(digits.as_bytes());
            out.resize(out.len() + scale as usize, b'0');
            return true;
        }
        let decimals = scale.unsigned_abs() as usize;
        match digits.len().checked_sub(decimals).filter(|whole| *whole > 0) {
            Some(whole) => {
                out.extend_from_slice(&digits.as_bytes()[..whole]);
                out.push(b'.');
                out.extend_from_slice(&digits.as_bytes()[whole..]);
            }
            None => {
                out.extend_from_slice(b"0.");
                out.resize(out.len() + decimals - digits.len(), b'0');
                out.extend_from_slice(digits.as_bytes());
            }
        }
        true
    }
}

/// Appends the digits that begin at `start` to a number, and returns the place behind them. A number of too many digits wraps.
#[inline]
fn read_digits(text: &[u8], start: usize, number: &mut u64) -> usize {
    let mut at = start;
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let (count, value) = leading_digits(*block);
        *number = number.wrapping_mul(POWERS[count]).wrapping_add(value);
        at += count;
        if count < 8 {
            return at;
        }
    }
    while let Some(byte) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
        *number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        at += 1;
    }
    at
}

/// How many digits a text begins with, and the number that they are, all of them at once (SWAR).
#[inline]
fn leading_digits(text: [u8; 8]) -> (usize, u64) {
    let digits = u64::from_le_bytes(text) ^ 0x3030_3030_3030_3030;
    // The upper bit of a byte that is no digit is set, once 0x76 is added, and of some behind the first of these.
    let others = (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080;
    let count = others.trailing_zeros() as usize / 8;
    if count == 0 {
        return (0, 0);
    }
    // Noughts in front.
    let digits = digits << (8 * (8 - count));
    let pairs = (digits * 10).wrapping_add(digits >> 8);
    let (first, second) = (pairs & 0xff_0000_00ff, pairs >> 16 & 0xff_0000_00ff);
    let sum = first.wrapping_mul((1_000_000 << 32) + 100).wrapping_add(second.wrapping_mul((10_000 << 32) + 1));
    (count, sum >> 32)
}

/// The eight bytes at a place as a little-endian word; zeros behind the end of the text.
#[inline]
pub(super) fn first_word(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => u64::from_le_bytes(*block),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
/// A `u64` holds any number of so many digits.
const PLACES_MAX: usize = 19;
/// Any whole number of so many digits is a double.
const DOUBLE_PLACES_MAX: i32 = f64::DIGITS as i32;
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

    fn read(text: &str) -> Option<(u64, usize, usize, i32)> {
        let number = Number::read(text.as_bytes(), 0)?;
        assert_eq!(number.is_negative, text.starts_with('-'));
        Some((number.digits, number.places, number.decimals, number.exponent))
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
                assert_eq!(read(&format!("{text}{after}")), Some(expected), "{text}{after}");
            }
        }
        assert!(!Number::read(b"12345678901234567890", 0).unwrap().fits());
        for text in ["", "-", "01", "-00", "1.", "1.e5", "1e", "1e+", ".5", "+1", "-a"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn digits_end_at_any_other_byte() {
        for byte in (0..=255).filter(|byte: &u8| !byte.is_ascii_digit()) {
            for at in 0..8 {
                let mut text = *b"12345678";
                text[at] = byte;
                let expected = text[..at].iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
                assert_eq!(leading_digits(text), (at, expected), "{text:?}");
            }
        }
    }

    #[test]
    fn exponents_are_written_out() {
        let scaled = |text: &str| {
            let mut out = Vec::new();
            Number::read(text.as_bytes(), 0).unwrap().write_scaled(&mut out).then(|| String::from_utf8(out).unwrap())
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
