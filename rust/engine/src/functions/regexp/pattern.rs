//! ICU's patterns in the syntax of JavaScript: POSIX classes, sets within sets, `\h`, `\R`, `\Q…\E`, `\A`, `\z`, `\Z`, code points and
//! flags in front become what means the same there.

use std::iter::Peekable;
use std::str::Chars;

use super::invalid;
use crate::error::{Result, SqlError};
use crate::host::RegexFlags;

/// A pattern as the host reads it.
pub struct Pattern {
    pub source: String,
    /// The names of its groups, by number from 1.
    pub names: Vec<Option<Box<str>>>,
    pub flags: RegexFlags,
}

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
const VERTICAL: &str = "\\n\\x0b\\f\\r\\u0085\\u2028\\u2029";
const HORIZONTAL: &str = "\\t\\p{Zs}";

impl Pattern {
    /// # Errors
    /// What is no pattern, and what JavaScript cannot say.
    pub fn new(pattern: &str, flags: RegexFlags) -> Result<Pattern> {
        let mut reader = Reader {
            rest: pattern.chars().peekable(),
            out: Pattern { source: String::with_capacity(pattern.len() + 8), names: Vec::new(), flags },
            before: Before::Nothing,
        };
        reader.flags_in_front();
        reader.sequence()?;
        Ok(reader.out)
    }

    /// The number of a group that has a name.
    pub fn group(&self, name: &str) -> Option<usize> {
        let at = self.names.iter().position(|known| known.as_deref() == Some(name))?;
        Some(at + 1)
    }
}

/// What stands between brackets.
enum Set {
    Members(String),
    Not(Box<Set>),
    Either(Vec<Set>),
    Both(Box<Set>, Box<Set>),
    Without(Box<Set>, Box<Set>),
}

impl Set {
    /// A pattern of one character. Sets within sets become conditions on what follows: so they are the same with every flag.
    fn source(&self) -> String {
        match self {
            Set::Members(members) => format!("[{members}]"),
            Set::Not(set) => match &**set {
                Set::Members(members) => format!("[^{members}]"),
                set => format!("(?:(?!{})[\\s\\S])", set.source()),
            },
            Set::Either(sets) => {
                let sources: Vec<String> = sets.iter().map(Set::source).collect();
                format!("(?:{})", sources.join("|"))
            }
            Set::Both(one, other) => format!("(?:(?={}){})", one.source(), other.source()),
            Set::Without(set, less) => format!("(?:(?!{}){})", less.source(), set.source()),
        }
    }
}

#[derive(Clone, Copy)]
enum SetOperator {
    Both,
    Without,
}

/// What is read of a set since its last operator.
#[derive(Default)]
struct Operand {
    members: String,
    sets: Vec<Set>,
    /// A dash behind a class begins no range.
    is_after_class: bool,
}

impl Operand {
    fn push_class(&mut self, class: &str) {
        self.members.push_str(class);
        self.is_after_class = true;
    }

    fn push_literal(&mut self, c: char) {
        match c {
            '^' | '-' | '[' | ']' | '\\' => self.members.extend(['\\', c]),
            // Where sets have operators of their own these are some.
            '&' | '~' => self.members.push_str(&format!("\\x{:02x}", c as u32)),
            c => self.members.push(c),
        }
        self.is_after_class = false;
    }

    fn into_set(self) -> Result<Set> {
        let members = (!self.members.is_empty()).then_some(Set::Members(self.members));
        let mut sets: Vec<Set> = members.into_iter().chain(self.sets).collect();
        match sets.len() {
            0 => Err(invalid("a set without members")),
            1 => Ok(sets.remove(0)),
            _ => Ok(Set::Either(sets)),
        }
    }
}

/// What a quantifier would follow.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Atom,
    Quantifier,
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    out: Pattern,
    before: Before,
}

impl Reader<'_> {
    fn push(&mut self, text: &str) {
        self.out.source.push_str(text);
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().eq(self.rest.clone().take(text.chars().count()))
    }

    fn skip(&mut self, characters: usize) {
        self.rest.by_ref().take(characters).for_each(drop);
    }

    /// `(?i)` at the start is about the whole pattern.
    fn flags_in_front(&mut self) {
        while self.starts_with("(?") {
            let letters: String = self.rest.clone().skip(2).take_while(|c| "ims".contains(*c)).collect();
            if letters.is_empty() || self.rest.clone().nth(2 + letters.len()) != Some(')') {
                return;
            }
            let flags = &mut self.out.flags;
            flags.case_insensitive |= letters.contains('i');
            flags.multi_line |= letters.contains('m');
            flags.dot_all |= letters.contains('s');
            self.skip(letters.len() + 3);
        }
    }

    fn sequence(&mut self) -> Result<()> {
        while let Some(c) = self.rest.next() {
            let before = std::mem::replace(&mut self.before, Before::Atom);
            match c {
                '\\' => self.escape()?,
                '[' => {
                    let set = self.set(0)?.source();
                    self.push(&set);
                }
                ']' | '}' => push_literal(&mut self.out.source, c),
                '(' => {
                    self.group()?;
                    self.before = Before::Nothing;
                }
                '|' => {
                    self.out.source.push(c);
                    self.before = Before::Nothing;
                }
                '{' => {
                    self.count(before)?;
                    self.before = Before::Quantifier;
                }
                '+' if before == Before::Quantifier => {
                    return Err(SqlError::unsupported("a possessive quantifier in a regular expression"));
                }
                '*' | '+' | '?' => {
                    self.out.source.push(c);
                    // What makes one lazy ends it.
                    self.before = if before == Before::Quantifier { Before::Nothing } else { Before::Quantifier };
                }
                c => self.out.source.push(c),
            }
        }
        Ok(())
    }

    /// A parenthesis, whose group may have a number and a name.
    fn group(&mut self) -> Result<()> {
        self.out.source.push('(');
        if !self.starts_with("?") {
            self.out.names.push(None);
            return Ok(());
        }
        if self.starts_with("?>") {
            return Err(SqlError::unsupported("an atomic group in a regular expression"));
        }
        if self.starts_with("?#") {
            self.out.source.pop();
            return match self.rest.by_ref().any(|c| c == ')') {
                true => Ok(()),
                false => Err(invalid("a comment that does not end")),
            };
        }
        let end = match () {
            () if self.starts_with("?<=") || self.starts_with("?<!") => 3,
            () if self.starts_with("?<") => {
                let name: String = self.rest.clone().skip(2).take_while(|c| *c != '>').collect();
                let end = name.chars().count() + 3;
                self.out.names.push(Some(name.into()));
                end
            }
            () => self.rest.clone().take_while(|c| !":=!)".contains(*c)).count() + 1,
        };
        self.out.source.extend(self.rest.by_ref().take(end));
        Ok(())
    }

    /// `{2}`, `{2,}` or `{2,3}`, whose brace is read.
    fn count(&mut self, before: Before) -> Result<()> {
        let inside: String = self.rest.clone().take_while(|c| *c != '}').take(24).collect();
        let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
        let number = |digits: &str| digits.trim().parse::<u32>().ok();
        let most = if most.trim().is_empty() && inside.contains(',') { Some(u32::MAX) } else { number(most) };
        let (Some(least), Some(most)) = (number(least), most) else { return Err(invalid("a { that counts nothing")) };
        if least > most || before != Before::Atom {
            return Err(invalid("a count that cannot be"));
        }
        self.skip(inside.chars().count() + 1);
        match most {
            most if most == least => self.push(&format!("{{{least}}}")),
            u32::MAX => self.push(&format!("{{{least},}}")),
            most => self.push(&format!("{{{least},{most}}}")),
        }
        Ok(())
    }

    /// What follows a backslash outside of sets.
    fn escape(&mut self) -> Result<()> {
        match self.rest.next() {
            Some('Q') => self.quoted().chars().for_each(|c| push_literal(&mut self.out.source, c)),
            Some('A') => self.push("(?<![\\s\\S])"),
            Some('z') => self.push("(?![\\s\\S])"),
            Some('Z') => self.push("(?=\\n?(?![\\s\\S]))"),
            Some('R') => self.push(&format!("(?:\\r\\n|[{VERTICAL}])")),
            Some('h') => self.push(&format!("[{HORIZONTAL}]")),
            Some('H') => self.push(&format!("[^{HORIZONTAL}]")),
            Some('v') => self.push(&format!("[{VERTICAL}]")),
            Some('V') => self.push(&format!("[^{VERTICAL}]")),
            Some('G' | 'X' | 'N') => {
                return Err(SqlError::unsupported("\\G, \\N and \\X in a regular expression"));
            }
            Some(c @ ('p' | 'P')) => {
                let property = self.property(c)?;
                self.push(&property);
            }
            Some('k') => {
                self.push("\\k");
                while let Some(c) = self.rest.next_if(|c| *c != '>') {
                    self.out.source.push(c);
                }
            }
            Some(c) => {
                let escaped = self.character(c)?;
                self.push(&escaped);
            }
            None => return Err(invalid("it ends with a backslash")),
        }
        Ok(())
    }

    /// `\p{…}`; a script is called one.
    fn property(&mut self, letter: char) -> Result<String> {
        let name = self.braced()?;
        let script = if SCRIPTS.contains(&&*name) { "Script=" } else { "" };
        Ok(format!("\\{letter}{{{script}{name}}}"))
    }

    /// A character by its number, a letter that stands for a class in both syntaxes, or a character as it is.
    fn character(&mut self, c: char) -> Result<String> {
        let code = match c {
            'x' if self.rest.peek() == Some(&'{') => u32::from_str_radix(&self.braced()?, 16).ok(),
            'U' => self.digits(8, 16),
            '0' => self.digits(3, 8),
            'a' => Some(7),
            'e' => Some(27),
            c if c.is_ascii_alphanumeric() => return Ok(format!("\\{c}")),
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
    fn quoted(&mut self) -> String {
        let mut quoted = String::new();
        while self.rest.peek().is_some() && !self.starts_with("\\E") {
            quoted.extend(self.rest.next());
        }
        self.skip(2);
        quoted
    }

    /// A set whose bracket is read.
    fn set(&mut self, depth: usize) -> Result<Set> {
        const DEPTH_MAX: usize = 32;
        if depth > DEPTH_MAX {
            return Err(invalid("sets in sets in sets"));
        }
        let is_negated = self.rest.next_if_eq(&'^').is_some();
        let mut done: Option<(Set, SetOperator)> = None;
        let mut operand = Operand::default();
        // A bracket right at the start of a set is a member.
        if self.rest.next_if_eq(&']').is_some() {
            operand.members.push_str("\\]");
        }
        loop {
            let operator = match self.rest.next() {
                None => return Err(invalid("a [ that is not closed")),
                Some(']') => break,
                Some('&') if self.rest.next_if_eq(&'&').is_some() => SetOperator::Both,
                Some('-') if self.rest.next_if_eq(&'-').is_some() || self.rest.peek() == Some(&'[') => {
                    SetOperator::Without
                }
                Some('[') => {
                    match posix_class(&mut self.rest) {
                        Some((members, false)) => operand.push_class(members),
                        Some((members, true)) => operand.sets.push(Set::Not(Box::new(Set::Members(members.into())))),
                        None if self.starts_with(":") => return Err(invalid("a class that there is not")),
                        None => operand.sets.push(self.set(depth + 1)?),
                    }
                    continue;
                }
                Some('\\') => {
                    self.escape_in_set(&mut operand)?;
                    continue;
                }
                Some('-') if !operand.is_after_class => {
                    operand.members.push('-');
                    continue;
                }
                Some(c) => {
                    operand.push_literal(c);
                    continue;
                }
            };
            done = Some((joined(done, std::mem::take(&mut operand).into_set()?), operator));
        }
        let set = joined(done, operand.into_set()?);
        Ok(if is_negated { Set::Not(Box::new(set)) } else { set })
    }

    fn escape_in_set(&mut self, operand: &mut Operand) -> Result<()> {
        let not = |members: &str| Set::Not(Box::new(Set::Members(members.into())));
        match self.rest.next() {
            Some('Q') => self.quoted().chars().for_each(|c| operand.push_literal(c)),
            Some('h') => operand.push_class(HORIZONTAL),
            Some('v') => operand.push_class(VERTICAL),
            Some(letter) if "dDsSwW".contains(letter) => operand.push_class(&format!("\\{letter}")),
            Some('H') => operand.sets.push(not(HORIZONTAL)),
            Some('V') => operand.sets.push(not(VERTICAL)),
            Some(letter @ ('p' | 'P')) => {
                let property = self.property(letter)?;
                operand.push_class(&property);
            }
            Some('G' | 'X' | 'N' | 'R') => {
                return Err(SqlError::unsupported("\\G, \\N, \\R and \\X in a set of a regular expression"));
            }
            Some(c) if c.is_ascii_alphanumeric() => {
                let escaped = self.character(c)?;
                operand.members.push_str(&escaped);
                operand.is_after_class = false;
            }
            Some(c) => operand.push_literal(c),
            None => return Err(invalid("it ends with a backslash")),
        }
        Ok(())
    }
}

fn joined(done: Option<(Set, SetOperator)>, next: Set) -> Set {
    match done {
        None => next,
        Some((set, SetOperator::Both)) => Set::Both(Box::new(set), Box::new(next)),
        Some((set, SetOperator::Without)) => Set::Without(Box::new(set), Box::new(next)),
    }
}

fn push_literal(out: &mut String, c: char) {
    if "^$\\.*+?()[]{}|/".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

/// The members of `[:name:]`, whose `[` is read, in JavaScript's words, and whether the others are meant (`[:^name:]`); `None`, and
/// nothing read, if it is none.
fn posix_class(rest: &mut Peekable<Chars<'_>>) -> Option<(&'static str, bool)> {
    let ahead: String = rest.clone().take(12).collect();
    let written = ahead.strip_prefix(':')?.split_once(":]")?.0;
    let name = written.strip_prefix('^').unwrap_or(written);
    let members = match name {
        "alpha" => "\\p{Alphabetic}",
        "digit" => "\\p{Nd}",
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "upper" => "\\p{Uppercase}",
        "lower" => "\\p{Lowercase}",
        "space" => "\\s",
        "blank" => HORIZONTAL,
        "punct" => "\\p{P}",
        "cntrl" => "\\p{Cc}",
        "xdigit" => "0-9A-Fa-f",
        "word" => "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}",
        "graph" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
        "print" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}",
        _ => return None,
    };
    rest.nth(written.len() + 2);
    Some((members, name != written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icu_patterns_become_javascript() {
        let translated = |pattern| match Pattern::new(pattern, RegexFlags::default()) {
            Ok(pattern) => pattern.source,
            Err(error) => error.into_message(),
        };
        assert_eq!(translated("[[:space:]]"), "[\\s]");
        assert_eq!(translated("[[:alpha:]_-]+"), "[\\p{Alphabetic}_-]+");
        assert_eq!(translated("a{2,3}"), "a{2,3}");
        assert_eq!(translated("\\Qa.b\\E+"), "a\\.b+");
        assert_eq!(translated("[]a]"), "[\\]a]");
        assert_eq!(translated("\\d+(?:x|y)$"), "\\d+(?:x|y)$");
        assert_eq!(translated("\\p{L}+"), "\\p{L}+");
        assert_eq!(translated("[a-c&&[^b]]"), "(?:(?=[a-c])[^b])");
        assert_eq!(translated("[[a-c]--[b]]"), "(?:(?![b])[a-c])");
        assert_eq!(translated("[^[a][b]]"), "(?:(?!(?:[a]|[b]))[\\s\\S])");
        assert_eq!(translated("\\x{1F600}"), "\\u{1F600}");
        assert_eq!(translated("[\\w-.]"), "[\\w\\-.]");
        assert_eq!(translated("\\p{Greek}"), "\\p{Script=Greek}");
        for wrong in ["a++", "[a", "\\", "a{3,2}", "a{1}{2}", "(?>a)b", "[&&]"] {
            assert!(Pattern::new(wrong, RegexFlags::default()).is_err(), "{wrong}");
        }
        let named = Pattern::new("(?i)(a)(?<n>b)", RegexFlags::default()).expect("a pattern");
        assert_eq!((named.source.as_str(), named.group("n")), ("(a)(?<n>b)", Some(2)));
        assert!(named.flags.case_insensitive);
    }
}
