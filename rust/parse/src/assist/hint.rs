//! Hints beside syntax errors: the keywords and names that were expected, misspelt keywords.

use crate::assist::expected::{Expected, NameKind};
use crate::ast::Span;
use crate::options::Options;
use crate::parser::Parser;

/// More keywords than these say nothing.
const KEYWORDS_MAX: usize = 8;

/// What was expected at the start of `error`: "did you mean FROM?", "a table name", "FROM, WHERE or a column name". The text
/// before the error is read once more, so that correct statements pay nothing for this.
pub(crate) fn expected_at(sql: &str, statement: Span, error: Span, options: Options) -> Box<str> {
    if begins_statement(sql, statement, error, options) {
        return format!("did you mean ; before {}?", error.text(sql)).into();
    }
    let expected = expected_before(sql, statement, error.start, options);
    if let Some(keyword) = nearest(error.text(sql), &expected) {
        return format!("did you mean {keyword}?").into();
    }
    // `FROM t WEHRE a`: the misspelt word was taken as an alias, and the error is behind it.
    let before = Span::new(statement.start, error.start).text(sql).trim_end();
    let word = before.rsplit(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or("");
    let earlier = expected_before(sql, statement, statement.start + (before.len() - word.len()) as u32, options);
    if let Some(keyword) = nearest(word, &earlier)
        && !keyword.eq_ignore_ascii_case(word)
    {
        return format!("did you mean {keyword}?").into();
    }
    let mut parts: Vec<&str> = Vec::new();
    if expected.keywords.len() <= KEYWORDS_MAX {
        parts.extend(expected.keywords.iter());
    }
    let names: Vec<&str> = expected.names.iter().filter_map(|&kind| describe(kind)).collect();
    parts.extend(names);
    match parts.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")).into(),
        None => "".into(),
    }
}

/// Whether another statement begins at the error, on a line of its own: the one before it lacks its `;`.
fn begins_statement(sql: &str, statement: Span, error: Span, options: Options) -> bool {
    let before = Span::new(statement.start, error.start);
    let is_on_own_line = before.text(sql).rsplit_once('\n').is_some_and(|(_, line)| line.trim().is_empty());
    let word = error.text(sql).to_ascii_uppercase();
    is_on_own_line
        && expected_before(sql, error, error.start, options).keywords.contains(&*word)
        && Parser::new(sql, before, options).is_whole_statement()
}

/// What the parser looks for at `offset`.
fn expected_before(sql: &str, statement: Span, offset: u32, options: Options) -> Expected {
    Parser::new(sql, Span::new(statement.start, offset), options).into_expected()
}

/// The keyword that was probably meant.
fn nearest(written: &str, expected: &Expected) -> Option<&'static str> {
    let written = written.to_ascii_uppercase();
    // Among equals the one of the same length: FORM is FROM rather than FOR.
    let rank = |keyword: &'static str| (distance(&written, keyword), keyword.len().abs_diff(written.len()), keyword);
    let ((edits, _, keyword), long) =
        (expected.keywords.iter().map(|&keyword| rank(keyword)).min()?, written.len() > 2);
    (edits <= 2 && long).then_some(keyword)
}

/// The name that was probably meant by one that nothing has: within one slip, within two for longer names.
pub fn nearest_name<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_ascii_uppercase();
    let edits_max = match written.len() {
        0..=1 => return None,
        2..=4 => 1,
        _ => 2,
    };
    let rank =
        |name: &'a str| (distance(&written, &name.to_ascii_uppercase()), name.len().abs_diff(written.len()), name);
    let (edits, _, name) = names.into_iter().map(rank).min()?;
    (edits <= edits_max).then_some(name)
}

fn describe(kind: NameKind) -> Option<&'static str> {
    Some(match kind {
        NameKind::Database => "a database",
        NameKind::Table => "a table",
        NameKind::View => "a view",
        NameKind::Column => "a column",
        NameKind::Index => "an index",
        NameKind::Function => "a function",
        NameKind::Procedure => "a procedure",
        NameKind::Trigger => "a trigger",
        NameKind::Event => "an event",
        NameKind::Constraint => "a constraint",
        NameKind::New => "a name",
        NameKind::Variable => "a variable",
        NameKind::Savepoint => "a savepoint",
        NameKind::Collation => "a collation",
        NameKind::Charset => "a character set",
        NameKind::Type => "a type",
        NameKind::Statement | NameKind::Value => return None,
    })
}

/// Edits (insert, remove, replace, swap neighbours) between two short words; large for words that are not alike.
fn distance(written: &str, keyword: &str) -> usize {
    let (a, b) = (written.as_bytes(), keyword.as_bytes());
    if a.len().abs_diff(b.len()) > 2 || a.len() > 32 || a.first() != b.first() {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for row in 1..=a.len() {
        let mut next = vec![row];
        for column in 1..=b.len() {
            let replaced = last[column - 1] + usize::from(a[row - 1] != b[column - 1]);
            let mut best = replaced.min(last[column] + 1).min(next[column - 1] + 1);
            if row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1] {
                best = best.min(before[column - 2] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use crate::statement;
    use crate::{Options, ParseError};

    fn hint(sql: &str) -> String {
        match &statement(sql, &Options::default()).errors[..] {
            [ParseError::Syntax { expected, .. }] => expected.to_string(),
            other => panic!("{sql}: {other:?}"),
        }
    }

    #[test]
    fn typing_errors_are_named() {
        assert_eq!(hint("selec 1"), "did you mean SELECT?");
        assert_eq!(hint("select * form t"), "did you mean FROM?");
        assert_eq!(hint("select 1 from t wehre a = 1 and b"), "did you mean WHERE?");
        assert_eq!(hint("create tabel t (a int)"), "did you mean TABLE?");
        assert_eq!(hint("select 1 from t -- of all\n  Select 2"), "did you mean ; before Select?");
        assert_ne!(hint("select 1 from t select 2"), "did you mean ; before select?");
        assert_ne!(hint("select 1 +\nselect 2"), "did you mean ; before select?");
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(hint("insert into"), "a database or a table");
        assert_eq!(hint("select 1 from t group a"), "BY");
        assert_eq!(hint("create table"), "IF, a database or a name");
        assert_eq!(hint("use"), "a database");
    }
}
