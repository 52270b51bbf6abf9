//! CRC-32C (Castagnoli), as in chunk records and journal records (docs/format/store.md, section 4.1).

#[cfg(any(test, target_family = "wasm"))]
mod sliced;

/// The checksum of `bytes`: reflected polynomial `0x82F63B78`, initial and final xor `0xFFFFFFFF`, not masked.
pub fn crc32c(bytes: &[u8]) -> u32 {
    crc32c_append(0, bytes)
}

/// Continues `checksum` (the checksum of everything before `bytes`) over `bytes`.
pub fn crc32c_append(checksum: u32, bytes: &[u8]) -> u32 {
    #[cfg(not(target_family = "wasm"))]
    return ::crc32c::crc32c_append(checksum, bytes);
    #[cfg(target_family = "wasm")]
    return sliced::append(checksum, bytes);
}

/// The checksum of `first_bytes ++ second_bytes` from theirs: appending zeros multiplies a checksum by a power of x.
pub fn crc32c_combine(first: u32, second: u32, second_len: usize) -> u32 {
    let powers = POWERS.iter().enumerate().filter(|(bit, _)| second_len >> bit & 1 == 1);
    powers.fold(first, |shifted, (_, power)| times(*power, shifted)) ^ second
}

/// The polynomial, reflected: the highest bit is x to the power of 0.
const POLYNOMIAL: u32 = 0x82F6_3B78;

/// What a byte of zeros multiplies by, squared again and again: enough for lengths of four GiB.
const POWERS: [u32; 32] = {
    // x to the power of 8.
    let mut powers = [1 << (31 - 8); 32];
    let mut at = 1;
    while at < powers.len() {
        #[expect(clippy::indexing_slicing, reason = "both are inside, and this is computed by the compiler")]
        {
            powers[at] = times(powers[at - 1], powers[at - 1]);
        }
        at += 1;
    }
    powers
};

/// The product of two polynomials over GF(2), modulo ours.
const fn times(one: u32, mut other: u32) -> u32 {
    let mut product = 0;
    let mut bit = 1 << 31;
    while bit != 0 {
        if one & bit != 0 {
            product ^= other;
        }
        bit >>= 1;
        other = (other >> 1) ^ if other & 1 == 0 { 0 } else { POLYNOMIAL };
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c_append(crc32c(b"1234"), b"56789"), 0xE306_9283);
    }

    #[test]
    fn checksums_of_pieces_combine() {
        let bytes: Vec<u8> = (0..70_000u32).map(|i| ((i * 31) >> 3) as u8).collect();
        for (middle, end) in [(0, 0), (0, 9), (5, 5), (28, 29), (28, 4_123), (1, 65_536), (3, 70_000)] {
            let (first, second) = bytes[..end].split_at(middle);
            assert_eq!(crc32c_combine(crc32c(first), crc32c(second), second.len()), crc32c(&bytes[..end]));
        }
    }
}
