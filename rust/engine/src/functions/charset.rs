//! Text in the bytes of a character set, for the functions that look at bytes: HEX, LENGTH, TO_BASE64.

use std::borrow::Cow;

use value::Charset;

use crate::error::{Result, SqlError};

/// What Windows code page 1252 has at 0x80 to 0x9F, which MySQL calls latin1; 0 where it has nothing.
static LATIN1: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,
    0x017e, 0x0178,
];

/// The bytes of `text` in `charset`.
///
/// # Errors
/// A character that the set does not have; a set whose table is not built.
pub fn encode(text: &str, charset: Charset) -> Result<Cow<'_, [u8]>> {
    let missing = || SqlError::general(format!("unable to re-encode string as {}", charset.name()));
    Ok(match charset {
        Charset::Utf8mb4 | Charset::Utf8mb3 | Charset::Binary => Cow::Borrowed(text.as_bytes()),
        _ if text.is_ascii()
            && !matches!(charset, Charset::Utf16 | Charset::Utf16le | Charset::Utf32 | Charset::Ucs2) =>
        {
            Cow::Borrowed(text.as_bytes())
        }
        Charset::Utf16 | Charset::Ucs2 => text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>().into(),
        Charset::Utf16le => text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>().into(),
        Charset::Utf32 => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect::<Vec<u8>>().into(),
        Charset::Latin1 => {
            let byte = |c: char| match u32::from(c) {
                code @ (0..=0x7f | 0xa0..=0xff) => Some(code as u8),
                code => LATIN1.iter().position(|known| u32::from(*known) == code).map(|at| at as u8 + 0x80),
            };
            text.chars().map(byte).collect::<Option<Vec<u8>>>().ok_or_else(missing)?.into()
        }
        Charset::Ascii => return Err(missing()),
        other => return Err(SqlError::unsupported(format!("text outside ASCII in {}", other.name()))),
    })
}

/// Bytes of `charset` as text; `None` for bytes that are no text of it.
pub fn decode(bytes: &[u8], charset: Charset) -> Option<String> {
    match charset {
        Charset::Latin1 => Some(
            bytes
                .iter()
                .map(|byte| match byte {
                    0x80..=0x9f => char::from_u32(u32::from(LATIN1[usize::from(byte - 0x80)])).unwrap_or('?'),
                    byte => char::from(*byte),
                })
                .collect(),
        ),
        Charset::Ascii => bytes.is_ascii().then(|| String::from_utf8_lossy(bytes).into_owned()),
        Charset::Utf16 | Charset::Ucs2 if bytes.len().is_multiple_of(2) => {
            let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
            String::from_utf16(&units).ok()
        }
        Charset::Utf32 if bytes.len().is_multiple_of(4) => bytes
            .chunks_exact(4)
            .map(|four| char::from_u32(u32::from_be_bytes([four[0], four[1], four[2], four[3]])))
            .collect(),
        Charset::Utf8mb4 | Charset::Utf8mb3 => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    }
}
