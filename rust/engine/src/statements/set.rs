//! SET.

use std::rc::Rc;

use codec::CompactSort;
use parse::ast::{self, SetItem, StatementKind, VariableScope};
use value::{Charset, Collation, Value};

use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::functions::zone;
use crate::names::value_alone;
use crate::session::Session;
use crate::state::variables::{self, Definition, Scope};

/// Whom a SET concerns.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    Session,
    Global,
    /// PERSIST_ONLY: no effect before the next start.
    Kept,
}

impl Reach {
    fn of(scope: Option<VariableScope>) -> Reach {
        match scope {
            None | Some(VariableScope::Session) => Reach::Session,
            Some(VariableScope::Global | VariableScope::Persist) => Reach::Global,
            Some(VariableScope::PersistOnly) => Reach::Kept,
        }
    }
}

/// More items are set in turns.
const ITEMS_AT_ONCE: usize = 256;
/// What an item costs, in steps of the work meter: its value is bound and evaluated.
const ITEM_WORK: usize = 8 << 10;

pub fn run(
    session: &Session,
    sql: &str,
    statement: &Rc<ast::Statement>,
    items: &[SetItem],
    context: Rc<Context>,
) -> Result<Cursor> {
    if items.len() > ITEMS_AT_ONCE {
        let setting = Setting { session: session.twin(), sql: sql.into(), statement: statement.clone(), next: 0 };
        return Ok(Cursor::of_running(Box::new(setting), context));
    }
    items.iter().try_for_each(|item| set(session, sql, item, &context))?;
    Ok(Cursor::of_effect(0, context))
}

/// A long SET.
struct Setting {
    session: Session,
    sql: Box<str>,
    statement: Rc<ast::Statement>,
    /// The next item.
    next: usize,
}

impl Effect for Setting {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let StatementKind::Set(items) = &self.statement.kind else { return Ok(Progress::Done(Outcome::default())) };
        while let Some(item) = items.get(self.next) {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            context.spend(1);
            context.spend_work(ITEM_WORK);
            set(&self.session, &self.sql, item, context)?;
            self.next += 1;
        }
        Ok(Progress::Done(Outcome::default()))
    }
}

fn set(session: &Session, sql: &str, item: &SetItem, context: &Rc<Context>) -> Result<()> {
    match item {
        SetItem::User { name, value } => {
            let value = value_alone(sql, value, context)?;
            session.state().set_user_variable(&name.text, value);
        }
        SetItem::Variable { name, value, span, scope, system } => {
            let name = name.to_lowercase();
            if scope.is_none() && !system && variables::definition(&name).is_none() {
                return Err(SqlError::column_not_found(&name).at(*span));
            }
            set_variable(session, sql, &name, Reach::of(*scope), value, context).map_err(|error| error.at(*span))?;
        }
        // As in the reference COLLATE changes nothing: the collation is the default one of the set.
        SetItem::Names { charset, .. } => {
            for name in ["character_set_client", "character_set_connection", "character_set_results"] {
                set_charset(session, name, charset.as_ref(), context)?;
            }
        }
        SetItem::CharacterSet(charset) => {
            for name in ["character_set_client", "character_set_results"] {
                set_charset(session, name, charset.as_ref(), context)?;
            }
            let database = session.state().variables.borrow().text("character_set_database");
            keep(session, "character_set_connection", Reach::Session, Value::text(database), context)?;
        }
        SetItem::Transaction { scope, isolation, read_only } => {
            let reach = Reach::of(*scope);
            if let Some(isolation) = isolation {
                let isolation = Value::text(ISOLATIONS[*isolation as usize]);
                keep(session, "transaction_isolation", reach, isolation, context)?;
            }
            if let Some(read_only) = read_only {
                keep(session, "transaction_read_only", reach, Value::boolean(*read_only), context)?;
            }
        }
        SetItem::Column { .. } => return Err(SqlError::unsupported("SET NEW.column")),
    }
    Ok(())
}

/// In the order of [`ast::Isolation`].
const ISOLATIONS: [&str; 4] = ["READ-UNCOMMITTED", "READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE"];

/// In the order in which they are shown.
const SQL_MODES: &[&str] = &[
    "ALLOW_INVALID_DATES",
    "ANSI_QUOTES",
    "ERROR_FOR_DIVISION_BY_ZERO",
    "HIGH_NOT_PRECEDENCE",
    "IGNORE_SPACE",
    "NO_AUTO_VALUE_ON_ZERO",
    "NO_AUTO_CREATE_USER",
    "NO_BACKSLASH_ESCAPES",
    "NO_DIR_IN_CREATE",
    "NO_ENGINE_SUBSTITUTION",
    "NO_UNSIGNED_SUBTRACTION",
    "NO_ZERO_DATE",
    "NO_ZERO_IN_DATE",
    "ONLY_FULL_GROUP_BY",
    "PAD_CHAR_TO_FULL_LENGTH",
    "PIPES_AS_CONCAT",
    "REAL_AS_FLOAT",
    "STRICT_ALL_TABLES",
    "STRICT_TRANS_TABLES",
    "TIME_TRUNCATE_FRACTIONAL",
    "TRADITIONAL",
    "ANSI",
];

fn set_charset(session: &Session, name: &str, charset: Option<&ast::Ident>, context: &Rc<Context>) -> Result<()> {
    let charset = Value::text(charset.map_or("utf8mb4".to_owned(), |charset| charset.text.to_string()));
    keep(session, name, Reach::Session, charset, context)
}

fn set_variable(
    session: &Session,
    sql: &str,
    name: &str,
    reach: Reach,
    expr: &ast::Expr,
    context: &Rc<Context>,
) -> Result<()> {
    let unknown = || SqlError::general(format!("Unknown system variable '{name}'"));
    let definition = variables::definition(name).ok_or_else(unknown)?;
    // A bare word is its own text: SET sql_mode = ANSI, SET autocommit = ON.
    let value = match &expr.kind {
        ast::ExprKind::Column(word) if word.table.is_none() => Value::text(word.name.text.to_string()),
        ast::ExprKind::Default(None) => definition.default.value(),
        _ => value_alone(sql, expr, context)?,
    };
    if let ("sql_mode", ast::ExprKind::Literal(ast::Literal::Bool(truth))) = (name, &expr.kind) {
        return Err(refused(name, &truth.to_string()));
    }
    keep(session, name, reach, value, context)
}

/// The value as the variable keeps it.
fn accepted(definition: &Definition, value: &Value<'_>) -> Result<Value<'static>> {
    let is_default = matches!(value, Value::Text(text) if text.eq_ignore_ascii_case("default"));
    let accepted = match (definition.name, value) {
        _ if is_default => Ok(definition.default.value()),
        ("time_zone", Value::Null) => Ok(Value::text("NULL")),
        ("time_zone", value) => Ok(Value::text(value::convert::to_string(value).unwrap_or_default().into_owned())),
        ("sql_mode", Value::Null) => Err("<nil>".to_owned()),
        ("sql_mode", value) if !matches!(value, Value::Text(_) | Value::Null) => numbered_modes(value),
        (name, Value::Int(id)) if name.starts_with("collation_") => {
            let known = u16::try_from(*id).ok().and_then(Collation::from_id);
            known.map(|collation| Value::text(collation.name())).ok_or_else(|| id.to_string())
        }
        _ => definition.accept(value),
    };
    let name = definition.name;
    accepted.map_err(|value| refused(name, &value))
}

fn refused(name: &str, value: &str) -> SqlError {
    SqlError::general(format!("Variable '{name}' can't be set to the value of '{value}'"))
}

/// Gives a variable a value that it can have, and those that go with it theirs.
fn keep(session: &Session, name: &str, reach: Reach, value: Value<'_>, context: &Rc<Context>) -> Result<()> {
    let unknown = || SqlError::general(format!("Unknown system variable '{name}'"));
    let definition = variables::definition(name).ok_or_else(unknown)?;
    let why = match (definition.scope, reach) {
        (Scope::ReadOnly, _) => Some("is a read only variable"),
        (Scope::Global, Reach::Session) => Some("is a GLOBAL variable and should be set with SET GLOBAL"),
        (Scope::Session, Reach::Global) => Some("is a SESSION variable and can't be used with SET GLOBAL"),
        _ => None,
    };
    if let Some(why) = why {
        return Err(SqlError::general(format!("Variable '{name}' {why}")));
    }
    if reach == Reach::Kept {
        return Ok(());
    }
    let mut value = accepted(definition, &value)?;
    if let ("sql_mode", Value::Text(modes)) = (name, &value) {
        value = Value::text(sql_modes(modes)?);
    }
    let partner = match (name, &value) {
        (_, Value::Text(text)) if text.is_empty() => None,
        (
            "character_set_client" | "character_set_results" | "character_set_database" | "character_set_filesystem",
            Value::Text(charset),
        ) => {
            Charset::from_name(charset)?;
            None
        }
        ("character_set_connection", Value::Text(charset)) => {
            Some(("collation_connection", Charset::from_name(charset)?.default_collation().name()))
        }
        ("character_set_server", Value::Text(charset)) => {
            Some(("collation_server", Charset::from_name(charset)?.default_collation().name()))
        }
        ("collation_database", Value::Text(collation)) => {
            Collation::from_name(collation)?;
            None
        }
        ("collation_connection", Value::Text(collation)) => {
            Some(("character_set_connection", Collation::from_name(collation)?.charset().name()))
        }
        ("collation_server", Value::Text(collation)) => {
            Some(("character_set_server", Collation::from_name(collation)?.charset().name()))
        }
        _ => None,
    };
    if name == "time_zone" {
        let zone = match &value {
            Value::Text(zone) if zone::is_known(context, zone) => Ok(()),
            other => Err(value::convert::to_string(other).unwrap_or_default()),
        };
        zone.map_err(|zone| SqlError::general(format!("Unknown or incorrect time zone: {zone}")))?;
    }
    let mut variables = session.state().variables.borrow_mut();
    for (name, value) in partner.map(|(name, value)| (name, Value::text(value))).into_iter().chain([(name, value)]) {
        match reach {
            Reach::Session => variables.set(name, value),
            Reach::Global | Reach::Kept => variables.set_global(name, value),
        }
    }
    Ok(())
}

/// The bit of each mode in a number, in the order of [`SQL_MODES`]; TRADITIONAL and ANSI combine others.
const SQL_MODE_BITS: [u8; 22] = [25, 2, 26, 29, 3, 19, 28, 20, 7, 30, 6, 24, 23, 5, 31, 1, 0, 22, 21, 32, 27, 18];

/// The modes whose bits a number has.
fn numbered_modes(value: &Value<'_>) -> std::result::Result<Value<'static>, String> {
    let text = value::convert::to_string(value).unwrap_or_default();
    let Ok(bits) = text.parse::<u64>() else { return Err(text.into_owned()) };
    let known = SQL_MODE_BITS.iter().fold(0, |known, bit| known | 1 << bit);
    if bits & !known != 0 {
        return Err(text.into_owned());
    }
    let chosen = SQL_MODES.iter().zip(SQL_MODE_BITS).filter(|(_, bit)| bits >> bit & 1 == 1);
    Ok(Value::text(chosen.map(|(mode, _)| *mode).collect::<Vec<_>>().join(",")))
}

/// Modes in their order, each once. 0 is none.
fn sql_modes(modes: &str) -> Result<String> {
    let mut known = Vec::new();
    if modes != "0" {
        for mode in modes.split(',').map(str::trim).filter(|mode| !mode.is_empty()) {
            let found = SQL_MODES.iter().position(|known| known.eq_ignore_ascii_case(mode));
            known.push(found.ok_or_else(|| SqlError::general(format!("value {mode} was not found in the set")))?);
        }
    }
    known.compact_sort();
    known.dedup();
    Ok(known.into_iter().map(|at| SQL_MODES[at]).collect::<Vec<_>>().join(","))
}
