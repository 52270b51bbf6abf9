//! Sets: what stands between brackets.

use std::iter::Peekable;
use std::str::Chars;

use super::Reader;
use super::escape::{WORD, class};
use crate::error::{Result, SqlError};
use crate::functions::regexp::invalid;

/// What stands between brackets.
pub(super) enum Set {
    Members(String),
    Not(Box<Set>),
    Either(Vec<Set>),
    Both(Box<Set>, Box<Set>),
    Without(Box<Set>, Box<Set>),
}

impl Set {
    /// A pattern of one character. Sets within sets become conditions on what follows: so they are the same with every flag.
    pub(super) fn source(&self) -> String {
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

impl Reader<'_> {
    /// A set whose bracket is read.
    pub(super) fn set(&mut self, depth: usize) -> Result<Set> {
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
        let c = self.rest.next().ok_or_else(|| invalid("it ends with a backslash"))?;
        match (class(c), c) {
            (Some(members), c) if c.is_ascii_lowercase() => operand.push_class(members),
            (Some(members), _) => operand.sets.push(Set::Not(Box::new(Set::Members(members.into())))),
            (None, 'Q') => self.quoted().chars().for_each(|c| operand.push_literal(c)),
            (None, 'G' | 'X' | 'N' | 'R') => {
                return Err(SqlError::unsupported("\\G, \\N, \\R and \\X in a set of a regular expression"));
            }
            (None, 'p' | 'P') => {
                let property = self.property(c)?;
                operand.push_class(&property);
            }
            // By its number: it may be one end of a range.
            (None, 'x' | 'u' | 'U' | '0' | 'c' | 'a' | 'e' | 'f' | 'n' | 'r' | 't') => {
                let escaped = self.character(c)?;
                operand.members.push_str(&escaped);
                operand.is_after_class = false;
            }
            (None, c) => operand.push_literal(c),
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

/// The members of `[:name:]`, whose `[` is read, in JavaScript's words, and whether the others are meant (`[:^name:]`); `None`, and
/// nothing read, if it is none.
fn posix_class(rest: &mut Peekable<Chars<'_>>) -> Option<(&'static str, bool)> {
    let ahead: String = rest.clone().take(12).collect();
    let written = ahead.strip_prefix(':')?.split_once(":]")?.0;
    let name = written.strip_prefix('^').unwrap_or(written);
    let members = match name {
        "alpha" => "\\p{Alphabetic}",
        "digit" => class('d')?,
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "upper" => "\\p{Uppercase}",
        "lower" => "\\p{Lowercase}",
        "space" => class('s')?,
        "blank" => class('h')?,
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
