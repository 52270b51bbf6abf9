//! CRC-32C (Castagnoli), as in chunk records and journal records (format: store.md, section 4.1).

/// The checksum of `bytes`: reflected polynomial `0x82F63B78`, initial and final xor `0xFFFFFFFF`, not masked.
pub fn crc32c(bytes: &[u8]) -> u32 {
    ::crc32c::crc32c(bytes)
}

/// Continues `checksum` (the checksum of everything before `bytes`) over `bytes`.
pub fn crc32c_append(checksum: u32, bytes: &[u8]) -> u32 {
    ::crc32c::crc32c_append(checksum, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c_append(crc32c(b"1234"), b"56789"), 0xE306_9283);
    }
}
