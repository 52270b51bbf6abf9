//! Checks of PREPARE before anything runs: unknown names and counts that do not fit.

use std::rc::Rc;

use parse::ast::{self, ShowKind, StatementKind};

use super::dml;
use crate::bind::Binder;
use crate::error::Result;
use crate::expr::{Context, ExprType, NO_VALUE};
use crate::names::SessionNames;
use crate::prepared::Prepared;
use crate::procedures;
use crate::routine;
use crate::session::Session;

/// # Errors
/// Those that the statement would meet before it looked at a row, whatever its parameters will be.
pub fn check(session: &Session, prepared: &Prepared) -> Result<()> {
    let context = Rc::new(Context::new(session.catalog().clone(), Vec::new()));
    let parameters = vec![ExprType::null(); prepared.parameters as usize];
    let check = Check { session, sql: &prepared.sql, parameters, context };
    match check.statement(&prepared.statement) {
        // What depends on the value of a parameter is seen when there is one.
        Err(error) if error.errno == NO_VALUE => Ok(()),
        checked => checked,
    }
}

struct Check<'a> {
    session: &'a Session,
    sql: &'a str,
    parameters: Vec<ExprType>,
    context: Rc<Context>,
}

impl Check<'_> {
    fn statement(&self, statement: &ast::Statement) -> Result<()> {
        match &statement.kind {
            StatementKind::Query(query) => self.query(query),
            StatementKind::CreateView(view) => self.query(&view.query),
            StatementKind::Explain(explain) => self.statement(&explain.statement),
            StatementKind::Insert(insert) => {
                dml::insert::check(self.session, self.sql, insert, &self.parameters, &self.context)
            }
            StatementKind::Update(update) => {
                let rows = dml::update::updated_rows(update);
                self.bound(|binder| binder.update(&rows, &update.assignments).map(drop))
            }
            StatementKind::Delete(delete) => {
                let rows = dml::update::deleted_rows(delete);
                self.bound(|binder| binder.delete(&rows, &delete.targets).map(drop))
            }
            StatementKind::Describe(describe) => self.relation(&describe.table),
            StatementKind::Show(show) => match &show.kind {
                ShowKind::Columns { table, .. } | ShowKind::Indexes { table } => self.relation(table),
                ShowKind::CreateTable { name, .. } => self.relation(name),
                _ => Ok(()),
            },
            StatementKind::Truncate(name) => self.relation(name),
            StatementKind::AlterTable(alter) => self.relation(&alter.name),
            StatementKind::CreateIndex(create) => self.relation(&create.table),
            StatementKind::DropTable(drop) if !drop.if_exists => {
                drop.names.iter().try_for_each(|name| self.relation(name))
            }
            StatementKind::Use(name) if crate::system_tables::global_tables(&name.text).is_none() => {
                self.session.catalog().place(Some(&name.text)).map(drop)
            }
            StatementKind::Call(call) if !procedures::is_procedure(&call.name.name.text) => {
                let database = call.name.database.as_ref().map(|database| &*database.text);
                routine::find(self.session, database, &call.name.name.text).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn bound(&self, bind: impl FnOnce(Binder<'_>) -> Result<()>) -> Result<()> {
        let names = SessionNames::new(self.session.catalog().clone(), self.context.clone());
        bind(Binder::new(&names, self.sql, &self.parameters))
    }

    fn query(&self, query: &ast::Query) -> Result<()> {
        self.bound(|binder| binder.query(query).map(drop))
    }

    fn relation(&self, name: &ast::ObjectName) -> Result<()> {
        self.session.catalog().relation(name, None).map(drop)
    }
}
