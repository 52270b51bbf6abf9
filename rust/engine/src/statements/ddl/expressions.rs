//! Column names in stored expressions.
//!
//! Observed on Dolt 2.2.0: CREATE TABLE stores them in back-ticks (`` `a` ``), as does RENAME COLUMN, and what writes a table anew.
//! Adding a unique index spells them with their table (`t.a`), writing rows anew because a column is changed without anything (`a`).

use parse::NamedColumn;
use parse::keyword::Keyword;
use vcs::{Column, SchemaBuilder};

use crate::catalog::column_notes::is_computed;
use crate::error::{Result, SqlError};

/// How names of columns are written.
#[derive(Debug, Clone, Copy)]
pub enum Spelling<'a> {
    Quoted,
    Bare,
    /// Behind their table.
    Of(&'a str),
}

impl Spelling<'_> {
    /// The name, spelled so. A name that would not be read again stays in back-ticks, which native Dolt forgets.
    pub fn of(self, name: &str) -> String {
        match self {
            Spelling::Bare if is_plain(name) => name.to_owned(),
            Spelling::Of(table) if is_plain(table) && is_part(name) => format!("{}.{name}", table.to_lowercase()),
            _ => parse::quote_name(name),
        }
    }
}

/// The columns that an expression names, in lower case.
pub fn names(text: &str) -> Vec<String> {
    named(text).into_iter().map(|column| column.name.to_lowercase()).collect()
}

/// Gives a column another name in an expression; tells whether it was there.
pub fn rename(text: &mut Box<str>, from: &str, to: &str) -> bool {
    let is_there = names(text).iter().any(|name| name.eq_ignore_ascii_case(from));
    if is_there {
        let spelled = |name: &str| parse::quote_name(if name.eq_ignore_ascii_case(from) { to } else { name });
        *text = parse::respell_columns(text, spelled).into();
    }
    is_there
}

/// A default may not need the value of a column behind it whose default has to be computed, too.
///
/// # Errors
/// The first such column.
pub fn refuse_forward_defaults(columns: &[Column]) -> Result<()> {
    for (at, column) in columns.iter().enumerate() {
        let names = column.default.as_deref().map(names).unwrap_or_default();
        let later = columns[at..].iter().filter(|later| later.default.as_deref().is_some_and(is_computed));
        if let Some(needed) = later.into_iter().find(|later| names.contains(&later.name.to_lowercase())) {
            return Err(SqlError::general(format!(
                "default value of column \"{}\" cannot refer to a column defined after it if those columns have an expression default value",
                needed.name
            )));
        }
    }
    Ok(())
}

/// Writes the names of columns another way, in the defaults and generated values of some.
pub fn spell(schema: &mut SchemaBuilder, spelling: Spelling<'_>, of: impl Fn(&Column) -> bool) {
    for column in schema.columns.iter_mut().filter(|column| of(column)) {
        let generated = column.generated.as_mut().map(|generated| &mut generated.expression);
        for text in generated.into_iter().chain(&mut column.default) {
            *text = parse::respell_columns(text, |name| spelling.of(name)).into();
        }
    }
}

/// Prints all expressions anew, without the parentheses that they have gathered.
pub fn print_anew(schema: &mut SchemaBuilder, spelling: Spelling<'_>) {
    for text in schema.columns.iter_mut().flat_map(texts) {
        let printed = match parse::kept_expression(text) {
            Ok(expr) if text.starts_with('(') => parse::print_stored(&expr).ok(),
            _ => None,
        };
        let printed = printed.unwrap_or_else(|| text.to_string());
        *text = parse::respell_columns(&printed, |name| spelling.of(name)).into();
    }
}

/// Puts the expressions of the columns that a schema had before between parentheses, spelled as they were there: a unique index
/// over an expression writes the table anew with what was read when the statement began. Values become expressions by that.
pub fn parenthesize(schema: &mut SchemaBuilder, before: &SchemaBuilder) {
    for column in &mut schema.columns {
        let Some(old) = before.column_by_tag(column.tag) else { continue };
        for (text, old) in texts(column).into_iter().zip(texts(&mut old.clone())) {
            *text = format!("({old})").into();
        }
    }
}

/// The generated value and the default of a column.
fn texts(column: &mut Column) -> Vec<&mut Box<str>> {
    let generated = column.generated.as_mut().map(|generated| &mut generated.expression);
    generated.into_iter().chain(&mut column.default).collect()
}

/// Whether a default or a generated value of a column names its table.
pub fn has_table(column: &Column) -> bool {
    let generated = column.generated.as_ref().map(|generated| &generated.expression);
    generated.into_iter().chain(&column.default).any(|text| named(text).iter().any(|column| column.has_table))
}

/// Whether a stored generated column is computed from a column.
pub fn is_base_of_stored(schema: &SchemaBuilder, name: &str) -> bool {
    let stored = schema.columns.iter().filter_map(|column| column.generated.as_ref()).filter(|it| !it.is_virtual);
    stored.into_iter().any(|generated| names(&generated.expression).contains(&name.to_lowercase()))
}

fn named(text: &str) -> Vec<NamedColumn> {
    parse::named_columns(text).unwrap_or_default()
}

/// Whether a name is read again without back-ticks.
fn is_plain(name: &str) -> bool {
    let word = Keyword::find(name);
    is_word(name) && !word.is_reserved() && !word.is_reserved_by_dolt()
}

/// As [`is_plain`], behind a point.
fn is_part(name: &str) -> bool {
    is_word(name) && !Keyword::find(name).is_no_part_in_dolt()
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
}
