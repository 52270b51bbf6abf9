//! State of a definition: its session, its place, and the root that it makes.

use std::fmt::Display;
use std::rc::Rc;

use parse::ast;
use vcs::{Column, RootValue};

use crate::bind::Binder;
use crate::catalog::{Place, column_of};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::names::SessionNames;
use crate::session::Session;

/// A definition at work in one database.
pub(super) struct Work<'a> {
    pub session: &'a Session,
    pub sql: &'a str,
    pub context: Rc<Context>,
    pub place: Place,
    /// As the statement has made it so far.
    pub root: RootValue,
}

impl<'a> Work<'a> {
    /// Begins in the database that a name says, or in the session's.
    pub fn begin(
        session: &'a Session,
        sql: &'a str,
        context: &Rc<Context>,
        database: Option<&ast::Ident>,
    ) -> Result<Work<'a>> {
        let name = database.map(|database| &*database.text);
        if name.is_some_and(|name| crate::system_tables::global_tables(name).is_some()) {
            return Err(SqlError::general(format!("database {} is read only", name.unwrap_or_default())));
        }
        let place = session.catalog().place(name).map_err(|error| match database {
            Some(database) => error.at(database.span),
            None => error,
        })?;
        Work::at(session, sql, context, place)
    }

    /// Begins at a place.
    pub fn at(session: &'a Session, sql: &'a str, context: &Rc<Context>, place: Place) -> Result<Work<'a>> {
        session.catalog().refuse_overridden()?;
        session.catalog().transaction.will_write();
        let root = place.root()?;
        Ok(Work { session, sql, context: context.clone(), place, root })
    }

    /// The root of the last commit.
    pub fn head_root(&self) -> Result<RootValue> {
        let head = self.place.refs.head(&self.place.head)?;
        Ok(self.place.refs.objects().root_value(&head.root)?)
    }

    /// Makes what was done the state of the database.
    pub fn finish(self) -> Result<()> {
        self.session.catalog().set_root(&self.place, &self.root)
    }

    /// An expression over the columns of a table.
    pub fn bind(&self, table: &str, columns: &[Column], expr: &ast::Expr) -> Result<Expr> {
        let names = SessionNames::new(self.session.catalog().clone(), self.context.clone());
        let columns: Vec<_> = columns.iter().map(column_of).collect();
        Binder::new(&names, self.sql, &[]).over_table(table, &columns, expr)
    }

    /// Whether a session variable is on.
    pub fn is_on(&self, variable: &str) -> bool {
        let variables = self.session.state().variables.borrow();
        variables.get(variable).is_some_and(|value| value::truth(&value) == Some(true))
    }

    pub fn note(&self, code: u16, message: impl Display) {
        self.session.state().note(code, message);
    }

    pub fn warn(&self, code: u16, message: impl Display) {
        self.session.state().warn(code, message);
    }
}
