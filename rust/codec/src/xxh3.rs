//! XXH3, which decides node boundaries and the identity of keyless rows (docs/format/tree.md, sections 4 and 6).

/// The 64-bit hash of `bytes` under `seed`.
pub fn xxh3_64(bytes: &[u8], seed: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(bytes, seed)
}

/// The 128-bit hash of `bytes`, seed 0. The canonical byte form is big-endian.
pub fn xxh3_128(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(xxh3_64(b"", 0), 0x2D06_8005_38D3_94C2);
        assert_eq!(xxh3_128(b""), 0x99AA_06D3_0147_98D8_6001_C324_468D_497F);
        assert_ne!(xxh3_64(b"key", 1), xxh3_64(b"key", 2));
    }
}
