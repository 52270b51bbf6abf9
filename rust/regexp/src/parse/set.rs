//! Character sets in brackets.

use std::iter::Peekable;
use std::str::Chars;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::Reader;
use super::escape::{WORD, class_of, members};
use crate::class;
use crate::{Error, Result};

#[derive(Clone, Copy)]
enum SetOperator {
    Both,
    Without,
}

/// What is read of a set since its last operator.
struct Operand {
    /// Characters and ranges, which are folded together.
    ranges: Vec<ClassUnicodeRange>,
    set: ClassUnicode,
    /// The last member, if it may begin a range.
    last: Option<char>,
    /// A dash was read after it.
    has_dash: bool,
    is_empty: bool,
}

impl Operand {
    fn new() -> Operand {
        Operand { ranges: Vec::new(), set: ClassUnicode::empty(), last: None, has_dash: false, is_empty: true }
    }

    fn push(&mut self, c: char) -> Result<()> {
        self.is_empty = false;
        if std::mem::take(&mut self.has_dash) {
            let start = self.last.take().unwrap_or(c);
            if start > c {
                return Err(Error::Invalid("a range from a larger character to a smaller one"));
            }
            self.ranges.push(ClassUnicodeRange::new(start, c));
            return Ok(());
        }
        self.ranges.push(ClassUnicodeRange::new(c, c));
        self.last = Some(c);
        Ok(())
    }

    /// A dash that no character follows is a member.
    fn end_range(&mut self) {
        if std::mem::take(&mut self.has_dash) {
            self.ranges.push(ClassUnicodeRange::new('-', '-'));
        }
        self.last = None;
    }

    fn union(&mut self, set: &ClassUnicode) {
        self.end_range();
        self.is_empty = false;
        self.set.union(set);
    }
}

impl Reader<'_> {
    /// A set whose bracket is read.
    pub(super) fn set(&mut self, depth: usize) -> Result<ClassUnicode> {
        const DEPTH_MAX: usize = 32;
        if depth > DEPTH_MAX {
            return Err(Error::Invalid("sets in sets in sets"));
        }
        let is_negated = self.rest.next_if_eq(&'^').is_some();
        let mut done: Option<(ClassUnicode, SetOperator)> = None;
        let mut operand = Operand::new();
        // A bracket right at the start of a set is a member.
        if self.rest.next_if_eq(&']').is_some() {
            operand.push(']')?;
        }
        loop {
            let operator = match self.rest.next() {
                None => return Err(Error::Invalid("a [ that is not closed")),
                Some(']') => break,
                Some('&') if self.rest.next_if_eq(&'&').is_some() => SetOperator::Both,
                Some('-') if self.rest.next_if_eq(&'-').is_some() || self.rest.peek() == Some(&'[') => {
                    SetOperator::Without
                }
                Some('[') => {
                    let set = match posix_class(&mut self.rest) {
                        Some((source, is_negated)) => self.members(source, is_negated)?,
                        None if self.starts_with(":") => return Err(Error::Invalid("a class that there is not")),
                        None => self.set(depth + 1)?,
                    };
                    operand.union(&set);
                    continue;
                }
                Some('\\') => {
                    self.escape_in_set(&mut operand)?;
                    continue;
                }
                Some('-') if operand.last.is_some() && !operand.has_dash => {
                    operand.has_dash = true;
                    continue;
                }
                Some(c) => {
                    operand.push(c)?;
                    continue;
                }
            };
            let next = self.finished(std::mem::replace(&mut operand, Operand::new()))?;
            done = Some((joined(done, next), operator));
        }
        let last = self.finished(operand)?;
        let mut set = joined(done, last);
        self.classes.charge(set.ranges().len())?;
        if is_negated {
            set.negate();
        }
        Ok(set)
    }

    fn finished(&mut self, mut operand: Operand) -> Result<ClassUnicode> {
        operand.end_range();
        if operand.is_empty {
            return Err(Error::Invalid("a set without members"));
        }
        self.classes.charge(operand.ranges.len() + operand.set.ranges().len())?;
        let mut set = ClassUnicode::new(operand.ranges);
        if self.modes.flags.ignore_case {
            set = class::folded(set);
        }
        set.union(&operand.set);
        Ok(set)
    }

    /// The members that a constant says, or all others.
    fn members(&mut self, source: &str, is_negated: bool) -> Result<ClassUnicode> {
        let mut set = members(source)?;
        self.classes.charge(set.ranges().len())?;
        if self.modes.flags.ignore_case {
            set = class::folded(set);
        }
        if is_negated {
            set.negate();
        }
        Ok(set)
    }

    fn escape_in_set(&mut self, operand: &mut Operand) -> Result<()> {
        let c = self.rest.next().ok_or(Error::Invalid("it ends with a backslash"))?;
        match (class_of(c), c) {
            (Some(source), c) => {
                let set = self.members(source, c.is_ascii_uppercase())?;
                operand.union(&set);
            }
            (None, 'Q') => {
                for c in self.quoted().chars() {
                    operand.push(c)?;
                }
            }
            (None, 'G' | 'X' | 'N' | 'R') => {
                return Err(Error::Unsupported("\\G, \\N, \\R and \\X in a set of a regular expression"));
            }
            (None, 'p' | 'P') => {
                let set = self.property(c)?;
                operand.union(&set);
            }
            (None, c) => {
                let c = self.character(c)?;
                operand.push(c)?;
            }
        }
        Ok(())
    }
}

fn joined(done: Option<(ClassUnicode, SetOperator)>, next: ClassUnicode) -> ClassUnicode {
    match done {
        None => next,
        Some((mut set, operator)) => {
            match operator {
                SetOperator::Both => set.intersect(&next),
                SetOperator::Without => set.difference(&next),
            }
            set
        }
    }
}

/// The members of `[:name:]`, whose `[` is read, and whether the others are meant (`[:^name:]`); `None`, and nothing read, if it is none.
fn posix_class(rest: &mut Peekable<Chars<'_>>) -> Option<(&'static str, bool)> {
    let ahead: String = rest.clone().take(12).collect();
    let written = ahead.strip_prefix(':')?.split_once(":]")?.0;
    let name = written.strip_prefix('^').unwrap_or(written);
    let members = match name {
        "alpha" => "\\p{Alphabetic}",
        "digit" => class_of('d')?,
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "upper" => "\\p{Uppercase}",
        "lower" => "\\p{Lowercase}",
        "space" => class_of('s')?,
        "blank" => class_of('h')?,
        "punct" => "\\p{P}",
        "cntrl" => "\\p{Cc}",
        "xdigit" => "0-9A-Fa-f",
        "word" => WORD,
        "graph" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
        "print" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}",
        _ => return None,
    };
    rest.nth(written.len() + 2);
    Some((members, name != written))
}
