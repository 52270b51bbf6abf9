//! Regular expressions: REGEXP_LIKE (and the operators REGEXP and RLIKE), REGEXP_INSTR, REGEXP_REPLACE, REGEXP_SUBSTR.
//!
//! The host compiles patterns, which have ICU's syntax, and searches with a limit on the work (`rust/regexp`). Positions count
//! characters from 1.

use std::ops::ControlFlow;
use std::rc::Rc;

use value::Value;

use super::{Arguments, Entry, Function, result};
use crate::error::{Result, SqlError};
use crate::host::{Groups, Regex, RegexFailure, RegexFlags, RegexSearch, RegexWanted};

/// Steps of the searches of one call: a tenth of a second, about.
const STEPS_MAX: u32 = 20_000_000;
/// MySQL's own `regexp_time_limit`, which allows so many.
const TIME_LIMIT: i128 = 32;
/// Limit of the backtracking stack, MySQL's own `regexp_stack_limit`.
const STACK_BYTES: u32 = 8_000_000;
/// Nanoseconds that a step takes, which are the steps of the engine's own work.
const STEP_WORK: usize = 5;

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::of_text("regexp_instr", (2, 6), result::int, position)
        .about("text, pattern[, position[, occurrence[, return[, flags]]]]", "The position of a match"),
    Entry::of_text("regexp_like", (2, 3), result::boolean, |a| {
        let text = a.text(0)?;
        let regex = compile(a, "regexp_like", 2)?;
        let mut is_found = false;
        search(a, &regex, (&text, 0), (1, RegexWanted::Existence), &mut |_| {
            is_found = true;
            ControlFlow::Break(())
        })?;
        Ok(Value::boolean(is_found))
    })
    .about("text, pattern[, flags]", "Whether a text matches a regular expression"),
    Entry::of_text("regexp_replace", (3, 6), |types| result::text_of_arguments(&types[..3.min(types.len())]), replace)
        .about("text, pattern, with[, position[, occurrence[, flags]]]", "The text with matches replaced"),
    Entry::of_text(
        "regexp_substr",
        (2, 5),
        |types| result::text_of_arguments(&types[..2.min(types.len())]),
        |a| {
            let text = a.text(0)?;
            let found = occurrence(a, &text, 2, 3, 4)?;
            Ok(found.map_or(Value::Null, |(start, end)| Value::text(text[start..end].to_owned())))
        },
    )
    .about("text, pattern[, position[, occurrence[, flags]]]", "The text of a match"),
];

/// The second argument, compiled; `flags` is the place of the letters that say how.
fn compile(a: &Arguments<'_>, function: &str, flags: usize) -> Result<Rc<dyn Regex>> {
    let pattern = a.text(1)?;
    if pattern.is_empty() {
        return Err(SqlError::general("Illegal argument to regular expression."));
    }
    let mut how = RegexFlags::default();
    if a.len() <= flags && a.collation.name().ends_with("_ci") {
        how.ignore_case = true;
    }
    if a.len() > flags {
        for letter in a.text(flags)?.chars() {
            match letter {
                'c' => how.ignore_case = false,
                'i' => how.ignore_case = true,
                'm' => how.multi_line = true,
                'n' => how.dot_all = true,
                'u' => how.unix_lines = true,
                _ => {
                    return Err(SqlError::general(format!("Invalid argument to {function}")));
                }
            }
        }
    }
    a.context.session.regex(&pattern, how).map_err(failed)
}

/// Calls `visit` with matches in their order. All of them share one limit.
fn search(
    a: &Arguments<'_>,
    regex: &Rc<dyn Regex>,
    (text, start): (&str, usize),
    (limit, wanted): (u32, RegexWanted),
    visit: &mut dyn FnMut(&Groups) -> ControlFlow<()>,
) -> Result<()> {
    let (time_limit, stack_limit) = {
        let variables = a.context.session.variables.borrow();
        (variables.integer("regexp_time_limit"), variables.integer("regexp_stack_limit"))
    };
    // 0 is no limit, as far as there is none.
    let parts = if time_limit > 0 { i128::from(time_limit).min(TIME_LIMIT) } else { TIME_LIMIT };
    let steps = (i128::from(STEPS_MAX) * parts / TIME_LIMIT) as u32;
    let stack_bytes =
        u32::try_from(stack_limit).ok().filter(|bytes| *bytes > 0).unwrap_or(STACK_BYTES).min(STACK_BYTES);
    let searched = regex.find_each(text, start, RegexSearch { limit, wanted, steps, stack_bytes }, visit);
    // A search that the host ends fails as if its steps were used up.
    let spent = if let Err(RegexFailure::Timeout) = searched { steps } else { *searched.as_ref().unwrap_or(&0) };
    a.context.work(spent as usize * STEP_WORK)?;
    searched.map(|_| ()).map_err(failed)
}

/// MySQL's numbers and texts; that of a malformed pattern is native Dolt's, with what is wrong beside it.
fn failed(failure: RegexFailure) -> SqlError {
    match failure {
        RegexFailure::Invalid(why) => SqlError::general("the given regular expression is invalid").with_hint(Some(why)),
        RegexFailure::Unsupported(what) => SqlError::unsupported(what),
        RegexFailure::StackOverflow => SqlError::new(3698, "Overflow in the regular expression backtrack stack."),
        RegexFailure::Timeout => SqlError::new(3699, "Timeout exceeded in regular expression match."),
        RegexFailure::TooBig => SqlError::new(3700, "Pattern exceeds limits on size or complexity."),
        RegexFailure::Host(why) => SqlError::general(why),
    }
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

/// The span of the match that arguments `position` and `number` ask for.
fn occurrence(
    a: &Arguments<'_>,
    text: &str,
    position: usize,
    number: usize,
    flags: usize,
) -> Result<Option<(usize, usize)>> {
    let regex = compile(a, if flags == 4 { "regexp_substr" } else { "regexp_instr" }, flags)?;
    let Some(start) = start_of(a, text, position)? else { return Ok(None) };
    let number = if a.len() > number { a.integer(number)?.max(1) } else { 1 };
    let (mut round, mut found) = (0, None);
    let limit = u32::try_from(number).unwrap_or(u32::MAX);
    search(a, &regex, (text, start), (limit, RegexWanted::Span), &mut |groups| {
        round += 1;
        if round < number {
            return ControlFlow::Continue(());
        }
        found = groups.first().copied().flatten();
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn position(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let behind = a.len() > 4 && a.integer(4)? == 1;
    let found = occurrence(a, &text, 2, 3, 5)?;
    Ok(Value::Int(found.map_or(0, |(start, end)| text[..if behind { end } else { start }].chars().count() as i64 + 1)))
}

/// What a replacement becomes for one match: `$1` and `${name}` name groups, a backslash takes the next character as it is.
fn expand(replacement: &str, text: &str, (regex, groups): (&dyn Regex, &Groups), into: &mut String) -> Result<()> {
    let mut rest = replacement.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => into.extend(rest.next()),
            '$' => {
                if rest.next_if_eq(&'{').is_some() {
                    let name: String = rest.by_ref().take_while(|c| *c != '}').collect();
                    let unknown = || SqlError::general("A capture group has an invalid name.");
                    let group = regex.group(&name).ok_or_else(unknown)?;
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
    let regex = compile(a, "regexp_replace", 5)?;
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
    let start = start.ok_or_else(outside)?;
    // 0 replaces all.
    let wanted = match if a.len() > 4 { a.integer(4)? } else { 0 } {
        number if number < 0 => 1,
        number => number,
    };
    let mut replaced = text[..start].to_owned();
    let mut copied = start;
    let mut round = 0;
    let mut failure = None;
    let wanted_groups = if replacement.contains('$') { RegexWanted::Groups } else { RegexWanted::Span };
    let limit = u32::try_from(wanted).ok().filter(|limit| *limit > 0).unwrap_or(u32::MAX);
    search(a, &regex, (&text, start), (limit, wanted_groups), &mut |groups| {
        let Some(whole) = groups.first().copied().flatten() else { return ControlFlow::Break(()) };
        round += 1;
        if wanted == 0 || round == wanted {
            replaced.push_str(&text[copied..whole.0]);
            copied = whole.1;
            if let Err(error) = expand(&replacement, &text, (&*regex, groups), &mut replaced) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        match a.fits(replaced.len()) {
            Ok(true) if round != wanted => return ControlFlow::Continue(()),
            Ok(_) => {}
            Err(error) => failure = Some(error),
        }
        ControlFlow::Break(())
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    replaced.push_str(&text[copied..]);
    Ok(Value::text(replaced))
}
