//! Spans and names.

use std::fmt;
use std::ops::Range;

/// Bytes `start..end` of the text given to the parser. Always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of `sql` that this span covers; empty when the span is not of this text.
    pub fn text(self, sql: &str) -> &str {
        sql.get(self.range()).unwrap_or("")
    }

    /// True when `offset` is in the span or directly at its end.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}

/// One name, unquoted, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub text: Box<str>,
    /// Written in back-ticks, or in double quotes under ANSI_QUOTES, or as a string where an alias may be one.
    pub quoted: bool,
    pub span: Span,
}

impl Ident {
    /// Compares as table, column and alias names compare: ASCII case does not matter.
    pub fn is(&self, other: &str) -> bool {
        self.text.eq_ignore_ascii_case(other)
    }

    /// Splits a revision database name: `db/branch` gives `("db", Some("branch"))`. A branch may contain further slashes.
    pub fn revision(&self) -> (&str, Option<&str>) {
        match self.text.split_once('/') {
            Some((database, revision)) => (database, Some(revision)),
            None => (&self.text, None),
        }
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// `name` or `database.name`: a table, view, procedure, trigger, event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectName {
    /// May be a revision database such as `db/branch`, see [`Ident::revision`].
    pub database: Option<Ident>,
    pub name: Ident,
    pub span: Span,
}

/// `column`, `table.column` or `database.table.column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnName {
    pub database: Option<Ident>,
    pub table: Option<Ident>,
    pub name: Ident,
    pub span: Span,
}

/// `'user'@'host'`; the host is `%` when it was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub user: Box<str>,
    pub host: Box<str>,
    pub span: Span,
}
