//! SET.

use std::rc::Rc;

use parse::ast::{self, SetItem};
use value::Value;

use crate::bind::Binder;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::variables::{self, Default};
use crate::session::{Cursor, Session, SessionNames};

pub fn run(session: &Session, sql: &str, items: &[SetItem], context: Rc<Context>) -> Result<Cursor> {
    for item in items {
        match item {
            SetItem::User { name, value } => {
                let value = evaluate(session, sql, value, &context)?;
                session.state().set_user_variable(&name.text, value);
            }
            SetItem::Variable { name, value, span, .. } => {
                let name = name.to_lowercase();
                set_variable(session, sql, &name, value, &context).map_err(|error| error.at(*span))?;
            }
            SetItem::Names { .. } | SetItem::CharacterSet(_) | SetItem::Transaction { .. } => {}
            SetItem::Column { .. } => return Err(SqlError::unsupported("SET NEW.column")),
        }
    }
    Ok(Cursor::of_effect(0, context))
}

fn evaluate(session: &Session, sql: &str, expr: &ast::Expr, context: &Rc<Context>) -> Result<Value<'static>> {
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let bound = Binder::new(&names, sql, &[]).constant(expr)?;
    bound.eval_constant(context)
}

fn set_variable(session: &Session, sql: &str, name: &str, expr: &ast::Expr, context: &Rc<Context>) -> Result<()> {
    let unknown = || SqlError::new(1193, format!("Unknown system variable '{name}'"));
    let definition = variables::definition(name).ok_or_else(unknown)?;
    if definition.read_only {
        return Err(SqlError::new(1238, format!("Variable '{name}' is a read only variable")));
    }
    // A bare word is its own text: SET sql_mode = ANSI, SET autocommit = ON.
    let value = match &expr.kind {
        ast::ExprKind::Column(word) if word.table.is_none() => Value::text(word.name.text.to_string()),
        ast::ExprKind::Default(None) => definition.default.value(),
        _ => evaluate(session, sql, expr, context)?,
    };
    let refused = |value: &Value<'_>| {
        let text = value::convert::to_string(value).unwrap_or_default().into_owned();
        SqlError::new(1231, format!("Variable '{name}' can't be set to the value of '{text}'"))
    };
    let value = match (definition.default, value) {
        (Default::Int(default), Value::Text(text)) => {
            let switch = match text.to_ascii_lowercase().as_str() {
                "on" | "true" => Some(1),
                "off" | "false" => Some(0),
                "default" => Some(default),
                other => other.parse().ok(),
            };
            Value::Int(switch.ok_or_else(|| refused(&Value::Text(text)))?)
        }
        (Default::Int(_), value @ (Value::Int(_) | Value::UInt(_))) => value,
        (Default::Int(_), value) => return Err(refused(&value)),
        (Default::Text(default), Value::Text(text)) if text.eq_ignore_ascii_case("default") => Value::text(default),
        (Default::Text(_), Value::Null) => Value::text(""),
        (Default::Text(_), value) => Value::text(value::convert::to_string(&value)?.into_owned()),
    };
    session.state().variables.borrow_mut().set(name, value);
    Ok(())
}
