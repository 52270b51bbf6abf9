//! Hexadecimal text of bytes, two digits for each.

/// With `a` to `f`.
pub fn lower(bytes: &[u8]) -> String {
    digits(bytes, b"0123456789abcdef")
}

/// With `A` to `F`.
pub fn upper(bytes: &[u8]) -> String {
    digits(bytes, b"0123456789ABCDEF")
}

fn digits(bytes: &[u8], digits: &[u8; 16]) -> String {
    let digit = |nibble: u8| digits.get(usize::from(nibble)).map_or('0', |digit| char::from(*digit));
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_two_digits_for_each_byte() {
        assert_eq!(super::lower(&[0, 0x0f, 0xab]), "000fab");
        assert_eq!(super::upper(&[0, 0x0f, 0xab]), "000FAB");
    }
}
