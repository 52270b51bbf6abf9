//! System variables of a session.

use std::rc::Rc;

use hashbrown::HashMap;
use value::{Charset, Collation, Value};

pub use super::defaults::DEFAULTS;
pub use super::range::Range;
use crate::engine::Globals;

/// Variables that were set; the defaults are in [`DEFAULTS`].
#[derive(Debug, Default)]
pub struct Variables {
    set: HashMap<Box<str>, Value<'static>>,
    /// Values by SET GLOBAL. They do not touch those of sessions, except where the variable has no other.
    global: Globals,
    /// `autocommit` is off: asked at every statement.
    is_manual: bool,
    select_limit: Option<u64>,
    times_set: u64,
    syntax: parse::Options,
    /// `dolt_override_schema`, where it names a commit.
    overriding_commit: Option<Rc<str>>,
    /// That of text in statements, where it is not the usual one.
    literal_collation: Option<Collation>,
}

/// Lets statements use what MySQL has and Dolt 2.2.0 refuses. What is stored in a database keeps to Dolt's syntax.
const BEYOND_DOLT: &str = "varve_beyond_dolt";

/// The commit whose schemas tables show.
const OVERRIDE_SCHEMA: &str = "dolt_override_schema";

/// Whether a session only reads: that of a view in the package, say.
const READ_ONLY: &str = "varve_read_only";

/// Whether CREATE TABLE is a part of the open transaction, and gone when that is rolled back: an import makes its table so.
const TRANSACTIONAL_CREATE: &str = "varve_transactional_create";

/// The read set of a transaction, which no other transaction may have changed when it commits.
const UNCHANGED: &str = "varve_unchanged";

/// A variable's name, its default, what else it may be, and who may set it.
pub struct Definition {
    pub name: &'static str,
    pub default: Default,
    pub range: Range,
    pub scope: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Sessions have their own value.
    Both,
    /// Only SET, not SET GLOBAL.
    Session,
    /// Only SET GLOBAL.
    Global,
    ReadOnly,
}

#[derive(Debug, Clone, Copy)]
pub enum Default {
    Text(&'static str),
    /// Shown as ON or OFF, selected as 1 or 0.
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
}

impl Default {
    pub fn value(self) -> Value<'static> {
        match self {
            Default::Text(text) => Value::text(text),
            Default::Bool(truth) => Value::boolean(truth),
            Default::Int(number) => Value::Int(number),
            Default::UInt(number) => Value::UInt(number),
            Default::Double(number) => Value::Double(number),
        }
    }
}

/// The default of `sql_select_limit`, which is none.
const SELECT_LIMIT_NONE: u64 = 2_147_483_647;

pub fn definition(name: &str) -> Option<&'static Definition> {
    DEFAULTS.binary_search_by(|known| known.name.cmp(name)).ok().map(|at| &DEFAULTS[at])
}

impl Variables {
    pub fn new(global: Globals) -> Variables {
        Variables { global, ..Variables::default() }
    }

    /// The value of a variable; `None` for an unknown name. Names are lower case.
    pub fn get(&self, name: &str) -> Option<Value<'static>> {
        match self.set.get(name) {
            Some(value) => Some(value.clone()),
            None => match definition(name)? {
                Definition { scope: Scope::Global, .. } => self.get_global(name),
                known => Some(known.default.value()),
            },
        }
    }

    pub fn set(&mut self, name: &str, value: Value<'static>) {
        self.times_set += 1;
        self.set.insert(name.into(), value);
        if name == "autocommit" {
            self.is_manual = self.integer(name) == 0;
        }
        if name == "sql_mode" || name == BEYOND_DOLT {
            let mut syntax = parse::Options::from_sql_mode(&self.text("sql_mode"));
            // The reference takes the mode and reads backslashes as before.
            syntax.no_backslash_escapes = false;
            syntax.beyond_dolt = self.integer(BEYOND_DOLT) != 0;
            self.syntax = syntax;
        }
        if name == "collation_connection" {
            // Text of statements is read as UTF-8, whatever is said of it, and stays text.
            let is_of_text = |collation: &Collation| {
                let charset = collation.charset();
                charset.is_implemented() && !matches!(charset, Charset::Binary | Charset::Utf16 | Charset::Utf32)
            };
            self.literal_collation = Collation::from_name(&self.text(name)).ok().filter(is_of_text);
        }
        if name == OVERRIDE_SCHEMA {
            self.overriding_commit = Some(self.text(name)).filter(|commit| !commit.is_empty()).map(Rc::from);
        }
        if name == "sql_select_limit" {
            let rows = u64::try_from(self.integer(name)).ok();
            self.select_limit = rows.filter(|rows| *rows < SELECT_LIMIT_NONE);
        }
    }

    /// Variables that the session has set.
    pub(crate) fn all_set(&self) -> impl Iterator<Item = (&Box<str>, &Value<'static>)> {
        self.set.iter()
    }

    /// All have their defaults again. That they were set still counts.
    pub(super) fn reset(&mut self) {
        if !self.set.is_empty() {
            *self = Variables { times_set: self.times_set + 1, ..Variables::new(self.global.clone()) };
        }
    }

    /// How often a variable was set: as long as this stays, all have the values that they had.
    pub fn times_set(&self) -> u64 {
        self.times_set
    }

    /// The value of `autocommit`.
    pub fn is_autocommit(&self) -> bool {
        !self.is_manual
    }

    /// How text in statements compares: `collation_connection`.
    pub fn literal_collation(&self) -> Collation {
        self.literal_collation.unwrap_or(Collation::UTF8MB4_0900_BIN)
    }

    /// How the text of a statement is read.
    pub fn syntax(&self) -> parse::Options {
        self.syntax
    }

    /// Whether statements may use what Dolt refuses.
    pub fn is_beyond_dolt(&self) -> bool {
        self.syntax.beyond_dolt
    }

    /// The tables that no other transaction may have changed since this one began, or a star for all, each on a line; none by default.
    pub fn unchanged(&self) -> Option<String> {
        self.set.contains_key(UNCHANGED).then(|| self.text(UNCHANGED)).filter(|names| !names.is_empty())
    }

    /// Whether CREATE TABLE commits nothing.
    pub fn creates_in_transaction(&self) -> bool {
        self.set.contains_key(TRANSACTIONAL_CREATE) && self.integer(TRANSACTIONAL_CREATE) != 0
    }

    /// Whether statements that write are refused.
    pub fn is_read_only(&self) -> bool {
        self.integer(READ_ONLY) != 0
    }

    /// `dolt_override_schema`: the commit whose schemas tables show.
    pub fn overriding_commit(&self) -> Option<Rc<str>> {
        self.overriding_commit.clone()
    }

    /// Whether [`Variables::overriding_commit`] is this one.
    pub fn is_overriding_commit(&self, commit: Option<&str>) -> bool {
        self.overriding_commit.as_deref() == commit
    }

    /// `sql_select_limit`: the most rows of a query that has no LIMIT.
    pub fn select_limit(&self) -> Option<u64> {
        self.select_limit
    }

    /// What `@@global.name` is.
    pub fn get_global(&self, name: &str) -> Option<Value<'static>> {
        self.global.borrow().get(name).cloned().or_else(|| definition(name).map(|known| known.default.value()))
    }

    pub fn set_global(&mut self, name: &str, value: Value<'static>) {
        self.times_set += 1;
        self.global.borrow_mut().insert(name.into(), value);
    }

    pub fn text(&self, name: &str) -> String {
        text_of(&self.get(name))
    }

    /// As SHOW VARIABLES prints it, or SHOW GLOBAL VARIABLES.
    pub fn shown(&self, definition: &Definition, is_global: bool) -> String {
        let value = if is_global { self.get_global(definition.name) } else { self.get(definition.name) };
        match (definition.default, integer_of(&value)) {
            (Default::Bool(_), 0) => "OFF".to_owned(),
            (Default::Bool(_), 1) => "ON".to_owned(),
            _ => text_of(&value),
        }
    }

    pub fn integer(&self, name: &str) -> i64 {
        integer_of(&self.get(name))
    }

    pub fn has_sql_mode(&self, mode: &str) -> bool {
        self.text("sql_mode").split(',').any(|known| known.trim().eq_ignore_ascii_case(mode))
    }
}

fn text_of(value: &Option<Value<'_>>) -> String {
    let text = value.as_ref().and_then(|value| value::convert::to_string(value).ok());
    text.map(std::borrow::Cow::into_owned).unwrap_or_default()
}

fn integer_of(value: &Option<Value<'_>>) -> i64 {
    match value {
        Some(Value::Int(number)) => *number,
        Some(Value::UInt(number)) => *number as i64,
        Some(Value::Text(text)) => text.parse().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(DEFAULTS.is_sorted_by_key(|known| known.name));
    }
}
