//! ICU's patterns in the syntax of JavaScript, in parts that mean the same in both, whatever the characters: classes, line ends
//! and the borders of words are spelt out; POSIX classes, sets within sets, `\h`, `\R`, `\Q…\E`, `\A`, `\z`, code points and flags
//! become what means the same there.

mod escape;
mod set;

use std::iter::Peekable;
use std::str::Chars;

use super::invalid;
use crate::error::{Result, SqlError};
use crate::host::LetterCase;
use escape::VERTICAL;

/// A pattern as the host reads it.
pub struct Pattern {
    pub source: String,
    /// The names of its groups, by number from 1.
    pub names: Vec<Option<Box<str>>>,
    pub case: LetterCase,
}

/// How a part of a pattern is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Modes {
    pub case: LetterCase,
    /// `^` and `$` match at every line.
    pub multi_line: bool,
    /// `.` matches line ends too.
    pub dot_all: bool,
    /// Only `\n` ends a line.
    pub unix_lines: bool,
    /// Spaces and `# comments` mean nothing.
    pub verbose: bool,
}

impl Modes {
    /// After the letters of `(?im-s)`; `None` where one of them is none.
    fn with(mut self, letters: &str) -> Option<Modes> {
        let mut on = true;
        for letter in letters.chars() {
            match letter {
                '-' => on = false,
                'i' => self.case = if on { LetterCase::IsIgnored } else { LetterCase::Matters },
                'm' => self.multi_line = on,
                's' => self.dot_all = on,
                'd' => self.unix_lines = on,
                'x' => self.verbose = on,
                _ => return None,
            }
        }
        Some(self)
    }

    fn line_ends(self) -> &'static str {
        if self.unix_lines { "\\n" } else { VERTICAL }
    }
}

impl Pattern {
    /// # Errors
    /// What is no pattern, and what JavaScript cannot say.
    pub fn new(pattern: &str, modes: Modes) -> Result<Pattern> {
        let mut reader = Reader {
            rest: pattern.chars().peekable(),
            out: Pattern { source: String::with_capacity(pattern.len() + 8), names: Vec::new(), case: modes.case },
            before: Before::Nothing,
            modes,
            groups: Vec::new(),
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

/// What a quantifier would follow.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Atom,
    Quantifier,
}

/// A group that is not closed yet.
struct Group {
    /// What holds again behind it.
    outside: Modes,
    /// How letters match where it begins.
    case: LetterCase,
    /// The case has changed since: a group of its own is open, which an alternative ends, too.
    is_wrapped: bool,
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    out: Pattern,
    before: Before,
    modes: Modes,
    /// From the outermost, which is the whole pattern, inwards.
    groups: Vec<Group>,
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

    /// `(?i)` at the start is about the whole pattern, which every host can say.
    fn flags_in_front(&mut self) {
        while self.starts_with("(?") {
            let letters: String = self.rest.clone().skip(2).take_while(|c| *c != ')').take(8).collect();
            let Some(modes) = self.modes.with(&letters).filter(|_| !letters.is_empty()) else { break };
            self.modes = modes;
            self.skip(letters.len() + 3);
        }
        self.out.case = self.modes.case;
        self.groups.push(Group { outside: self.modes, case: self.modes.case, is_wrapped: false });
    }

    fn sequence(&mut self) -> Result<()> {
        while let Some(c) = self.rest.next() {
            if self.modes.verbose && (c.is_whitespace() || c == '#') {
                if c == '#' {
                    self.rest.by_ref().take_while(|c| *c != '\n').for_each(drop);
                }
                continue;
            }
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
                ')' => self.end_group()?,
                '|' => {
                    self.alternative();
                    self.before = Before::Nothing;
                }
                '.' => self.any_character(),
                '^' => self.line_start(),
                '$' => self.line_end_of(self.modes),
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
                '/' => push_literal(&mut self.out.source, c),
                c => self.out.source.push(c),
            }
        }
        match self.groups.len() {
            1 => {
                self.end_wrapper();
                Ok(())
            }
            _ => Err(invalid("a ( that is not closed")),
        }
    }

    /// What ends a line is one character for `.`, if it is two.
    fn any_character(&mut self) {
        match (self.modes.dot_all, self.modes.unix_lines) {
            (true, true) => self.push("[\\s\\S]"),
            (true, false) => self.push("(?:\\r\\n|(?!\\r\\n)[\\s\\S])"),
            (false, true) => self.push("[^\\n]"),
            (false, false) => self.push(&format!("[^{VERTICAL}]")),
        }
    }

    fn line_start(&mut self) {
        let ends = self.modes.line_ends();
        match self.modes.multi_line {
            true => self.push(&format!("(?:(?<![\\s\\S])|(?<=[{ends}])(?=[\\s\\S]))")),
            false => self.push("(?<![\\s\\S])"),
        }
    }

    /// The end, also before a line end that is the last; never between the two characters of one.
    fn line_end_of(&mut self, modes: Modes) {
        let ends = modes.line_ends();
        let place = match modes.multi_line {
            true => format!("(?=[{ends}]|(?![\\s\\S]))"),
            false => format!("(?=(?:\\r\\n|[{ends}])?(?![\\s\\S]))"),
        };
        match modes.unix_lines {
            true => self.push(&place.replace("\\r\\n|", "")),
            false => self.push(&format!("{place}(?!(?<=\\r)\\n)")),
        }
    }

    /// A parenthesis, whose group may have a number and a name, or be flags for what follows.
    fn group(&mut self) -> Result<()> {
        let outside = self.modes;
        if !self.starts_with("?") {
            self.out.names.push(None);
            return self.begin_group("(", outside);
        }
        self.skip(1);
        for (start, written) in [(":", "(?:"), ("=", "(?="), ("!", "(?!"), ("<=", "(?<="), ("<!", "(?<!")] {
            if self.starts_with(start) {
                self.skip(start.len());
                return self.begin_group(written, outside);
            }
        }
        match self.rest.next() {
            Some('>') => Err(SqlError::unsupported("an atomic group in a regular expression")),
            Some('#') => match self.rest.by_ref().any(|c| c == ')') {
                true => Ok(()),
                false => Err(invalid("a comment that does not end")),
            },
            Some('<') => {
                let name = self.name()?;
                let start = format!("(?<{name}>");
                self.out.names.push(Some(name.into()));
                self.begin_group(&start, outside)
            }
            first => {
                let mut letters: String = first.into_iter().collect();
                while let Some(letter) = self.rest.next_if(|c| !":)".contains(*c)) {
                    letters.push(letter);
                }
                let modes = self.modes.with(&letters).ok_or_else(|| invalid("flags that there are not"))?;
                match self.rest.next() {
                    Some(':') => {
                        self.modes = modes;
                        let start = case_group(modes.case, outside.case);
                        self.begin_group(start, outside)
                    }
                    Some(')') => {
                        self.change(modes);
                        Ok(())
                    }
                    _ => Err(invalid("flags without an end")),
                }
            }
        }
    }

    fn begin_group(&mut self, start: &str, outside: Modes) -> Result<()> {
        self.push(start);
        self.groups.push(Group { outside, case: self.modes.case, is_wrapped: false });
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        self.end_wrapper();
        let group = self.groups.pop().filter(|_| !self.groups.is_empty());
        self.modes = group.ok_or_else(|| invalid("a ) that closes nothing"))?.outside;
        self.push(")");
        Ok(())
    }

    /// `(?i)`: other modes until the group ends.
    fn change(&mut self, modes: Modes) {
        self.end_wrapper();
        self.modes = modes;
        self.begin_wrapper();
    }

    fn alternative(&mut self) {
        self.end_wrapper();
        self.push("|");
        self.begin_wrapper();
    }

    fn begin_wrapper(&mut self) {
        let case = self.modes.case;
        let Some(group) = self.groups.last_mut().filter(|group| group.case != case) else { return };
        group.is_wrapped = true;
        let start = case_group(case, group.case);
        self.push(start);
    }

    fn end_wrapper(&mut self) {
        if self.groups.last_mut().is_some_and(|group| std::mem::take(&mut group.is_wrapped)) {
            self.push(")");
        }
    }

    /// The name of a group, up to its `>`.
    fn name(&mut self) -> Result<String> {
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(char::is_ascii_alphanumeric) {
            name.push(c);
        }
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && self.rest.next() == Some('>');
        if is_name { Ok(name) } else { Err(invalid("a group's name that is none")) }
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
}

/// How a group begins that matches letters so.
fn case_group(case: LetterCase, around: LetterCase) -> &'static str {
    match case {
        case if case == around => "(?:",
        LetterCase::IsIgnored => "(?i:",
        LetterCase::Matters => "(?-i:",
    }
}

fn push_literal(out: &mut String, c: char) {
    if "^$\\.*+?()[]{}|/".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icu_patterns_become_javascript() {
        let translated = |pattern| match Pattern::new(pattern, Modes::default()) {
            Ok(pattern) => pattern.source,
            Err(error) => error.into_message(),
        };
        assert_eq!(translated("[[:space:]]"), "[\\p{White_Space}]");
        assert_eq!(translated("[[:alpha:]_-]+"), "[\\p{Alphabetic}_-]+");
        assert_eq!(translated("a{2,3}"), "a{2,3}");
        assert_eq!(translated("\\Qa.b\\E+"), "a\\.b+");
        assert_eq!(translated("[]a]"), "[\\]a]");
        assert_eq!(translated("\\d+(?:x|y)"), "[\\p{Nd}]+(?:x|y)");
        assert_eq!(translated("\\p{L}+"), "\\p{L}+");
        assert_eq!(translated("[a-c&&[^b]]"), "(?:(?=[a-c])[^b])");
        assert_eq!(translated("[[a-c]--[b]]"), "(?:(?![b])[a-c])");
        assert_eq!(translated("[^[a][b]]"), "(?:(?!(?:[a]|[b]))[\\s\\S])");
        assert_eq!(translated("\\x{1F600}"), "\\u{1F600}");
        assert_eq!(translated("[\\d-.]"), "[\\p{Nd}\\-.]");
        assert_eq!(translated("(a)(?i)b|c"), "(a)(?i:b)|(?i:c)");
        assert_eq!(translated("(a)\\12"), "(a)(?:\\1)2");
        assert_eq!(translated("\\p{Greek}"), "\\p{Script=Greek}");
        for wrong in ["a++", "[a", "\\", "a{3,2}", "a{1}{2}", "(?>a)b", "[&&]"] {
            assert!(Pattern::new(wrong, Modes::default()).is_err(), "{wrong}");
        }
        let named = Pattern::new("(?i)(a)(?<n>b)", Modes::default()).expect("a pattern");
        assert_eq!((named.source.as_str(), named.group("n")), ("(a)(?<n>b)", Some(2)));
        assert_eq!(named.case, LetterCase::IsIgnored);
    }
}
