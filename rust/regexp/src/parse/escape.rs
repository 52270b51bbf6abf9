//! Escape sequences of patterns.

use regex_syntax::hir::ClassUnicode;

use super::Reader;
use crate::class;
use crate::look::Look;
use crate::node::Node;
use crate::{Error, Result};

/// The members of a class, as [`members`] reads them: properties, and escaped characters.
pub(super) const VERTICAL: &str = "\\n\\x0b\\f\\r\\u{85}\\u{2028}\\u{2029}";
const HORIZONTAL: &str = "\\t\\p{Zs}";
const DIGIT: &str = "\\p{Nd}";
const SPACE: &str = "\\p{White_Space}";
pub(super) const WORD: &str = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u{200c}\\u{200d}";

/// The set of members of one of the constants above; the empty one has none.
pub(super) fn members(source: &str) -> Result<ClassUnicode> {
    if source.is_empty() {
        return Ok(ClassUnicode::empty());
    }
    match regex_syntax::parse(&format!("[{source}]")).map(regex_syntax::hir::Hir::into_kind) {
        Ok(regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(set))) => Ok(set),
        Ok(regex_syntax::hir::HirKind::Literal(literal)) => {
            let c = std::str::from_utf8(&literal.0).ok().and_then(|text| text.chars().next());
            c.map(|c| class::range(c, c)).ok_or(Error::Invalid("a class that there is not"))
        }
        _ => Err(Error::Invalid("a class that there is not")),
    }
}

/// The members of the class that a small letter names; of a capital, which means all others, those of its small one.
pub(super) fn class_of(letter: char) -> Option<&'static str> {
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
        let c = self.rest.next().ok_or(Error::Invalid("it ends with a backslash"))?;
        if let Some(members) = class_of(c) {
            let class = self.named(members, c.is_ascii_uppercase())?;
            self.push(class);
            return Ok(());
        }
        let unix = self.modes.flags.unix_lines;
        match c {
            'Q' => {
                for c in self.quoted().chars() {
                    self.push_literal(c)?;
                }
            }
            'A' => self.push(Node::Look(Look::TextStart)),
            'z' => self.push(Node::Look(Look::TextEnd)),
            'Z' => self.push(Node::Look(Look::FinalEnd { unix })),
            'R' => {
                let crlf = Node::Concat(vec![Node::Char('\r'), Node::Char('\n')]);
                let other = self.named(VERTICAL, false)?;
                self.push(Node::Alternation(vec![crlf, other]));
            }
            'b' | 'B' => {
                self.words = true;
                self.push(Node::Look(if c == 'b' { Look::Word } else { Look::NotWord }));
            }
            'G' | 'X' | 'N' => {
                return Err(Error::Unsupported("\\G, \\N and \\X in a regular expression"));
            }
            'k' => {
                let open = self.rest.next();
                let name = self.name()?;
                let group = self.names.iter().position(|known| known.as_deref() == Some(&*name));
                match group {
                    Some(group) if open == Some('<') => self.push_reference(group + 1),
                    _ => return Err(Error::Invalid("a group that there is not")),
                }
            }
            digit @ '1'..='9' => self.back_reference(digit)?,
            'p' | 'P' => {
                let set = self.property(c)?;
                self.push_set(&set)?;
            }
            c => {
                let c = self.character(c)?;
                self.push_literal(c)?;
            }
        }
        Ok(())
    }

    fn push_reference(&mut self, group: usize) {
        let ignore_case = self.modes.flags.ignore_case;
        self.push(Node::BackReference { group: group as u32, ignore_case });
    }

    /// `\1`: more digits belong to the number as long as there are so many groups.
    fn back_reference(&mut self, first: char) -> Result<()> {
        let groups = self.names.len();
        let mut number = first as usize - '0' as usize;
        if number > groups {
            return Err(Error::Invalid("a group that there is not"));
        }
        while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(10))
            && number * 10 + digit as usize <= groups
        {
            number = number * 10 + digit as usize;
            self.skip(1);
        }
        self.push_reference(number);
        Ok(())
    }

    /// `\p{…}`, whose letter is read.
    pub(super) fn property(&mut self, letter: char) -> Result<ClassUnicode> {
        let name = self.braced()?;
        let mut set = class::property(&name).ok_or(Error::Invalid("a property that there is not"))?;
        self.classes.charge(set.ranges().len())?;
        if letter == 'P' {
            set.negate();
        }
        Ok(if self.modes.flags.ignore_case { class::folded(set) } else { set })
    }

    /// A character by its number, or as it is.
    pub(super) fn character(&mut self, c: char) -> Result<char> {
        let code = match c {
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
            c => return Ok(c),
        };
        code.and_then(char::from_u32).ok_or(Error::Invalid("a character without a number"))
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
        let is_open = self.rest.next_if_eq(&'{').is_some();
        let mut inside = String::new();
        while let Some(c) = self.rest.next_if(|c| *c != '}') {
            inside.push(c);
        }
        let is_closed = self.rest.next().is_some();
        if is_open && is_closed { Ok(inside) } else { Err(Error::Invalid("a letter that wants braces")) }
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
