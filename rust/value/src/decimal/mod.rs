//! DECIMAL: exact numbers of up to 65 digits, and two more between the steps of an expression.
//!
//! The integers behind it are fastnum's (`U256`, and `U512` between the steps of an operation, so that a product of two
//! 65-digit numbers is exact before it is cut). The rules of scale and rounding are MySQL's: a value keeps the scale it was
//! written with, rounding goes half away from zero. Numbers that fit 128 bits take a short cut.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use fastnum::{U256, U512};

use powers::{POWERS_U128, power_of_ten, times_power};

mod arithmetic;
mod powers;
mod storage;
mod text;

pub use text::ParseDecimalError;

/// The most digits a decimal has: as many as 224 bits hold all of. Columns have at most 65, so that their sums are exact.
pub const DIGITS_MAX: u32 = 67;

/// The most digits after the point that are kept between the steps of an expression; columns have at most 30. Low enough for any two
/// coefficients to fit 512 bits at a common scale.
pub const SCALE_MAX: u8 = 80;

/// coefficient · 10^(−scale), coefficient < 10^67. 32 bytes, `Copy`.
///
/// Equality, order and hash are those of the number: 1.50 equals 1.5. A zero keeps the sign that a product, a remainder or a
/// rounding gave it, as the reference prints it (`-3 % 3` is -0); it equals 0, and what is stored has no such sign.
#[derive(Clone, Copy)]
pub struct Decimal {
    low: [u64; 3],
    high: u32,
    scale: u8,
    negative: bool,
}

const _: () = assert!(size_of::<Decimal>() == 32);

impl Decimal {
    pub const ZERO: Decimal = Decimal { low: [0; 3], high: 0, scale: 0, negative: false };
    pub const ONE: Decimal = Decimal { low: [1, 0, 0], high: 0, scale: 0, negative: false };

    /// Digits after the point.
    pub fn scale(&self) -> u32 {
        u32::from(self.scale)
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        self.negative && !self.is_zero()
    }

    /// Whether it is printed as -0.
    pub fn is_negative_zero(&self) -> bool {
        self.negative && self.is_zero()
    }

    /// The number, and 0 for -0.
    pub fn plain_zero(self) -> Decimal {
        Decimal { negative: self.is_negative(), ..self }
    }

    pub fn is_zero(&self) -> bool {
        self.low == [0; 3] && self.high == 0
    }

    /// Significant digits before and after the point; at least one.
    pub fn digits(&self) -> u32 {
        match self.small() {
            Some(small) => POWERS_U128.partition_point(|power| *power <= small).max(1) as u32,
            None => powers::digits(&self.widest()),
        }
    }

    /// Digits before the point; 0 for a pure fraction.
    pub fn integer_digits(&self) -> u32 {
        if self.is_zero() { 0 } else { self.digits().saturating_sub(self.scale()) }
    }

    /// `coefficient` · 10^(−scale), rounded to `SCALE_MAX`.
    pub fn new(coefficient: i128, scale: u8) -> Decimal {
        let (magnitude, negative) = (coefficient.unsigned_abs(), coefficient < 0);
        let given = Decimal::from_small(magnitude, scale, negative);
        // 128 bits are fewer than 65 digits, so that only the scale can be too large.
        if scale <= SCALE_MAX {
            given
        } else {
            Decimal::from_widest(given.widest(), u32::from(scale), negative).unwrap_or(given)
        }
    }

    fn from_small(coefficient: u128, scale: u8, negative: bool) -> Decimal {
        let low = [coefficient as u64, (coefficient >> 64) as u64, 0];
        Decimal { low, high: 0, scale, negative }
    }

    fn small(&self) -> Option<u128> {
        let small = u128::from(self.low[0]) | u128::from(self.low[1]) << 64;
        (self.low[2] == 0 && self.high == 0).then_some(small)
    }

    /// The coefficient if 64 bits hold it: nearly always, and far quicker to count with.
    fn one_word(&self) -> Option<u64> {
        (self.low[1] | self.low[2] == 0 && self.high == 0).then_some(self.low[0])
    }

    fn wide(&self) -> U256 {
        let [a, b, c] = self.low;
        U256::from_digits([a, b, c, u64::from(self.high)])
    }

    fn widest(&self) -> U512 {
        let [a, b, c] = self.low;
        U512::from_digits([a, b, c, u64::from(self.high), 0, 0, 0, 0])
    }

    /// The decimal of `coefficient`, losing digits after the point (rounded) while there are more than `DIGITS_MAX`.
    /// `None` when more than these are before it.
    fn from_widest(coefficient: U512, scale: u32, negative: bool) -> Option<Decimal> {
        let beyond_scale = scale.saturating_sub(u32::from(SCALE_MAX));
        let mut excess = powers::digits(&coefficient).saturating_sub(DIGITS_MAX).max(beyond_scale);
        let mut rounded = shift_down(coefficient, excess, Rounding::HalfAwayFromZero);
        if powers::digits(&rounded) > DIGITS_MAX {
            // All nines, rounded up.
            excess += 1;
            rounded = shift_down(coefficient, excess, Rounding::HalfAwayFromZero);
        }
        if excess > scale {
            return None;
        }
        let coefficient = rounded;
        let digits = coefficient.digits();
        let low = [digits[0], digits[1], digits[2]];
        let high = u32::try_from(digits[3]).ok()?;
        Some(Decimal { low, high, scale: (scale - excess) as u8, negative })
    }

    /// Rounds half away from zero to `scale` digits after the point, or pads with zeros up to it.
    /// `None` when padding needs more than `DIGITS_MAX` digits or a scale above `SCALE_MAX`.
    pub fn rescale(&self, scale: u8) -> Option<Decimal> {
        if scale > SCALE_MAX {
            return None;
        }
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
        Decimal::from_widest(times_power(self.widest(), raised)?, u32::from(scale), self.negative)
    }

    /// The number as a column of type decimal(`precision`, `scale`) holds it: exactly `scale` digits after the point. `None` when
    /// too many are before it.
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
        if scale >= self.scale { *self } else { self.cut(scale, Rounding::TowardZero).plain_zero() }
    }

    /// Rounds before the point: `places` zeros at the end (ROUND with a negative argument). The scale becomes 0. `None` where that
    /// needs more than `DIGITS_MAX` digits.
    pub fn round_integer(&self, places: u32) -> Option<Decimal> {
        self.cut_integer(places, Rounding::HalfAwayFromZero)
    }

    /// TRUNCATE with a negative argument.
    pub fn truncate_integer(&self, places: u32) -> Option<Decimal> {
        self.cut_integer(places, Rounding::TowardZero)
    }

    fn cut_integer(&self, places: u32, rounding: Rounding) -> Option<Decimal> {
        let drop = places.saturating_add(self.scale());
        if drop > self.digits() {
            return Some(Decimal::ZERO);
        }
        let kept = shift_down(self.widest(), drop, rounding);
        let cut = times_power(kept, places).and_then(|cut| Decimal::from_widest(cut, 0, self.negative));
        cut.map(Decimal::plain_zero)
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

    /// The number rounded to an integer, if an `i64` holds it.
    pub fn to_i64(&self) -> Option<i64> {
        let rounded = self.round(0);
        let magnitude = i128::try_from(rounded.small()?).ok()?;
        i64::try_from(if rounded.negative { -magnitude } else { magnitude }).ok()
    }

    /// The number rounded to an integer, if a `u64` holds it.
    pub fn to_u64(&self) -> Option<u64> {
        let rounded = self.round(0);
        if rounded.is_negative() { None } else { u64::try_from(rounded.small()?).ok() }
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
        crate::number_text::shortest(number).parse().ok()
    }
}

/// What becomes of digits that do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    HalfAwayFromZero,
    TowardZero,
}

/// `number` / 10^`power`.
fn shift_down(number: U512, power: u32, rounding: Rounding) -> U512 {
    if power == 0 {
        return number;
    }
    let Some(divisor) = power_of_ten(power) else { return U512::ZERO };
    let (mut kept, rest) = number.div_rem(divisor);
    if rounding == Rounding::HalfAwayFromZero && rest >= divisor - rest {
        kept += U512::ONE;
    }
    kept
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
            return if self.is_zero() && other.is_zero() {
                Ordering::Equal
            } else {
                other.negative.cmp(&self.negative)
            };
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
        (shortest.low, shortest.high, shortest.scale, shortest.is_negative()).hash(state);
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
