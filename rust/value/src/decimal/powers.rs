//! Powers of ten.

use std::sync::LazyLock;

use fastnum::U512;

/// 10^0 to 10^38, what fits 128 bits.
pub(super) static POWERS_U128: [u128; 39] = {
    let mut powers = [1u128; 39];
    let mut at = 1;
    while at < 39 {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// 10^0 to 10^19, what fits 64 bits.
pub(super) static POWERS_U64: [u64; 20] = {
    let mut powers = [1u64; 20];
    let mut at = 1;
    while at < 20 {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// The most digits of a number all of whose digits fit 512 bits.
const DIGITS_U512: u32 = 154;

/// 10^0 to 10^154. Counted at their first use: fastnum's own are 21 kB of the program.
static POWERS_U512: LazyLock<Vec<U512>> = LazyLock::new(|| {
    let mut powers = vec![U512::ONE];
    for power in 0..DIGITS_U512 as usize {
        powers.push(powers[power].mul_digit(10));
    }
    powers
});

/// 10^`power`; `None` above 512 bits.
pub(super) fn power_of_ten(power: u32) -> Option<U512> {
    POWERS_U512.get(power as usize).copied()
}

/// How many digits a number has; 0 has none.
pub(super) fn digits(number: &U512) -> u32 {
    // 1233 / 4096 is the logarithm of two, near enough for 512 bits: one too few at most.
    let at_least = (512 - number.leading_zeros()) * 1233 / 4096;
    at_least + u32::from(*number >= POWERS_U512[at_least as usize])
}

/// `number` · 10^`power`; `None` above 154 digits.
pub(super) fn times_power(number: U512, power: u32) -> Option<U512> {
    if digits(&number) + power > DIGITS_U512 { None } else { Some(number * power_of_ten(power)?) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_on_both_sides_of_every_power() {
        assert_eq!((digits(&U512::ZERO), digits(&U512::ONE), digits(&U512::MAX)), (0, 1, 155));
        for power in 1..=DIGITS_U512 {
            let ten = power_of_ten(power).unwrap();
            assert_eq!(ten, U512::power_of_ten(power));
            assert_eq!((digits(&(ten - U512::ONE)), digits(&ten)), (power, power + 1));
        }
        assert_eq!(power_of_ten(DIGITS_U512 + 1), None);
    }
}
