//! Scripts: statements, and which session asks each. Their text is that of `tests/sessions`, to be pasted there.

use std::fmt;

/// Placeholder of the database in a statement.
pub const DATABASE: &str = "@db@";

/// A statement of one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub session: char,
    pub sql: String,
}

impl Step {
    pub fn of(session: char, sql: impl Into<String>) -> Step {
        Step { session, sql: sql.into() }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.session {
            'a' => write!(f, "{};", self.sql),
            other => write!(f, "@{other}: {};", self.sql),
        }
    }
}

/// A script of one session.
pub fn of_one(statements: impl IntoIterator<Item = String>) -> Vec<Step> {
    statements.into_iter().map(|sql| Step::of('a', sql)).collect()
}

/// A line a statement.
pub fn text(script: &[Step]) -> String {
    script.iter().map(|step| format!("{step}\n")).collect()
}

/// The script of such a text.
pub fn read(text: &str) -> Vec<Step> {
    let pieces = parse::split(text, &parse::Options::default());
    let step = |sql: &str| match sql.strip_prefix('@').and_then(|rest| rest.split_once(": ")) {
        Some((name, sql)) if name.len() == 1 => Step::of(name.chars().next().unwrap_or('a'), sql),
        _ => Step::of('a', sql),
    };
    pieces.iter().map(|piece| step(piece.span.text(text).trim())).collect()
}
