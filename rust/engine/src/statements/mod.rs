//! Statements that are not queries.

use std::rc::Rc;

use parse::ast::{self, StatementKind};

use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::{Cursor, Session};

/// Runs one statement.
pub fn run(session: &Session, sql: &str, statement: &ast::Statement, context: Rc<Context>) -> Result<Cursor> {
    let _ = sql;
    match &statement.kind {
        StatementKind::Use(name) => {
            session.catalog().place(Some(&name.text)).map_err(|error| error.at(name.span))?;
            session.state().set_database(Some((*name.text).into()));
            Ok(Cursor::of_effect(0, context))
        }
        _ => Err(SqlError::unsupported("this statement").at(statement.span)),
    }
}
