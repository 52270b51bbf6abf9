//! Execution: the ways in which a statement starts, and the transaction that it starts in.
//!
//! | started by | function | transaction |
//! | --- | --- | --- |
//! | a client, with values for its parameters | [`Session::execute`], `start_client_statement` | its own, unless one is open |
//! | a client, for one row by its whole key | [`Session::find`] | the same, without a cursor |
//! | a stored program | `start_routine_statement` | its own, unless one is open |
//! | PREPARE and EXECUTE, CREATE TABLE … SELECT | `start_nested` | that of the statement around it |
//! | any of these | `start_in_context` | the current one |

use std::rc::Rc;

use parse::ast::{self, InsertSource, StatementKind};
use value::Value;

use super::suggestions::with_suggestion;
use super::{EMPTY, Session};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::exec::PointAnswer;
use crate::expr::{Context, Params};
use crate::prepared::{Prepared, RowsText};
use crate::state::Rules;
use crate::transaction::Intent;

impl Session {
    /// Looks up one row by its whole key and writes its page into `out`, where that is what the statement is: 1 or 0 rows.
    /// `None` when it is something else or a value is of another kind; then [`Session::execute`] answers.
    pub fn find(&self, prepared: &Prepared, params: &[Value<'static>], out: &mut Vec<u8>) -> Result<Option<u32>> {
        self.find_row(prepared, params, out).map_err(|error| self.catalog.located(error))
    }

    fn find_row(&self, prepared: &Prepared, params: &[Value<'static>], out: &mut Vec<u8>) -> Result<Option<u32>> {
        let Some(plan) = prepared.query_plan(self.state().rules.get()) else { return Ok(None) };
        let Some(point) = plan.point() else { return Ok(None) };
        // A point read takes values of any whole-number type, so only their number counts here.
        if prepared.gives_variables() || params.len() != plan.parameters.len() {
            return Ok(None);
        }
        // The general way asks whether it is about one of the rows that were changed.
        if self.catalog.transaction.edits().is_some() {
            return Ok(None);
        }
        let is_autocommit = self.state().variables.borrow().is_autocommit();
        self.catalog.transaction.begin_statement(is_autocommit, Intent::ReadRows)?;
        self.catalog.transaction.publish()?;
        if !self.catalog.is_at(&plan.version) {
            // The general path moves the plan to the current tables, or makes another.
            return Ok(None);
        }
        let rows = match point.write_page(params, &plan.columns, out)? {
            PointAnswer::Row(()) => 1,
            PointAnswer::NoRow => 0,
            PointAnswer::Other => return Ok(None),
        };
        self.state().clear_warnings();
        self.state().row_count.set(-1);
        self.state().found_rows.set(u64::from(rows));
        Ok(Some(rows))
    }

    /// Starts a statement with values for its `?`.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again.
    pub fn execute(&self, prepared: &Prepared, params: &[Value<'static>]) -> Result<Cursor> {
        self.execute_with(prepared, &Rc::new(params.to_vec()))
    }

    /// The same with values that the statement shares while it runs: there may be many.
    ///
    /// # Errors
    /// As [`Session::execute`].
    pub fn execute_with(&self, prepared: &Prepared, params: &Params) -> Result<Cursor> {
        self.state().work.begin_call();
        let begun =
            self.catalog.transaction.commit_gathered().and_then(|()| self.start_client_statement(prepared, params));
        begun.map_err(|error| self.catalog.located(error))
    }

    /// Starts a prepared INSERT that takes its parameters from each row of a text.
    ///
    /// # Errors
    /// As [`Session::execute`].
    pub fn insert_rows(&self, prepared: &Prepared, text: &Rc<RowsText>) -> Result<Cursor> {
        match &prepared.statement.kind {
            StatementKind::Insert(insert) if matches!(insert.source, InsertSource::Values(_)) => {}
            _ => return Err(SqlError::general("rows of a text go into an INSERT")),
        }
        // The statement is bound for texts.
        let params = vec![Value::text(""); prepared.parameters as usize];
        self.execute(&prepared.with_text(text.clone()), &params)
    }

    pub(super) fn start_client_statement(&self, prepared: &Prepared, params: &Params) -> Result<Cursor> {
        self.state().begin_memory();
        if params.len() != prepared.parameters as usize {
            let text =
                format!("the statement has {} parameters, {} values were given", prepared.parameters, params.len());
            return Err(SqlError::general(text));
        }
        let is_query = matches!(prepared.statement.kind, StatementKind::Query(_));
        if is_query {
            self.state().query.replace(prepared.sql.clone());
        }
        if is_query && let Some(cursor) = self.start_base_snapshot_read(prepared, params)? {
            return Ok(cursor.honor_sleep());
        }
        let intent = intent_of(prepared, self.state().rules.get());
        if let StatementKind::Insert(_) | StatementKind::Update(_) | StatementKind::Delete(_) | StatementKind::Call(_) =
            prepared.statement.kind
        {
            self.catalog.transaction.claim()?;
        }
        Ok(self.start_transactional(prepared, intent, || self.start_nested(prepared, params))?.honor_sleep())
    }

    /// Starts a statement of a stored procedure: a whole one with a transaction of its own, unless one is open.
    pub(crate) fn start_routine_statement(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        self.start_transactional(prepared, Intent::Other, || self.start_in_context(prepared, context))
    }

    /// Whether the end of the statement commits.
    fn commits(&self, prepared: &Prepared) -> bool {
        let is_create = || matches!(prepared.statement.kind, StatementKind::CreateTable(_));
        prepared.defines() && !(is_create() && self.state().variables.borrow().creates_in_transaction())
    }

    fn start_transactional(
        &self,
        prepared: &Prepared,
        intent: Intent,
        start: impl FnOnce() -> Result<Cursor>,
    ) -> Result<Cursor> {
        let transaction = &self.catalog.transaction;
        transaction.begin_statement(self.state().variables.borrow().is_autocommit(), intent)?;
        if !prepared.changes_single_rows() && !matches!(intent, Intent::Begin | Intent::Commit | Intent::RollBack) {
            transaction.publish()?;
        }
        // A query has nothing to commit or to take back, and may still run when the next statement begins.
        if matches!(prepared.statement.kind, StatementKind::Query(_)) {
            return start().map_err(|error| with_suggestion(error, &self.catalog));
        }
        let mark = transaction.mark();
        match start() {
            Ok(cursor) => Ok(cursor.ending_statement(mark, self.commits(prepared), prepared.row_count())),
            Err(error) => {
                transaction.restore(&mark);
                if error.is_wait() {
                    return Err(error);
                }
                // Nothing is left that could fail to be committed.
                transaction.end_statement()?;
                Err(with_suggestion(error, &self.catalog))
            }
        }
    }

    /// Starts a statement inside another one: of PREPARE, of a routine. It neither begins nor ends a transaction.
    pub(crate) fn start_nested(&self, prepared: &Prepared, params: &Params) -> Result<Cursor> {
        // As in native Dolt SET leaves the warnings of the statement before.
        let keeps_warnings = match &prepared.statement.kind {
            StatementKind::Set(_) => true,
            StatementKind::Show(show) => {
                use ast::ShowKind::{Count, Errors, Warnings};
                matches!(show.kind, Warnings { .. } | Errors { .. } | Count { .. })
            }
            _ => false,
        };
        if !keeps_warnings {
            self.state().clear_warnings();
        }
        let context = Rc::new(Context::new(self.catalog.clone(), params.clone()));
        self.begin_work(&context);
        self.start_in_context(prepared, context)
    }

    /// A statement begins to run in this context.
    pub(super) fn begin_work(&self, context: &Rc<Context>) {
        self.state().calculated_rows.set(None);
        self.state().sleep_microseconds.set(0);
        self.catalog.transaction.runs(context);
    }

    /// Starts a statement whose parameters, or variables of a stored program, are in the context.
    pub(crate) fn start_in_context(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        match &prepared.statement.kind {
            StatementKind::Query(query) => self.start_query(prepared, query, context),
            _ => (self.start_other)(self, prepared, context),
        }
    }

    /// Reads and starts one statement without parameters.
    pub fn query(&self, sql: &str) -> Result<Cursor> {
        let prepared = loop {
            match self.prepare(sql) {
                // A caller of this has no other turns to give.
                Err(error) if error.is_wait() => {}
                prepared => break prepared,
            }
        };
        match prepared {
            // Nothing but comments is a statement that does nothing.
            Err(error) if error.errno == EMPTY => {
                let context = Context::new(self.catalog.clone(), Vec::new());
                Ok(Cursor::of_effect(0, Rc::new(context)))
            }
            prepared => {
                let prepared = prepared?;
                self.execute(&prepared, &[])
            }
        }
    }
}

/// What a statement of a client is about to do.
fn intent_of(prepared: &Prepared, rules: Rules) -> Intent {
    match prepared.statement.kind {
        StatementKind::Query(_) if prepared.query_plan(rules).is_some_and(|plan| plan.may_miss()) => Intent::ReadRows,
        StatementKind::Query(_) | StatementKind::Show(_) | StatementKind::Describe(_) | StatementKind::Use(_) => {
            Intent::Read
        }
        StatementKind::Start(_) => Intent::Begin,
        StatementKind::Commit(_) => Intent::Commit,
        StatementKind::Rollback(_) => Intent::RollBack,
        _ if prepared.is_small_change() => Intent::ChangeRows,
        _ => Intent::Other,
    }
}
