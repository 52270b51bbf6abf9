//! Text to the bytes of a character set and back: CONVERT … USING, introducers, HEX of converted text.

use crate::charset::Charset;
use crate::charset_tables as tables;
use crate::error::ValueError;

/// The characters of windows-1252, MySQL's latin1, from 0x80 to 0x9f; the five unassigned bytes are controls.
const LATIN1_80_TO_9F: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Charset {
    /// The bytes of `text` in this set; characters it lacks become `?`.
    ///
    /// # Errors
    /// [`ValueError::CharsetNotEncoded`] for the sets that no table here covers.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, ValueError> {
        Ok(match self {
            Charset::Utf8mb4 | Charset::Binary => text.as_bytes().to_vec(),
            Charset::Utf8mb3 => {
                let basic = |character: char| if u32::from(character) > 0xffff { '?' } else { character };
                text.chars().map(basic).collect::<String>().into_bytes()
            }
            Charset::Utf16 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Charset::Utf16le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Charset::Ucs2 => {
                let basic = |character: char| u16::try_from(u32::from(character)).unwrap_or(u16::from(b'?'));
                text.chars().flat_map(|character| basic(character).to_be_bytes()).collect()
            }
            Charset::Utf32 => text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect(),
            Charset::Ascii => {
                text.chars().map(|character| if character.is_ascii() { character as u8 } else { b'?' }).collect()
            }
            Charset::Latin1 => text.chars().map(latin1_byte).collect(),
            Charset::Swe7 => text.chars().map(swe7_byte).collect(),
            other if let Some(upper) = other.upper_half() => {
                text.chars().map(|character| byte_of(character, upper)).collect()
            }
            other => return Err(ValueError::CharsetNotEncoded(other.name())),
        })
    }

    /// Decodes bytes of this set to text.
    ///
    /// # Errors
    /// [`ValueError::IncorrectString`] for bytes that are no characters of the set, [`ValueError::CharsetNotEncoded`] as in
    /// [`Charset::encode`].
    pub fn decode(self, bytes: &[u8]) -> Result<String, ValueError> {
        let incorrect =
            || ValueError::IncorrectString(bytes.iter().take(6).map(|byte| format!("\\x{byte:02X}")).collect());
        match self {
            Charset::Utf8mb4 | Charset::Utf8mb3 | Charset::Binary => {
                std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| incorrect())
            }
            Charset::Ascii if !bytes.is_ascii() => Err(incorrect()),
            Charset::Ascii => Ok(bytes.iter().copied().map(char::from).collect()),
            Charset::Latin1 => Ok(bytes.iter().copied().map(latin1_character).collect()),
            Charset::Utf16 | Charset::Ucs2 | Charset::Utf16le => {
                let (units, []) = bytes.as_chunks::<2>() else { return Err(incorrect()) };
                let unit = if self == Charset::Utf16le { u16::from_le_bytes } else { u16::from_be_bytes };
                char::decode_utf16(units.iter().map(|bytes| unit(*bytes)))
                    .collect::<Result<_, _>>()
                    .map_err(|_| incorrect())
            }
            Charset::Utf32 => {
                let (units, []) = bytes.as_chunks::<4>() else { return Err(incorrect()) };
                units
                    .iter()
                    .map(|bytes| char::from_u32(u32::from_be_bytes(*bytes)))
                    .collect::<Option<_>>()
                    .ok_or_else(incorrect)
            }
            Charset::Swe7 => {
                bytes.iter().map(|byte| swe7_character(*byte)).collect::<Option<_>>().ok_or_else(incorrect)
            }
            other if let Some(upper) = other.upper_half() => {
                let upper: Vec<char> = upper.chars().collect();
                let character = |byte: &u8| match byte.checked_sub(0x80) {
                    None => Some(char::from(*byte)),
                    Some(at) => {
                        upper.get(usize::from(at)).copied().filter(|known| *known != char::REPLACEMENT_CHARACTER)
                    }
                };
                bytes.iter().map(character).collect::<Option<_>>().ok_or_else(incorrect)
            }
            other => Err(ValueError::CharsetNotEncoded(other.name())),
        }
    }

    /// The characters of a set of single bytes from 0x80 on; below they are those of ASCII.
    fn upper_half(self) -> Option<&'static str> {
        Some(match self {
            Charset::Armscii8 => tables::ARMSCII8,
            Charset::Cp1256 => tables::CP1256,
            Charset::Cp1257 => tables::CP1257,
            Charset::Dec8 => tables::DEC8,
            Charset::Geostd8 => tables::GEOSTD8,
            Charset::Latin7 => tables::LATIN7,
            _ => return None,
        })
    }
}

fn byte_of(character: char, upper: &str) -> u8 {
    if character.is_ascii() {
        return character as u8;
    }
    let at = upper.chars().position(|known| known == character && known != char::REPLACEMENT_CHARACTER);
    at.map_or(b'?', |at| 0x80 + at as u8)
}

fn swe7_byte(character: char) -> u8 {
    let own = tables::SWE7.iter().find(|(byte, own)| *own == character || char::from(*byte) == character);
    match own {
        Some((byte, own)) if *own == character => *byte,
        None if character.is_ascii() => character as u8,
        _ => b'?',
    }
}

fn swe7_character(byte: u8) -> Option<char> {
    let own = tables::SWE7.iter().find(|(known, _)| *known == byte);
    own.map(|(_, own)| *own).or(byte.is_ascii().then_some(char::from(byte)))
}

fn latin1_character(byte: u8) -> char {
    match byte {
        0x80..=0x9f => LATIN1_80_TO_9F[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn latin1_byte(character: char) -> u8 {
    match u8::try_from(u32::from(character)) {
        Ok(byte) if !(0x80..=0x9f).contains(&byte) => byte,
        _ => match LATIN1_80_TO_9F.iter().position(|own| *own == character) {
            Some(at) => 0x80 + at as u8,
            None => b'?',
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_there_and_back() {
        let text = "aé€ÿ";
        for charset in [
            Charset::Utf8mb4,
            Charset::Utf8mb3,
            Charset::Utf16,
            Charset::Utf16le,
            Charset::Ucs2,
            Charset::Utf32,
            Charset::Latin1,
        ] {
            let bytes = charset.encode(text).unwrap();
            assert_eq!(charset.decode(&bytes).as_deref(), Ok(text), "{charset:?}");
        }
        assert_eq!(Charset::Latin1.encode("é€😀"), Ok(vec![0xe9, 0x80, b'?']));
        assert_eq!(Charset::Ascii.encode("aé"), Ok(b"a?".to_vec()));
        assert_eq!(Charset::Utf16.encode("😀"), Ok(vec![0xd8, 0x3d, 0xde, 0x00]));
        assert_eq!(Charset::Utf8mb3.encode("é😀"), Ok("é?".as_bytes().to_vec()));
        for byte in 0..=255u8 {
            assert_eq!(Charset::Latin1.encode(&Charset::Latin1.decode(&[byte]).unwrap()), Ok(vec![byte]));
        }
        assert!(Charset::Ascii.decode(b"\xff").is_err());
        assert!(Charset::Utf16.decode(b"\xd8\x00").is_err());
        assert!(Charset::Utf32.decode(b"\0\0\xd8\x00").is_err());
        assert_eq!(Charset::Sjis.encode("a"), Err(ValueError::CharsetNotEncoded("sjis")));
    }
}
