//! PREPARE, EXECUTE and DEALLOCATE PREPARE.

use std::rc::Rc;

use parse::ast::{self, PrepareSource, StatementKind};
use value::Value;

use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;
use crate::statements::prepared_check;

fn unknown(name: &ast::Ident) -> SqlError {
    let text = format!("Unknown prepared statement handler ({}) given to EXECUTE", name.text);
    SqlError::general(text).at(name.span)
}

pub fn prepare(session: &Session, prepare: &ast::Prepare, context: Rc<Context>) -> Result<Cursor> {
    let sql = match &prepare.source {
        PrepareSource::Text(text, _) => text.to_string(),
        PrepareSource::Variable(name) => match session.state().user_variable(&name.text) {
            // As in native Dolt it is the word.
            Value::Null => "NULL".to_owned(),
            value => value::convert::to_string(&value)?.into_owned(),
        },
    };
    let prepared = session.prepare_within(&sql).map_err(SqlError::elsewhere)?;
    // A prepared statement that runs another could run itself.
    let is_nested = matches!(
        prepared.statement.kind,
        StatementKind::Prepare(_) | StatementKind::Execute(_) | StatementKind::Deallocate(_)
    );
    if is_nested {
        return Err(SqlError::general("This command is not supported in the prepared statement protocol yet"));
    }
    prepared_check::check(session, &prepared).map_err(SqlError::elsewhere)?;
    session.name_prepared(&prepare.name.text, Some(prepared));
    Ok(Cursor::of_effect(0, context))
}

pub fn execute(session: &Session, execute: &ast::Execute) -> Result<Cursor> {
    let prepared = session.named_prepared(&execute.name.text).ok_or_else(|| unknown(&execute.name))?;
    let values: Vec<Value<'static>> =
        execute.using.iter().map(|name| session.state().user_variable(&name.text)).collect();
    if values.len() < prepared.parameters as usize {
        return Err(SqlError::general(format!("bind variable not provided: 'v{}'", values.len() + 1)));
    }
    if values.len() > prepared.parameters as usize {
        let text = format!("invalid arguments. expected: {}, found: {}", prepared.parameters, values.len());
        return Err(SqlError::general(text));
    }
    session.start_nested(&prepared, &Rc::new(values)).map_err(SqlError::elsewhere)
}

pub fn deallocate(session: &Session, name: &ast::Ident, context: Rc<Context>) -> Result<Cursor> {
    if session.named_prepared(&name.text).is_none() {
        return Err(unknown(name));
    }
    session.name_prepared(&name.text, None);
    Ok(Cursor::of_effect(0, context))
}
