//! The stored form of decimals (docs/format/tree.md, section 6).

use fastnum::U512;

use super::powers::{self, times_power};
use super::{DIGITS_MAX, Decimal, SCALE_MAX};

impl Decimal {
    /// The storage form (docs/format/tree.md, section 6): i32 exponent, i8 sign, coefficient big-endian in whole words of 8 bytes.
    pub fn encode(&self, into: &mut Vec<u8>) {
        into.extend_from_slice(&(-i32::from(self.scale)).to_le_bytes());
        let sign: i8 = if self.is_zero() {
            0
        } else if self.negative {
            -1
        } else {
            1
        };
        into.extend_from_slice(&sign.to_le_bytes());
        let words = [u64::from(self.high), self.low[2], self.low[1], self.low[0]];
        for word in words.iter().skip_while(|word| **word == 0) {
            into.extend_from_slice(&word.to_be_bytes());
        }
    }

    /// Reads the storage form. `None` for anything else: lengths that are not 5 + 8n, exponents beyond any column,
    /// infinities and NaN, coefficients above 65 digits.
    pub fn decode(bytes: &[u8]) -> Option<Decimal> {
        let (exponent, rest) = bytes.split_first_chunk::<4>()?;
        let (sign, rest) = rest.split_first()?;
        let exponent = i32::from_le_bytes(*exponent);
        let (words, []) = rest.as_chunks::<8>() else { return None };
        // Up to 38 digits, nearly all there are: no wide arithmetic.
        if let ([word], -30..=0) = (words, exponent)
            && matches!(*sign as i8, -1 | 1)
        {
            let coefficient = u128::from(u64::from_be_bytes(*word));
            let negative = *sign as i8 == -1 && coefficient != 0;
            return Some(Decimal::from_small(coefficient, exponent.unsigned_abs() as u8, negative));
        }
        let mut digits = [0u64; 8];
        // Leading words may be zero in theory; only four can be full.
        if words.len() > 8 {
            return None;
        }
        for (digit, word) in digits.iter_mut().zip(words.iter().rev()) {
            *digit = u64::from_be_bytes(*word);
        }
        let coefficient = U512::from_digits(digits);
        let negative = *sign as i8 == -1 && coefficient != U512::ZERO;
        match *sign as i8 {
            0 if coefficient != U512::ZERO => return None,
            -1..=1 => {}
            _ => return None,
        }
        if exponent >= 0 {
            let raised = times_power(coefficient, u32::try_from(exponent).ok().filter(|raise| *raise <= DIGITS_MAX)?)?;
            Decimal::from_widest(raised, 0, negative)
        } else {
            let scale = exponent.unsigned_abs();
            let fits = scale <= u32::from(SCALE_MAX) && powers::digits(&coefficient) <= DIGITS_MAX;
            if fits { Decimal::from_widest(coefficient, scale, negative) } else { None }
        }
    }
}
