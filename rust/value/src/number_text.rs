//! Numbers as text: the forms doubles are printed in, and the number at the start of a string.

use std::fmt::{LowerExp, Write};
use std::str::FromStr;

/// A double as the text protocol prints it: the fewest digits that read back, in exponent form (`1.5e+06`, `1e-05`) when the
/// exponent is below -4 or above 5.
pub fn double_text(number: f64) -> String {
    if let Some(text) = short_text(number) {
        return text;
    }
    laid_out(&shortest(number), Some(-4..=5)).unwrap_or_else(|| special(number))
}

/// A float as the text protocol prints it.
pub fn float_text(number: f32) -> String {
    laid_out(&shortest(number), Some(-4..=5)).unwrap_or_else(|| special(f64::from(number)))
}

/// A double as text in an expression (CAST AS CHAR, CONCAT): shortest digits, never an exponent, no negative zero.
pub fn double_digits(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if let Some(text) = short_text(number) {
        return text;
    }
    laid_out(&shortest(number), None).unwrap_or_else(|| special(number))
}

/// As [`double_digits`] for a float.
pub fn float_digits(number: f32) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    laid_out(&shortest(number), None).unwrap_or_else(|| special(f64::from(number)))
}

/// The text of a number between 0.001 and a million that has at most three decimals, as most have: no other decimal of so few digits
/// is the same double, so that no shorter one need be looked for.
fn short_text(number: f64) -> Option<String> {
    let size = number.abs();
    if !(1e-3..1e6).contains(&size) {
        return None;
    }
    let digits = |scale: u32| (size * f64::from(scale)).round();
    let is_exact = |scale: u32| digits(scale) / f64::from(scale) == size;
    let (decimals, scale) = [(0, 1), (1, 10), (2, 100), (3, 1000)].into_iter().find(|(_, scale)| is_exact(*scale))?;
    let digits = digits(scale) as u32;
    let (whole, fraction) = (digits / scale, digits % scale);
    let mut text = String::with_capacity(TEXT_BYTES);
    if number < 0.0 {
        text.push('-');
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "{whole}");
    if decimals > 0 {
        let _ = write!(text, ".{fraction:0decimals$}");
    }
    Some(text)
}

/// Most numbers have no longer text.
const TEXT_BYTES: usize = 26;

/// Fewer letters of a mantissa are never as near to a float as others.
const TIED_MIN: usize = "1.23456".len();

/// `d.ddde±x` with the fewest digits that read back. Of two that are as near it is the one that ends in an even digit, as in Go
/// and JavaScript, where Rust takes the one farther from zero.
pub(crate) fn shortest<N: LowerExp + FromStr + PartialEq + Copy + Into<f64>>(number: N) -> String {
    let mut text = String::with_capacity(TEXT_BYTES);
    // Writing to a string cannot fail.
    let _ = write!(text, "{number:e}");
    let digits = text.find('e').filter(|&end| end > TIED_MIN && !(text.as_bytes()[end - 1] - b'0').is_multiple_of(2));
    let Some(end) = digits else { return text };
    let decimals = text[..end].split_once('.').map_or(0, |(_, digits)| digits.len());
    // What is in the middle between two numbers of so many decimals has one bit more behind its point.
    let exponent: i32 = text[end + 1..].parse().unwrap_or(0);
    if (number.into() * 2f64.powi(decimals as i32 - exponent + 1)).fract() != 0.0 {
        return text;
    }
    let nearest = format!("{number:.*e}", decimals);
    if nearest.parse().is_ok_and(|read: N| read == number) { nearest } else { text }
}

/// Whether a decimal without an exponent, such as `-122.42200352825247`, is what [`double_digits`] gives for its double. Decides
/// with integers instead of printing the double; false also for the few numbers that it leaves undecided.
///
/// `digits` are those of the decimal without its point, of which `decimals`, at least one, are after it.
#[inline]
pub(crate) fn is_shortest(digits: u64, decimals: usize) -> bool {
    let last = (digits % 10) as i64;
    if last == 0 || digits >= DIGITS_END || decimals > DECIMALS_MAX {
        return false;
    }
    // The double is mantissa / 2^shift. All of what follows is multiplied by 2^shift * 10^decimals.
    let scale = 10u64.pow(decimals as u32);
    let bits = (digits as f64 / scale as f64).to_bits();
    let Some(shift) = 1075u64.checked_sub(bits >> 52).filter(|shift| (1..=SHIFT_MAX).contains(shift)) else {
        return false;
    };
    let mantissa = bits & (MANTISSA_MIN - 1) | MANTISSA_MIN;
    // Both products are long, but they differ by less than two units of `scale`: their last 64 bits tell by how much.
    let mut error = (digits << shift).wrapping_sub(mantissa.wrapping_mul(scale)) as i64;
    let (scale, place) = (scale as i64, 1i64 << shift);
    // The quotient was rounded twice: it may be a neighbour of the double.
    let step = i64::from(error > scale / 2) - i64::from(error < -scale / 2);
    error -= step * scale;
    // Below the smallest mantissa of an exponent doubles are closer to each other.
    let is_inside = (MANTISSA_MIN + 2..2 * MANTISSA_MIN - 1).contains(&mantissa);
    let is_nearest = 2 * error.abs() < place.min(scale);
    // Where a place is more than a double, a decimal with one place less is another double.
    let reads_back = |tenths: i64| place <= scale && error.saturating_add(tenths * place).abs() <= scale / 2;
    is_inside && is_nearest && !reads_back(-last) && !reads_back(10 - last)
}

/// Nine times their power of ten is an `i64`.
const DECIMALS_MAX: usize = 18;
/// No double needs more than 17 digits.
const DIGITS_END: u64 = 10u64.pow(17);
/// So far a one is moved within an `i64`.
const SHIFT_MAX: u64 = 62;
const MANTISSA_MIN: u64 = 1 << 52;

fn special(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "+Inf".to_owned()
    } else {
        "-Inf".to_owned()
    }
}

/// Lays out the digits of `d.ddde±x`, with an exponent where it is not among those that are written out; `None` for what is no
/// number.
fn laid_out(scientific: &str, written_out: Option<std::ops::RangeInclusive<i32>>) -> Option<String> {
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (first, decimals) = mantissa.split_at_checked(1)?;
    let decimals = decimals.strip_prefix('.').unwrap_or(decimals);
    let zeros = |text: &mut String, count: usize| text.extend(std::iter::repeat_n('0', count));
    let mut text = String::with_capacity(TEXT_BYTES);
    text.push_str(sign);
    if written_out.is_some_and(|exponents| !exponents.contains(&exponent)) {
        text.push_str(mantissa);
        write!(text, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()).ok()?;
    } else if let Ok(exponent) = usize::try_from(exponent) {
        text.push_str(first);
        match decimals.split_at_checked(exponent) {
            Some((whole, decimals)) if !decimals.is_empty() => {
                text.push_str(whole);
                text.push('.');
                text.push_str(decimals);
            }
            _ => {
                text.push_str(decimals);
                zeros(&mut text, exponent - decimals.len());
            }
        }
    } else {
        text.push_str("0.");
        zeros(&mut text, exponent.unsigned_abs() as usize - 1);
        text.push_str(first);
        text.push_str(decimals);
    }
    Some(text)
}

/// The part of a text that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberPrefix<'a> {
    /// `"0"` when the text does not begin with a number.
    pub digits: &'a str,
    /// Other text followed.
    pub truncated: bool,
}

/// The integer at the start of `text`, surrounding spaces and tabs ignored.
pub fn integer_prefix(text: &str) -> NumberPrefix<'_> {
    let text = text.trim_matches([' ', '\t']);
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let digits = bytes[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = sign + digits;
    NumberPrefix { digits: if digits == 0 { "0" } else { &text[..end] }, truncated: end != bytes.len() }
}

/// The decimal or floating-point number at the start of `text`, surrounding white space ignored. What follows an exponent's
/// letter may be missing: such a number is not readable and counts as zero.
pub fn double_prefix(text: &str) -> NumberPrefix<'_> {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let bytes = text.as_bytes();
    let (mut sign_at, mut seen_digit, mut seen_point, mut seen_exponent) = (0, false, false, false);
    let mut end = 0;
    for byte in bytes {
        match byte {
            b'0'..=b'9' => seen_digit = true,
            b'.' if !seen_point => seen_point = true,
            b'e' | b'E' if !seen_exponent && seen_digit => {
                seen_exponent = true;
                sign_at = end + 1;
            }
            b'-' | b'+' if end == sign_at => {}
            _ => break,
        }
        end += 1;
    }
    NumberPrefix { digits: if seen_digit { &text[..end] } else { "0" }, truncated: end != bytes.len() }
}

/// The value of [`double_prefix`]; infinite beyond the range of a double.
pub fn double_at_start(text: &str) -> (f64, bool) {
    let prefix = double_prefix(text);
    (prefix.digits.parse().unwrap_or(0.0), prefix.truncated)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn doubles_print_as_the_text_protocol_sends_them() {
        let cases = [
            (1e10, "1e+10"),
            (3.03700049997605e9, "3.03700049997605e+09"),
            (2154727.4692277377, "2.1547274692277377e+06"),
            (-5.2846029059076024e20, "-5.2846029059076024e+20"),
            (123456.0, "123456"),
            (1e6, "1e+06"),
            (100000.5, "100000.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.0, "0"),
            (-0.0, "-0"),
            (-2.5, "-2.5"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "+Inf"),
        ];
        for (number, text) in cases {
            assert_eq!(double_text(number), text);
        }
        assert_eq!(float_text(16_777_216.0), "1.6777216e+07");
        assert_eq!(float_text(0.1), "0.1");
        assert_eq!(double_digits(1e21), "1000000000000000000000");
        assert_eq!(double_digits(1e-7), "0.0000001");
        assert_eq!(double_digits(-0.0), "0");
        assert_eq!(double_digits(f64::NAN), "NaN");
    }

    #[test]
    #[expect(clippy::excessive_precision, reason = "what lies between two texts has more digits than both")]
    fn of_two_texts_as_near_the_even_one_is_taken() {
        assert_eq!(float_digits(3_214_321.25), "3214321.2");
        assert_eq!(float_digits(-3_214_321.75), "-3214321.8");
        assert_eq!(float_text(3_214_321.25), "3.2143212e+06");
        assert_eq!(double_digits(1_234_567_890_123_456.25), "1234567890123456.2");
        assert_eq!(double_digits(1_234_567_890_123_456.75), "1234567890123456.8");
        assert_eq!(double_digits(9_007_199_254_740_993.0), "9007199254740992");
        // The nearest with these digits reads back as another number.
        assert_eq!(double_digits(2f64.powi(-44)), "0.00000000000005684341886080802");
        assert_eq!(double_digits(5e-324).len(), 326);
        for power in -1074..1024 {
            let number = 2f64.powi(power);
            assert_eq!(double_text(number).parse(), Ok(number));
        }
    }

    proptest! {
        #[test]
        fn what_is_said_to_be_the_shortest_is(whole in 1..10_000_000u32, fraction in 1..10u64.pow(17), digits in 0..5usize) {
            let number: f64 = format!("{whole}.{fraction:017}").parse().unwrap();
            let printed = double_digits(number);
            for text in [printed.clone(), format!("-{printed}"), format!("{whole}.{fraction}"), format!("{number:.*}", 12 + digits)] {
                let shown = double_digits(text.parse().unwrap());
                prop_assert!(!is_shortest_text(&text) || shown == text, "{text} {shown}");
            }
            // Two decimals are as near to some doubles of few bits.
            let is_undecided = (number * 2f64.powi(18)).fract() == 0.0 || printed.len() > 20;
            prop_assert!(is_undecided || is_shortest_text(&printed), "{printed}");
        }
    }

    #[test]
    fn short_texts_are_the_shortest() {
        let mut short = 0;
        for thousandths in (1..2_000_000).step_by(37).chain(999_990_000..1_000_001_000) {
            for number in [f64::from(thousandths) / 1000.0, f64::from(thousandths) / -1000.0] {
                for number in [number, number.next_up(), number.next_down(), number / 10.0] {
                    let Some(text) = short_text(number) else { continue };
                    short += 1;
                    assert_eq!(Some(text), laid_out(&shortest(number), None));
                }
            }
        }
        assert!(short > 100_000, "{short}");
        for number in [0.0, -0.0, 1e6, 0.0009, f64::NAN, f64::INFINITY, 0.1 + 0.2, 1.0 / 3.0] {
            assert_eq!(short_text(number), None, "{number}");
        }
    }

    fn is_shortest_text(decimal: &str) -> bool {
        let (whole, fraction) = decimal.trim_start_matches('-').split_once('.').unwrap();
        // The caller has no digits of longer ones.
        format!("{whole}{fraction}").parse().is_ok_and(|digits| is_shortest(digits, fraction.len()))
    }

    #[test]
    fn shortest_texts_are_told_from_others() {
        for text in
            ["-122.42200352825247", "0.30000000000000004", "37.54030230586814", "0.1", "1.5", "0.0123456789012345"]
        {
            assert!(is_shortest_text(text), "{text}");
        }
        let longer =
            ["0.30000000000000005", "0.1000000000000000055", "1.10", "-122.422003528252471", "9.999999999999999999"];
        let none = ["0.0", "-0.0", "123456789012345678.5", "0.00000000000000001"];
        for text in longer.into_iter().chain(none) {
            assert!(!is_shortest_text(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_found_at_the_start_of_text() {
        let prefix = |text| (integer_prefix(text).digits, integer_prefix(text).truncated);
        assert_eq!(prefix(" 12 "), ("12", false));
        assert_eq!(prefix("12.7"), ("12", true));
        assert_eq!(prefix("-5x"), ("-5", true));
        assert_eq!(prefix("abc"), ("0", true));
        assert_eq!(prefix(""), ("0", false));
        assert_eq!(double_at_start("1.5e3x"), (1500.0, true));
        assert_eq!(double_at_start(" .5\n"), (0.5, false));
        assert_eq!(double_at_start("-1e-2"), (-0.01, false));
        assert_eq!(double_at_start("1e"), (0.0, false));
        assert_eq!(double_at_start("1-2"), (1.0, true));
        assert_eq!(double_at_start("abc"), (0.0, true));
    }
}
