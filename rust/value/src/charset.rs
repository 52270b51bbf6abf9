//! Character sets: names and limits. Text is UTF-8 everywhere inside; a set says what a client may send and CONVERT may make.

use crate::collation::Collation;
use crate::error::ValueError;

/// A character set MySQL knows, whether or not the reference can encode it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Charset {
    Big5,
    Dec8,
    Cp850,
    Hp8,
    Koi8r,
    Latin1,
    Latin2,
    Swe7,
    Ascii,
    Ujis,
    Sjis,
    Hebrew,
    Tis620,
    Euckr,
    Koi8u,
    Gb2312,
    Greek,
    Cp1250,
    Gbk,
    Latin5,
    Armscii8,
    Utf8mb3,
    Ucs2,
    Cp866,
    Keybcs2,
    Macce,
    Macroman,
    Cp852,
    Latin7,
    Cp1251,
    Utf16,
    Utf16le,
    Cp1256,
    Cp1257,
    Utf32,
    Binary,
    Geostd8,
    Cp932,
    Eucjpms,
    Gb18030,
    Utf8mb4,
}

/// Name, description, id of the default collation's name, bytes per character at most, can be encoded.
struct Entry(Charset, &'static str, &'static str, &'static str, u8, bool);

#[rustfmt::skip]
static ENTRIES: &[Entry] = &[
    Entry(Charset::Big5, "big5", "Big5 Traditional Chinese", "big5_chinese_ci", 2, false),
    Entry(Charset::Dec8, "dec8", "DEC West European", "dec8_swedish_ci", 1, true),
    Entry(Charset::Cp850, "cp850", "DOS West European", "cp850_general_ci", 1, false),
    Entry(Charset::Hp8, "hp8", "HP West European", "hp8_english_ci", 1, false),
    Entry(Charset::Koi8r, "koi8r", "KOI8-R Relcom Russian", "koi8r_general_ci", 1, false),
    Entry(Charset::Latin1, "latin1", "cp1252 West European", "latin1_swedish_ci", 1, true),
    Entry(Charset::Latin2, "latin2", "ISO 8859-2 Central European", "latin2_general_ci", 1, false),
    Entry(Charset::Swe7, "swe7", "7bit Swedish", "swe7_swedish_ci", 1, true),
    Entry(Charset::Ascii, "ascii", "US ASCII", "ascii_general_ci", 1, true),
    Entry(Charset::Ujis, "ujis", "EUC-JP Japanese", "ujis_japanese_ci", 3, false),
    Entry(Charset::Sjis, "sjis", "Shift-JIS Japanese", "sjis_japanese_ci", 2, false),
    Entry(Charset::Hebrew, "hebrew", "ISO 8859-8 Hebrew", "hebrew_general_ci", 1, false),
    Entry(Charset::Tis620, "tis620", "TIS620 Thai", "tis620_thai_ci", 1, false),
    Entry(Charset::Euckr, "euckr", "EUC-KR Korean", "euckr_korean_ci", 2, false),
    Entry(Charset::Koi8u, "koi8u", "KOI8-U Ukrainian", "koi8u_general_ci", 1, false),
    Entry(Charset::Gb2312, "gb2312", "GB2312 Simplified Chinese", "gb2312_chinese_ci", 2, false),
    Entry(Charset::Greek, "greek", "ISO 8859-7 Greek", "greek_general_ci", 1, false),
    Entry(Charset::Cp1250, "cp1250", "Windows Central European", "cp1250_general_ci", 1, false),
    Entry(Charset::Gbk, "gbk", "GBK Simplified Chinese", "gbk_chinese_ci", 2, false),
    Entry(Charset::Latin5, "latin5", "ISO 8859-9 Turkish", "latin5_turkish_ci", 1, false),
    Entry(Charset::Armscii8, "armscii8", "ARMSCII-8 Armenian", "armscii8_general_ci", 1, true),
    Entry(Charset::Utf8mb3, "utf8mb3", "UTF-8 Unicode", "utf8mb3_general_ci", 3, true),
    Entry(Charset::Ucs2, "ucs2", "UCS-2 Unicode", "ucs2_general_ci", 2, false),
    Entry(Charset::Cp866, "cp866", "DOS Russian", "cp866_general_ci", 1, false),
    Entry(Charset::Keybcs2, "keybcs2", "DOS Kamenicky Czech-Slovak", "keybcs2_general_ci", 1, false),
    Entry(Charset::Macce, "macce", "Mac Central European", "macce_general_ci", 1, false),
    Entry(Charset::Macroman, "macroman", "Mac West European", "macroman_general_ci", 1, false),
    Entry(Charset::Cp852, "cp852", "DOS Central European", "cp852_general_ci", 1, false),
    Entry(Charset::Latin7, "latin7", "ISO 8859-13 Baltic", "latin7_general_ci", 1, true),
    Entry(Charset::Cp1251, "cp1251", "Windows Cyrillic", "cp1251_general_ci", 1, false),
    Entry(Charset::Utf16, "utf16", "UTF-16 Unicode", "utf16_general_ci", 4, true),
    Entry(Charset::Utf16le, "utf16le", "UTF-16LE Unicode", "utf16le_general_ci", 4, false),
    Entry(Charset::Cp1256, "cp1256", "Windows Arabic", "cp1256_general_ci", 1, true),
    Entry(Charset::Cp1257, "cp1257", "Windows Baltic", "cp1257_general_ci", 1, true),
    Entry(Charset::Utf32, "utf32", "UTF-32 Unicode", "utf32_general_ci", 4, true),
    Entry(Charset::Binary, "binary", "Binary pseudo charset", "binary", 1, true),
    Entry(Charset::Geostd8, "geostd8", "GEOSTD8 Georgian", "geostd8_general_ci", 1, true),
    Entry(Charset::Cp932, "cp932", "SJIS for Windows Japanese", "cp932_japanese_ci", 2, false),
    Entry(Charset::Eucjpms, "eucjpms", "UJIS for Windows Japanese", "eucjpms_japanese_ci", 3, false),
    Entry(Charset::Gb18030, "gb18030", "China National Standard GB18030", "gb18030_chinese_ci", 4, false),
    Entry(Charset::Utf8mb4, "utf8mb4", "UTF-8 Unicode", "utf8mb4_0900_ai_ci", 4, true),
];

impl Charset {
    /// Every character set.
    pub fn all() -> impl Iterator<Item = Charset> {
        ENTRIES.iter().map(|entry| entry.0)
    }

    /// Finds a set by name in any case; `utf8` is utf8mb3.
    pub fn from_name(name: &str) -> Result<Charset, ValueError> {
        let wanted = if name.eq_ignore_ascii_case("utf8") { "utf8mb3" } else { name };
        let entry = ENTRIES.iter().find(|entry| entry.1.eq_ignore_ascii_case(wanted));
        entry.map(|entry| entry.0).ok_or_else(|| ValueError::UnknownCharset(name.to_owned()))
    }

    fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.entry().1
    }

    pub fn description(self) -> &'static str {
        self.entry().2
    }

    /// The collation of a column that names only this set.
    pub fn default_collation(self) -> Collation {
        Collation::from_name(self.entry().3).unwrap_or(Collation::BINARY)
    }

    /// Bytes of the longest character.
    pub fn character_bytes_max(self) -> u8 {
        self.entry().4
    }

    /// Whether the reference implements it; SHOW CHARACTER SET lists only those.
    pub fn is_implemented(self) -> bool {
        self.entry().5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_stands_at_its_own_place_and_has_its_default() {
        for (at, charset) in Charset::all().enumerate() {
            assert_eq!(at, charset as usize);
            assert_eq!(charset.default_collation().charset(), charset);
            assert_eq!(Charset::from_name(&charset.name().to_uppercase()), Ok(charset));
        }
        assert_eq!(Charset::all().filter(|charset| charset.is_implemented()).count(), 14);
    }
}
