//! CALL.

use std::rc::Rc;

use parse::ast::{self, ParameterMode};
use value::Value;

use super::compile;
use super::machine::Machine;
use crate::catalog::objects;
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::{revision, value_alone};
use crate::program::{Program, Target, condition};
use crate::session::Session;

/// The procedure of a name. As in native Dolt the database that is named only says where the definition is: it runs in the one in
/// use.
///
/// # Errors
/// 1105 when there is none, or no database.
pub fn find(session: &Session, database: Option<&str>, name: &str) -> Result<Rc<Program>> {
    let catalog = session.catalog();
    let place = catalog.place(database)?;
    match objects::procedure(catalog, &place, &place.root()?, name)? {
        Some(stored) => program(session, &stored),
        None => Err(SqlError::general(format!("stored procedure \"{name}\" does not exist"))),
    }
}

/// # Errors
/// 1105 when the number of arguments is another.
pub fn check_count(name: &str, program: &Program, given: usize) -> Result<()> {
    let wanted = program.parameters.len();
    if wanted != given {
        return Err(SqlError::general(format!("`{name}` expected `{wanted}` parameters but got `{given}`")));
    }
    Ok(())
}

/// Starts a procedure of the user's.
pub(crate) fn call(session: &Session, sql: &str, call: &ast::Call, context: Rc<Context>) -> Result<Cursor> {
    let database = call.name.database.as_ref().map(|database| &*database.text);
    let name = &call.name.name;
    let program = find(session, database, &name.text).map_err(|error| error.at(call.name.span))?;
    check_count(&name.text, &program, call.arguments.len()).map_err(|error| error.at(call.name.span))?;
    let past = revision(call.as_of.as_ref(), &context)?;
    let (mut values, mut returns) = (Vec::new(), Vec::new());
    for (slot, (argument, mode)) in call.arguments.iter().zip(&program.parameters).enumerate() {
        values.push(match mode {
            ParameterMode::Out => Value::Null,
            ParameterMode::In | ParameterMode::InOut => value_alone(sql, argument, &context)?,
        });
        if let (ParameterMode::Out | ParameterMode::InOut, ast::ExprKind::UserVariable(variable)) =
            (mode, &argument.kind)
        {
            returns.push((slot, Target::User((*variable.text).into())));
        }
    }
    let machine = Machine::new(session.twin(), program, values, returns, past, database.map(Rc::from))?;
    Ok(Cursor::of_procedure(Box::new(machine), context))
}

/// A stored procedure as it runs.
///
/// # Errors
/// 1105 for a definition that cannot be read or that names what it does not declare.
fn program(session: &Session, stored: &objects::StoredProcedure) -> Result<Rc<Program>> {
    if let Some(known) = session.programs().find(&stored.create) {
        return Ok(known);
    }
    let program = Rc::new(compiled(stored)?);
    session.programs().put(stored.create.clone(), program.clone());
    Ok(program)
}

/// The program of a stored definition.
///
/// # Errors
/// 1105 for a definition that cannot be read, and what CREATE would say.
fn compiled(stored: &objects::StoredProcedure) -> Result<Program> {
    match parse::kept(&stored.create, &stored.sql_mode) {
        Some(ast::StatementKind::CreateProcedure(procedure)) => {
            compile::procedure(stored.create.clone(), &procedure).map_err(SqlError::elsewhere)
        }
        _ => Err(SqlError::unreadable("procedure", &stored.name)),
    }
}

/// SIGNAL as a statement of its own: it always fails.
pub(crate) fn signal(sql: &str, signal: &ast::Signal, context: &Rc<Context>) -> Result<Cursor> {
    let state = match &signal.condition {
        Some(ast::ConditionValue::SqlState(text)) => condition::state(text)?,
        Some(ast::ConditionValue::Name(name)) => {
            return Err(SqlError::general(format!("condition {} does not exist", name.text)).at(name.span));
        }
        _ => return Err(SqlError::general("SIGNAL takes a SQLSTATE or a condition")),
    };
    let text = |item: &ast::SignalItem| {
        let value = value_alone(sql, &item.value, context)?;
        Ok((item.name.clone(), value::convert::to_string(&value)?.into_owned()))
    };
    let items: Vec<(Box<str>, String)> = signal.items.iter().map(text).collect::<Result<_>>()?;
    Err(condition::signalled(state, &items)?)
}
