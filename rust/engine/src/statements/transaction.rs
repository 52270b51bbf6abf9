//! START TRANSACTION, COMMIT, ROLLBACK and savepoints.

use std::rc::Rc;

use parse::ast::{self, StatementKind};

use crate::error::Result;
use crate::expr::Context;
use crate::session::{Cursor, Effect, Outcome, Progress};

/// A statement about transactions, as it is run and run again while the host has to wait.
struct Control(StatementKind);

pub fn run(kind: &StatementKind, context: Rc<Context>) -> Cursor {
    Cursor::of_running(Box::new(Control(kind.clone())), context)
}

impl Effect for Control {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let transaction = &context.catalog.transaction;
        match &self.0 {
            StatementKind::Start(start) => {
                transaction.commit()?;
                transaction.begin(start.read_only == Some(true))?;
            }
            StatementKind::Commit(completion) => {
                transaction.commit()?;
                chain(completion, context)?;
            }
            StatementKind::Rollback(completion) => {
                transaction.rollback();
                chain(completion, context)?;
            }
            StatementKind::Savepoint(name) => transaction.savepoint(&name.text),
            StatementKind::RollbackTo(name) => transaction.rollback_to(&name.text)?,
            StatementKind::ReleaseSavepoint(name) => transaction.release(&name.text)?,
            _ => {}
        }
        Ok(Progress::Done(Outcome::default()))
    }
}

/// AND CHAIN: another transaction begins at once.
fn chain(completion: &ast::Completion, context: &Rc<Context>) -> Result<()> {
    let transaction = &context.catalog.transaction;
    if completion.chain { transaction.begin(false) } else { Ok(()) }
}
