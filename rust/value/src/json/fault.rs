//! What is wrong with a text that is no JSON document, in the words of the reference's reader.

/// What may come next.
#[derive(Clone, Copy)]
enum Expected {
    Value,
    /// Behind `[`.
    ValueOrEnd,
    Key,
    /// Behind `{`.
    KeyOrEnd,
    Colon,
    /// Behind a value: a comma or the end of what it is in.
    End,
}

/// The first fault of a text; `None` when the text is a document.
pub fn fault(text: &str) -> Option<String> {
    Scan { rest: text.as_bytes() }.document().err().map(|fault| match fault {
        Fault::End => "unexpected end of JSON input".to_owned(),
        Fault::Byte { byte, place } => format!("invalid character {} {place}", quoted(byte)),
    })
}

enum Fault {
    End,
    Byte { byte: u8, place: String },
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

struct Scan<'a> {
    rest: &'a [u8],
}

impl Scan<'_> {
    fn document(mut self) -> Result<(), Fault> {
        // Whether each container around is an object.
        let mut inside: Vec<bool> = Vec::new();
        let mut expected = Expected::Value;
        loop {
            let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            let spaces = self.rest.iter().take_while(is_space).count();
            self.rest = &self.rest[spaces..];
            if inside.is_empty() && matches!(expected, Expected::End) && self.rest.is_empty() {
                return Ok(());
            }
            let byte = self.next()?;
            expected = match (expected, byte) {
                (Expected::ValueOrEnd, b']') | (Expected::KeyOrEnd, b'}') => {
                    inside.pop();
                    Expected::End
                }
                (Expected::Value | Expected::ValueOrEnd, b'{' | b'[') => {
                    inside.push(byte == b'{');
                    if byte == b'{' { Expected::KeyOrEnd } else { Expected::ValueOrEnd }
                }
                (Expected::Value | Expected::ValueOrEnd, _) => {
                    self.scalar(byte)?;
                    Expected::End
                }
                (Expected::Key | Expected::KeyOrEnd, b'"') => {
                    self.string()?;
                    Expected::Colon
                }
                (Expected::Key | Expected::KeyOrEnd, _) => {
                    return wrong(byte, "looking for beginning of object key string");
                }
                (Expected::Colon, b':') => Expected::Value,
                (Expected::Colon, _) => return wrong(byte, "after object key"),
                (Expected::End, _) => match (inside.last(), byte) {
                    (None, _) => return wrong(byte, "after top-level value"),
                    (Some(true), b',') => Expected::Key,
                    (Some(false), b',') => Expected::Value,
                    (Some(true), b'}') | (Some(false), b']') => {
                        inside.pop();
                        Expected::End
                    }
                    (Some(true), _) => return wrong(byte, "after object key:value pair"),
                    (Some(false), _) => return wrong(byte, "after array element"),
                },
            };
        }
    }

    fn next(&mut self) -> Result<u8, Fault> {
        let (byte, rest) = self.rest.split_first().ok_or(Fault::End)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn scalar(&mut self, first: u8) -> Result<(), Fault> {
        match first {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(first),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => wrong(first, "looking for beginning of value"),
        }
    }

    fn literal(&mut self, literal: &str) -> Result<(), Fault> {
        for expected in literal.chars().skip(1) {
            let byte = self.next()?;
            if char::from(byte) != expected {
                return wrong(byte, format!("in literal {literal} (expecting '{expected}')"));
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        loop {
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                byte if byte < b' ' => return wrong(byte, "in string literal"),
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.next()? {
            b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => Ok(()),
            b'u' => {
                for _ in 0..4 {
                    let byte = self.next()?;
                    if !byte.is_ascii_hexdigit() {
                        return wrong(byte, "in \\u hexadecimal character escape");
                    }
                }
                Ok(())
            }
            byte => wrong(byte, "in string escape code"),
        }
    }

    fn number(&mut self, first: u8) -> Result<(), Fault> {
        let first = if first == b'-' { self.digit("in numeric literal")? } else { first };
        if first != b'0' {
            self.digits();
        }
        if self.skip(b".") {
            self.digit("after decimal point in numeric literal")?;
            self.digits();
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digit("in exponent of numeric literal")?;
            self.digits();
        }
        Ok(())
    }

    fn digit(&mut self, place: &str) -> Result<u8, Fault> {
        let byte = self.next()?;
        if byte.is_ascii_digit() { Ok(byte) } else { wrong(byte, place) }
    }

    fn digits(&mut self) {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.rest = &self.rest[count..];
    }

    fn skip(&mut self, any: &[u8]) -> bool {
        let found = self.rest.first().is_some_and(|byte| any.contains(byte));
        self.rest = &self.rest[usize::from(found)..];
        found
    }
}

fn wrong<T>(byte: u8, place: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Byte { byte, place: place.into() })
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn faults_are_told_as_the_reference_tells_them() {
        let told = |text: &str| fault(text).unwrap_or_default();
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
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        for text in ["null", " [1, -0.5e+3, \"\\u00e9\\n\", {}, [], {\"a\": {\"b\": false}}] ", "0"] {
            assert_eq!(fault(text), None, "{text}");
        }
    }
}
