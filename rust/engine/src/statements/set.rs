//! SET.

use std::rc::Rc;

use codec::CompactSort;
use parse::ast::{self, SetItem, VariableScope};
use value::{Charset, Collation, Value};

use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::functions::zone;
use crate::names::value_alone;
use crate::session::Session;
use crate::state::variables::{self, Default, Scope};

pub fn run(session: &Session, sql: &str, items: &[SetItem], context: Rc<Context>) -> Result<Cursor> {
    for item in items {
        match item {
            SetItem::User { name, value } => {
                let value = value_alone(sql, value, &context)?;
                session.state().set_user_variable(&name.text, value);
            }
            SetItem::Variable { name, value, span, scope, system } => {
                let name = name.to_lowercase();
                if scope.is_none() && !system && variables::definition(&name).is_none() {
                    return Err(SqlError::column_not_found(&name).at(*span));
                }
                let is_global = matches!(scope, Some(VariableScope::Global | VariableScope::Persist));
                set_variable(session, sql, &name, is_global, value, &context).map_err(|error| error.at(*span))?;
            }
            // As in the reference COLLATE changes nothing: the collation is the default one of the set.
            SetItem::Names { charset, .. } => {
                for name in ["character_set_client", "character_set_connection", "character_set_results"] {
                    set_charset(session, name, charset.as_ref(), &context)?;
                }
            }
            SetItem::CharacterSet(charset) => {
                for name in ["character_set_client", "character_set_results"] {
                    set_charset(session, name, charset.as_ref(), &context)?;
                }
                let database = session.state().variables.borrow().text("character_set_database");
                keep(session, "character_set_connection", false, Value::text(database), &context)?;
            }
            SetItem::Transaction { scope, isolation, read_only } => {
                let is_global = matches!(scope, Some(VariableScope::Global));
                if let Some(isolation) = isolation {
                    let isolation = Value::text(ISOLATIONS[*isolation as usize]);
                    keep(session, "transaction_isolation", is_global, isolation, &context)?;
                }
                if let Some(read_only) = read_only {
                    keep(session, "transaction_read_only", is_global, Value::boolean(*read_only), &context)?;
                }
            }
            SetItem::Column { .. } => return Err(SqlError::unsupported("SET NEW.column")),
        }
    }
    Ok(Cursor::of_effect(0, context))
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
    keep(session, name, false, charset, context)
}

fn set_variable(
    session: &Session,
    sql: &str,
    name: &str,
    is_global: bool,
    expr: &ast::Expr,
    context: &Rc<Context>,
) -> Result<()> {
    let unknown = || SqlError::general(format!("Unknown system variable '{name}'"));
    let definition = variables::definition(name).ok_or_else(unknown)?;
    if definition.scope == Scope::ReadOnly {
        return Err(SqlError::general(format!("Variable '{name}' is a read only variable")));
    }
    if definition.scope == Scope::Global && !is_global {
        let text = format!("Variable '{name}' is a GLOBAL variable and should be set with SET GLOBAL");
        return Err(SqlError::general(text));
    }
    // A bare word is its own text: SET sql_mode = ANSI, SET autocommit = ON.
    let value = match &expr.kind {
        ast::ExprKind::Column(word) if word.table.is_none() => Value::text(word.name.text.to_string()),
        ast::ExprKind::Default(None) => definition.default.value(),
        _ => value_alone(sql, expr, context)?,
    };
    keep(session, name, is_global, value, context)
}

/// Gives a variable a value that it can have, and those that go with it theirs.
fn keep(session: &Session, name: &str, is_global: bool, value: Value<'_>, context: &Rc<Context>) -> Result<()> {
    let unknown = || SqlError::general(format!("Unknown system variable '{name}'"));
    let definition = variables::definition(name).ok_or_else(unknown)?;
    let refused = |value: &Value<'_>| {
        let text = value::convert::to_string(value).unwrap_or_default().into_owned();
        SqlError::general(format!("Variable '{name}' can't be set to the value of '{text}'"))
    };
    let mut value = if matches!(&value, Value::Text(text) if text.eq_ignore_ascii_case("default")) {
        definition.default.value()
    } else {
        converted(definition.default, &value).ok_or_else(|| refused(&value))?
    };
    if let ("sql_mode", Value::Text(modes)) = (name, &value) {
        value = Value::text(sql_modes(modes)?);
    }
    if let ("transaction_isolation", Value::Text(typed)) = (name, &value) {
        let numbered = typed.parse().ok().and_then(|at: usize| ISOLATIONS.get(at));
        let known = numbered.or(ISOLATIONS.iter().find(|known| known.eq_ignore_ascii_case(typed)));
        value = Value::text(*known.ok_or_else(|| refused(&value))?);
    }
    let partner = match (name, &value) {
        (_, Value::Text(text)) if text.is_empty() => None,
        ("character_set_client" | "character_set_results", Value::Text(charset)) => {
            Charset::from_name(charset)?;
            None
        }
        ("character_set_connection", Value::Text(charset)) => {
            Some(("collation_connection", Charset::from_name(charset)?.default_collation().name()))
        }
        ("character_set_server", Value::Text(charset)) => {
            Some(("collation_server", Charset::from_name(charset)?.default_collation().name()))
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
        match is_global {
            true => variables.set_global(name, value),
            false => variables.set(name, value),
        }
    }
    Ok(())
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

/// A value as the variable keeps it; `None` for one that it cannot have.
fn converted(default: Default, value: &Value<'_>) -> Option<Value<'static>> {
    let switch = match value {
        Value::Text(text) if text.eq_ignore_ascii_case("on") || text.eq_ignore_ascii_case("true") => Some(true),
        Value::Text(text) if text.eq_ignore_ascii_case("off") || text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    match (default, value) {
        (Default::Bool(_) | Default::Int(_), _) if switch.is_some() => switch.map(Value::boolean),
        (Default::Bool(_), Value::Text(text)) => match text.trim() {
            "0" => Some(Value::boolean(false)),
            "1" => Some(Value::boolean(true)),
            _ => None,
        },
        (Default::Bool(_), Value::Int(number @ (0 | 1))) => Some(Value::Int(*number)),
        (Default::Bool(_), Value::UInt(number @ (0 | 1))) => Some(Value::Int(*number as i64)),
        (Default::Int(_) | Default::UInt(_), Value::Text(text)) => text.trim().parse().ok().map(Value::Int),
        (Default::Int(_) | Default::UInt(_), Value::Int(number)) => Some(Value::Int(*number)),
        (Default::Int(_) | Default::UInt(_), Value::UInt(number)) => Some(Value::UInt(*number)),
        (Default::Double(_), Value::Null) => None,
        (Default::Double(_), value) => value::convert::to_string(value).ok()?.trim().parse().ok().map(Value::Double),
        (Default::Text(_), Value::Null) => Some(Value::text("")),
        (Default::Text(_), value) => Some(Value::text(value::convert::to_string(value).ok()?.into_owned())),
        _ => None,
    }
}
