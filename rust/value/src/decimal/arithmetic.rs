//! Sums, products, quotients and remainders, exact until they are cut to the scale MySQL gives them.

use fastnum::U512;

use super::powers::{self, POWERS_U64, POWERS_U128, times_power};
use super::{DIGITS_MAX, Decimal, Rounding, SCALE_MAX};
use crate::types::{DECIMAL_PRECISION_MAX, DECIMAL_SCALE_MAX};

impl Decimal {
    /// The number below or above 0 instead of above or below; 0 has no sign then.
    pub fn negated(&self) -> Decimal {
        Decimal { negative: !self.negative && !self.is_zero(), ..*self }
    }

    /// −0 for 0, too: what a subtraction adds.
    fn opposite(&self) -> Decimal {
        Decimal { negative: !self.negative, ..*self }
    }

    pub fn abs(&self) -> Decimal {
        Decimal { negative: false, ..*self }
    }

    /// The sum, with the larger scale of the two; −0 only of two of them. `None` when it has more than `DIGITS_MAX` digits before the
    /// point.
    pub fn checked_add(&self, other: &Decimal) -> Option<Decimal> {
        let scale = self.scale.max(other.scale);
        if let (Some(a), Some(b)) = (self.small_at(scale), other.small_at(scale)) {
            let sum = a.checked_add(b)?;
            let negative = sum < 0 || sum == 0 && self.negative && other.negative;
            return Some(Decimal::from_small(sum.unsigned_abs(), scale, negative));
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
        self.checked_add(&other.opposite())
    }

    /// The product; its scale is the sum of the scales while `DIGITS_MAX` digits are enough.
    pub fn checked_mul(&self, other: &Decimal) -> Option<Decimal> {
        let scale = self.scale() + other.scale();
        let negative = self.negative != other.negative;
        if let (Some(a), Some(b), true) = (self.one_word(), other.one_word(), scale <= u32::from(SCALE_MAX)) {
            return Some(Decimal::from_small(u128::from(a) * u128::from(b), scale as u8, negative));
        }
        if let (Some(a), Some(b), true) = (self.small(), other.small(), scale <= u32::from(SCALE_MAX))
            && let Some(product) = a.checked_mul(b)
        {
            return Some(Decimal::from_small(product, scale as u8, negative));
        }
        Decimal::from_widest(self.widest() * other.widest(), scale, negative)
    }

    /// The quotient with `scale` digits after the point, rounded or cut.
    /// `None` for division by zero and for more than `DIGITS_MAX` digits before the point.
    pub fn checked_div(&self, other: &Decimal, scale: u8, rounding: Rounding) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        let scale = scale.min(SCALE_MAX);
        let negative = self.negative != other.negative;
        // self/other = (a/b) · 10^(other.scale − self.scale); times 10^scale for the wanted digits.
        let raise = i32::from(other.scale) - i32::from(self.scale) + i32::from(scale);
        let (numerator, denominator) = if raise >= 0 {
            (times_power(self.widest(), raise as u32)?, other.widest())
        } else {
            (self.widest(), times_power(other.widest(), raise.unsigned_abs())?)
        };
        let (mut quotient, rest) = numerator.div_rem(denominator);
        let excess = powers::digits(&quotient).saturating_sub(DIGITS_MAX);
        if excess > 0 {
            // Once more with fewer digits, so that only one rounding happens.
            let fewer = u32::from(scale).checked_sub(excess)?;
            return self.checked_div(other, fewer as u8, rounding);
        }
        if rounding == Rounding::HalfAwayFromZero && rest >= denominator - rest {
            quotient += U512::ONE;
        }
        Decimal::from_widest(quotient, u32::from(scale), negative).map(Decimal::plain_zero)
    }

    /// MySQL's `/`: the scale of the dividend and `increment` more digits (`div_precision_increment`, 4), at most 30.
    pub fn divide(&self, other: &Decimal, increment: u8) -> Option<Decimal> {
        self.checked_div(other, self.scale.saturating_add(increment).min(DECIMAL_SCALE_MAX), Rounding::HalfAwayFromZero)
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
        u8::try_from(count * 9).unwrap_or(DECIMAL_PRECISION_MAX).min(DECIMAL_PRECISION_MAX)
    }

    /// The remainder with the sign of the dividend and the larger scale. `None` for division by zero.
    pub fn checked_rem(&self, other: &Decimal) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        let scale = self.scale.max(other.scale);
        if self.scale == other.scale
            && let (Some(a), Some(b)) = (self.one_word(), other.one_word())
        {
            return Some(Decimal::from_small(u128::from(a % b), scale, self.negative));
        }
        if let (Some(a), Some(b)) = (self.small_at(scale), other.small_at(scale)) {
            return Some(Decimal::from_small((a % b).unsigned_abs(), scale, self.negative));
        }
        let (_, rest) = self.widest_at(scale).div_rem(other.widest_at(scale));
        Decimal::from_widest(rest, u32::from(scale), self.negative)
    }

    /// The signed coefficient at a scale not below the own one, if 127 bits hold it.
    pub(super) fn small_at(&self, scale: u8) -> Option<i128> {
        let raise = usize::from(scale - self.scale);
        let raised = match (raise, self.one_word(), POWERS_U64.get(raise)) {
            (0, ..) => self.small()?,
            (_, Some(word), Some(power)) => u128::from(word) * u128::from(*power),
            _ => self.small()?.checked_mul(*POWERS_U128.get(raise)?)?,
        };
        let signed = i128::try_from(raised).ok()?;
        Some(if self.negative { -signed } else { signed })
    }

    /// The coefficient at a scale not below the own one: at most 67 + 80 digits, which 512 bits hold.
    pub(super) fn widest_at(&self, scale: u8) -> U512 {
        let raised = u32::from(scale - self.scale);
        times_power(self.widest(), raised).unwrap_or(U512::MAX)
    }
}
