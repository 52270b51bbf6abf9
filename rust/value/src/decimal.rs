//! DECIMAL: exact numbers of up to 65 digits.
//!
//! The integers behind it are fastnum's (`U256`, and `U512` between the steps of an operation, so that a product of two
//! 65-digit numbers is exact before it is cut). The rules of scale and rounding are MySQL's: a value keeps the scale it was
//! written with, rounding goes half away from zero. Numbers that fit 128 bits take a short cut.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use fastnum::{U256, U512};

use crate::types::DECIMAL_SCALE_MAX;

/// The most digits a decimal has.
pub const DIGITS_MAX: u32 = 65;

/// coefficient · 10^(−scale), coefficient < 10^67. 32 bytes, `Copy`. Zero is never negative.
///
/// Equality, order and hash are those of the number: 1.50 equals 1.5.
#[derive(Clone, Copy)]
pub struct Decimal {
    low: [u64; 3],
    high: u32,
    scale: u8,
    negative: bool,
}

const _: () = assert!(size_of::<Decimal>() == 32);

/// 10^0 to 10^38, what fits 128 bits.
static POWERS_U128: [u128; 39] = {
    let mut powers = [1u128; 39];
    let mut at = 1;
    while at < 39 {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// What stopped the reading of a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseDecimalError {
    /// Not a number.
    Syntax,
    /// More than 65 digits before the point.
    TooLarge,
}

impl Decimal {
    pub const ZERO: Decimal = Decimal { low: [0; 3], high: 0, scale: 0, negative: false };
    pub const ONE: Decimal = Decimal { low: [1, 0, 0], high: 0, scale: 0, negative: false };

    /// Digits after the point.
    pub fn scale(&self) -> u32 {
        u32::from(self.scale)
    }

    pub fn is_negative(&self) -> bool {
        self.negative
    }

    pub fn is_zero(&self) -> bool {
        self.low == [0; 3] && self.high == 0
    }

    /// Whether nothing but zeros stands after the point.
    pub fn is_integer(&self) -> bool {
        self.truncate(0) == *self
    }

    /// Significant digits before and after the point; at least one.
    pub fn digits(&self) -> u32 {
        match self.small() {
            Some(small) => POWERS_U128.partition_point(|power| *power <= small).max(1) as u32,
            None => self.wide().decimal_digits(),
        }
    }

    /// Digits before the point; 0 for a pure fraction.
    pub fn integer_digits(&self) -> u32 {
        if self.is_zero() { 0 } else { self.digits().saturating_sub(self.scale()) }
    }

    /// `coefficient` · 10^(−scale).
    pub fn new(coefficient: i128, scale: u8) -> Decimal {
        Decimal::from_small(coefficient.unsigned_abs(), scale, coefficient < 0)
    }

    fn from_small(coefficient: u128, scale: u8, negative: bool) -> Decimal {
        let low = [coefficient as u64, (coefficient >> 64) as u64, 0];
        Decimal { low, high: 0, scale, negative: negative && coefficient != 0 }
    }

    fn small(&self) -> Option<u128> {
        let small = u128::from(self.low[0]) | u128::from(self.low[1]) << 64;
        (self.low[2] == 0 && self.high == 0).then_some(small)
    }

    fn wide(&self) -> U256 {
        let [a, b, c] = self.low;
        U256::from_digits([a, b, c, u64::from(self.high)])
    }

    fn widest(&self) -> U512 {
        let [a, b, c] = self.low;
        U512::from_digits([a, b, c, u64::from(self.high), 0, 0, 0, 0])
    }

    /// The decimal of `coefficient`, losing digits after the point (rounded) while there are more than 65.
    /// `None` when more than 65 stand before it.
    fn from_widest(coefficient: U512, scale: u32, negative: bool) -> Option<Decimal> {
        let excess = coefficient.decimal_digits().saturating_sub(DIGITS_MAX).max(scale.saturating_sub(255));
        if excess > scale {
            return None;
        }
        let coefficient = shift_down(coefficient, excess, Rounding::HalfAwayFromZero);
        let digits = coefficient.digits();
        let low = [digits[0], digits[1], digits[2]];
        let high = u32::try_from(digits[3]).ok()?;
        let zero = low == [0; 3] && high == 0;
        Some(Decimal { low, high, scale: (scale - excess) as u8, negative: negative && !zero })
    }

    /// Rounds half away from zero to `scale` digits after the point, or pads with zeros up to it.
    /// `None` when padding needs more than 65 digits.
    pub fn rescale(&self, scale: u8) -> Option<Decimal> {
        if scale <= self.scale {
            return Some(self.cut(scale, Rounding::HalfAwayFromZero));
        }
        let raised = u32::from(scale - self.scale);
        if self.is_zero() {
            return Some(Decimal { scale, ..*self });
        }
        if self.digits() + raised > DIGITS_MAX {
            return None;
        }
        if let (Some(small), Some(power)) = (self.small(), POWERS_U128.get(raised as usize))
            && let Some(raised) = small.checked_mul(*power)
        {
            return Some(Decimal::from_small(raised, scale, self.negative));
        }
        Decimal::from_widest(self.widest() * U512::power_of_ten(raised), u32::from(scale), self.negative)
    }

    /// The number as a column of type decimal(`precision`, `scale`) holds it: exactly `scale` digits after the point. `None` when
    /// too many stand before it.
    pub fn fit(&self, precision: u8, scale: u8) -> Option<Decimal> {
        let fitted = self.rescale(scale)?;
        (fitted.integer_digits() <= u32::from(precision.saturating_sub(scale))).then_some(fitted)
    }

    /// Rounds half away from zero to at most `scale` digits after the point.
    pub fn round(&self, scale: u8) -> Decimal {
        if scale >= self.scale { *self } else { self.cut(scale, Rounding::HalfAwayFromZero) }
    }

    /// Drops the digits behind the first `scale` after the point.
    pub fn truncate(&self, scale: u8) -> Decimal {
        if scale >= self.scale { *self } else { self.cut(scale, Rounding::TowardZero) }
    }

    /// Rounds before the point: `places` zeros at the end (ROUND with a negative argument). The scale becomes 0.
    pub fn round_integer(&self, places: u32) -> Decimal {
        self.cut_integer(places, Rounding::HalfAwayFromZero)
    }

    /// TRUNCATE with a negative argument.
    pub fn truncate_integer(&self, places: u32) -> Decimal {
        self.cut_integer(places, Rounding::TowardZero)
    }

    fn cut_integer(&self, places: u32, rounding: Rounding) -> Decimal {
        let drop = places.saturating_add(self.scale());
        if drop > self.digits() {
            return Decimal::ZERO;
        }
        let kept = shift_down(self.widest(), drop, rounding);
        Decimal::from_widest(kept * U512::power_of_ten(places), 0, self.negative).unwrap_or(Decimal::ZERO)
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Decimal {
        let cut = self.truncate(0);
        if cut < *self { cut.checked_add(&Decimal::ONE).unwrap_or(cut) } else { cut }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Decimal {
        let cut = self.truncate(0);
        if cut > *self { cut.checked_sub(&Decimal::ONE).unwrap_or(cut) } else { cut }
    }

    /// The same number without zeros at the end of its fraction.
    pub fn normalized(&self) -> Decimal {
        let mut shortest = *self;
        while shortest.scale > 0 {
            let shorter = shortest.truncate(shortest.scale - 1);
            if shorter != *self {
                break;
            }
            shortest = shorter;
        }
        shortest
    }

    fn cut(&self, scale: u8, rounding: Rounding) -> Decimal {
        let drop = u32::from(self.scale - scale);
        if drop == 0 {
            return *self;
        }
        if let (Some(small), Some(power)) = (self.small(), POWERS_U128.get(drop as usize)) {
            let (mut kept, rest) = (small / power, small % power);
            if rounding == Rounding::HalfAwayFromZero && rest >= power - rest {
                kept += 1;
            }
            return Decimal::from_small(kept, scale, self.negative);
        }
        let kept = shift_down(self.widest(), drop, rounding);
        Decimal::from_widest(kept, u32::from(scale), self.negative).unwrap_or(Decimal::ZERO)
    }

    pub fn negated(&self) -> Decimal {
        Decimal { negative: !self.negative && !self.is_zero(), ..*self }
    }

    pub fn abs(&self) -> Decimal {
        Decimal { negative: false, ..*self }
    }

    /// The sum, with the larger scale of the two. `None` when it has more than 65 digits before the point.
    pub fn checked_add(&self, other: &Decimal) -> Option<Decimal> {
        let scale = self.scale.max(other.scale);
        if let (Some(a), Some(b)) = (self.small_at(scale), other.small_at(scale)) {
            let sum = a.checked_add(b)?;
            return Some(Decimal::new(sum, scale));
        }
        let (a, b) = (self.widest_at(scale), other.widest_at(scale));
        let (coefficient, negative) = if self.negative == other.negative {
            (a + b, self.negative)
        } else if a >= b {
            (a - b, self.negative)
        } else {
            (b - a, other.negative)
        };
        Decimal::from_widest(coefficient, u32::from(scale), negative)
    }

    /// The difference, as [`Decimal::checked_add`].
    pub fn checked_sub(&self, other: &Decimal) -> Option<Decimal> {
        self.checked_add(&other.negated())
    }

    /// The product; its scale is the sum of the scales while 65 digits are enough.
    pub fn checked_mul(&self, other: &Decimal) -> Option<Decimal> {
        let scale = self.scale() + other.scale();
        let negative = self.negative != other.negative;
        if let (Some(a), Some(b), Ok(scale)) = (self.small(), other.small(), u8::try_from(scale))
            && let Some(product) = a.checked_mul(b)
        {
            return Some(Decimal::from_small(product, scale, negative));
        }
        Decimal::from_widest(self.widest() * other.widest(), scale, negative)
    }

    /// The quotient with `scale` digits after the point, rounded half away from zero (`round`) or cut.
    /// `None` for division by zero and for more than 65 digits before the point.
    pub fn checked_div(&self, other: &Decimal, scale: u8, round: bool) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        let negative = self.negative != other.negative;
        // self/other = (a/b) · 10^(other.scale − self.scale); times 10^scale for the wanted digits.
        let raise = i32::from(other.scale) - i32::from(self.scale) + i32::from(scale);
        let (numerator, denominator) = if raise >= 0 {
            (times_power(self.widest(), raise as u32)?, other.widest())
        } else {
            (self.widest(), times_power(other.widest(), raise.unsigned_abs())?)
        };
        let (mut quotient, rest) = numerator.div_rem(denominator);
        if round && rest >= denominator - rest {
            quotient += U512::ONE;
        }
        Decimal::from_widest(quotient, u32::from(scale), negative)
    }

    /// MySQL's `/`: the scale of the dividend and `increment` more digits (`div_precision_increment`, 4), at most 30.
    pub fn divide(&self, other: &Decimal, increment: u8) -> Option<Decimal> {
        self.checked_div(other, self.scale.saturating_add(increment).min(DECIMAL_SCALE_MAX), true)
    }

    /// The scale the reference works with inside a chain of divisions, before the outermost result is rounded:
    /// whole groups of nine digits.
    pub fn inner_division_scale(&self, other: &Decimal) -> u8 {
        let groups = |digits: u32| digits.div_ceil(9);
        let (left, right) = (self.scale(), other.scale());
        let mut count = groups(left + right + 4);
        if left != 0 && right != 0 {
            count = count.max(groups(left) + groups(right));
        }
        u8::try_from(count * 9).unwrap_or(DIGITS_MAX as u8).min(DIGITS_MAX as u8)
    }

    /// The remainder with the sign of the dividend and the larger scale. `None` for division by zero.
    pub fn checked_rem(&self, other: &Decimal) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        let scale = self.scale.max(other.scale);
        if let (Some(a), Some(b)) = (self.small_at(scale), other.small_at(scale)) {
            return Some(Decimal::new(a % b, scale));
        }
        let (_, rest) = self.widest_at(scale).div_rem(other.widest_at(scale));
        Decimal::from_widest(rest, u32::from(scale), self.negative)
    }

    /// The signed coefficient at a scale not below the own one, if 127 bits hold it.
    fn small_at(&self, scale: u8) -> Option<i128> {
        let raised = self.small()?.checked_mul(*POWERS_U128.get(usize::from(scale - self.scale))?)?;
        let signed = i128::try_from(raised).ok()?;
        Some(if self.negative { -signed } else { signed })
    }

    /// The coefficient at a scale not below the own one: at most 67 + 65 digits, which 512 bits hold.
    fn widest_at(&self, scale: u8) -> U512 {
        let raised = u32::from(scale - self.scale);
        times_power(self.widest(), raised).unwrap_or(U512::MAX)
    }

    /// The number rounded to an integer, if an `i64` holds it.
    pub fn to_i64(&self) -> Option<i64> {
        let rounded = self.round(0);
        let magnitude = i128::try_from(rounded.small()?).ok()?;
        i64::try_from(if rounded.negative { -magnitude } else { magnitude }).ok()
    }

    /// The number rounded to an integer, if a `u64` holds it.
    pub fn to_u64(&self) -> Option<u64> {
        let rounded = self.round(0);
        if rounded.negative { None } else { u64::try_from(rounded.small()?).ok() }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        // 2^53 and 10^22 are exact doubles, so one division rounds once; beyond that the text is parsed.
        match self.small() {
            Some(small) if small <= 1 << 53 && self.scale <= 22 => {
                let magnitude = small as f64 / POWERS_U128[usize::from(self.scale)] as f64;
                if self.negative { -magnitude } else { magnitude }
            }
            _ => self.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// The decimal with the shortest text that reads back as `number`. `None` when it is not finite or beyond 65 digits.
    pub fn from_f64(number: f64) -> Option<Decimal> {
        if !number.is_finite() {
            return None;
        }
        format!("{number:e}").parse().ok()
    }

    /// The storage form (format/tree.md section 6): i32 exponent, i8 sign, coefficient big-endian in whole words of 8 bytes.
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
        let mut digits = [0u64; 8];
        // Leading words may be zero in theory; only four can be full.
        if words.len() > 8 {
            return None;
        }
        for (digit, word) in digits.iter_mut().zip(words.iter().rev()) {
            *digit = u64::from_be_bytes(*word);
        }
        let coefficient = U512::from_digits(digits);
        match *sign as i8 {
            0 if coefficient != U512::ZERO => return None,
            -1..=1 => {}
            _ => return None,
        }
        if exponent >= 0 {
            let raised = times_power(coefficient, u32::try_from(exponent).ok().filter(|raise| *raise <= DIGITS_MAX)?)?;
            Decimal::from_widest(raised, 0, *sign as i8 == -1)
        } else {
            let scale = exponent.unsigned_abs();
            let fits = scale <= 255 && coefficient.decimal_digits() <= DIGITS_MAX;
            if fits { Decimal::from_widest(coefficient, scale, *sign as i8 == -1) } else { None }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    HalfAwayFromZero,
    TowardZero,
}

fn times_power(number: U512, power: u32) -> Option<U512> {
    // 512 bits hold 154 digits.
    if number.decimal_digits() + power > 154 { None } else { Some(number * U512::power_of_ten(power)) }
}

/// `number` / 10^`power`.
fn shift_down(number: U512, power: u32, rounding: Rounding) -> U512 {
    if power == 0 {
        return number;
    }
    if power > 154 {
        return U512::ZERO;
    }
    let divisor = U512::power_of_ten(power);
    let (mut kept, rest) = number.div_rem(divisor);
    if rounding == Rounding::HalfAwayFromZero && rest >= divisor - rest {
        kept += U512::ONE;
    }
    kept
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
            return Ok(Decimal { scale: scale.clamp(0, i64::from(DECIMAL_SCALE_MAX)) as u8, ..Decimal::ZERO });
        }
        if scale < 0 {
            let raise =
                u32::try_from(-scale).ok().filter(|raise| *raise <= DIGITS_MAX).ok_or(ParseDecimalError::TooLarge)?;
            coefficient = times_power(coefficient, raise).ok_or(ParseDecimalError::TooLarge)?;
            scale = 0;
        }
        // A number below 10^-255 has no digit that could be kept.
        let excess = scale.saturating_sub(255).max(0);
        let coefficient =
            shift_down(coefficient, u32::try_from(excess).unwrap_or(u32::MAX), Rounding::HalfAwayFromZero);
        Decimal::from_widest(coefficient, (scale - excess) as u32, negative).ok_or(ParseDecimalError::TooLarge)
    }
}

impl fmt::Display for Decimal {
    /// All digits of the scale, never an exponent: `-0.50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b'0'; 80 + 260];
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

impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        if self.negative != other.negative {
            return other.negative.cmp(&self.negative);
        }
        let magnitude = if self.scale == other.scale {
            (self.high, self.low[2], self.low[1], self.low[0]).cmp(&(
                other.high,
                other.low[2],
                other.low[1],
                other.low[0],
            ))
        } else {
            let scale = self.scale.max(other.scale);
            match (self.small_at(scale), other.small_at(scale)) {
                (Some(a), Some(b)) => a.unsigned_abs().cmp(&b.unsigned_abs()),
                _ => self.magnitude_cmp(other),
            }
        };
        if self.negative { magnitude.reverse() } else { magnitude }
    }
}

impl Decimal {
    fn magnitude_cmp(&self, other: &Decimal) -> Ordering {
        if self.is_zero() || other.is_zero() {
            return other.is_zero().cmp(&self.is_zero());
        }
        // The place of the first digit decides unless it is the same; then the scales differ by less than 67.
        let place = |number: &Decimal| i64::from(number.digits()) - i64::from(number.scale);
        place(self).cmp(&place(other)).then_with(|| {
            let scale = self.scale.max(other.scale);
            self.widest_at(scale).cmp(&other.widest_at(scale))
        })
    }
}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let shortest = self.normalized();
        (shortest.low, shortest.high, shortest.scale, shortest.negative).hash(state);
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Decimal {
        Decimal::from_small(u128::from(number.unsigned_abs()), 0, number < 0)
    }
}

impl From<u64> for Decimal {
    fn from(number: u64) -> Decimal {
        Decimal::from_small(u128::from(number), 0, false)
    }
}
