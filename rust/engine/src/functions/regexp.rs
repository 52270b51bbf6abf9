//! Regular expressions: REGEXP_LIKE (and the operators REGEXP and RLIKE), REGEXP_INSTR, REGEXP_REPLACE, REGEXP_SUBSTR.
//!
//! Patterns have ICU's syntax; [`translate`] writes them in JavaScript's, which the host compiles. Positions count
//! characters from 1.

use std::rc::Rc;

use value::Value;

use super::{Arguments, Function, result};
use crate::error::{Result, SqlError};
use crate::host::{Groups, Regex, RegexFlags};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("regexp_instr", (2, 6), result::int, position),
    Function::new("regexp_like", (2, 3), result::boolean, |a| {
        let text = a.text(0)?;
        let found = compile(a, "regexp_like", 2)?.find_at(&text, 0).map_err(SqlError::general)?;
        Ok(Value::boolean(found.is_some()))
    }),
    Function::new("regexp_replace", (3, 6), result::text, replace),
    Function::new("regexp_substr", (2, 5), result::text, |a| {
        let text = a.text(0)?;
        let found = occurrence(a, &text, 2, 3, 4)?.and_then(|groups| groups.first().copied().flatten());
        Ok(found.map_or(Value::Null, |(start, end)| Value::text(text[start..end].to_owned())))
    }),
];

/// The second argument, compiled; `flags` is the place of the letters that say how.
fn compile(a: &Arguments<'_>, function: &str, flags: usize) -> Result<Rc<dyn Regex>> {
    let pattern = a.text(1)?;
    if pattern.is_empty() {
        return Err(SqlError::general("Illegal argument to regular expression."));
    }
    let mut how = RegexFlags { case_insensitive: a.collation.name().ends_with("_ci"), ..RegexFlags::default() };
    if a.len() > flags {
        how = RegexFlags::default();
        for letter in a.text(flags)?.chars() {
            match letter {
                'c' => how.case_insensitive = false,
                'i' => how.case_insensitive = true,
                'm' => how.multi_line = true,
                'n' => how.dot_all = true,
                'u' => how.unix_lines = true,
                _ => {
                    return Err(SqlError::general(format!("Invalid argument to {function}")));
                }
            }
        }
    }
    a.context.session.regex(&translate(&pattern)?, how).map_err(|error| match error.is_wait() {
        true => error,
        false => invalid(error.into_message()),
    })
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
    let regex = compile(a, if flags == 4 { "regexp_substr" } else { "regexp_instr" }, flags)?;
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
fn expand(replacement: &str, text: &str, groups: &Groups, into: &mut String) -> Result<()> {
    let mut rest = replacement.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => into.extend(rest.next()),
            '$' => {
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
    let wanted = if a.len() > 4 { a.integer(4)? } else { 0 };
    let mut replaced = text[..start].to_owned();
    let mut copied = start;
    let mut round = 0;
    while let Some(groups) = regex.find_at(&text, start).map_err(SqlError::general)? {
        let Some(whole) = groups.first().copied().flatten() else { break };
        round += 1;
        if wanted <= 0 || round == wanted {
            replaced.push_str(&text[copied..whole.0]);
            expand(&replacement, &text, &groups, &mut replaced)?;
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

/// An ICU pattern in JavaScript's syntax: POSIX classes, `\h`, `\R`, `\Q…\E`, `\A`, `\z`, `\Z`, possessive quantifiers and
/// comments become what means the same there.
///
/// # Errors
/// Constructs that JavaScript cannot say.
fn translate(pattern: &str) -> Result<String> {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern.chars().peekable();
    let mut in_class = 0u32;
    // Where the last atom starts, for possessive quantifiers.
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('Q') => {
                    let mut quoted: String = rest.by_ref().collect();
                    let tail = quoted.find("\\E").map(|at| quoted.split_off(at));
                    for c in quoted.chars() {
                        push_literal(&mut out, c);
                    }
                    if let Some(tail) = tail {
                        out.push_str(&translate(&tail[2..])?);
                    }
                    return Ok(out);
                }
                Some('A') if in_class == 0 => out.push_str("(?<![\\s\\S])"),
                Some('z') if in_class == 0 => out.push_str("(?![\\s\\S])"),
                Some('Z') if in_class == 0 => out.push_str("(?=\\n?(?![\\s\\S]))"),
                Some('h') => out.push_str(if in_class > 0 { "\\t\\p{Zs}" } else { "[\\t\\p{Zs}]" }),
                Some('H') if in_class == 0 => out.push_str("[^\\t\\p{Zs}]"),
                Some('R') if in_class == 0 => out.push_str("(?:\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029])"),
                Some('a') => out.push_str("\\x07"),
                Some('e') => out.push_str("\\x1b"),
                Some('G' | 'X') => return Err(SqlError::unsupported("\\G and \\X in a regular expression")),
                // Letters that stand for classes and places in both.
                Some(c) if c.is_ascii_alphanumeric() => out.extend(['\\', c]),
                Some(c) => push_literal(&mut out, c),
                None => {
                    return Err(invalid("it ends with a backslash"));
                }
            },
            '[' => match posix_class(&mut rest) {
                Some(class) if in_class > 0 => out.push_str(class),
                Some(class) => {
                    out.push('[');
                    out.push_str(class);
                    out.push(']');
                }
                None if in_class > 0 => return Err(SqlError::unsupported("a set in a set in a regular expression")),
                None => {
                    in_class += 1;
                    out.push('[');
                    out.extend(rest.next_if_eq(&'^'));
                    // A bracket right at the start of a set is a member.
                    if rest.next_if_eq(&']').is_some() {
                        out.push_str("\\]");
                    }
                }
            },
            ']' if in_class > 0 => {
                in_class -= 1;
                out.push(']');
            }
            ']' => out.push_str("\\]"),
            // In a set these are themselves; JavaScript wants none of them escaped there.
            c if in_class > 0 => out.push(c),
            '}' if !is_quantifier_open(&out) => out.push_str("\\}"),
            '{' if !starts_count(&rest) && !out.ends_with("\\p") && !out.ends_with("\\P") && !out.ends_with("\\u") => {
                return Err(invalid("a { that counts nothing"));
            }
            '+' if is_quantified(&out) => {
                return Err(SqlError::unsupported("a possessive quantifier in a regular expression"));
            }
            c => out.push(c),
        }
    }
    if in_class > 0 {
        return Err(invalid("a [ that is not closed"));
    }
    Ok(out)
}

fn push_literal(out: &mut String, c: char) {
    if "^$\\.*+?()[]{}|/".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

/// Whether the text ends with an open `{…`.
fn is_quantifier_open(out: &str) -> bool {
    out.rfind('{').is_some_and(|open| !out[open..].contains('}'))
}

/// Whether a count such as `2}`, `2,}`, `2,3}` comes.
fn starts_count(rest: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let inside: String = rest.clone().take_while(|c| *c != '}').take(16).collect();
    inside.starts_with(|c: char| c.is_ascii_digit()) && inside.chars().all(|c| c.is_ascii_digit() || c == ',')
}

/// Whether the text ends with a quantifier, so that a `+` behind it makes it possessive.
fn is_quantified(out: &str) -> bool {
    let backslashes = |text: &str| text.len() - text.trim_end_matches('\\').len();
    match out.chars().last() {
        Some(last @ ('*' | '+' | '?' | '}')) => {
            let before = &out[..out.len() - last.len_utf8()];
            backslashes(before).is_multiple_of(2) && !before.ends_with('(') && !out.ends_with("\\}")
        }
        _ => false,
    }
}

/// The members of `[:name:]`, whose `[` is read, in JavaScript's words; `None`, and nothing read, if it is none.
fn posix_class(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<&'static str> {
    let ahead: String = rest.clone().take(12).collect();
    let name = ahead.strip_prefix(':')?.split_once(":]")?.0;
    let members = match name {
        "alpha" => "\\p{Alphabetic}",
        "digit" => "\\p{Nd}",
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "upper" => "\\p{Uppercase}",
        "lower" => "\\p{Lowercase}",
        "space" => "\\s",
        "blank" => "\\t\\p{Zs}",
        "punct" => "\\p{P}",
        "cntrl" => "\\p{Cc}",
        "xdigit" => "0-9A-Fa-f",
        "word" => "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}",
        "graph" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
        "print" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}",
        _ => return None,
    };
    rest.nth(name.len() + 2);
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icu_patterns_become_javascript() {
        let translated = |pattern| translate(pattern).unwrap_or_else(SqlError::into_message);
        assert_eq!(translated("[[:space:]]"), "[\\s]");
        assert_eq!(translated("[[:alpha:]_-]+"), "[\\p{Alphabetic}_-]+");
        assert_eq!(translated("a{2,3}"), "a{2,3}");
        assert_eq!(translated("\\Qa.b\\E+"), "a\\.b+");
        assert_eq!(translated("[]a]"), "[\\]a]");
        assert_eq!(translated("\\d+(?:x|y)$"), "\\d+(?:x|y)$");
        assert_eq!(translated("\\p{L}"), "\\p{L}");
        assert!(translate("a++").is_err());
        assert!(translate("[a").is_err());
        assert!(translate("\\").is_err());
    }
}
