//! Dolt's procedures: `CALL dolt_commit(…)` and its kin (docs/format/database.md, sections 4, 6 and 10).

mod arguments;
mod call;
mod entry;
mod history;
mod maintenance;
mod remote;
mod working_set;

use std::rc::Rc;

use parse::ast;
use value::Value;

use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::value_alone;
use crate::system_tables::ProcedureHelp;
use call::{Answer, Call};
use entry::{Entry, Work};
use remote::exchange::{Begin, Exchange, STEP_ROWS};

pub use history::rebase_plan::TABLE as REBASE_PLAN;
pub use maintenance::statistics::check_gathering;

/// Those of no folder.
const OTHERS: &[Entry] = &[Entry::new("dolt_thread_dump", thread_dump)];

/// All procedures.
fn entries() -> impl Iterator<Item = &'static Entry> {
    let folders = [history::ENTRIES, maintenance::ENTRIES, remote::ENTRIES, working_set::ENTRIES, &[OTHERS]];
    folders.into_iter().flatten().copied().flatten()
}

/// A procedure by its name, in any case.
fn find(name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.name.eq_ignore_ascii_case(name))
}

/// What `dolt_help` says of procedures.
pub fn help() -> Box<dyn Iterator<Item = ProcedureHelp>> {
    Box::new(entries().filter_map(|entry| entry.help))
}

/// The names of procedures that CALL takes.
pub fn names() -> impl Iterator<Item = &'static str> {
    entries().map(|entry| entry.name)
}

/// `dolt_thread_dump`: there is one thread, and no debugger.
fn thread_dump(_: &Call) -> Result<Answer> {
    Err(SqlError::general("dolt_thread_dump is not supported in the browser"))
}

/// Whether CALL of this name is one of Dolt's procedures, or of ours.
pub fn is_procedure(name: &str) -> bool {
    find(name).is_some()
}

/// Whether CALL of this name counts rows, which is a statement of its own; and whether it waits for that.
pub fn gathering(name: &str) -> Option<bool> {
    match find(name)?.work {
        Work::Gather { waits } => Some(waits),
        _ => None,
    }
}

/// Starts a procedure.
pub fn call(sql: &str, call: &ast::Call, context: Rc<Context>) -> Result<Cursor> {
    let name = &call.name.name;
    let unknown = || SqlError::general(format!("stored procedure \"{}\" does not exist", name.text)).at(name.span);
    let procedure = find(&name.text).ok_or_else(unknown)?;
    let mut values: &[ast::Expr] = &call.arguments;
    let mut hash_into = None;
    if procedure.sets_variable
        && let [first, rest @ ..] = values
    {
        let ast::ExprKind::UserVariable(variable) = &first.kind else {
            return Err(SqlError::general(format!("{} takes a user variable first", procedure.name)).at(first.span));
        };
        (hash_into, values) = (Some(variable.text.clone()), rest);
    }
    let mut arguments = Vec::with_capacity(values.len());
    for argument in values {
        let value = value_alone(sql, argument, &context)?;
        arguments.push(match value {
            Value::Null => String::new(),
            value => value::convert::to_string(&value)?.into_owned(),
        });
    }
    let call = Call::new(context.clone(), arguments);
    let work = match procedure.work {
        Work::Procedure(procedure) => Running::Procedure(procedure),
        Work::Exchange(begin) => Running::Exchange(begin, None),
        Work::Cursor(start) => return start(call, context),
        Work::Gather { .. } => return Err(unknown()),
    };
    Ok(Cursor::of_running(Box::new(Working { call, work, hash_into, answer: None }), context))
}

/// A procedure while it runs: where it has to wait for its commit or the state beside the store, only that is tried again.
struct Working {
    call: Call,
    work: Running,
    hash_into: Option<Box<str>>,
    answer: Option<Answer>,
}

enum Running {
    Procedure(fn(&Call) -> Result<Answer>),
    Exchange(Begin, Option<Box<dyn Exchange>>),
}

impl Working {
    /// Works on; the answer at the end, nothing where the call is over.
    fn work(&mut self, context: &Context) -> Result<Option<Answer>> {
        let call = &self.call;
        match &mut self.work {
            Running::Procedure(procedure) => match call.run(*procedure) {
                Err(_) if call.is_paused() => Ok(None),
                answer => answer.map(Some),
            },
            Running::Exchange(begin, exchange) => {
                let exchange = match exchange {
                    Some(exchange) => exchange,
                    none => none.insert(begin(call)?),
                };
                loop {
                    match exchange.step(call) {
                        Err(_) if call.is_paused() => return Ok(None),
                        Ok(None) => context.spend(STEP_ROWS),
                        answer => return answer,
                    }
                    if context.is_out_of_fuel() {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

impl Effect for Working {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        if self.answer.is_none() {
            self.answer = self.work(context)?;
        }
        let Some(answer) = &self.answer else { return Ok(Progress::Yield) };
        if let Some(next) = answer.commits {
            context.catalog.transaction.commit_and_continue(next)?;
        }
        if let Some((attached, change)) = &answer.changes_state {
            attached.database.change_state(change)?;
        }
        let Some(answer) = self.answer.take() else { return Err(SqlError::internal("a procedure answered nothing")) };
        if let Some((database, branch)) = &answer.moves_to {
            context.catalog.set_branch(database, branch);
        }
        if let Some(error) = answer.error {
            return Err(error.keeping_changes());
        }
        if let (Some(variable), Some(row)) = (&self.hash_into, answer.rows.first()) {
            context.session.set_user_variable(variable, row.first().cloned().unwrap_or(Value::Null));
        }
        Ok(Progress::Done(Outcome { rows: Some((answer.columns, answer.rows)), ..Outcome::default() }))
    }
}
