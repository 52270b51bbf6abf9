//! Regular expressions: REGEXP_LIKE (and the operators REGEXP and RLIKE), REGEXP_INSTR, REGEXP_REPLACE, REGEXP_SUBSTR.
//!
//! Patterns have ICU's syntax; [`Pattern`] writes them in JavaScript's, which the host compiles. Positions count
//! characters from 1.

mod pattern;

use std::rc::Rc;

use value::Value;

use super::{Arguments, Function, result};
use crate::error::{Result, SqlError};
use crate::host::{Groups, LetterCase, Regex};
use pattern::{Modes, Pattern};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("regexp_instr", (2, 6), result::int, position),
    Function::new("regexp_like", (2, 3), result::boolean, |a| {
        let text = a.text(0)?;
        let found = compile(a, "regexp_like", 2)?.0.find_at(&text, 0).map_err(SqlError::general)?;
        Ok(Value::boolean(found.is_some()))
    }),
    Function::new("regexp_replace", (3, 6), |types| result::text_of_arguments(&types[..3.min(types.len())]), replace),
    Function::new(
        "regexp_substr",
        (2, 5),
        |types| result::text_of_arguments(&types[..2.min(types.len())]),
        |a| {
            let text = a.text(0)?;
            let found = occurrence(a, &text, 2, 3, 4)?.and_then(|groups| groups.first().copied().flatten());
            Ok(found.map_or(Value::Null, |(start, end)| Value::text(text[start..end].to_owned())))
        },
    ),
];

/// The second argument, compiled; `flags` is the place of the letters that say how.
fn compile(a: &Arguments<'_>, function: &str, flags: usize) -> Result<(Rc<dyn Regex>, Pattern)> {
    let pattern = a.text(1)?;
    if pattern.is_empty() {
        return Err(SqlError::general("Illegal argument to regular expression."));
    }
    let mut how = Modes::default();
    if a.len() <= flags && a.collation.name().ends_with("_ci") {
        how.case = LetterCase::IsIgnored;
    }
    if a.len() > flags {
        for letter in a.text(flags)?.chars() {
            match letter {
                'c' => how.case = LetterCase::Matters,
                'i' => how.case = LetterCase::IsIgnored,
                'm' => how.multi_line = true,
                'n' => how.dot_all = true,
                'u' => how.unix_lines = true,
                _ => {
                    return Err(SqlError::general(format!("Invalid argument to {function}")));
                }
            }
        }
    }
    let pattern = Pattern::new(&pattern, how)?;
    match a.context.session.regex(&pattern.source, pattern.case) {
        Ok(regex) => Ok((regex, pattern)),
        Err(error) if error.is_wait() => Err(error),
        Err(error) => Err(invalid(error.into_message())),
    }
}

/// The message is native Dolt's; what is wrong stands beside it.
fn invalid(why: impl Into<String>) -> SqlError {
    SqlError::general("the given regular expression is invalid").with_hint(Some(why.into()))
}

/// The byte at which the n-th character starts, from 1; one behind the last is the end.
fn byte_of(text: &str, character: i64) -> Option<usize> {
    let at = usize::try_from(character).ok()?.checked_sub(1)?;
    text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(at)
}

/// The byte at which the search starts; `None` behind the text.
fn start_of(a: &Arguments<'_>, text: &str, n: usize) -> Result<Option<usize>> {
    let position = if a.len() > n { a.integer(n)? } else { 1 };
    Ok(byte_of(text, position.max(1)))
}

/// Behind a match: one character on when it was empty.
fn after(text: &str, (start, end): (usize, usize)) -> Option<usize> {
    if end > start {
        return Some(end);
    }
    text[end..].chars().next().map(|c| end + c.len_utf8())
}

/// The match that arguments `position` and `number` ask for.
fn occurrence(a: &Arguments<'_>, text: &str, position: usize, number: usize, flags: usize) -> Result<Option<Groups>> {
    let (regex, _) = compile(a, if flags == 4 { "regexp_substr" } else { "regexp_instr" }, flags)?;
    let Some(mut start) = start_of(a, text, position)? else { return Ok(None) };
    let number = if a.len() > number { a.integer(number)?.max(1) } else { 1 };
    for round in 1..=number {
        let Some(groups) = regex.find_at(text, start).map_err(SqlError::general)? else { return Ok(None) };
        if round == number {
            return Ok(Some(groups));
        }
        let Some(next) = groups.first().copied().flatten().and_then(|whole| after(text, whole)) else { break };
        start = next;
    }
    Ok(None)
}

fn position(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let behind = a.len() > 4 && a.integer(4)? == 1;
    let found = occurrence(a, &text, 2, 3, 5)?.and_then(|groups| groups.first().copied().flatten());
    Ok(Value::Int(found.map_or(0, |(start, end)| text[..if behind { end } else { start }].chars().count() as i64 + 1)))
}

/// What a replacement becomes for one match: `$1` and `${name}` name groups, a backslash takes the next character as it is.
fn expand(replacement: &str, text: &str, (pattern, groups): (&Pattern, &Groups), into: &mut String) -> Result<()> {
    let mut rest = replacement.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => into.extend(rest.next()),
            '$' => {
                if rest.next_if_eq(&'{').is_some() {
                    let name: String = rest.by_ref().take_while(|c| *c != '}').collect();
                    let unknown = || SqlError::general("A capture group has an invalid name.");
                    let group = pattern.group(&name).ok_or_else(unknown)?;
                    if let Some((start, end)) = groups.get(group).copied().flatten() {
                        into.push_str(&text[start..end]);
                    }
                    continue;
                }
                let Some(first) = rest.next_if(char::is_ascii_digit).and_then(|digit| digit.to_digit(10)) else {
                    return Err(SqlError::general("A capture group has an invalid name."));
                };
                let mut group = first as usize;
                // More digits belong to the number as long as there are so many groups.
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                    let longer = group * 10 + digit as usize;
                    if longer >= groups.len() {
                        break;
                    }
                    group = longer;
                    rest.next();
                }
                let Some(found) = groups.get(group) else {
                    return Err(SqlError::general("Index out of bounds in regular expression search."));
                };
                if let Some((start, end)) = found {
                    into.push_str(&text[*start..*end]);
                }
            }
            c => into.push(c),
        }
    }
    Ok(())
}

fn replace(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (text, replacement) = (a.text(0)?, a.text(2)?);
    let (regex, pattern) = compile(a, "regexp_replace", 5)?;
    if text.is_empty() {
        return Ok(Value::text(""));
    }
    if a.len() > 3 && a.integer(3)? < 1 {
        return Err(SqlError::general(format!("Invalid argument to regexp_replace: {}", a.integer(3)?)));
    }
    let start = match start_of(a, &text, 3)? {
        None if text.is_empty() => Some(0),
        start => start.filter(|start| *start < text.len() || text.is_empty()),
    };
    let outside = || SqlError::general("Index out of bounds for regular expression search.");
    let mut start = start.ok_or_else(outside)?;
    // 0 replaces all.
    let wanted = match if a.len() > 4 { a.integer(4)? } else { 0 } {
        number if number < 0 => 1,
        number => number,
    };
    let mut replaced = text[..start].to_owned();
    let mut copied = start;
    let mut round = 0;
    while let Some(groups) = regex.find_at(&text, start).map_err(SqlError::general)? {
        let Some(whole) = groups.first().copied().flatten() else { break };
        round += 1;
        if wanted == 0 || round == wanted {
            replaced.push_str(&text[copied..whole.0]);
            expand(&replacement, &text, (&pattern, &groups), &mut replaced)?;
            copied = whole.1;
        }
        if round == wanted || !a.fits(replaced.len()) {
            break;
        }
        match after(&text, whole) {
            Some(next) => start = next,
            None => break,
        }
    }
    replaced.push_str(&text[copied..]);
    Ok(Value::text(replaced))
}
