//! Printing of literals in their canonical form.

use super::{Printer, quote_text};
use crate::ast::Literal;

impl Printer {
    pub(super) fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.push("NULL"),
            Literal::Bool(value) => self.push(if *value { "true" } else { "false" }),
            Literal::Integer(value) => self.push(&value.to_string()),
            Literal::Decimal(text) => self.push(&decimal(text)),
            Literal::Float(text) => self.push(&text.parse().map_or_else(|_| text.to_string(), float)),
            Literal::Text(text) => self.push(&quote_text(&text.value)),
            Literal::Date(text) | Literal::Time(text) | Literal::Timestamp(text) => self.push(&quote_text(text)),
            Literal::Hex(literal) if literal.bytes.is_empty() => self.push("x''"),
            Literal::Hex(literal) => {
                self.push("0x");
                for byte in &literal.bytes {
                    self.push(&format!("{byte:02X}"));
                }
            }
            Literal::Bit(literal) => match <[u8; 8]>::try_from(padded(&literal.bytes)) {
                Ok(bytes) => self.push(&u64::from_be_bytes(bytes).to_string()),
                Err(_) => self.literal(&Literal::Hex(literal.clone())),
            },
        }
    }
}

/// The bytes with zeros before them up to eight.
fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut padded = vec![0; 8usize.saturating_sub(bytes.len())];
    padded.extend_from_slice(bytes);
    padded
}

/// `.5` is `0.5`, `5.` is `5`, `007.10` is `7.10`.
fn decimal(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// The shortest digits that read back to the value, of two that are as near those that end in an even digit; below 0.0001 and
/// from a million on with an exponent of at least two digits.
fn float(value: f64) -> String {
    let shortest = format!("{value:e}");
    let decimals = shortest.find('e').unwrap_or(0).saturating_sub(2);
    // Rust takes the one farther from zero where it looks for the fewest digits.
    let nearest = format!("{value:.decimals$e}");
    let scientific = if nearest.parse() == Ok(value) { nearest } else { shortest };
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}
