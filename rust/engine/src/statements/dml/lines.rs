//! Line and field splitter of row texts: a file of LOAD DATA, or comma-separated values of an import.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use memchr::{memchr, memchr2, memchr3};
use parse::ast::FileFormat;

use crate::error::{Result, SqlError};

/// What separates, encloses and escapes.
pub struct Format {
    terminated_by: Vec<u8>,
    enclosed_by: Option<u8>,
    escaped_by: Option<u8>,
    starting_by: Vec<u8>,
    line_end: LineEnd,
    /// What is enclosed ends with its quote, and has one.
    is_strict: bool,
    /// Whether a byte may be more than a part of its field.
    is_special: [bool; 256],
}

enum LineEnd {
    Text(Vec<u8>),
    /// LF, CR, or both.
    Any,
}

/// Why a strict format does not read a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    NotClosed,
    GoesOnBehindQuote,
}

/// Lines of a file that comes in pieces.
pub struct Lines {
    format: Format,
    bytes: Rc<Vec<u8>>,
    /// Bytes of lines that were given.
    given: usize,
    /// Bytes to come before a line that was not whole is looked at again: as many as it had, or a long one would be read over and over.
    missing: usize,
    /// Those of the last line. A line of no bytes has none, nor one without the beginning that lines have.
    pub fields: Vec<Field>,
}

impl Lines {
    pub fn new(format: Format) -> Lines {
        Lines { format, bytes: Rc::default(), given: 0, missing: 0, fields: Vec::new() }
    }

    pub fn push(&mut self, piece: &[u8]) {
        let bytes = Rc::make_mut(&mut self.bytes);
        bytes.drain(..self.given);
        self.given = 0;
        bytes.extend_from_slice(piece);
        self.missing = self.missing.saturating_sub(piece.len());
    }

    /// What the fields lie in.
    pub fn bytes(&self) -> &Rc<Vec<u8>> {
        &self.bytes
    }

    /// Goes to the next line; false when it is not whole, or if this is the last piece, when there is none.
    pub fn next(&mut self, is_last: bool) -> bool {
        let rest = self.bytes.len() - self.given;
        if rest == 0 || (self.missing > 0 && !is_last) {
            return false;
        }
        match self.format.line(&self.bytes, self.given, is_last, &mut self.fields) {
            Ok(Some(end)) => {
                self.given = end;
                true
            }
            _ => {
                self.missing = rest;
                false
            }
        }
    }
}

/// A field of a line.
#[derive(Debug, Default)]
pub struct Field {
    bytes: FieldBytes,
    is_enclosed: bool,
    /// Its quotes are no part of it.
    pub was_enclosed: bool,
    is_null: bool,
}

#[derive(Debug)]
enum FieldBytes {
    /// Its range in the text.
    Within(Range<usize>),
    /// Its unescaped text, where that is not a range of the text.
    Own(Vec<u8>),
}

impl Default for FieldBytes {
    fn default() -> FieldBytes {
        FieldBytes::Within(0..0)
    }
}

impl Field {
    fn is_empty(&self) -> bool {
        match &self.bytes {
            FieldBytes::Within(range) => range.start == range.end,
            FieldBytes::Own(bytes) => bytes.is_empty(),
        }
    }

    /// Whether nothing at all was written.
    pub fn is_absent(&self) -> bool {
        !self.was_enclosed && self.is_empty()
    }

    /// Whether comma-separated values mean NULL: nothing was written, or `\N` where that is an escape.
    pub fn is_csv_null(&self) -> bool {
        // More may have followed.
        let is_escape = || matches!(&self.bytes, FieldBytes::Within(range) if range.len() == 2);
        self.is_absent() || (self.is_null && is_escape())
    }

    fn extend(&mut self, text: &[u8], more: Range<usize>) {
        match &mut self.bytes {
            FieldBytes::Within(range) if range.start == range.end => *range = more,
            FieldBytes::Within(range) if range.end == more.start => range.end = more.end,
            _ => self.own(text).extend_from_slice(&text[more]),
        }
    }

    fn own(&mut self, text: &[u8]) -> &mut Vec<u8> {
        if let FieldBytes::Within(range) = &self.bytes {
            self.bytes = FieldBytes::Own(text[range.clone()].to_vec());
        }
        match &mut self.bytes {
            FieldBytes::Own(bytes) => bytes,
            FieldBytes::Within(_) => unreachable!("it was made so above"),
        }
    }

    /// Consumes an escaped character, as LOAD DATA does.
    fn escaped(&mut self, text: &[u8], byte: u8) {
        let meant = match byte {
            b'N' if self.is_empty() => {
                self.is_null = true;
                return;
            }
            b'Z' => 26,
            b'0' => 0,
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            other => other,
        };
        self.own(text).push(meant);
    }

    /// Consumes an escape sequence of comma-separated values, as INTO OUTFILE of MySQL writes them. An escape that it
    /// does not write is data, as is what follows.
    fn escaped_in_csv(&mut self, text: &[u8], at: usize, separator: &[u8]) {
        let byte = text[at + 1];
        match byte {
            b'0' => self.own(text).push(0),
            b'"' | b'\\' | b'\r' | b'\n' => self.own(text).push(byte),
            _ if separator.first() == Some(&byte) => self.own(text).push(byte),
            _ => {
                self.is_null = byte == b'N' && self.is_absent();
                self.extend(text, at..at + 2);
            }
        }
    }

    /// The bytes, which are taken from the field where they do not lie in the text; `None` for what LOAD DATA takes for NULL.
    pub fn take<'a>(&mut self, text: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let bytes = match std::mem::take(&mut self.bytes) {
            FieldBytes::Within(range) => Cow::Borrowed(text.get(range).unwrap_or_default()),
            FieldBytes::Own(bytes) => Cow::Owned(bytes),
        };
        let is_null = self.is_null || (!self.was_enclosed && *bytes == *b"NULL");
        (!is_null).then_some(bytes)
    }

    /// The same of a text, whatever it says.
    pub fn take_text<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        match std::mem::take(&mut self.bytes) {
            FieldBytes::Within(range) => Cow::Borrowed(text.get(range).unwrap_or_default()),
            FieldBytes::Own(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }
}

impl Format {
    /// That of LOAD DATA.
    ///
    /// # Errors
    /// 1105 for an enclosing or escaping text that is not one byte.
    pub fn new(format: &FileFormat) -> Result<Format> {
        let one = |text: &Option<Box<str>>, default: Option<u8>| match text.as_deref().map(str::as_bytes) {
            None => Ok(default),
            Some([]) => Ok(None),
            Some([byte]) => Ok(Some(*byte)),
            Some(_) => Err(SqlError::general("Field separator argument is not what is expected; check the manual")),
        };
        let text = |text: &Option<Box<str>>, default: &str| text.as_deref().unwrap_or(default).as_bytes().to_vec();
        let format = Format {
            terminated_by: text(&format.fields_terminated_by, "\t"),
            enclosed_by: one(&format.enclosed_by, None)?,
            escaped_by: one(&format.escaped_by, Some(b'\\'))?,
            starting_by: text(&format.lines_starting_by, ""),
            line_end: LineEnd::Text(text(&format.lines_terminated_by, "\n")),
            is_strict: false,
            is_special: [false; 256],
        };
        Ok(format.with_special())
    }

    /// Comma-separated values (RFC 4180): any line ends, which quoted fields may hold. With escapes a backslash makes data of a
    /// quote, of itself, and of what ends a field.
    pub fn csv(separator: char, has_escapes: bool) -> Format {
        let format = Format {
            terminated_by: separator.to_string().into_bytes(),
            enclosed_by: Some(b'"'),
            escaped_by: has_escapes.then_some(b'\\'),
            starting_by: Vec::new(),
            line_end: LineEnd::Any,
            is_strict: true,
            is_special: [false; 256],
        };
        format.with_special()
    }

    fn with_special(mut self) -> Format {
        let line_ends: &[u8] = match &self.line_end {
            LineEnd::Text(text) => &text[..text.len().min(1)],
            LineEnd::Any => b"\r\n",
        };
        let first = self.terminated_by.first().into_iter().chain(line_ends);
        for byte in first.chain(&self.enclosed_by).chain(&self.escaped_by) {
            self.is_special[*byte as usize] = true;
        }
        self
    }

    /// So many bytes are nothing but a part of their field.
    fn plain_bytes(&self, rest: &[u8], field: &Field) -> usize {
        let special = match (&self.terminated_by[..], &self.line_end, rest) {
            ([_], LineEnd::Any, [b'"', ..]) => Some(0),
            ([_], LineEnd::Any, _) if field.is_enclosed => match self.escaped_by {
                None => memchr(b'"', rest),
                Some(escape) => memchr2(b'"', escape, rest),
            },
            (_, LineEnd::Any, _) if self.escaped_by.is_some() => {
                rest.iter().position(|byte| self.is_special[*byte as usize])
            }
            // A quote within a field means nothing more.
            ([separator], LineEnd::Any, _) => memchr3(*separator, b'\r', b'\n', rest),
            _ => rest.iter().position(|byte| self.is_special[*byte as usize]),
        };
        special.unwrap_or(rest.len())
    }

    /// The length of the line end at this position, 0 for none; `None` when that is not known yet.
    fn line_end_at(&self, rest: &[u8], is_last: bool) -> Option<usize> {
        match (&self.line_end, rest) {
            (LineEnd::Text(end), _) => Some(if begins(rest, end) { end.len() } else { 0 }),
            (LineEnd::Any, [b'\r']) if !is_last => None,
            (LineEnd::Any, [b'\r', b'\n', ..]) => Some(2),
            (LineEnd::Any, [b'\r' | b'\n', ..]) => Some(1),
            (LineEnd::Any, _) => Some(0),
        }
    }

    /// The place behind the beginning that lines have, if they have one; or else where the line without it ends, `None` when that is not
    /// known yet.
    fn behind_beginning(&self, text: &[u8], start: usize, is_last: bool) -> std::result::Result<usize, Option<usize>> {
        let mut at = start;
        while !text[at..].starts_with(&self.starting_by) {
            match self.line_end_at(&text[at..], is_last) {
                Some(0) if at == text.len() => return Err(is_last.then_some(at)),
                Some(0) => at += 1,
                Some(end) => return Err(Some(at + end)),
                None => return Err(None),
            }
        }
        Ok(at + self.starting_by.len())
    }

    /// Finds the fields of the line that begins at `start`, and gives the place behind its end; `None` when it goes on behind `text`.
    ///
    /// # Errors
    /// In a strict format alone.
    pub fn line(
        &self,
        text: &[u8],
        start: usize,
        is_last: bool,
        fields: &mut Vec<Field>,
    ) -> std::result::Result<Option<usize>, Trouble> {
        fields.clear();
        let mut field = Field::default();
        let mut at = match self.behind_beginning(text, start, is_last) {
            Ok(at) => at,
            Err(end) => return Ok(end),
        };
        loop {
            let rest = &text[at..];
            let plain = self.plain_bytes(rest, &field);
            // After its closing quote a field may only have blanks, which are no part of it.
            let is_over = self.is_strict && field.was_enclosed && !field.is_enclosed;
            if plain > 0 {
                let is_blank = || text[at..at + plain].iter().all(|byte| *byte == b' ');
                if !is_over {
                    field.extend(text, at..at + plain);
                } else if !is_blank() {
                    return Err(Trouble::GoesOnBehindQuote);
                }
                at += plain;
            }
            let rest = &rest[plain..];
            let Some(&byte) = rest.first() else {
                if is_last && self.is_strict && field.is_enclosed {
                    return Err(Trouble::NotClosed);
                }
                fields.push(field);
                return Ok(is_last.then_some(at));
            };
            let encloses = Some(byte) == self.enclosed_by;
            if !field.is_enclosed {
                match self.line_end_at(rest, is_last) {
                    Some(0) => {}
                    Some(end) => {
                        if at > start {
                            fields.push(field);
                        }
                        return Ok(Some(at + end));
                    }
                    None => return Ok(None),
                }
            }
            match rest.get(1) {
                Some(&next) if Some(byte) == self.escaped_by && !encloses && !is_over => {
                    match self.is_strict {
                        true => field.escaped_in_csv(text, at, &self.terminated_by),
                        false => field.escaped(text, next),
                    }
                    at += 2;
                }
                Some(&next) if encloses && field.is_enclosed && next == byte => {
                    field.extend(text, at..at + 1);
                    at += 2;
                }
                _ if encloses && field.is_enclosed => {
                    field.is_enclosed = false;
                    at += 1;
                }
                _ if encloses && field.is_empty() && !field.was_enclosed => {
                    (field.is_enclosed, field.was_enclosed) = (true, true);
                    at += 1;
                }
                _ if !field.is_enclosed && begins(rest, &self.terminated_by) => {
                    fields.push(std::mem::take(&mut field));
                    at += self.terminated_by.len();
                }
                _ if is_over => return Err(Trouble::GoesOnBehindQuote),
                _ => {
                    field.extend(text, at..at + 1);
                    at += 1;
                }
            }
        }
    }
}

/// Whether there is a separator; an empty one separates nothing.
fn begins(bytes: &[u8], separator: &[u8]) -> bool {
    !separator.is_empty() && bytes.starts_with(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(enclosed_by: Option<&str>, lines_starting_by: Option<&str>) -> Format {
        Format::new(&FileFormat {
            charset: None,
            fields_terminated_by: Some(",".into()),
            enclosed_by: enclosed_by.map(Into::into),
            optionally_enclosed: true,
            escaped_by: None,
            lines_starting_by: lines_starting_by.map(Into::into),
            lines_terminated_by: Some("\r\n".into()),
        })
        .unwrap()
    }

    fn shown(fields: &mut [Field], text: &[u8]) -> String {
        let fields = fields.iter_mut().map(|field| match field.take(text) {
            None => "-".to_owned(),
            Some(bytes) => bytes.escape_ascii().to_string(),
        });
        fields.collect::<Vec<_>>().join("|")
    }

    /// The lines of a text that comes in pieces of so many bytes.
    fn lines(format: Format, text: &[u8], piece: usize) -> Vec<String> {
        let mut lines = Lines::new(format);
        let mut found = Vec::new();
        let mut take = |lines: &mut Lines, is_last: bool| {
            while lines.next(is_last) {
                let bytes = lines.bytes().clone();
                found.push(shown(&mut lines.fields, &bytes));
            }
        };
        for piece in text.chunks(piece) {
            lines.push(piece);
            take(&mut lines, false);
        }
        take(&mut lines, true);
        found
    }

    #[test]
    fn lines_and_fields_are_found_however_the_file_is_cut() {
        let text = b"1,\"a \"\"quoted\"\", one\",\\N\r\n2,\"two\r\nlines\",NULL\r\n\r\n3,\\,\\n,\"NULL\"\r\n,a\"b\",\"open\r\n";
        let expected = ["1|a \"quoted\", one|-", "2|two\\r\\nlines|-", "", "3|,\\n|NULL", "|a\"b\"|open\\r\\n"];
        let expected = expected.map(|line| line.replace('"', "\\\""));
        for piece in 1..=text.len() {
            assert_eq!(lines(load(Some("\""), None), text, piece), expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn what_stands_before_the_beginning_of_lines_is_passed_over() {
        let text = b"xxx1,2\r\nnothing\r\n\"xxx\r\nxxx\"xxx3";
        for piece in 1..=text.len() {
            assert_eq!(
                lines(load(None, Some("xxx")), text, piece),
                ["1|2", "", "", "\\\"xxx3"],
                "in pieces of {piece}"
            );
        }
    }

    /// The lines of comma-separated values that come in pieces of so many bytes, each with what the one before left: their fields,
    /// `-` for one that is absent.
    fn csv(separator: char, text: &str, piece: usize) -> std::result::Result<Vec<String>, Trouble> {
        read_csv(&Format::csv(separator, false), text, piece)
    }

    fn read_csv(format: &Format, text: &str, piece: usize) -> std::result::Result<Vec<String>, Trouble> {
        let (mut found, mut fields, mut start, mut end) = (Vec::new(), Vec::new(), 0, 0);
        while start < text.len() {
            end = (end + piece).min(text.len());
            let (part, is_last) = (&text.as_bytes()[..end], end == text.len());
            while start < end
                && let Some(next) = format.line(part, start, is_last, &mut fields)?
            {
                let line = fields.iter_mut().map(|field| match field.is_csv_null() {
                    true => "-".to_owned(),
                    false => field.take_text(text).into_owned(),
                });
                found.push(line.collect::<Vec<_>>().join("|"));
                start = next;
            }
        }
        Ok(found)
    }

    #[test]
    fn comma_separated_values_are_found_however_they_are_cut() {
        let text = "a,b\r\n1,\"x \"\"y\"\", z\"\n,\"\"\r\"two\r\nlines\",漢字😀\n\n5'6\",\"\"\"\"\r\n\"\"\nlast,";
        let expected = ["a|b", "1|x \"y\", z", "-|", "two\r\nlines|漢字😀", "", "5'6\"|\"", "", "last|-"];
        for piece in 1..=text.len() {
            assert_eq!(csv(',', text, piece).unwrap(), expected, "in pieces of {piece}");
        }
        assert_eq!(csv('§', "a§\"b§c\"§1,5\n", 100).unwrap(), ["a|b§c|1,5"]);
        assert_eq!(csv('\t', "a\t\tb", 2).unwrap(), ["a|-|b"]);
    }

    #[test]
    fn escapes_of_comma_separated_values_are_those_of_into_outfile() {
        let text = concat!(
            "1,\"a \\\"quoted\\\", \\\\one\",\\N\r\n",
            "2,two\\\nlines\\, and \\\\N,\"\\N\"\n",
            "\\Nx,\"C:\\new\\path\",\\0\n",
            "\"doubled \"\"\",,\"\\\\\"\n",
            "last\\"
        );
        let expected = [
            "1|a \"quoted\", \\one|-",
            "2|two\nlines, and \\N|\\N",
            "\\Nx|C:\\new\\path|\0",
            "doubled \"|-|\\",
            "last\\",
        ];
        for piece in 1..=text.len() {
            assert_eq!(read_csv(&Format::csv(',', true), text, piece).unwrap(), expected, "in pieces of {piece}");
        }
        let escaped = |text| read_csv(&Format::csv(',', true), text, 100);
        assert_eq!(escaped("\"x\\\"\n"), Err(Trouble::NotClosed));
        assert_eq!(escaped("\"x\"\\\"\n"), Err(Trouble::GoesOnBehindQuote));
        // Without escapes a backslash is data.
        assert_eq!(csv(',', "\"C:\\\",\\N\n", 100).unwrap(), ["C:\\|\\N"]);
    }

    #[test]
    fn a_quote_is_closed_and_ends_its_field() {
        for piece in [1, 3, 100] {
            assert_eq!(csv(',', "a,b\n1,\"x\n2,y\n", piece), Err(Trouble::NotClosed));
            assert_eq!(csv(',', "a,b\n1,\"x\"y\n", piece), Err(Trouble::GoesOnBehindQuote));
            assert_eq!(csv(',', "1,\"x\" \n", piece).unwrap(), ["1|x"]);
            assert_eq!(csv(',', "1,\"x\" y\n", piece), Err(Trouble::GoesOnBehindQuote));
            assert_eq!(csv(',', "\"x\"\"\n", piece), Err(Trouble::NotClosed));
        }
    }
}
