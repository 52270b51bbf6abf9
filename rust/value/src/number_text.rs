//! Numbers as text: the forms doubles are printed in, and the number at the start of a string.

use std::fmt::Write;

/// A double as the text protocol prints it: the fewest digits that read back, in exponent form (`1.5e+06`, `1e-05`) when the
/// exponent is below -4 or above 5.
pub fn double_text(number: f64) -> String {
    general(&format!("{number:e}"), number.is_finite()).unwrap_or_else(|| special(number))
}

/// A float as the text protocol prints it.
pub fn float_text(number: f32) -> String {
    general(&format!("{number:e}"), number.is_finite()).unwrap_or_else(|| special(f64::from(number)))
}

/// A double as text in an expression (CAST AS CHAR, CONCAT): shortest digits, never an exponent, no negative zero.
pub fn double_digits(number: f64) -> String {
    if !number.is_finite() {
        return special(number);
    }
    if number == 0.0 { "0".to_owned() } else { number.to_string() }
}

/// As [`double_digits`] for a float.
pub fn float_digits(number: f32) -> String {
    if !number.is_finite() {
        return special(f64::from(number));
    }
    if number == 0.0 { "0".to_owned() } else { number.to_string() }
}

fn special(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "+Inf".to_owned()
    } else {
        "-Inf".to_owned()
    }
}

/// Lays out the digits of Rust's shortest `d.ddde±x`.
fn general(scientific: &str, finite: bool) -> Option<String> {
    if !finite {
        return None;
    }
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let mut text = sign.to_owned();
    if !(-4..=5).contains(&exponent) {
        text.push_str(&digits[..1]);
        if digits.len() > 1 {
            text.push('.');
            text.push_str(&digits[1..]);
        }
        write!(text, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()).ok()?;
    } else if exponent < 0 {
        text.push_str("0.");
        text.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
        text.push_str(&digits);
    } else {
        let whole = exponent as usize + 1;
        if digits.len() <= whole {
            text.push_str(&digits);
            text.extend(std::iter::repeat_n('0', whole - digits.len()));
        } else {
            text.push_str(&digits[..whole]);
            text.push('.');
            text.push_str(&digits[whole..]);
        }
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

/// The integer at the start of `text`, spaces and tabs around it ignored.
pub fn integer_prefix(text: &str) -> NumberPrefix<'_> {
    let text = text.trim_matches([' ', '\t']);
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let digits = bytes[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = sign + digits;
    NumberPrefix { digits: if digits == 0 { "0" } else { &text[..end] }, truncated: end != bytes.len() }
}

/// The decimal or floating-point number at the start of `text`, white space around it ignored. What follows an exponent's
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
