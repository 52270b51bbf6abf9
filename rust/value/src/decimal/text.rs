//! Decimals as text.

use std::fmt;
use std::str::FromStr;

use fastnum::{U256, U512};

use super::powers::times_power;
use super::{DIGITS_MAX, Decimal, Rounding, shift_down};
use crate::types::DECIMAL_SCALE_MAX;

/// What stopped the reading of a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseDecimalError {
    /// Not a number.
    Syntax,
    /// More than 65 digits before the point.
    TooLarge,
}

impl FromStr for Decimal {
    type Err = ParseDecimalError;

    /// Reads `[+-]digits[.digits][e[+-]digits]`, the whole text. The scale is the number of digits written after the point,
    /// less the exponent; digits beyond 65 behind the point are rounded away.
    fn from_str(text: &str) -> Result<Decimal, ParseDecimalError> {
        let bytes = text.as_bytes();
        let (negative, bytes) = match bytes.split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, bytes),
        };
        let mut digits = Vec::with_capacity(bytes.len().min(80));
        let mut scale = 0i64;
        let mut point = false;
        let mut any = false;
        let mut dropped = None;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    // 140 significant digits are more than any result keeps; the next one decides the rounding.
                    if digits.len() < 140 {
                        if !(digits.is_empty() && *byte == b'0') {
                            digits.push(byte - b'0');
                        }
                        scale += i64::from(point);
                    } else {
                        dropped.get_or_insert(*byte);
                        scale -= i64::from(!point);
                    }
                }
                b'.' if !point => point = true,
                b'e' | b'E' => break,
                _ => return Err(ParseDecimalError::Syntax),
            }
            at += 1;
        }
        if !any {
            return Err(ParseDecimalError::Syntax);
        }
        if let Some(exponent) = bytes.get(at + 1..) {
            let exponent = std::str::from_utf8(exponent).map_err(|_| ParseDecimalError::Syntax)?;
            // A run of digits too long for an integer is still a number: far too large, or as good as zero.
            let magnitude = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            if magnitude.is_empty() || !magnitude.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ParseDecimalError::Syntax);
            }
            let magnitude = magnitude.parse::<i64>().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
            scale += if exponent.starts_with('-') { magnitude } else { -magnitude };
        }
        let mut coefficient = U512::ZERO;
        for chunk in digits.chunks(18) {
            let value = chunk.iter().fold(0u64, |value, digit| value * 10 + u64::from(*digit));
            coefficient = coefficient.mul_digit(10u64.pow(chunk.len() as u32)) + U512::from_u64(value);
        }
        if coefficient == U512::ZERO {
            let scale = scale.clamp(0, i64::from(DECIMAL_SCALE_MAX)) as u8;
            return Ok(Decimal { scale, negative, ..Decimal::ZERO });
        }
        if scale < 0 {
            let raise =
                u32::try_from(-scale).ok().filter(|raise| *raise <= DIGITS_MAX).ok_or(ParseDecimalError::TooLarge)?;
            coefficient = times_power(coefficient, raise).ok_or(ParseDecimalError::TooLarge)?;
            scale = 0;
        }
        // A number below 10^-255 has no digit that is kept.
        let excess = scale.saturating_sub(255).max(0);
        let coefficient =
            shift_down(coefficient, u32::try_from(excess).unwrap_or(u32::MAX), Rounding::HalfAwayFromZero);
        Decimal::from_widest(coefficient, (scale - excess) as u32, negative).ok_or(ParseDecimalError::TooLarge)
    }
}

impl Decimal {
    /// Appends the text of the number, as `Display` writes it.
    pub fn push_text(&self, out: &mut Vec<u8>) {
        let Some(mut rest) = self.small().and_then(|small| u64::try_from(small).ok()) else {
            return out.extend_from_slice(self.to_string().as_bytes());
        };
        // Digits from the last to the first; a u64 has 20, a scale up to 30 adds zeros in front.
        let mut text = [b'0'; 40];
        let mut at = text.len();
        let scale = usize::from(self.scale).min(30);
        let mut written = 0;
        while rest != 0 || written <= scale {
            if written == scale && scale > 0 {
                at -= 1;
                text[at] = b'.';
            }
            at -= 1;
            text[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            written += 1;
        }
        if self.negative {
            out.push(b'-');
        }
        out.extend_from_slice(&text[at..]);
    }
}

impl fmt::Display for Decimal {
    /// All digits of the scale, never an exponent: `-0.50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b'0'; 80 + 80];
        let mut at = text.len();
        let mut written = 0;
        let mut push = |digit: u8, written: &mut u32, at: &mut usize| {
            if *written == self.scale() && self.scale > 0 {
                *at -= 1;
                text[*at] = b'.';
            }
            *at -= 1;
            text[*at] = b'0' + digit;
            *written += 1;
        };
        let mut words = self.wide();
        while words != U256::ZERO {
            let (rest, chunk) = words.div_rem_digit(10_000_000_000_000_000_000);
            words = rest;
            let mut chunk = chunk;
            for _ in 0..19 {
                if chunk == 0 && words == U256::ZERO {
                    break;
                }
                push((chunk % 10) as u8, &mut written, &mut at);
                chunk /= 10;
            }
        }
        while written <= self.scale() {
            push(0, &mut written, &mut at);
        }
        if self.negative {
            at -= 1;
            text[at] = b'-';
        }
        f.write_str(std::str::from_utf8(&text[at..]).unwrap_or_default())
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
