//! What follows a backslash.

use super::{Reader, push_literal};
use crate::error::{Result, SqlError};
use crate::functions::regexp::invalid;

/// Scripts that are called by their name alone.
const SCRIPTS: [&str; 24] = [
    "Arabic",
    "Armenian",
    "Bengali",
    "Cyrillic",
    "Devanagari",
    "Ethiopic",
    "Georgian",
    "Greek",
    "Gujarati",
    "Hangul",
    "Han",
    "Hebrew",
    "Hiragana",
    "Katakana",
    "Khmer",
    "Lao",
    "Latin",
    "Mongolian",
    "Myanmar",
    "Sinhala",
    "Tamil",
    "Telugu",
    "Thai",
    "Tibetan",
];

/// The characters of a class, as they stand between brackets.
pub(super) const VERTICAL: &str = "\\n\\x0b\\f\\r\\u0085\\u2028\\u2029";
const HORIZONTAL: &str = "\\t\\p{Zs}";
const DIGIT: &str = "\\p{Nd}";
const SPACE: &str = "\\p{White_Space}";
pub(super) const WORD: &str = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d";

/// The members of the class that a small letter names; of a capital, which means all others, those of its small one.
pub(super) fn class(letter: char) -> Option<&'static str> {
    match letter.to_ascii_lowercase() {
        'd' => Some(DIGIT),
        's' => Some(SPACE),
        'w' => Some(WORD),
        'h' => Some(HORIZONTAL),
        'v' => Some(VERTICAL),
        _ => None,
    }
}

impl Reader<'_> {
    /// What follows a backslash outside of sets.
    pub(super) fn escape(&mut self) -> Result<()> {
        let c = self.rest.next().ok_or_else(|| invalid("it ends with a backslash"))?;
        if let Some(members) = class(c) {
            let not = if c.is_ascii_uppercase() { "^" } else { "" };
            self.push(&format!("[{not}{members}]"));
            return Ok(());
        }
        match c {
            'Q' => self.quoted().chars().for_each(|c| push_literal(&mut self.out.source, c)),
            'A' => self.push("(?<![\\s\\S])"),
            'z' => self.push("(?![\\s\\S])"),
            'Z' => self.line_end_of(super::Modes { multi_line: false, ..self.modes }),
            'R' => self.push(&format!("(?:\\r\\n|[{VERTICAL}])")),
            'b' => self.push(&format!("(?:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))")),
            'B' => self.push(&format!("(?:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))")),
            'G' | 'X' | 'N' => {
                return Err(SqlError::unsupported("\\G, \\N and \\X in a regular expression"));
            }
            'k' => {
                let open = self.rest.next();
                let name = self.name()?;
                if open != Some('<') || self.out.group(&name).is_none() {
                    return Err(invalid("a group that there is not"));
                }
                self.push(&format!("\\k<{name}>"));
            }
            digit @ '1'..='9' => self.back_reference(digit)?,
            c => {
                let escaped = self.character(c)?;
                self.push(&escaped);
            }
        }
        Ok(())
    }

    /// `\1`: more digits belong to the number as long as there are so many groups.
    fn back_reference(&mut self, first: char) -> Result<()> {
        let groups = self.out.names.len();
        let mut number = first as usize - '0' as usize;
        if number > groups {
            return Err(invalid("a group that there is not"));
        }
        while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(10))
            && number * 10 + digit as usize <= groups
        {
            number = number * 10 + digit as usize;
            self.skip(1);
        }
        self.push(&format!("(?:\\{number})"));
        Ok(())
    }

    /// `\p{…}`; a script is called one.
    pub(super) fn property(&mut self, letter: char) -> Result<String> {
        let name = self.braced()?;
        let script = if SCRIPTS.contains(&&*name) { "Script=" } else { "" };
        Ok(format!("\\{letter}{{{script}{name}}}"))
    }

    /// A character by its number, or as it is; properties too, which are the same within sets.
    pub(super) fn character(&mut self, c: char) -> Result<String> {
        let code = match c {
            'p' | 'P' => return self.property(c),
            'x' if self.rest.peek() == Some(&'{') => u32::from_str_radix(&self.braced()?, 16).ok(),
            'x' => self.digits(2, 16),
            'u' => self.digits(4, 16),
            'U' => self.digits(8, 16),
            '0' => self.digits(3, 8),
            'c' => self.rest.next().map(|c| c as u32 & 0x1f),
            'a' => Some(7),
            'e' => Some(27),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            c => {
                let mut literal = String::new();
                push_literal(&mut literal, c);
                return Ok(literal);
            }
        };
        let code = code.filter(|code| char::from_u32(*code).is_some());
        code.map(|code| format!("\\u{{{code:X}}}")).ok_or_else(|| invalid("a character without a number"))
    }

    /// The number that up to so many digits write.
    fn digits(&mut self, most: usize, radix: u32) -> Option<u32> {
        let mut digits = String::new();
        while digits.len() < most
            && let Some(digit) = self.rest.next_if(|c| c.is_digit(radix))
        {
            digits.push(digit);
        }
        u32::from_str_radix(&digits, radix).ok()
    }

    fn braced(&mut self) -> Result<String> {
        let open = self.rest.next_if_eq(&'{').is_some();
        let inside: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
        if open { Ok(inside) } else { Err(invalid("a letter that wants braces")) }
    }

    /// Up to `\E`.
    pub(super) fn quoted(&mut self) -> String {
        let mut quoted = String::new();
        while self.rest.peek().is_some() && !self.starts_with("\\E") {
            quoted.extend(self.rest.next());
        }
        self.skip(2);
        quoted
    }
}
