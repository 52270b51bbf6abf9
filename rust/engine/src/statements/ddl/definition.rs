//! Resumable definitions that go over rows, such as a new index: they yield between rows.

use core::future::Future;
use core::pin::Pin;
use core::task::{self, Poll, Waker};
use std::rc::Rc;

use parse::ast::{Statement, StatementKind};

use super::{alter_table, create_table};
use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::Result;
use crate::expr::Context;
use crate::session::Session;

/// Rows that are worked on at once when a statement starts: few definitions need more.
const FIRST_ROWS: i64 = 4096;

/// A definition while it runs. Its functions are `async` for nothing but to stop in the middle, in [`pause`](super::pause):
/// a caller that polls again resumes it, and one that does not drops it. There is no other task and nothing to wait for.
pub struct Definition(pub Pin<Box<dyn Future<Output = Result<Outcome>>>>);

impl Definition {
    /// Begins a statement; most are done then.
    pub fn begin(session: &Session, sql: &str, statement: &Rc<Statement>, context: &Rc<Context>) -> Result<Cursor> {
        let running = define(session.twin(), sql.to_owned(), statement.clone(), context.clone());
        Definition(Box::pin(running)).start(context)
    }

    /// Also for what goes over rows as definitions do.
    pub fn start(mut self, context: &Rc<Context>) -> Result<Cursor> {
        context.refuel(FIRST_ROWS);
        Ok(match self.go_on()? {
            Some(outcome) => Cursor::of_outcome(outcome, context.clone()),
            None => Cursor::of_running(Box::new(self), context.clone()),
        })
    }

    /// What came of it, once it is done.
    fn go_on(&mut self) -> Result<Option<Outcome>> {
        match self.0.as_mut().poll(&mut task::Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome.map(Some),
            Poll::Pending => Ok(None),
        }
    }
}

impl Effect for Definition {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        for attached in context.catalog.engine.databases() {
            let chunks = attached.database.objects().nodes().chunks().clone();
            chunks.make_room().map_err(tree::TreeError::from)?;
        }
        Ok(match self.go_on()? {
            Some(outcome) => Progress::Done(outcome),
            None => Progress::Yield,
        })
    }
}

async fn define(session: Session, sql: String, statement: Rc<Statement>, context: Rc<Context>) -> Result<Outcome> {
    let mut affected = 0;
    match &statement.kind {
        StatementKind::CreateTable(create) => affected = create_table::run(&session, &sql, create, &context).await?,
        StatementKind::AlterTable(alter) => alter_table::run(&session, &sql, alter, &context).await?,
        StatementKind::CreateIndex(create) => alter_table::create_index(&session, &sql, create, &context).await?,
        StatementKind::DropIndex { if_exists, name, table } => {
            alter_table::drop_index(&session, &sql, name, *if_exists, table, &context).await?;
        }
        _ => {}
    }
    Ok(Outcome { affected, ..Outcome::default() })
}
