//! Statements that are not queries.

mod analyze;
mod ddl;
mod describe;
mod dml;
mod explain;
mod listing;
mod maintenance;
mod prepare;
mod prepared_check;
mod set;
mod show;
mod transaction;

use std::rc::Rc;

use parse::ast::{self, StatementKind};

use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::prepared::Prepared;
use crate::procedures;
use crate::session::Session;

/// Starts a statement that is no query.
pub fn start(session: &Session, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
    use StatementKind::{Delete, Insert, LoadData, Truncate, Update};
    if let Insert(_) | Update(_) | Delete(_) | LoadData(_) | Truncate(_) = &prepared.statement.kind {
        context.catalog.refuse_overridden()?;
    }
    match &prepared.statement.kind {
        StatementKind::Insert(insert) => dml::insert::run(session, prepared, insert, context),
        StatementKind::Update(update) => dml::update::update(session, prepared, update, context),
        StatementKind::Delete(delete) => dml::update::delete(session, prepared, delete, context),
        _ => run(session, &prepared.sql, &prepared.statement, context),
    }
}

/// Runs a statement that neither asks for rows nor changes some.
#[inline(never)] // its many arms are no part of what changes a row
fn run(session: &Session, sql: &str, statement: &Rc<ast::Statement>, context: Rc<Context>) -> Result<Cursor> {
    match &statement.kind {
        StatementKind::Use(name) => {
            if crate::system_tables::global_tables(&name.text).is_none() {
                session.catalog().place(Some(&name.text)).map_err(|error| error.at(name.span))?;
            }
            session.catalog().leave_deleted_branch(&name.text)?;
            session.state().set_database(Some((*name.text).into()));
            Ok(Cursor::of_effect(0, context))
        }
        StatementKind::Show(show) => show::run(session, sql, show, context),
        StatementKind::Describe(describe) => describe::run(session, describe, context),
        StatementKind::Explain(explain) => explain::run(session, sql, explain, context),
        StatementKind::Prepare(prepare) => prepare::prepare(session, prepare, context),
        StatementKind::Execute(execute) => prepare::execute(session, execute),
        StatementKind::Deallocate(name) => prepare::deallocate(session, name, context),
        StatementKind::Set(items) => set::run(session, sql, statement, items, context),
        StatementKind::LoadData(load) => dml::load_data::run(session, sql, load, context),
        StatementKind::Truncate(name) => Ok(dml::truncate::run(name, context)),
        StatementKind::Start(_)
        | StatementKind::Commit(_)
        | StatementKind::Rollback(_)
        | StatementKind::Savepoint(_)
        | StatementKind::RollbackTo(_)
        | StatementKind::ReleaseSavepoint(_) => Ok(transaction::run(statement, context)),
        StatementKind::Call(call) if procedures::is_procedure(&call.name.name.text) => {
            match procedures::gathering(&call.name.name.text) {
                Some(waits) => analyze::gather(waits, &context),
                None => procedures::call(sql, call, context),
            }
        }
        // There is one process and one user.
        StatementKind::LockTables(locks) => lock_tables(session, locks, context),
        StatementKind::UnlockTables
        | StatementKind::Flush
        | StatementKind::Kill(_)
        | StatementKind::CreateSpatialReferenceSystem
        | StatementKind::Account(_) => Ok(Cursor::of_effect(0, context)),
        StatementKind::Analyze(analyze) => analyze::run(session, analyze, &context),
        StatementKind::Maintain { maintenance, tables } => {
            maintenance::run(session, sql, *maintenance, tables, context)
        }
        StatementKind::Do(exprs) => maintenance::evaluate(sql, exprs, context),
        StatementKind::Call(call) => crate::routine::call(session, sql, call, context),
        StatementKind::CreateProcedure(procedure) => crate::routine::create_procedure(session, sql, procedure, context),
        StatementKind::CreateTrigger(trigger) => crate::routine::create_trigger(session, sql, trigger, context),
        StatementKind::DropTrigger(drop) => crate::routine::drop_triggers(session, drop, context),
        StatementKind::CreateEvent(event) => crate::routine::create_event(session, sql, event, context),
        StatementKind::AlterEvent(event) => crate::routine::alter_event(session, sql, event, context),
        StatementKind::DropEvent(drop) => crate::routine::drop_events(session, drop, context),
        StatementKind::DropFunction(drop) => maintenance::drop_functions(session, drop, context),
        StatementKind::DropProcedure(drop) => crate::routine::drop_procedures(session, drop, context),
        StatementKind::Signal(signal) => crate::routine::signal(sql, signal, &context),
        StatementKind::Replication(_) => {
            Err(SqlError::general("replication is not supported in the browser").at(statement.span))
        }
        StatementKind::Resignal(_) => Err(SqlError::general("unsupported syntax: resignal").at(statement.span)),
        _ => ddl::run(session, sql, statement, &context)
            .unwrap_or_else(|| Err(SqlError::unsupported("this statement").at(statement.span))),
    }
}

/// LOCK TABLES: nothing is locked, as in the reference, but it looks at what it is asked.
fn lock_tables(session: &Session, locks: &[ast::LockTable], context: Rc<Context>) -> Result<Cursor> {
    for lock in locks {
        session.catalog().relation(&lock.table, None).map_err(|error| error.at(lock.table.span))?;
    }
    context.catalog.transaction.check_writable()?;
    Ok(Cursor::of_effect(0, context))
}
