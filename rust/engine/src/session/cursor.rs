//! A running statement.

use std::collections::VecDeque;
use std::rc::Rc;

use parse::ast::IntoTarget;
use value::Value;

use super::Warning;
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::exec::{Poll, Source};
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::vector::VectorBuilder;

/// What a call of [`Cursor::next`] gave.
#[derive(Debug)]
pub enum Step {
    Batch(Batch),
    /// The fuel is used up; call again.
    Yield,
    Done(Summary),
}

/// What is known when a statement has ended.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Rows given.
    pub rows: u64,
    /// Rows changed; `None` for a statement that gives rows.
    pub affected: Option<u64>,
    pub last_insert_id: u64,
    pub warnings: Vec<Warning>,
}

/// Columns, rows and summary of a statement that has ended.
pub type Collected = (Rc<[ResultColumn]>, Vec<Vec<Value<'static>>>, Summary);

/// A statement that runs. Dropping it ends it.
pub struct Cursor {
    columns: Rc<[ResultColumn]>,
    state: State,
    context: Rc<Context>,
    rows: u64,
    affected: Option<u64>,
    /// SELECT … INTO @variables: the row is kept here instead of being given.
    into: Option<Vec<IntoTarget>>,
}

enum State {
    Running(Source),
    Rows(VecDeque<Batch>),
    One(Batch),
    Done,
}

impl Cursor {
    pub(crate) fn of_query(
        columns: Rc<[ResultColumn]>,
        source: Source,
        context: Rc<Context>,
        into: Option<Vec<IntoTarget>>,
    ) -> Result<Cursor> {
        let width = into.as_ref().map_or(columns.len(), Vec::len);
        if width != columns.len() {
            return Err(SqlError::new(1222, "The used SELECT statements have a different number of columns"));
        }
        let affected = into.is_some().then_some(0);
        let columns = if into.is_some() { Rc::from([]) } else { columns };
        Ok(Cursor { columns, state: State::Running(source), context, rows: 0, affected, into })
    }

    /// Rows that are known already: SHOW, DESCRIBE.
    pub(crate) fn of_rows(columns: Vec<ResultColumn>, rows: Vec<Vec<Value<'static>>>, context: Rc<Context>) -> Cursor {
        let width = columns.len();
        let batches = rows.chunks(BATCH_ROWS).map(|rows| {
            let column = |at: usize| {
                let mut column = VectorBuilder::with_capacity(rows.len());
                rows.iter().for_each(|row| column.push(row.get(at).map_or(Value::Null, Value::borrowed)));
                Rc::new(column.finish())
            };
            Batch::new(rows.len(), (0..width).map(column).collect())
        });
        Cursor {
            columns: columns.into(),
            state: State::Rows(batches.collect()),
            context,
            rows: 0,
            affected: None,
            into: None,
        }
    }

    /// One batch that is there already, or none.
    pub(crate) fn of_batch(columns: Rc<[ResultColumn]>, batch: Option<Batch>, context: Rc<Context>) -> Cursor {
        let state = batch.map_or(State::Done, State::One);
        Cursor { columns, state, context, rows: 0, affected: None, into: None }
    }

    /// A statement that gives no rows and is done.
    pub(crate) fn of_effect(affected: u64, context: Rc<Context>) -> Cursor {
        Cursor { columns: Rc::from([]), state: State::Done, context, rows: 0, affected: Some(affected), into: None }
    }

    /// The columns of the result; none for a statement that gives no rows.
    pub fn columns(&self) -> &Rc<[ResultColumn]> {
        &self.columns
    }

    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// The next rows. `fuel` is about how many rows may be worked on before a [`Step::Yield`].
    ///
    /// # Errors
    /// Any error of execution; the statement is over then.
    pub fn next(&mut self, fuel: i64) -> Result<Step> {
        self.context.refuel(fuel);
        loop {
            let batch = match &mut self.state {
                State::Running(source) => match source.next(&self.context) {
                    Ok(Poll::Batch(batch)) => Some(batch),
                    Ok(Poll::Yield) => return Ok(Step::Yield),
                    Ok(Poll::Done) => None,
                    Err(error) => {
                        self.state = State::Done;
                        return Err(error);
                    }
                },
                State::Rows(batches) => batches.pop_front(),
                State::One(_) => match std::mem::replace(&mut self.state, State::Done) {
                    State::One(batch) => Some(batch),
                    _ => None,
                },
                State::Done => None,
            };
            let Some(batch) = batch else {
                self.state = State::Done;
                return Ok(Step::Done(self.summary()));
            };
            self.rows += batch.rows as u64;
            match &self.into {
                None => return Ok(Step::Batch(batch)),
                Some(targets) => {
                    if self.rows > 1 {
                        self.state = State::Done;
                        return Err(SqlError::new(1172, "Result consisted of more than one row"));
                    }
                    for (at, target) in targets.iter().enumerate() {
                        match target {
                            IntoTarget::User(name) => {
                                self.context.session.set_user_variable(&name.text, batch.value(at, 0).into_owned());
                            }
                            IntoTarget::Local(name) => {
                                return Err(SqlError::unsupported("a local variable in INTO").at(name.span));
                            }
                        }
                    }
                    self.affected = Some(1);
                }
            }
        }
    }

    /// Everything at once; for tests and small results.
    pub fn collect(mut self) -> Result<Collected> {
        let mut rows = Vec::new();
        loop {
            match self.next(i64::MAX)? {
                Step::Batch(batch) => rows.extend((0..batch.rows).map(|row| batch.row(row))),
                Step::Yield => {}
                Step::Done(summary) => return Ok((self.columns.clone(), rows, summary)),
            }
        }
    }

    fn summary(&self) -> Summary {
        let session = &self.context.session;
        session.found_rows.set(self.rows);
        Summary {
            rows: if self.into.is_some() { 0 } else { self.rows },
            affected: self.affected,
            last_insert_id: session.last_insert_id.get(),
            warnings: session.warnings(),
        }
    }
}
