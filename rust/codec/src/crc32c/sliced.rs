//! CRC-32C for processors without an instruction for it: 16 bytes at a time, through a table for each. The tables are computed on first
//! use, so that they are not part of the download.

use core::cell::OnceCell;

use super::POLYNOMIAL;

/// Table `n` has what a byte does to the checksum when `n` bytes follow it.
type Tables = [[u32; 256]; 16];

thread_local! {
    static TABLES: OnceCell<Box<Tables>> = const { OnceCell::new() };
}

/// Continues `checksum` over `bytes`.
pub(super) fn append(checksum: u32, bytes: &[u8]) -> u32 {
    TABLES.with(|tables| {
        let tables = tables.get_or_init(computed);
        let (blocks, rest) = bytes.as_chunks();
        let whole = blocks.iter().fold(!checksum, |checksum, block| over_block(tables, checksum, block));
        !rest.iter().fold(whole, |checksum, byte| checksum >> 8 ^ of_byte(tables, 0, checksum ^ u32::from(*byte)))
    })
}

fn over_block(tables: &Tables, checksum: u32, block: &[u8; 16]) -> u32 {
    let bits = u128::from_le_bytes(*block);
    let of_word = |word: u32, at: usize| {
        of_byte(tables, 15 - at, word)
            ^ of_byte(tables, 14 - at, word >> 8)
            ^ of_byte(tables, 13 - at, word >> 16)
            ^ of_byte(tables, 12 - at, word >> 24)
    };
    // The word that waits for the block before comes last.
    of_word((bits >> 32) as u32, 4)
        ^ of_word((bits >> 64) as u32, 8)
        ^ of_word((bits >> 96) as u32, 12)
        ^ of_word(bits as u32 ^ checksum, 0)
}

/// What the lowest byte of `word` does when `following` bytes follow it, fewer than 16.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "a byte is a place in 256, and each caller names a table")]
fn of_byte(tables: &Tables, following: usize, word: u32) -> u32 {
    tables[following][usize::from(word as u8)]
}

#[expect(clippy::indexing_slicing, reason = "a byte is a place in 256")]
fn computed() -> Box<Tables> {
    let mut table = [0u32; 256];
    for (byte, entry) in (0..).zip(&mut table) {
        *entry = (0..8).fold(byte, |bits: u32, _| bits >> 1 ^ if bits & 1 == 0 { 0 } else { POLYNOMIAL });
    }
    let mut tables = Box::new([table; 16]);
    let mut before = table;
    for next in tables.iter_mut().skip(1) {
        for (entry, bits) in next.iter_mut().zip(before) {
            *entry = bits >> 8 ^ table[usize::from(bits as u8)];
        }
        before = *next;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_instruction() {
        let bytes: Vec<u8> = (0..5_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        for (start, end) in [(0, 0), (0, 1), (3, 18), (3, 19), (1, 33), (0, 4_096), (7, 5_000)] {
            for checksum in [0, 1, 0xDEAD_BEEF] {
                let expected = ::crc32c::crc32c_append(checksum, &bytes[start..end]);
                assert_eq!(append(checksum, &bytes[start..end]), expected, "{start}..{end}");
            }
        }
    }
}
