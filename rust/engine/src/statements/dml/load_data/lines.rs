//! How a file of LOAD DATA is split into lines and fields.

use parse::ast::FileFormat;

use crate::error::{Result, SqlError};

/// What separates, encloses and escapes.
pub struct Format {
    terminated_by: Vec<u8>,
    enclosed_by: Option<u8>,
    escaped_by: Option<u8>,
    starting_by: Vec<u8>,
    line_end: Vec<u8>,
    /// Whether a byte may be more than a part of its field.
    is_special: [bool; 256],
}

/// The fields of a line, `None` for NULL. A line of no bytes has none, nor one without the beginning that lines have.
pub type Fields = Vec<Option<Vec<u8>>>;

/// Lines of a file that comes in pieces.
pub struct Lines {
    format: Format,
    bytes: Vec<u8>,
    /// Bytes of lines that were given.
    given: usize,
    /// Bytes to come before a line that was not whole is looked at again: as many as it had, or a long one would be read over and over.
    missing: usize,
}

impl Lines {
    pub fn new(format: Format) -> Lines {
        Lines { format, bytes: Vec::new(), given: 0, missing: 0 }
    }

    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.drain(..self.given);
        self.given = 0;
        self.bytes.extend_from_slice(piece);
        self.missing = self.missing.saturating_sub(piece.len());
    }

    /// The next line; `None` when it is not whole, or if this is the last piece, when there is none.
    pub fn next(&mut self, is_last: bool) -> Option<Fields> {
        let rest = &self.bytes[self.given..];
        if rest.is_empty() || (self.missing > 0 && !is_last) {
            return None;
        }
        let line = self.format.line(rest, is_last);
        match line {
            Some((fields, length)) => {
                self.given += length;
                Some(fields)
            }
            None => {
                self.missing = rest.len();
                None
            }
        }
    }
}

/// A field while it is read.
#[derive(Default)]
struct Field {
    bytes: Vec<u8>,
    is_enclosed: bool,
    was_enclosed: bool,
    is_null: bool,
}

impl Field {
    fn escaped(&mut self, byte: u8) {
        self.bytes.push(match byte {
            b'N' if self.bytes.is_empty() => {
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
        });
    }

    fn end(self) -> Option<Vec<u8>> {
        let is_null = self.is_null || (!self.was_enclosed && self.bytes == b"NULL");
        (!is_null).then_some(self.bytes)
    }
}

impl Format {
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
        let mut format = Format {
            terminated_by: text(&format.fields_terminated_by, "\t"),
            enclosed_by: one(&format.enclosed_by, None)?,
            escaped_by: one(&format.escaped_by, Some(b'\\'))?,
            starting_by: text(&format.lines_starting_by, ""),
            line_end: text(&format.lines_terminated_by, "\n"),
            is_special: [false; 256],
        };
        let first = [format.terminated_by.first().copied(), format.line_end.first().copied()];
        for byte in first.into_iter().chain([format.enclosed_by, format.escaped_by]).flatten() {
            format.is_special[byte as usize] = true;
        }
        Ok(format)
    }

    /// The fields of the first line, and its length with its end; `None` when it goes on behind `bytes`.
    fn line(&self, bytes: &[u8], is_last: bool) -> Option<(Fields, usize)> {
        let mut fields = Vec::new();
        let mut field = Field::default();
        let mut at = 0;
        if !self.starting_by.is_empty() {
            while !bytes[at..].starts_with(&self.starting_by) {
                if begins(&bytes[at..], &self.line_end) {
                    return Some((fields, at + self.line_end.len()));
                }
                if at == bytes.len() {
                    return is_last.then_some((fields, at));
                }
                at += 1;
            }
            at += self.starting_by.len();
        }
        loop {
            let rest = &bytes[at..];
            let plain = rest.iter().position(|byte| self.is_special[*byte as usize]).unwrap_or(rest.len());
            field.bytes.extend_from_slice(&rest[..plain]);
            at += plain;
            let rest = &rest[plain..];
            let Some(&byte) = rest.first() else {
                fields.push(field.end());
                return is_last.then_some((fields, at));
            };
            let encloses = Some(byte) == self.enclosed_by;
            if !field.is_enclosed && begins(rest, &self.line_end) {
                if at > 0 {
                    fields.push(field.end());
                }
                return Some((fields, at + self.line_end.len()));
            }
            match rest.get(1) {
                Some(&next) if Some(byte) == self.escaped_by && !encloses => {
                    field.escaped(next);
                    at += 2;
                }
                Some(&next) if encloses && field.is_enclosed && next == byte => {
                    field.bytes.push(byte);
                    at += 2;
                }
                _ if encloses && field.is_enclosed => {
                    field.is_enclosed = false;
                    at += 1;
                }
                _ if encloses && field.bytes.is_empty() && !field.was_enclosed => {
                    (field.is_enclosed, field.was_enclosed) = (true, true);
                    at += 1;
                }
                _ if !field.is_enclosed && begins(rest, &self.terminated_by) => {
                    fields.push(std::mem::take(&mut field).end());
                    at += self.terminated_by.len();
                }
                _ => {
                    field.bytes.push(byte);
                    at += 1;
                }
            }
        }
    }
}

/// Whether a separator stands there; an empty one separates nothing.
fn begins(bytes: &[u8], separator: &[u8]) -> bool {
    !separator.is_empty() && bytes.starts_with(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(enclosed_by: Option<&str>, lines_starting_by: Option<&str>) -> Format {
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

    fn shown(lines: &[Fields]) -> Vec<String> {
        let field =
            |field: &Option<Vec<u8>>| field.as_ref().map_or("-".to_owned(), |field| field.escape_ascii().to_string());
        lines.iter().map(|line| line.iter().map(field).collect::<Vec<_>>().join("|")).collect()
    }

    /// The lines of a text that comes in pieces of so many bytes.
    fn lines(format: Format, text: &[u8], piece: usize) -> Vec<String> {
        let mut lines = Lines::new(format);
        let mut found = Vec::new();
        for piece in text.chunks(piece) {
            lines.push(piece);
            found.extend(std::iter::from_fn(|| lines.next(false)));
        }
        found.extend(std::iter::from_fn(|| lines.next(true)));
        shown(&found)
    }

    #[test]
    fn lines_and_fields_are_found_however_the_file_is_cut() {
        let text = b"1,\"a \"\"quoted\"\", one\",\\N\r\n2,\"two\r\nlines\",NULL\r\n\r\n3,\\,\\n,\"NULL\"\r\n,a\"b\",\"open\r\n";
        let expected = ["1|a \"quoted\", one|-", "2|two\\r\\nlines|-", "", "3|,\\n|NULL", "|a\"b\"|open\\r\\n"];
        let expected = expected.map(|line| line.replace('"', "\\\""));
        for piece in 1..=text.len() {
            assert_eq!(lines(csv(Some("\""), None), text, piece), expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn what_stands_before_the_beginning_of_lines_is_passed_over() {
        let text = b"xxx1,2\r\nnothing\r\n\"xxx\r\nxxx\"xxx3";
        for piece in 1..=text.len() {
            assert_eq!(lines(csv(None, Some("xxx")), text, piece), ["1|2", "", "", "\\\"xxx3"], "in pieces of {piece}");
        }
    }
}
