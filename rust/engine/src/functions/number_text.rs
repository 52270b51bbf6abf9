//! Numbers as text in other bases and with separators: BIN, CONV, HEX, OCT, FORMAT, and BIT_COUNT and CRC32.

use codec::hex;
use value::{Charset, Collation, LobSize, Value};

use super::argument::{bytes_in, bytes_of, text_of};
use super::{Arguments, Entry, Function, Traits, declared, result};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("bin", (1, 1), result::text, binary)
        .null_as_arguments()
        .declared(declared::regular_text)
        .about("n", "A number in binary digits"),
    Entry::new("bit_count", (1, 1), result::int, bit_count)
        .null_as_arguments()
        .about("n", "The number of bits that are set"),
    Entry::new("conv", (3, 3), result::text, |a| convert(&a.text(0)?, a.integer(1)?, a.integer(2)?))
        .about("digits, from, to", "A number in the digits of another base"),
    Entry::new("crc32", (1, 1), result::unsigned_int, crc32).null_as_arguments().about("bytes", "The CRC-32 checksum"),
    Entry::new("format", (2, 3), result::text, format_number)
        .handling_nulls()
        .null_as_arguments()
        .about("x, digits[, locale]", "A number with separators between thousands"),
    Entry::new("hex", (1, 1), result::text, hex)
        .with(Traits::READS_TEXT)
        .null_as_arguments()
        .common()
        .declared(|call| call.text(LobSize::Long, Collation::UTF8MB4_0900_AI_CI))
        .about("x", "A number or bytes in hexadecimal digits"),
    Entry::new("oct", (1, 1), result::text, |a| convert(&a.text(0)?, 10, 8)).about("n", "A number in octal digits"),
    Entry::new("unhex", (1, 1), result::blob, unhex)
        .null_as_arguments()
        .common()
        .about("digits", "The bytes that hexadecimal digits name"),
];

fn binary(a: &Arguments<'_>) -> Result<Value<'static>> {
    let number = match a.get(0) {
        Value::UInt(number) | Value::Bit(number) => *number,
        Value::Int(number) => *number as u64,
        Value::Date(date) => date.year() as u64,
        Value::DateTime(moment) => moment.date().year() as u64,
        Value::Float(_) | Value::Double(_) | Value::Decimal(_) => a.double(0)? as i64 as u64,
        Value::Bytes(bytes) if bytes.len() <= 8 => bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)),
        other => {
            let text = text_of(other)?;
            text.parse::<i64>().unwrap_or_else(|_| text.parse::<f64>().map_or(0, |number| number as i64)) as u64
        }
    };
    Ok(Value::text(format!("{number:b}")))
}

fn bit_count(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bits = match a.get(0) {
        Value::Bytes(bytes) => bytes.iter().map(|byte| byte.count_ones()).sum(),
        Value::UInt(number) | Value::Bit(number) => number.count_ones(),
        // Text that is not a whole number through and through has no bits.
        Value::Text(text) => text.trim().parse::<i64>().map_or(0, i64::count_ones),
        _ => a.integer(0)?.count_ones(),
    };
    Ok(Value::Int(i64::from(bits)))
}

fn digits(mut number: u64, base: u32) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = char::from_digit((number % u64::from(base)) as u32, base).unwrap_or('0');
        digits.push(digit.to_ascii_uppercase());
        number /= u64::from(base);
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// CONV: digits that are none of the base, or would be too many, end the number; with more digits than the largest number
/// has, it is the largest.
fn convert(text: &str, from: i64, to: i64) -> Result<Value<'static>> {
    let base = |base: i64| u32::try_from(base.unsigned_abs()).ok().filter(|base| (2..=36).contains(base));
    let (Some(from), Some(to_base), false) = (base(from), base(to), text.is_empty()) else { return Ok(Value::Null) };
    let (negative, unsigned) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let limit = if negative { 1 << 63 } else { u64::MAX };
    let mut number = 0u64;
    let sign = usize::from(negative);
    if unsigned.len() > digits(limit, from).len() + sign {
        number = limit;
    }
    for digit in unsigned.chars().map_while(|c| c.to_digit(from)) {
        let more = number.checked_mul(u64::from(from)).and_then(|number| number.checked_add(u64::from(digit)));
        match more {
            Some(more) => number = more,
            None => break,
        }
    }
    let number = if negative { number.wrapping_neg() } else { number };
    Ok(Value::text(match (to < 0, number as i64) {
        (true, signed) if signed < 0 => format!("-{}", digits(signed.unsigned_abs(), to_base)),
        _ => digits(number, to_base),
    }))
}

fn hex(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(Value::text(match a.get(0) {
        Value::Int(number) => format!("{number:X}"),
        Value::UInt(number) | Value::Bit(number) => format!("{number:X}"),
        Value::Year(year) => format!("{year:X}"),
        Value::Float(_) | Value::Double(_) | Value::Decimal(_) => {
            let number = a.double(0)?;
            let bits = match () {
                () if number < 0.0 => (number - 0.5) as i64 as u64,
                // What is beyond 64 bits is the least number, as the processor has it.
                () if number >= 18_446_744_073_709_551_616.0 => 1 << 63,
                () => (number + 0.5) as u64,
            };
            format!("{bits:X}")
        }
        Value::Text(text) => hex::upper(&bytes_in(text, charset_of(a))?),
        // As in the reference: members by their numbers, and neither documents nor times.
        Value::Enum(member) => format!("{:X}", member.index),
        Value::Set(members) => format!("{:X}", members.bits),
        value @ (Value::Json(_) | Value::Time(_)) => {
            return Err(SqlError::general(format!("Invalid argument to hex: {}", text_of(value)?)));
        }
        other => hex::upper(&bytes_of(other)?),
    }))
}

/// The character set that the first argument's text is written in.
fn charset_of(a: &Arguments<'_>) -> Charset {
    a.types.first().and_then(|ty| ty.sql.collation()).map_or(Charset::Utf8mb4, |collation| collation.charset())
}

fn unhex(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let mut nibbles = Vec::with_capacity(text.len() + 1);
    if !text.len().is_multiple_of(2) {
        nibbles.push(0);
    }
    for c in text.chars() {
        let Some(digit) = c.to_digit(16) else { return Ok(Value::Null) };
        nibbles.push(digit as u8);
    }
    Ok(Value::bytes(
        nibbles.chunks(2).map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble)).collect::<Vec<u8>>(),
    ))
}

/// The CRC-32 that Ethernet and zip use, by halves of bytes: the table of whole ones is a kilobyte that no compressor makes smaller, and
/// those of crates are eight.
static CRC32: [u32; 16] = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 16 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 4 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

pub(super) fn crc32_of(bytes: &[u8]) -> u32 {
    let half = |crc: u32| CRC32[(crc & 15) as usize] ^ crc >> 4;
    !bytes.iter().fold(u32::MAX, |crc, byte| half(half(crc ^ u32::from(*byte))))
}

fn crc32(a: &Arguments<'_>) -> Result<Value<'static>> {
    let crc = match a.get(0) {
        Value::Text(text) => crc32_of(text.as_bytes()),
        Value::Int(_) | Value::UInt(_) | Value::Year(_) => crc32_of(a.text(0)?.as_bytes()),
        Value::Enum(member) => crc32_of(member.index.to_string().as_bytes()),
        Value::Set(members) => crc32_of(members.bits.to_string().as_bytes()),
        // As the reference: a double always shows a point.
        Value::Float(_) | Value::Double(_) => {
            let text = value::number_text::float_digits(a.double(0)? as f32);
            crc32_of(if text.contains('.') { text } else { text + ".0" }.as_bytes())
        }
        other => {
            let text = format!("Invalid argument to crc32: {}", text_of(other).unwrap_or_default());
            return Err(SqlError::general(text));
        }
    };
    Ok(Value::UInt(u64::from(crc)))
}

/// Separators of a language: of thousands and of the fraction.
fn separators(locale: &str) -> (&'static str, char) {
    let locale = locale.replace('_', "-").to_ascii_lowercase();
    match locale.as_str() {
        "de-at" | "pt-pt" => return ("\u{a0}", ','),
        "de-ch" | "it-ch" => return ("’", '.'),
        "es-mx" | "es-us" => return (",", '.'),
        _ => {}
    }
    match locale.split('-').next().unwrap_or_default() {
        "de" | "it" | "es" | "nl" | "pt" | "id" | "tr" | "da" | "el" | "vi" | "hr" | "sr" | "sl" | "ro" | "is"
        | "ca" | "gl" | "eu" | "mk" | "bs" => (".", ','),
        "fr" => ("\u{202f}", ','),
        "ru" | "uk" | "bg" | "cs" | "sk" | "pl" | "fi" | "nb" | "no" | "nn" | "sv" | "hu" | "et" | "lt" | "lv"
        | "be" | "kk" => ("\u{a0}", ','),
        _ => (",", '.'),
    }
}

/// FORMAT: through a double, as the reference does it.
/// The n-th argument as a double; `None` for what is no number from end to end.
fn whole_double(a: &Arguments<'_>, n: usize) -> Result<Option<f64>> {
    match a.get(n) {
        Value::Text(text) if !text.is_empty() => Ok(text.trim().parse().ok()),
        Value::Time(_) | Value::Json(_) => Ok(None),
        _ => a.double(n).map(Some),
    }
}

/// Up to here a double holds each whole number.
const EXACT_MAX: f64 = (1u64 << 53) as f64;

fn format_number(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) || a.is_null(1) {
        return Ok(Value::Null);
    }
    let (Some(number), Some(decimals)) = (whole_double(a, 0)?, whole_double(a, 1)?) else { return Ok(Value::Null) };
    let decimals = decimals.round().clamp(0.0, 30.0);
    let power = 10f64.powf(decimals);
    let rounded = (number * power).round() / power;
    let (thousands, point) = separators(&if a.is_null(2) { "en".into() } else { a.text(2)? });
    // The reference loses digits that no double holds, and shows 0 where none are left.
    let exact = match a.get(0) {
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) if number.abs() >= EXACT_MAX => {
            a.decimal(0).round(decimals as u8).to_string()
        }
        _ => value::number_text::double_digits(rounded),
    };
    let (sign, exact) = exact.strip_prefix('-').map_or(("", exact.as_str()), |digits| ("-", digits));
    let (whole, fraction) = exact.split_once('.').unwrap_or((exact, ""));
    let mut text = sign.to_owned();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push_str(thousands);
        }
        text.push(digit);
    }
    let decimals = decimals as usize;
    if decimals > 0 {
        text.push(point);
        text.push_str(fraction.get(..decimals).unwrap_or(fraction));
        (fraction.len()..decimals).for_each(|_| text.push('0'));
    }
    Ok(Value::text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_of_the_check_word() {
        assert_eq!(crc32_of(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn numbers_change_their_base() {
        let convert = |text, from, to| match convert(text, from, to) {
            Ok(Value::Text(text)) => text.into_owned(),
            _ => "NULL".to_owned(),
        };
        assert_eq!(convert("ff", 16, 10), "255");
        assert_eq!(convert("-1", 10, 16), "FFFFFFFFFFFFFFFF");
        assert_eq!(convert("-1", 10, -16), "-1");
        // As many digits as the largest number has: those that fit count; more of them, and it is the largest.
        assert_eq!(convert("99999999999999999999", 10, 10), "9999999999999999999");
        assert_eq!(convert("999999999999999999999", 10, 10), "18446744073709551615");
        assert_eq!(convert("12x", 10, 2), "1100");
        assert_eq!(convert("1", 1, 10), "NULL");
    }
}
