//! JSON tokenizer: positions of values, members and elements. Errors have the words of the reference's reader.

use std::borrow::Cow;

use super::DEPTH_MAX;
use crate::error::ValueError;

/// Why a text is no document.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    End,
    Byte {
        byte: u8,
        place: &'static str,
    },
    Literal {
        byte: u8,
        literal: &'static str,
        expected: u8,
    },
    TooDeep,
    /// No double is as large.
    TooLarge,
    LoneSurrogate,
}

type Result<T> = std::result::Result<T, Fault>;

impl From<Fault> for ValueError {
    fn from(fault: Fault) -> ValueError {
        ValueError::InvalidJson(match fault {
            Fault::End => "unexpected end of JSON input".to_owned(),
            Fault::Byte { byte, place } => format!("invalid character {} {place}", quoted(byte)),
            Fault::Literal { byte, literal, expected } => {
                let expected = char::from(expected);
                format!("invalid character {} in literal {literal} (expecting '{expected}')", quoted(byte))
            }
            Fault::TooDeep => format!("more than {DEPTH_MAX} levels deep"),
            Fault::TooLarge => "number out of range".to_owned(),
            Fault::LoneSurrogate => "lone surrogate in string literal".to_owned(),
        })
    }
}

/// As the reference quotes a byte: as the character with its number.
fn quoted(byte: u8) -> String {
    match char::from(byte) {
        '\'' => r"'\''".to_owned(),
        '"' => "'\"'".to_owned(),
        '\u{7}' => r"'\a'".to_owned(),
        '\u{8}' => r"'\b'".to_owned(),
        '\u{b}' => r"'\v'".to_owned(),
        '\u{c}' => r"'\f'".to_owned(),
        character @ ('\n' | '\r' | '\t' | '\\') => format!("'{}'", character.escape_default()),
        character if character.is_ascii_control() => format!("'\\x{byte:02x}'"),
        character if character.is_control() || byte == 0xA0 || byte == 0xAD => format!("'\\u{byte:04x}'"),
        character => format!("'{character}'"),
    }
}

fn wrong<T>(byte: u8, place: &'static str) -> Result<T> {
    Err(Fault::Byte { byte, place })
}

/// A string as it is written between its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quoted<'a> {
    pub raw: &'a str,
    pub has_escapes: bool,
    /// Whether it is written as [`super::text::quote`] would write it.
    pub is_normal: bool,
}

impl<'a> Quoted<'a> {
    /// The unescaped text.
    pub fn text(self) -> Result<Cow<'a, str>> {
        if !self.has_escapes {
            return Ok(Cow::Borrowed(self.raw));
        }
        let mut text = String::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some((plain, escaped)) = rest.split_once('\\') {
            text.push_str(plain);
            let mut after = escaped.chars();
            text.push(match after.next().ok_or(Fault::End)? {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let (character, length) = unicode(escaped).ok_or(Fault::LoneSurrogate)?;
                    after = escaped[length..].chars();
                    character
                }
                itself => itself,
            });
            rest = after.as_str();
        }
        text.push_str(rest);
        Ok(Cow::Owned(text))
    }
}

/// The character of `u00e9` or, of two surrogates, `ud83d\ude00` at the start of a text, and the bytes that it takes there.
fn unicode(escaped: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u32::from_str_radix(escaped.get(at..at + 4)?, 16).ok();
    let first = unit(1)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 5));
    }
    let second = unit(7).filter(|second| escaped.get(5..7) == Some("\\u") && (0xDC00..0xE000).contains(second))?;
    let above = first.checked_sub(0xD800).filter(|above| *above < 0x400)?;
    Some((char::from_u32(0x1_0000 + (above << 10) + (second - 0xDC00))?, 11))
}

/// Reads a text from its beginning; nothing is read after a fault.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
}

impl<'a> Reader<'a> {
    /// How many bytes were read.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn new(text: &'a str) -> Reader<'a> {
        Reader::from(text, 0)
    }

    /// Reads on from a byte of the text.
    pub fn from(text: &'a str, at: usize) -> Reader<'a> {
        Reader { text, at }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn next(&mut self) -> Result<u8> {
        let byte = self.peek().ok_or(Fault::End)?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The first byte of a value.
    #[inline]
    pub fn begin(&mut self) -> Result<u8> {
        self.skip_blanks();
        self.next()
    }

    /// The document is over.
    pub fn end(&mut self) -> Result<()> {
        self.skip_blanks();
        self.peek().map_or(Ok(()), |byte| wrong(byte, "after top-level value"))
    }

    /// After the bracket that opens an object or array: whether anything is in it.
    #[inline]
    pub fn first(&mut self, is_object: bool) -> Result<bool> {
        self.skip_blanks();
        let is_empty = self.peek() == Some(if is_object { b'}' } else { b']' });
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// After a value within an object or array: whether another one follows.
    #[inline]
    pub fn another(&mut self, is_object: bool) -> Result<bool> {
        match (is_object, self.begin()?) {
            (_, b',') => Ok(true),
            (true, b'}') | (false, b']') => Ok(false),
            (true, byte) => wrong(byte, "after object key:value pair"),
            (false, byte) => wrong(byte, "after array element"),
        }
    }

    /// A key with its colon.
    #[inline]
    pub fn key(&mut self) -> Result<Quoted<'a>> {
        match self.begin()? {
            b'"' => {}
            byte => return wrong(byte, "looking for beginning of object key string"),
        }
        let key = self.string()?;
        match self.begin()? {
            b':' => Ok(key),
            byte => wrong(byte, "after object key"),
        }
    }

    /// A string whose first quote was read.
    pub fn string(&mut self) -> Result<Quoted<'a>> {
        let start = self.at;
        let (mut has_escapes, mut is_normal) = (false, true);
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let plain = plain_bytes(rest);
            let byte = *rest.get(plain).ok_or(Fault::End)?;
            self.at += plain + 1;
            match byte {
                b'"' => return Ok(Quoted { raw: &self.text[start..self.at - 1], has_escapes, is_normal }),
                b'\\' => {
                    has_escapes = true;
                    is_normal &= self.escape()?;
                }
                // U+2028 and U+2029 are written as escapes.
                SEPARATORS_LEAD => is_normal &= !matches!(rest.get(plain + 1..plain + 3), Some([0x80, 0xA8 | 0xA9])),
                byte => return wrong(byte, "in string literal"),
            }
        }
    }

    /// Whether an escape is the one that is written for its character.
    fn escape(&mut self) -> Result<bool> {
        match self.next()? {
            b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'"' => Ok(true),
            b'/' => Ok(false),
            b'u' => {
                let start = self.at;
                for _ in 0..4 {
                    let byte = self.next()?;
                    if !byte.is_ascii_hexdigit() {
                        return wrong(byte, "in \\u hexadecimal character escape");
                    }
                }
                let digits = &self.text.as_bytes()[start..self.at];
                Ok(match digits {
                    // \b, \t, \n, \f and \r have letters.
                    [b'0', b'0', b'0', last] => matches!(last, b'0'..=b'7' | b'b' | b'e' | b'f'),
                    [b'0', b'0', b'1', last] => matches!(last, b'0'..=b'9' | b'a'..=b'f'),
                    _ => matches!(digits, b"2028" | b"2029"),
                })
            }
            byte => wrong(byte, "in string escape code"),
        }
    }

    /// The digits of a number whose first byte was read; it may be whole by their looks.
    pub fn number(&mut self, first: u8) -> Result<(&'a str, bool)> {
        let start = self.at - 1;
        let first = if first == b'-' { self.digit("in numeric literal")? } else { first };
        if first != b'0' {
            self.skip_digits();
        }
        let whole_to = self.at;
        if self.skip(|byte| byte == b'.') {
            self.digit("after decimal point in numeric literal")?;
            self.skip_digits();
        }
        if self.skip(|byte| matches!(byte, b'e' | b'E')) {
            self.skip(|byte| matches!(byte, b'+' | b'-'));
            self.digit("in exponent of numeric literal")?;
            self.skip_digits();
        }
        Ok((&self.text[start..self.at], whole_to == self.at))
    }

    fn digit(&mut self, place: &'static str) -> Result<u8> {
        let byte = self.next()?;
        if byte.is_ascii_digit() { Ok(byte) } else { wrong(byte, place) }
    }

    #[inline]
    fn skip_digits(&mut self) {
        while self.skip(|byte| byte.is_ascii_digit()) {}
    }

    #[inline]
    fn skip(&mut self, is_wanted: impl Fn(u8) -> bool) -> bool {
        let found = self.peek().is_some_and(is_wanted);
        self.at += usize::from(found);
        found
    }

    /// What begins with `first` and is neither a container, nor a string, nor a number.
    pub fn literal(&mut self, first: u8) -> Result<&'static str> {
        let literal = match first {
            b't' => "true",
            b'f' => "false",
            b'n' => "null",
            _ => return wrong(first, "looking for beginning of value"),
        };
        for &expected in &literal.as_bytes()[1..] {
            let byte = self.next()?;
            if byte != expected {
                return Err(Fault::Literal { byte, literal, expected });
            }
        }
        Ok(literal)
    }

    /// How many members or elements the next value has, 1 for a scalar.
    pub fn length(&mut self) -> Result<usize> {
        let first = self.begin()?;
        let is_object = first == b'{';
        if !is_object && first != b'[' {
            return Ok(1);
        }
        let mut length = 0;
        let mut goes_on = self.first(is_object)?;
        while goes_on {
            if is_object {
                self.key()?;
            }
            self.skip_value()?;
            length += 1;
            goes_on = self.another(is_object)?;
        }
        Ok(length)
    }

    /// Looks through a value, however deep it goes.
    pub fn skip_value(&mut self) -> Result<()> {
        // Whether each container around is an object.
        let mut open: Vec<bool> = Vec::new();
        loop {
            let mut goes_on = match self.begin()? {
                byte @ (b'{' | b'[') => {
                    open.push(byte == b'{');
                    self.first(byte == b'{')?
                }
                b'"' => self.string().and_then(|_| self.after(&open))?,
                first @ (b'-' | b'0'..=b'9') => self.number(first).and_then(|_| self.after(&open))?,
                first => self.literal(first).and_then(|_| self.after(&open))?,
            };
            while !goes_on {
                if open.pop().is_none() {
                    return Ok(());
                }
                goes_on = self.after(&open)?;
            }
            if open.last() == Some(&true) {
                self.key()?;
            }
        }
    }

    /// After a value: whether another one follows in the innermost container.
    fn after(&mut self, open: &[bool]) -> Result<bool> {
        open.last().map_or(Ok(false), |&is_object| self.another(is_object))
    }
}

/// The first byte of U+2028 and U+2029.
const SEPARATORS_LEAD: u8 = 0xE2;

/// The number of bytes of a string without escapes. Eight are looked at together.
#[inline]
pub(super) fn plain_bytes(bytes: &[u8]) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Their high bits tell, up to the first that is set, which bytes are less than `than`, which is at most 128.
    let less = |word: u64, than: u8| word.wrapping_sub(LOW * u64::from(than)) & !word & HIGH;
    let equal = |word: u64, byte: u8| less(word ^ (LOW * u64::from(byte)), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let special = less(word, b' ') | equal(word, b'"') | equal(word, b'\\') | equal(word, SEPARATORS_LEAD);
        if special != 0 {
            return 8 * at + special.trailing_zeros() as usize / 8;
        }
    }
    let is_plain = |byte: &&u8| **byte >= b' ' && !matches!(**byte, b'"' | b'\\' | SEPARATORS_LEAD);
    8 * words.len() + rest.iter().take_while(is_plain).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    #[test]
    fn faults_are_told_as_the_reference_tells_them() {
        let told = |text: &str| Json::parse(text).map_err(|error| error.to_string()).unwrap_err();
        for (text, expected) in [
            ("", "unexpected end of JSON input"),
            ("{\"a\": [1, 2", "unexpected end of JSON input"),
            ("not json", "invalid character 'o' in literal null (expecting 'u')"),
            ("garbage", "invalid character 'g' looking for beginning of value"),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            ("{bad", "invalid character 'b' looking for beginning of object key string"),
            ("{\"a\":1,}", "invalid character '}' looking for beginning of object key string"),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            ("{\"a\":1 \"b\"}", "invalid character '\"' after object key:value pair"),
            ("[1 2]", "invalid character '2' after array element"),
            ("01", "invalid character '1' after top-level value"),
            ("-a", "invalid character 'a' in numeric literal"),
            ("1.x", "invalid character 'x' after decimal point in numeric literal"),
            ("1e", "unexpected end of JSON input"),
            ("1ex", "invalid character 'x' in exponent of numeric literal"),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            ("\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape"),
            ("\"a\nb\"", "invalid character '\\n' in string literal"),
            ("'a'", "invalid character '\\'' looking for beginning of value"),
            ("é", "invalid character 'Ã' looking for beginning of value"),
            ("1e999", "number out of range"),
            ("\"\\ud83dx\"", "lone surrogate in string literal"),
        ] {
            assert_eq!(told(text), format!("Invalid JSON text: {expected}"), "{text}");
            let mut reader = Reader::new(text);
            let is_looked_through = reader.skip_value().and_then(|()| reader.end()).is_ok();
            assert_eq!(is_looked_through, ["1e999", "\"\\ud83dx\""].contains(&text), "{text}");
        }
        for text in ["null", " [1, -0.5e+3, \"\\u00e9\\n\", {}, [], {\"a\": {\"b\": false}}] ", "0"] {
            let mut reader = Reader::new(text);
            reader.skip_value().and_then(|()| reader.end()).unwrap();
        }
    }

    #[test]
    fn plain_bytes_end_at_the_first_that_is_not() {
        for special in [0, 0x1f, b'"', b'\\', SEPARATORS_LEAD] {
            for at in 0..40 {
                for plain in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xe1, 0xe3, 0xff] {
                    let mut bytes = [plain; 40];
                    bytes[at] = special;
                    assert_eq!(plain_bytes(&bytes), at, "{special} after {plain}");
                    bytes[at] = plain;
                    assert_eq!(plain_bytes(&bytes[..at]), at);
                }
            }
        }
    }
}
