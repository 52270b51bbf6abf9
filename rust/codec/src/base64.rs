//! Base64 with the usual digits (RFC 4648, section 4).
//!
//! Own, as `hex` is: the two are 1.6 kB of a .wasm after brotli, `base64` and `hex` of crates.io 6.2, `data-encoding` 6.2. `base64ct` with
//! `base16ct`, 2.4, wants the `=` at the end and does not say where a text is wrong.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The digits of `bytes`, filled up with `=` to fours.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * at) & 63) as usize).filter(|_| at <= group.len());
            text.push(digit.map_or('=', |digit| char::from(*digit)));
        }
    }
    text
}

/// The bytes that `text` encodes. The `=` at its end may be missing.
///
/// # Errors
/// Where in `text` the first byte is that is no digit.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0u32, 0);
    for (at, digit) in digits.iter().enumerate() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(at),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_both_ways() {
        let pairs = [
            ("", ""),
            ("a", "YQ=="),
            ("ab", "YWI="),
            ("abc", "YWJj"),
            ("any carnal pleas", "YW55IGNhcm5hbCBwbGVhcw=="),
        ];
        for (bytes, text) in pairs {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text.as_bytes()).unwrap(), bytes.as_bytes());
            assert_eq!(decode(text.trim_end_matches('=').as_bytes()).unwrap(), bytes.as_bytes());
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(encode(&all).as_bytes()).unwrap(), all);
    }

    #[test]
    fn what_is_no_digit_is_told_by_its_place() {
        assert_eq!(decode(b"YW I="), Err(2));
        assert_eq!(decode(b"Y==="), Err(1));
        assert_eq!(decode(b"YWJj\n"), Err(4));
    }
}
