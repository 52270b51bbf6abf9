//! Statements with bytes that are not UTF-8.
//!
//! Dumps hold the bytes of BLOBs as they are, between quotes (`mysqldump` without --hex-blob, `dolt dump`). Literals that hold such
//! bytes are written as hexadecimal digits before the statement is read.

use std::borrow::Cow;

use crate::lex::lexer::unquote_text;
use crate::lex::split::Splitter;
use crate::options::Options;

/// The statement as text, with literals that are no UTF-8 in hexadecimal digits.
pub fn text_of_bytes(sql: &[u8], options: Options) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(sql) {
        return Cow::Borrowed(text);
    }
    let splitter = Splitter::resume(sql, 0, ";", options);
    let mut text = String::with_capacity(sql.len() * 2);
    let mut at = 0;
    while let Some(byte) = sql.get(at).copied() {
        let start = at;
        if !matches!(byte, b'\'' | b'"' | b'`') {
            at = splitter.comment_end(at).unwrap_or(at + 1);
            let is_plain = |byte: &u8| !matches!(byte, b'\'' | b'"' | b'`' | b'#' | b'-' | b'/');
            at += sql.get(at..).unwrap_or_default().iter().take_while(|byte| is_plain(byte)).count();
            text.push_str(&String::from_utf8_lossy(sql.get(start..at).unwrap_or_default()));
            continue;
        }
        at = splitter.quoted_end(at);
        // A doubled quote is one of the text.
        while sql.get(at) == Some(&byte) {
            at = splitter.quoted_end(at);
        }
        let is_text = byte == b'\'' || (byte == b'"' && !options.ansi_quotes);
        let literal = sql.get(start..at).unwrap_or_default();
        match str::from_utf8(literal) {
            Err(_) if is_text => push_hex(literal, options, &mut text),
            _ => text.push_str(&String::from_utf8_lossy(literal)),
        }
    }
    Cow::Owned(text)
}

fn push_hex(literal: &[u8], options: Options, text: &mut String) {
    // Bytes as the characters of the same numbers: what is special in a literal is ASCII.
    let characters: String = literal.iter().map(|byte| char::from(*byte)).collect();
    text.push_str("x'");
    for character in unquote_text(&characters, options).chars() {
        let byte = u32::from(character);
        text.extend(char::from_digit(byte >> 4 & 15, 16));
        text.extend(char::from_digit(byte & 15, 16));
    }
    text.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(parts: &[&[u8]]) -> String {
        text_of_bytes(&parts.concat(), Options::default()).into_owned()
    }

    #[test]
    fn bytes_that_are_no_utf8_become_digits() {
        // A cut character, a byte that begins none, an overlong form, a surrogate, and one that is cut by the end.
        let wrong = [0xe6, 0x97, 0x41, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0xe6, 0x97];
        assert_eq!(
            text(&[b"INSERT INTO t VALUES (_binary '", &wrong, "', 'é🎉')".as_bytes()]),
            "INSERT INTO t VALUES (_binary x'e69741ffc080eda080f490e697', 'é🎉')"
        );
    }

    #[test]
    fn escapes_of_a_literal_are_undone_before_its_bytes_are_written() {
        let sql = text(&[br"VALUES ('\0\n\Z\'''\\", "é".as_bytes(), b"\x89', 'b')"]);
        assert_eq!(sql, "VALUES (x'000a1a27275cc3a989', 'b')");
        let sql = text(&[b"VALUES (\"a\"\"\xff\", `\xff`) -- '\xfe"]);
        assert_eq!(sql, "VALUES (x'6122ff', `\u{fffd}`) -- '\u{fffd}");
    }

    #[test]
    fn a_statement_without_such_bytes_is_left_alone() {
        let sql = "SELECT 'it''s', '🎉', \"x\\\"y\"";
        assert!(matches!(text_of_bytes(sql.as_bytes(), Options::default()), Cow::Borrowed(text) if text == sql));
    }
}
