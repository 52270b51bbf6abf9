//! The parser of ICU's patterns (docs/format/sql-surface.md, "Regular expressions").

mod escape;
mod set;

use std::iter::Peekable;
use std::str::Chars;

use regex_syntax::hir::ClassUnicode;

use crate::class::{self, Class};
use crate::look::Look;
use crate::node::{ClassIndex, Greed, Node};
use crate::{Error, Flags, Result};
use escape::WORD;

/// Longest pattern.
const PATTERN_BYTES_MAX: usize = 1 << 20;
/// Groups within groups: the tree is walked recursively.
const DEPTH_MAX: usize = 250;
/// Character ranges of all sets together. One of letters has about 700.
const RANGES_MAX: usize = 1 << 19;

/// A pattern that was read.
pub struct Parsed {
    pub node: Node,
    /// The names of its groups, by number from 1.
    pub names: Vec<Option<Box<str>>>,
    pub classes: Vec<Class>,
    /// Whether an assertion looks for the boundaries of words; then [`Parsed::word`] is their class.
    pub word: Class,
}

/// # Errors
/// [`Error::Invalid`], [`Error::Unsupported`] and [`Error::TooBig`].
pub fn parse(pattern: &str, flags: Flags) -> Result<Parsed> {
    if pattern.len() > PATTERN_BYTES_MAX {
        return Err(Error::TooBig);
    }
    let whole = Open { kind: Kind::Group(0), outside: Modes::from(flags), alternatives: Vec::new(), items: Vec::new() };
    let mut reader = Reader {
        rest: pattern.chars().peekable(),
        names: Vec::new(),
        classes: Classes::default(),
        before: Before::Nothing,
        modes: Modes::from(flags),
        groups: vec![whole],
        words: false,
    };
    reader.sequence()?;
    let Some(whole) = reader.groups.pop().filter(|_| reader.groups.is_empty()) else {
        return Err(Error::Invalid("a ( that is not closed"));
    };
    let word = if reader.words { escape::members(WORD)? } else { ClassUnicode::empty() };
    Ok(Parsed { node: whole.node(), names: reader.names, classes: reader.classes.compiled, word: Class::new(&word) })
}

/// How a part of a pattern is read.
#[derive(Debug, Clone, Copy)]
struct Modes {
    flags: Flags,
    /// Spaces and `# comments` mean nothing.
    verbose: bool,
}

impl From<Flags> for Modes {
    fn from(flags: Flags) -> Modes {
        Modes { flags, verbose: false }
    }
}

impl Modes {
    /// After the letters of `(?im-s)`; `None` where one of them is none.
    fn with(mut self, letters: &str) -> Option<Modes> {
        let mut on = true;
        for letter in letters.chars() {
            match letter {
                '-' => on = false,
                'i' => self.flags.ignore_case = on,
                'm' => self.flags.multi_line = on,
                's' => self.flags.dot_all = on,
                'd' => self.flags.unix_lines = on,
                'x' => self.verbose = on,
                _ => return None,
            }
        }
        Some(self)
    }
}

/// What a quantifier would follow.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Atom,
    Quantifier,
}

enum Kind {
    /// Number 0 is one without a number.
    Group(u32),
    Around {
        is_ahead: bool,
        is_negated: bool,
    },
    Atomic,
}

/// A group that is not closed yet.
struct Open {
    kind: Kind,
    /// The modes after it.
    outside: Modes,
    alternatives: Vec<Node>,
    items: Vec<Node>,
}

impl Open {
    fn end_alternative(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        self.alternatives.push(if items.len() == 1 { items.remove(0) } else { Node::Concat(items) });
    }

    fn node(mut self) -> Node {
        self.end_alternative();
        let inside = match self.alternatives.len() {
            1 => self.alternatives.remove(0),
            _ => Node::Alternation(self.alternatives),
        };
        match self.kind {
            Kind::Group(0) => inside,
            Kind::Group(number) => Node::Group(number, Box::new(inside)),
            Kind::Around { is_ahead, is_negated } => Node::Around { node: Box::new(inside), is_ahead, is_negated },
            Kind::Atomic => Node::Atomic(Box::new(inside)),
        }
    }
}

/// The classes of a pattern; those that are written alike are one.
#[derive(Default)]
struct Classes {
    compiled: Vec<Class>,
    named: Vec<(&'static str, bool, ClassIndex)>,
    ranges: usize,
}

impl Classes {
    fn add(&mut self, set: &ClassUnicode) -> ClassIndex {
        let compiled = Class::new(set);
        // Only the last ones: a search among all would be quadratic.
        let mut recent = self.compiled.iter().enumerate().rev().take(16);
        if let Some((known, _)) = recent.find(|(_, known)| **known == compiled) {
            return known as ClassIndex;
        }
        self.compiled.push(compiled);
        self.compiled.len() as ClassIndex - 1
    }

    /// Counts what a set costs to make.
    fn charge(&mut self, ranges: usize) -> Result<()> {
        self.ranges += ranges + 1;
        if self.ranges > RANGES_MAX { Err(Error::TooBig) } else { Ok(()) }
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    names: Vec<Option<Box<str>>>,
    classes: Classes,
    before: Before,
    modes: Modes,
    /// From the outermost, which is the whole pattern, inwards.
    groups: Vec<Open>,
    words: bool,
}

impl Reader<'_> {
    fn push(&mut self, node: Node) {
        if let Some(group) = self.groups.last_mut() {
            group.items.push(node);
        }
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().eq(self.rest.clone().take(text.chars().count()))
    }

    fn skip(&mut self, characters: usize) {
        self.rest.by_ref().take(characters).for_each(drop);
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
                    let set = self.set(0)?;
                    self.push_set(&set)?;
                }
                '(' if self.starts_with("?#") => {
                    if !self.rest.by_ref().any(|c| c == ')') {
                        return Err(Error::Invalid("a comment that does not end"));
                    }
                    self.before = before;
                }
                '(' => {
                    self.group()?;
                    self.before = Before::Nothing;
                }
                ')' => self.end_group()?,
                '|' => {
                    if let Some(group) = self.groups.last_mut() {
                        group.end_alternative();
                    }
                    self.before = Before::Nothing;
                }
                '.' => self.any_character()?,
                '^' => {
                    let unix = self.modes.flags.unix_lines;
                    let look = if self.modes.flags.multi_line { Look::LineStart { unix } } else { Look::TextStart };
                    self.push(Node::Look(look));
                }
                '$' => {
                    let unix = self.modes.flags.unix_lines;
                    let is_multi_line = self.modes.flags.multi_line;
                    self.push(Node::Look(if is_multi_line { Look::LineEnd { unix } } else { Look::FinalEnd { unix } }));
                }
                '{' | '*' | '+' | '?' => {
                    self.quantifier(c, before)?;
                    self.before = Before::Quantifier;
                }
                c => self.push_literal(c)?,
            }
        }
        Ok(())
    }

    fn push_literal(&mut self, c: char) -> Result<()> {
        if !self.modes.flags.ignore_case {
            self.push(Node::Char(c));
            return Ok(());
        }
        let set = class::folded(class::range(c, c));
        match set.ranges() {
            [one] if one.start() == one.end() => self.push(Node::Char(c)),
            _ => self.push_set(&set)?,
        }
        Ok(())
    }

    fn push_set(&mut self, set: &ClassUnicode) -> Result<()> {
        self.classes.charge(set.ranges().len())?;
        let class = self.classes.add(set);
        self.push(Node::Class(class));
        Ok(())
    }

    /// The class of a name, compiled once: of `.`, and of a letter such as `\w`.
    fn named(&mut self, members: &'static str, is_negated: bool) -> Result<Node> {
        let known = self.classes.named.iter().find(|(name, negated, _)| *name == members && *negated == is_negated);
        if let Some((_, _, class)) = known {
            return Ok(Node::Class(*class));
        }
        let mut set = escape::members(members)?;
        if is_negated {
            set.negate();
        }
        let class = self.classes.add(&set);
        self.classes.named.push((members, is_negated, class));
        Ok(Node::Class(class))
    }

    /// What ends a line is one character for `.` of dot-all mode, even if it is two.
    fn any_character(&mut self) -> Result<()> {
        let flags = self.modes.flags;
        let node = match (flags.dot_all, flags.unix_lines) {
            (true, true) => self.named("", true)?,
            (true, false) => {
                let other = Node::Concat(vec![Node::Look(Look::NotCrlf), self.named("", true)?]);
                Node::Alternation(vec![Node::Concat(vec![Node::Char('\r'), Node::Char('\n')]), other])
            }
            (false, true) => self.named("\\n", true)?,
            (false, false) => self.named(escape::VERTICAL, true)?,
        };
        self.push(node);
        Ok(())
    }

    /// A parenthesis, whose group may have a number and a name, or be flags for what follows.
    fn group(&mut self) -> Result<()> {
        let outside = self.modes;
        if !self.starts_with("?") {
            return self.begin_captured(None, outside);
        }
        self.skip(1);
        let around = |is_ahead, is_negated| Kind::Around { is_ahead, is_negated };
        for (start, kind) in [
            (":", Kind::Group(0)),
            ("=", around(true, false)),
            ("!", around(true, true)),
            ("<=", around(false, false)),
            ("<!", around(false, true)),
            (">", Kind::Atomic),
        ] {
            if self.starts_with(start) {
                self.skip(start.len());
                return self.begin_group(kind, outside);
            }
        }
        match self.rest.next() {
            Some('<') => {
                let name = self.name()?;
                self.begin_captured(Some(name.into()), outside)
            }
            first => {
                let mut letters: String = first.into_iter().collect();
                while let Some(letter) = self.rest.next_if(|c| !":)".contains(*c)) {
                    letters.push(letter);
                }
                self.modes = self.modes.with(&letters).ok_or(Error::Invalid("flags that there are not"))?;
                match self.rest.next() {
                    Some(':') => self.begin_group(Kind::Group(0), outside),
                    // `(?i)`: until the group ends.
                    Some(')') => Ok(()),
                    _ => Err(Error::Invalid("flags without an end")),
                }
            }
        }
    }

    fn begin_captured(&mut self, name: Option<Box<str>>, outside: Modes) -> Result<()> {
        self.names.push(name);
        self.begin_group(Kind::Group(self.names.len() as u32), outside)
    }

    fn begin_group(&mut self, kind: Kind, outside: Modes) -> Result<()> {
        if self.groups.len() > DEPTH_MAX {
            return Err(Error::TooBig);
        }
        self.groups.push(Open { kind, outside, alternatives: Vec::new(), items: Vec::new() });
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        let group = self.groups.pop().filter(|_| !self.groups.is_empty());
        let group = group.ok_or(Error::Invalid("a ) that closes nothing"))?;
        self.modes = group.outside;
        let node = group.node();
        if let Node::Around { node, is_ahead: false, .. } = &node
            && node.length().1.is_none()
        {
            return Err(Error::Invalid("a look-behind of any length"));
        }
        self.push(node);
        Ok(())
    }

    /// The name of a group, up to its `>`.
    fn name(&mut self) -> Result<String> {
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(char::is_ascii_alphanumeric) {
            name.push(c);
        }
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && self.rest.next() == Some('>');
        if is_name { Ok(name) } else { Err(Error::Invalid("a group's name that is none")) }
    }

    /// A quantifier, whose first character is read.
    fn quantifier(&mut self, first: char, before: Before) -> Result<()> {
        let (min, max) = match first {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => self.count()?,
        };
        if before != Before::Atom {
            return Err(Error::Invalid("a quantifier that follows nothing"));
        }
        let greed = match self.rest.next_if(|c| matches!(c, '?' | '+')) {
            None => Greed::Greedy,
            Some('?') => Greed::Lazy,
            Some(_) => Greed::Possessive,
        };
        let node = self.groups.last_mut().and_then(|group| group.items.pop());
        let node = Box::new(node.ok_or(Error::Invalid("a quantifier that follows nothing"))?);
        self.push(Node::Repeat { node, min, max, greed });
        Ok(())
    }

    /// `{2}`, `{2,}` or `{2,3}`, whose brace is read.
    fn count(&mut self) -> Result<(u32, Option<u32>)> {
        let inside: String = self.rest.clone().take_while(|c| *c != '}').take(24).collect();
        let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
        let number = |digits: &str| digits.trim().parse::<u32>().map_err(|_| Error::Invalid("a { that counts nothing"));
        let is_open = most.trim().is_empty() && inside.contains(',');
        let least = number(least)?;
        let most = if is_open { None } else { Some(number(most)?) };
        if most.is_some_and(|most| least > most) {
            return Err(Error::Invalid("a count that cannot be"));
        }
        self.skip(inside.chars().count());
        match self.rest.next() {
            Some('}') => Ok((least, most)),
            _ => Err(Error::Invalid("a { that is not closed")),
        }
    }
}

#[cfg(test)]
mod tests;
