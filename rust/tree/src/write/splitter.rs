//! Node splitter: content-defined boundaries of nodes (docs/format/tree.md, section 4.1).

use codec::xxh3_64;

use crate::message::node::LEVELS_MAX;

const CHUNK_BYTES_MIN: u32 = 512;
pub(crate) const CHUNK_BYTES_MAX: u32 = 16_384;
const CHUNK_BYTES_TARGET: f64 = 4_096.0;

/// The first 8 bytes, little-endian, of SHA-512 of the byte `level + 1`.
const SALTS: [u64; LEVELS_MAX] = [
    0xddfb_c136_68b6_547b,
    0x53a8_57b6_c948_b8fa,
    0xaa94_df7d_81f5_5be4,
    0x135b_7b50_25c7_b8b5,
    0x2cfa_558a_443e_5f09,
    0x047c_5bf9_7d08_1558,
    0xb610_e6df_a111_5d36,
    0xb801_0bf4_f86b_5af6,
    0xbba2_5ed3_f85b_7bf2,
    0xe586_86ca_3888_68be,
    0x0fbc_df6f_2bff_7c52,
    0xa444_571e_649a_b32a,
    0x2a04_7bf3_cc02_719f,
    0x2e88_18c8_7b88_473e,
    0xd663_69bd_2feb_a7c5,
];

/// The seed that hashes keys of a level.
pub(crate) fn salt(level: usize) -> u64 {
    SALTS.get(level).copied().unwrap_or_default()
}

/// Decides after which item of a level a node ends: from keys and sizes alone, so that equal rows give equal trees.
#[derive(Debug, Clone)]
pub(crate) struct Splitter {
    salt: u64,
    size_bytes: u32,
    /// Of this size.
    hazard: f64,
    crossed: bool,
}

impl Splitter {
    pub(crate) fn new(level: usize) -> Splitter {
        Splitter { salt: salt(level), size_bytes: 0, hazard: 0.0, crossed: false }
    }

    /// Starts a new node.
    pub(crate) fn reset(&mut self) {
        *self = Splitter { size_bytes: 0, hazard: 0.0, crossed: false, ..*self };
    }

    /// Whether the node ends after the last item.
    pub(crate) fn has_crossed(&self) -> bool {
        self.crossed
    }

    /// Takes items into account of which it is known that the node does not end after them.
    pub(crate) fn pass(&mut self, bytes: u32) {
        self.size_bytes = self.size_bytes.saturating_add(bytes);
        self.hazard = hazard(self.size_bytes);
        self.crossed = false;
    }

    /// Takes an item into account: its key, and what key and value count together.
    pub(crate) fn append(&mut self, key: &[u8], item_bytes: u32) {
        self.size_bytes = self.size_bytes.saturating_add(item_bytes);
        let before = core::mem::replace(&mut self.hazard, hazard(self.size_bytes));
        if self.size_bytes < CHUNK_BYTES_MIN {
            return;
        }
        self.crossed = self.size_bytes > CHUNK_BYTES_MAX || {
            // The chance that a node of at least this size ends here follows a Weibull distribution of shape 4.
            let hash = xxh3_64(key, self.salt) as u32;
            chance(before, self.hazard, hash)
        };
    }
}

/// Up to here rounding is far below [`ROUNDING_MAX`].
const HAZARD_MAX: f64 = 8.0;
const ROUNDING_MAX: f64 = 1e-9;

/// Whether a node that did not end at a size of the first hazard ends at one of the second, for an item with this hash.
fn chance(before: f64, after: f64, hash: u32) -> bool {
    // The chance is 1 - exp(-d) < d, which rules out a boundary at most items.
    if after < HAZARD_MAX && f64::from(hash) > (after - before + ROUNDING_MAX) * f64::from(u32::MAX) {
        return false;
    }
    let start = ended_by(before);
    let end = ended_by(after);
    let left = 1.0 - start;
    left <= 0.0 || f64::from(hash) / f64::from(u32::MAX) < (end - start) / left
}

fn hazard(size_bytes: u32) -> f64 {
    let x = f64::from(size_bytes) / CHUNK_BYTES_TARGET;
    x * x * x * x
}

/// The share of nodes that have ended at a size with this hazard.
fn ended_by(hazard: f64) -> f64 {
    -(-hazard).exp_m1()
}

#[cfg(test)]
mod tests {
    use codec::Address;

    use super::*;

    #[test]
    fn salts_are_hashes_of_the_level() {
        for level in 0..LEVELS_MAX {
            let digest = Address::of(&[level as u8 + 1]);
            assert_eq!(salt(level), u64::from_le_bytes(*digest.as_bytes().first_chunk().unwrap()));
        }
    }

    /// Thresholds recorded from Dolt: size after the item, bytes of the item, the greatest hash that ends the node.
    #[test]
    fn chances_are_dolts() {
        for (size, item, most) in [
            (512, 12, 94_900),
            (1_000, 20, 1_184_404),
            (4_096, 20, 82_471_587),
            (4_096, 100, 385_871_405),
            (8_000, 24, 685_337_595),
        ] {
            let ends = |hash| chance(hazard(size - item), hazard(size), hash);
            assert!(ends(most) && !ends(most + 1), "{size} {item}");
        }
    }

    /// The short cut answers as the whole computation.
    #[test]
    fn few_chances_are_computed_and_all_are_the_same() {
        let whole = |before: u32, after: u32, hash: u32| {
            let (start, end) = (ended_by(hazard(before)), ended_by(hazard(after)));
            1.0 - start <= 0.0 || f64::from(hash) / f64::from(u32::MAX) < (end - start) / (1.0 - start)
        };
        let mut state = 1u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let before = (state >> 33) as u32 % CHUNK_BYTES_MAX;
            let after = before + 1 + (state >> 20) as u32 % 300;
            let edge = (hazard(after) - hazard(before)).min(1.0) * f64::from(u32::MAX);
            for hash in [(state >> 32) as u32, edge as u32, (edge * 0.999) as u32, (edge * 1.001) as u32] {
                assert_eq!(
                    chance(hazard(before), hazard(after), hash),
                    whole(before, after, hash),
                    "{before} {after} {hash}"
                );
            }
        }
    }

    #[test]
    fn hashes_are_dolts() {
        for (key, level, hash) in
            [(&b""[..], 0, 0xc437_f96du32), (b"hello", 0, 0x153b_a36b), (b"hello", 2, 0x41f3_e9cf)]
        {
            assert_eq!(xxh3_64(key, salt(level)) as u32, hash);
        }
    }
}
