//! Triggers: stored programs that run for each row that a statement writes.
//!
//! `NEW.column` and `OLD.column` are variables. A trigger runs inside its statement: what it does is undone with it, and it
//! may not write to a table that an enclosing statement writes to.

use std::rc::Rc;

use parse::ast::{self, StatementKind, TriggerEvent, TriggerTime};
use value::Value;

use super::compile;
use super::define::check_names;
use super::machine::Machine;
use crate::catalog::{BaseTable, Place, Relation};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::program::{Program, TriggerDefinition};
use crate::session::Session;
use crate::state::SessionState;
use crate::write::Writer;

/// Statements inside triggers inside statements; each takes its share of the stack.
const DEPTH_MAX: usize = 16;

/// The triggers of one table for one kind of statement.
pub struct Triggers {
    session: Session,
    /// `database.table`, in lower case.
    table: Box<str>,
    before: Vec<Rc<Program>>,
    after: Vec<Rc<Program>>,
}

/// The row that a trigger sees.
pub enum TriggerRow<'a> {
    Insert(&'a mut Vec<Value<'static>>),
    Update { old: &'a [Value<'static>], new: &'a mut Vec<Value<'static>> },
    Delete(&'a [Value<'static>]),
}

/// How a table is known among those that are written to.
fn table_key(database: &str, table: &str) -> Box<str> {
    format!("{database}.{table}").to_lowercase().into()
}

impl Triggers {
    /// The triggers of a table; `None` where there are none.
    ///
    /// # Errors
    /// What CREATE TRIGGER would say about a body whose names have gone, and 1146 for its tables.
    pub fn of_table(
        session: &Session,
        place: &Place,
        table: &BaseTable,
        event: TriggerEvent,
    ) -> Result<Option<Triggers>> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let (database, name) = table.known_as();
        let known_at = if table.is_nonlocal() { &session.catalog().place(Some(database))? } else { place };
        let all = session.programs().triggers(session.catalog(), known_at, &known_at.root()?, name)?;
        for (text, trigger) in ordered(all) {
            if trigger.event != event {
                continue;
            }
            let program = compile::trigger(text, &trigger, table.columns()).and_then(|program| {
                check_names(session, &program, &|_| false)?;
                Ok(Rc::new(program))
            });
            let program = program.map_err(SqlError::elsewhere)?;
            match trigger.time {
                TriggerTime::Before => before.push(program),
                TriggerTime::After => after.push(program),
            }
        }
        if before.is_empty() && after.is_empty() {
            return Ok(None);
        }
        let table = table_key(&place.name, table.name());
        Ok(Some(Triggers { session: session.twin(), table, before, after }))
    }

    /// Whether a table has any for this kind of statement, in the root that a writer began with.
    ///
    /// # Errors
    /// What is wrong with a chunk.
    pub fn exist(session: &Session, writer: &Writer, table: &str, event: TriggerEvent) -> Result<bool> {
        let all = session.programs().triggers(session.catalog(), writer.place(), writer.root(), table)?;
        Ok(all.iter().any(|(_, trigger)| trigger.event == event))
    }

    /// Whether some run before the row is written.
    pub fn run_before(&self) -> bool {
        !self.before.is_empty()
    }

    /// Runs the triggers before the row is written; they may change the new row.
    pub fn before(&self, row: TriggerRow<'_>, context: &Rc<Context>) -> Result<()> {
        self.run(&self.before, row, context)
    }

    /// Runs the triggers after the row was written.
    pub fn after(&self, row: TriggerRow<'_>, context: &Rc<Context>) -> Result<()> {
        self.run(&self.after, row, context)
    }

    fn run(&self, programs: &[Rc<Program>], mut row: TriggerRow<'_>, context: &Rc<Context>) -> Result<()> {
        if programs.is_empty() {
            return Ok(());
        }
        let state = self.session.state();
        if state.written_tables.borrow().len() >= DEPTH_MAX {
            return Err(SqlError::general("triggers call each other too deeply"));
        }
        state.written_tables.borrow_mut().push(self.table.clone());
        let kept = (state.last_insert_id.get(), state.row_count.get(), state.found_rows.get());
        let outcome = programs.iter().try_for_each(|program| {
            let values = row.values();
            let width = match &row {
                TriggerRow::Insert(new) | TriggerRow::Update { new, .. } => new.len(),
                TriggerRow::Delete(_) => 0,
            };
            let mut values = Machine::run_trigger(&self.session, program, values, context.now())?;
            values.truncate(width);
            if let TriggerRow::Insert(new) | TriggerRow::Update { new, .. } = &mut row {
                **new = values;
            }
            Ok(())
        });
        state.written_tables.borrow_mut().pop();
        state.last_insert_id.set(kept.0);
        state.row_count.set(kept.1);
        state.found_rows.set(kept.2);
        outcome
    }
}

impl TriggerRow<'_> {
    /// The columns of NEW, then those of OLD.
    fn values(&self) -> Vec<Value<'static>> {
        match self {
            TriggerRow::Insert(new) => (*new).clone(),
            TriggerRow::Update { old, new } => new.iter().chain(old.iter()).cloned().collect(),
            TriggerRow::Delete(old) => old.to_vec(),
        }
    }
}

/// Triggers as FOLLOWS and PRECEDES put them; one whose other is gone stays behind all.
fn ordered(mut triggers: Vec<TriggerDefinition>) -> Vec<TriggerDefinition> {
    for (text, trigger) in triggers.clone() {
        let Some(order) = &trigger.order else { continue };
        triggers.retain(|(known, _)| !Rc::ptr_eq(known, &text));
        let other = triggers.iter().position(|(_, known)| order.other.is(&known.name.name.text));
        let at = other.map_or(triggers.len(), |other| if order.follows { other + 1 } else { other });
        triggers.insert(at, (text, trigger));
    }
    triggers
}

/// Whether a trigger may run a statement.
///
/// # Errors
/// For a write to a table that a statement around the trigger writes to, a definition, a commit, PREPARE and EXECUTE.
pub fn check_statement(state: &SessionState, statement: &ast::Statement) -> Result<()> {
    let tables: Vec<&ast::ObjectName> = match &statement.kind {
        StatementKind::Insert(insert) => vec![&insert.table],
        StatementKind::Truncate(name) => vec![name],
        StatementKind::Update(update) => written(&update.tables),
        StatementKind::Delete(delete) => written(&delete.from),
        StatementKind::Query(_) | StatementKind::Set(_) | StatementKind::Show(_) | StatementKind::Signal(_) => {
            return Ok(());
        }
        StatementKind::Prepare(_) | StatementKind::Execute(_) | StatementKind::Deallocate(_) => {
            return Err(SqlError::general("Dynamic SQL is not allowed in stored function or trigger"));
        }
        _ => {
            let text = "Explicit or implicit commit is not allowed in stored function or trigger.";
            return Err(SqlError::general(text));
        }
    };
    let current = state.database().unwrap_or_default();
    for table in tables {
        let database = table.database.as_ref().map_or(&*current, |database| &database.text);
        let key = table_key(database, &table.name.text);
        if state.written_tables.borrow().contains(&key) {
            let name = &table.name.text;
            let text = format!(
                "Can't update table {name} in stored function/trigger because it is already used by statement which invoked this stored function/trigger"
            );
            return Err(SqlError::general(text));
        }
    }
    Ok(())
}

/// The tables in a FROM by their names.
fn written(items: &[ast::TableExpr]) -> Vec<&ast::ObjectName> {
    items
        .iter()
        .flat_map(|item| match &item.kind {
            ast::TableExprKind::Table(table) => vec![&table.name],
            ast::TableExprKind::Join(join) => {
                [&join.left, &join.right].into_iter().flat_map(|side| written(std::slice::from_ref(side))).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}
