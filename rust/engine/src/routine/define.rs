//! CREATE and DROP of procedures.

use std::rc::Rc;

use parse::ast::{CreateProcedure, DropObjects, Ident, Statement};
use value::{DateTime, Value};
use vcs::RootValue;

use super::compile;
use crate::catalog::objects::StoredProcedure;
use crate::catalog::{Place, definitions};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::{Cursor, Session};

/// A database that gets another root with a definition more or less.
pub(super) struct Change {
    pub place: Place,
    pub root: RootValue,
}

impl Change {
    /// Begins in the database of a name, or in the session's.
    pub fn begin(session: &Session, database: Option<&Ident>) -> Result<Change> {
        let place =
            session.catalog().place(database.map(|database| &*database.text)).map_err(|error| match database {
                Some(database) => error.at(database.span),
                None => error,
            })?;
        session.catalog().transaction.will_write();
        let root = place.root()?;
        Ok(Change { place, root })
    }

    pub fn finish(self, session: &Session) -> Result<()> {
        session.catalog().set_root(&self.place, &self.root)
    }
}

/// The text of a definition as it is kept.
pub(super) fn text<'a>(sql: &'a str, statement: &Statement) -> &'a str {
    statement.span.text(sql).trim_end_matches(|c: char| c == ';' || c.is_whitespace())
}

pub(super) fn sql_mode(session: &Session) -> String {
    session.state().variables.borrow().text("sql_mode")
}

/// CREATE PROCEDURE: the body is checked as far as its names go; tables need not be there yet.
pub(crate) fn create_procedure(
    session: &Session,
    sql: &str,
    statement: &Statement,
    procedure: &CreateProcedure,
    context: Rc<Context>,
) -> Result<Cursor> {
    compile::procedure(sql.into(), procedure)?;
    let mut change = Change::begin(session, procedure.name.database.as_ref())?;
    let name = procedure.name.name.text.to_lowercase();
    let now = DateTime::from_microseconds(session.state().host.now_microseconds()).unwrap_or(DateTime::ZERO);
    let stored = StoredProcedure {
        name: name.clone(),
        create: text(sql, statement).into(),
        created: Value::DateTime(now),
        modified: Value::DateTime(now),
        sql_mode: sql_mode(session),
    };
    match definitions::add_procedure(&change.root, &stored)? {
        Some(root) => change.root = root,
        None if procedure.if_not_exists => {}
        None => {
            let error = SqlError::general(format!("stored procedure \"{name}\" already exists"));
            return Err(error.at(procedure.name.span));
        }
    }
    change.finish(session)?;
    Ok(Cursor::of_effect(0, context))
}

pub(crate) fn drop_procedures(session: &Session, drop: &DropObjects, context: Rc<Context>) -> Result<Cursor> {
    for name in &drop.names {
        let mut change = Change::begin(session, name.database.as_ref())?;
        match definitions::drop_procedure(&change.root, &name.name.text)? {
            Some(root) => change.root = root,
            None if drop.if_exists => continue,
            None => {
                let text = format!("stored procedure \"{}\" does not exist", name.name.text);
                return Err(SqlError::general(text).at(name.span));
            }
        }
        change.finish(session)?;
    }
    Ok(Cursor::of_effect(0, context))
}
