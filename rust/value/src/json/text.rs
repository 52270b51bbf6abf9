//! JSON values as text: MySQL's spacing, Dolt's storage form, JSON_PRETTY, and quoting.

use std::fmt::{self, Write};

use super::{Json, JsonObject};
use crate::number_text::{double_digits, shortest};
use crate::temporal::DateTime;
use codec::CompactSort;

/// Between elements and between key and value.
pub(super) struct Separators {
    pub comma: &'static str,
    pub colon: &'static str,
}

pub(super) const MYSQL: Separators = Separators { comma: ", ", colon: ": " };

impl fmt::Display for Json {
    /// MySQL's text: `{"a": [1, 2]}`, shorter keys first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json(f, self, &MYSQL)
    }
}

fn write_json(f: &mut impl Write, json: &Json, separators: &Separators) -> fmt::Result {
    match json {
        Json::Array(items) => {
            f.write_char('[')?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    f.write_str(separators.comma)?;
                }
                write_json(f, item, separators)?;
            }
            f.write_char(']')
        }
        Json::Object(members) => {
            f.write_char('{')?;
            for (at, (key, value)) in members.iter().enumerate() {
                if at > 0 {
                    f.write_str(separators.comma)?;
                }
                write_quoted(f, key)?;
                f.write_str(separators.colon)?;
                write_json(f, value, separators)?;
            }
            f.write_char('}')
        }
        scalar => write_scalar(f, scalar),
    }
}

fn write_scalar(f: &mut impl Write, json: &Json) -> fmt::Result {
    match json {
        Json::Bool(truth) => write!(f, "{truth}"),
        Json::Int(number) => write_whole(f, *number < 0, number.unsigned_abs()),
        Json::UInt(number) => write_whole(f, false, *number),
        // Most numbers are whole, and their digits those of an integer.
        Json::Double(number) if *number as i32 as f64 == *number => {
            let whole = *number as i32;
            write_whole(f, whole < 0, u64::from(whole.unsigned_abs()))
        }
        Json::Double(number) => f.write_str(&double_digits(*number)),
        Json::Decimal(number) => write!(f, "{number}"),
        Json::String(text) => write_quoted(f, text),
        Json::Date(date) => write!(f, "\"{date}\""),
        Json::DateTime(moment) => write!(f, "\"{}\"", moment.text(6)),
        Json::Time(time) => write!(f, "\"{}\"", time.text(6)),
        Json::Null | Json::Array(_) | Json::Object(_) => f.write_str("null"),
    }
}

/// Writes a whole number; documents have many of them, and the formatter of the standard library takes twice as long.
fn write_whole(f: &mut impl Write, is_negative: bool, magnitude: u64) -> fmt::Result {
    let mut digits = [b'0'; WHOLE_MAX];
    let (mut at, mut left) = (WHOLE_MAX, magnitude);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if is_negative {
        at -= 1;
        digits[at] = b'-';
    }
    f.write_str(std::str::from_utf8(&digits[at..]).map_err(|_| fmt::Error)?)
}

/// Digits of the largest number of 64 bits, and a sign.
const WHOLE_MAX: usize = 21;

/// Writes a string with its quotes and the escapes of the storage form, which MySQL's text has too.
fn write_quoted(f: &mut impl Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let is_plain = |byte: u8| (0x20..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        f.write_str(text)?;
        return f.write_char('"');
    }
    let mut plain_from = 0;
    for (at, character) in text.char_indices() {
        let escape = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{2028}' => "\\u2028",
            '\u{2029}' => "\\u2029",
            '\0'..='\u{1f}' => "",
            _ => continue,
        };
        f.write_str(&text[plain_from..at])?;
        if escape.is_empty() {
            write!(f, "\\u{:04x}", u32::from(character))?;
        } else {
            f.write_str(escape)?;
        }
        plain_from = at + character.len_utf8();
    }
    f.write_str(&text[plain_from..])?;
    f.write_char('"')
}

/// JSON_QUOTE.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    // Writing to a string cannot fail.
    let _ = write_quoted(&mut quoted, text);
    quoted
}

/// JSON_UNQUOTE of text: without its quotes and escapes if it is a JSON string, else as it is.
pub fn unquote(text: &str) -> String {
    if text.len() >= 2
        && text.starts_with('"')
        && text.ends_with('"')
        && let Ok(Json::String(inside)) = Json::parse(text)
    {
        return inside.into();
    }
    text.to_owned()
}

impl Json {
    /// JSON_UNQUOTE of a value: the text of a string without quotes, else the value's text.
    pub fn unquoted(&self) -> String {
        match self {
            Json::String(text) => text.to_string(),
            Json::Date(_) | Json::DateTime(_) | Json::Time(_) => self.to_string().trim_matches('"').to_owned(),
            other => other.to_string(),
        }
    }

    /// The text Dolt stores: no white space, keys in order of their bytes, decimals as strings (docs/format/tree.md, section 9.4).
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write_canonical(&mut text, self);
        text
    }

    /// JSON_PRETTY: two spaces a level.
    pub fn pretty(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write_pretty(&mut text, self, 0);
        text
    }
}

fn write_canonical(f: &mut impl Write, json: &Json) -> fmt::Result {
    match json {
        Json::Array(items) => {
            f.write_char('[')?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    f.write_char(',')?;
                }
                write_canonical(f, item)?;
            }
            f.write_char(']')
        }
        Json::Object(members) => write_canonical_object(f, members),
        Json::Double(number) => f.write_str(&stored_double(*number)),
        Json::Decimal(number) => write!(f, "\"{number}\""),
        Json::DateTime(moment) => write!(f, "\"{}\"", rfc3339(*moment)),
        scalar => write_scalar(f, scalar),
    }
}

/// `2024-01-02T03:04:05.5Z`: no more digits of a second than there are.
pub(super) fn rfc3339(moment: DateTime) -> String {
    let text = moment.text(6);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{}Z", text.replacen(' ', "T", 1))
}

fn write_canonical_object(f: &mut impl Write, members: &JsonObject) -> fmt::Result {
    f.write_char('{')?;
    for (at, (key, value)) in sorted(members).into_iter().enumerate() {
        if at > 0 {
            f.write_char(',')?;
        }
        write_quoted(f, key)?;
        f.write_char(':')?;
        write_canonical(f, value)?;
    }
    f.write_char('}')
}

/// Members in the order of the bytes of their keys, as the reference stores and indents them.
fn sorted(members: &JsonObject) -> Vec<(&str, &Json)> {
    let mut members: Vec<(&str, &Json)> = members.iter().collect();
    members.compact_sort_by_key(|(key, _)| *key);
    members
}

/// Shortest digits; an exponent below 1e-6 and from 1e21, of at least two digits only if positive; `-0`.
fn stored_double(number: f64) -> String {
    let magnitude = number.abs();
    if !number.is_finite() {
        // JSON has no such number; no function of SQL makes one.
        "null".to_owned()
    } else if magnitude == 0.0 {
        number.to_string()
    } else if (1e-6..1e21).contains(&magnitude) {
        double_digits(number)
    } else {
        let text = shortest(number);
        match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
            _ => text,
        }
    }
}

fn write_pretty(f: &mut impl Write, json: &Json, level: usize) -> fmt::Result {
    let line = |f: &mut dyn Write, level: usize| write!(f, "\n{:1$}", "", level * 2);
    match json {
        Json::Array(items) if !items.is_empty() => {
            f.write_char('[')?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    f.write_char(',')?;
                }
                line(f, level + 1)?;
                write_pretty(f, item, level + 1)?;
            }
            line(f, level)?;
            f.write_char(']')
        }
        Json::Object(members) if !members.is_empty() => {
            f.write_char('{')?;
            for (at, (key, value)) in sorted(members).into_iter().enumerate() {
                if at > 0 {
                    f.write_char(',')?;
                }
                line(f, level + 1)?;
                write_quoted(f, key)?;
                f.write_str(": ")?;
                write_pretty(f, value, level + 1)?;
            }
            line(f, level)?;
            f.write_char('}')
        }
        other => write_json(f, other, &MYSQL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_text_is_dolts() {
        let stored = |text: &str| Json::parse(text).unwrap().canonical();
        assert_eq!(
            stored(r#"{"bb": [1, 2.50], "a": {"é": null}, "b": "<&>"}"#),
            r#"{"a":{"é":null},"b":"<&>","bb":[1,2.5]}"#
        );
        assert_eq!(
            stored("[1e20,1e21,1e-6,1e-7,-0.0,1.5e300,12345678901234567890]"),
            "[100000000000000000000,1e+21,0.000001,1e-7,-0,1.5e+300,12345678901234567890]"
        );
        assert_eq!(stored(r#""\u2028\u0001\b\f\/\"""#), r#""\u2028\u0001\b\f/\"""#);
        assert_eq!(Json::Decimal("1.50".parse().unwrap()).canonical(), "\"1.50\"");
    }

    #[test]
    fn whole_numbers_have_their_digits() {
        for number in [0, 7, -1, 10, -10, 99, 100, 123_456_789, i64::MAX, i64::MIN] {
            assert_eq!(Json::Int(number).to_string(), number.to_string());
        }
        for number in [0, 10, u64::MAX] {
            assert_eq!(Json::UInt(number).to_string(), number.to_string());
        }
        for number in [0, -1, 30, i32::MAX, i32::MIN] {
            assert_eq!(Json::Double(f64::from(number)).to_string(), number.to_string());
        }
    }

    #[test]
    fn pretty_text_has_two_spaces_a_level() {
        let json = Json::parse(r#"{"a":[1,{"b":2}],"c":{},"d":[]}"#).unwrap();
        assert_eq!(
            json.pretty(),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
        );
    }

    #[test]
    fn quoting_goes_both_ways() {
        assert_eq!(quote("é\"\\/"), r#""é\"\\/""#);
        for (quoted, text) in
            [("\"a\\u0041\"", "aA"), ("abc", "abc"), ("\"abc", "\"abc"), ("\"\"", ""), ("\"", "\""), ("[1]", "[1]")]
        {
            assert_eq!(unquote(quoted), text);
        }
    }
}
