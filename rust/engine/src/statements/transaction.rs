//! START TRANSACTION, COMMIT, ROLLBACK and savepoints.

use std::rc::Rc;

use parse::ast::{Statement, StatementKind};

use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::Result;
use crate::expr::Context;
use crate::write::MergePoint;

/// A statement about transactions, as it is run and run again while the host has to wait.
struct Control(Rc<Statement>);

pub fn run(statement: &Rc<Statement>, context: Rc<Context>) -> Cursor {
    Cursor::of_running(Box::new(Control(statement.clone())), context)
}

impl Effect for Control {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let transaction = &context.catalog.transaction;
        match &self.0.kind {
            StatementKind::Start(start) => transaction.start_transaction(start.read_only == Some(true))?,
            // The reference reads AND CHAIN and does not do it.
            StatementKind::Commit(_) => {
                if let Some(writer) = transaction.open_writer() {
                    writer.borrow().make_room()?;
                    if !writer.borrow_mut().merge(MergePoint::End, context)? {
                        return Ok(Progress::Yield);
                    }
                }
                transaction.commit_or_defer()?;
            }
            StatementKind::Rollback(_) => transaction.roll_back(),
            StatementKind::Savepoint(name) => transaction.savepoint(&name.text),
            StatementKind::RollbackTo(name) => transaction.rollback_to(&name.text)?,
            StatementKind::ReleaseSavepoint(name) => transaction.release(&name.text)?,
            _ => {}
        }
        Ok(Progress::Done(Outcome::default()))
    }
}
