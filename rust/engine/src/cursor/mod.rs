//! Cursor: a running statement.

mod step;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;

use parse::ast::IntoTarget;
use value::Value;

use crate::batch::{BATCH_BYTES, BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::exec::{Poll, Source};
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::transaction::{Mark, Next};
use crate::vector::VectorBuilder;

pub use step::{Effect, Outcome, Procedure, ProcedureStep, Progress, Step, Summary};

/// Columns, rows and summary of a statement that has ended.
pub type Collected = (Rc<[ResultColumn]>, Vec<Vec<Value<'static>>>, Summary);

/// How many times a value is in memory until it is sent: in the batch, and in the message while that grows.
const SENT_COPIES: usize = 4;

/// A statement that runs. Dropping it ends it.
pub struct Cursor {
    columns: Rc<[ResultColumn]>,
    state: State,
    context: Rc<Context>,
    rows: u64,
    affected: Option<u64>,
    /// What ROW_COUNT() tells instead of them.
    row_count: Option<i8>,
    /// The last insert id for the client; LAST_INSERT_ID() keeps that of an earlier statement.
    last_insert_id: u64,
    /// SELECT … INTO @variables: the row is kept here instead of being given.
    into: Option<Vec<IntoTarget>>,
    info: Option<String>,
    /// The statement is a whole one: where to go back to when it fails; with autocommit it is committed before it tells
    /// anything.
    ends: Option<Mark>,
    /// SLEEP keeps it from going on; a statement within another one leaves that to the outer one.
    sleeps: bool,
    asleep: Option<Asleep>,
    /// What runs the statement counts the work of a call.
    is_in_script: bool,
    /// A large batch, and how many of its rows were given.
    large: Option<(Batch, usize)>,
    /// The transaction is committed with the statement, also an explicit one.
    commits: bool,
}

/// A cursor that is to go on at a moment of the host's clock, and with what.
struct Asleep {
    until_microseconds: i64,
    then: Option<Batch>,
}

enum State {
    Effect(Box<dyn Effect>),
    Running(Source),
    Rows(VecDeque<Batch>),
    One(Batch),
    Procedure(Box<dyn Procedure>),
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
            return Err(SqlError::general("The used SELECT statements have a different number of columns"));
        }
        let affected = into.is_some().then_some(0);
        let columns = if into.is_some() { Rc::from([]) } else { columns };
        let mut cursor = Cursor::new(columns, State::Running(source), affected, context);
        cursor.into = into;
        Ok(cursor)
    }

    fn new(columns: Rc<[ResultColumn]>, state: State, affected: Option<u64>, context: Rc<Context>) -> Cursor {
        Cursor {
            columns,
            state,
            context,
            rows: 0,
            affected,
            row_count: None,
            last_insert_id: 0,
            into: None,
            info: None,
            ends: None,
            sleeps: false,
            asleep: None,
            is_in_script: false,
            large: None,
            commits: false,
        }
    }

    /// The same as a statement of a client, which really waits.
    pub(crate) fn honor_sleep(mut self) -> Cursor {
        self.sleeps = true;
        self
    }

    /// The same as a statement of a script, several of which may run in one call.
    pub(crate) fn in_script(mut self) -> Cursor {
        self.is_in_script = true;
        self
    }

    /// Rows that are known already: SHOW, DESCRIBE.
    pub(crate) fn of_rows(columns: Vec<ResultColumn>, rows: Vec<Vec<Value<'static>>>, context: Rc<Context>) -> Cursor {
        let width = columns.len();
        Cursor::new(columns.into(), State::Rows(batches(width, rows)), None, context)
    }

    /// A statement that changes something, not begun yet.
    pub(crate) fn of_running(effect: Box<dyn Effect>, context: Rc<Context>) -> Cursor {
        Cursor::new(Rc::from([]), State::Effect(effect), Some(0), context)
    }

    /// A statement that has changed something already.
    pub(crate) fn of_outcome(outcome: Outcome, context: Rc<Context>) -> Cursor {
        let mut cursor = Cursor::new(Rc::from([]), State::Done, Some(0), context);
        cursor.take_outcome(outcome);
        cursor
    }

    /// One batch that is there already, or none.
    pub(crate) fn of_batch(columns: Rc<[ResultColumn]>, batch: Option<Batch>, context: Rc<Context>) -> Cursor {
        Cursor::new(columns, batch.map_or(State::Done, State::One), None, context)
    }

    /// A statement that gives no rows and is done.
    pub(crate) fn of_effect(affected: u64, context: Rc<Context>) -> Cursor {
        Cursor::new(Rc::from([]), State::Done, Some(affected), context)
    }

    /// The same as a whole statement; `mark` is what it goes back to when it fails, `row_count` what ROW_COUNT() returns of one that is
    /// not about rows.
    pub(crate) fn ending_statement(mut self, mark: Mark, commits: bool, row_count: Option<i8>) -> Cursor {
        self.ends = Some(mark);
        self.commits = commits;
        self.row_count = self.row_count.or(row_count);
        self
    }

    /// A procedure. It has no columns before it gives a result.
    pub(crate) fn of_procedure(procedure: Box<dyn Procedure>, context: Rc<Context>) -> Cursor {
        Cursor::new(Rc::from([]), State::Procedure(procedure), None, context)
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
        self.step(fuel).map_err(|error| self.context.catalog.located(error))
    }

    fn step(&mut self, fuel: i64) -> Result<Step> {
        self.context.refuel(fuel);
        if self.sleeps && !self.is_in_script {
            self.context.session.work.begin_call();
        }
        loop {
            if let Some((batch, given)) = self.large.take() {
                return Ok(Step::Batch(self.part_of(batch, given)?));
            }
            if let Some(milliseconds) = self.sleeps_for() {
                return Ok(self.pausing(Step::Sleep(milliseconds)));
            }
            let batch = match self.asleep.take() {
                Some(asleep) => asleep.then,
                None => {
                    let batch = match self.pull(fuel)? {
                        ControlFlow::Continue(batch) => batch,
                        ControlFlow::Break(step) => return Ok(self.pausing(step)),
                    };
                    let microseconds = if self.sleeps { self.context.session.sleep_microseconds.take() } else { 0 };
                    if microseconds > 0 {
                        let now = self.context.session.host.now_microseconds();
                        let until_microseconds = now.saturating_add_unsigned(microseconds);
                        self.asleep = Some(Asleep { until_microseconds, then: batch });
                        continue;
                    }
                    batch
                }
            };
            let Some(batch) = batch else {
                self.state = State::Done;
                return Ok(if self.end_statement()? { Step::Done(self.summary()) } else { Step::Wait });
            };
            self.rows += batch.rows as u64;
            if self.into.is_none() {
                let batch = self.part_of(batch, 0)?;
                let step = Step::Batch(batch);
                return Ok(if matches!(self.state, State::Running(_)) { self.pausing(step) } else { step });
            }
            self.keep_in_variables(&batch)?;
        }
    }

    /// The rows of a batch after the first `given`, as many as make a page; the others come next.
    fn part_of(&mut self, batch: Batch, given: usize) -> Result<Batch> {
        let rows = batch.rows_within(BATCH_BYTES, given);
        if rows == 1
            && let Err(error) = self.context.needs(batch.memory_bytes(), SENT_COPIES)
        {
            return Err(self.failed(error));
        }
        if (given, rows) == (0, batch.rows) {
            return Ok(batch);
        }
        let part = batch.slice(given, rows);
        if given + rows < batch.rows {
            self.large = Some((batch, given + rows));
        }
        Ok(part)
    }

    /// Yields to other statements. Evaluates NOW() before yielding, so that it stays fixed for the statement.
    fn pausing(&self, step: Step) -> Step {
        self.context.now();
        step
    }

    /// The milliseconds that are left of a SLEEP.
    fn sleeps_for(&self) -> Option<u32> {
        let left = self.asleep.as_ref()?.until_microseconds - self.context.session.host.now_microseconds();
        (left > 0).then(|| u32::try_from(left.div_euclid(1000) + 1).unwrap_or(u32::MAX))
    }

    /// The next batch of what runs, `None` at its end; or a step to tell at once.
    fn pull(&mut self, fuel: i64) -> Result<ControlFlow<Step, Option<Batch>>> {
        if let State::Effect(_) | State::Running(_) | State::Procedure(_) = &self.state
            && let Err(error) = self.context.session.check_memory(0)
        {
            return Err(self.failed(error));
        }
        if let State::Effect(effect) = &mut self.state {
            match effect.next(&self.context) {
                Ok(Progress::Yield) => return Ok(ControlFlow::Break(Step::Yield)),
                Ok(Progress::Done(outcome)) => self.take_outcome(outcome),
                Err(error) if error.is_wait() => return Ok(ControlFlow::Break(Step::Wait)),
                Err(error) => return Err(self.failed(error)),
            }
        }
        if !matches!(self.state, State::Running(_)) && !self.end_statement()? {
            return Ok(ControlFlow::Break(Step::Wait));
        }
        let batch = match &mut self.state {
            State::Running(source) => match source.next(&self.context) {
                Ok(Poll::Batch(batch)) => Some(batch),
                Ok(Poll::Yield) => return Ok(ControlFlow::Break(Step::Yield)),
                Ok(Poll::Done) => None,
                Err(error) => return Err(self.failed(error)),
            },
            State::Rows(batches) => batches.pop_front(),
            State::One(_) => match std::mem::replace(&mut self.state, State::Done) {
                State::One(batch) => Some(batch),
                _ => None,
            },
            State::Procedure(procedure) => match procedure.next(fuel) {
                Ok(ProcedureStep::Result(columns)) => {
                    (self.columns, self.rows) = (columns, 0);
                    return Ok(ControlFlow::Break(Step::Result));
                }
                Ok(ProcedureStep::Batch(batch)) => Some(batch),
                Ok(ProcedureStep::Yield) => return Ok(ControlFlow::Break(Step::Yield)),
                Ok(ProcedureStep::Wait) => return Ok(ControlFlow::Break(Step::Wait)),
                Ok(ProcedureStep::Done(told)) => {
                    self.affected = told.map(|(affected, _)| affected);
                    self.last_insert_id = told.map_or(0, |(_, id)| id);
                    None
                }
                Err(error) => return Err(self.failed(error)),
            },
            State::Effect(_) | State::Done => None,
        };
        Ok(ControlFlow::Continue(batch))
    }

    /// SELECT … INTO: the row goes to variables.
    fn keep_in_variables(&mut self, batch: &Batch) -> Result<()> {
        if self.rows > 1 {
            return Err(self.failed(SqlError::general("Result consisted of more than one row")));
        }
        if let Err(error) = self.context.needs(batch.memory_bytes(), 1) {
            return Err(self.failed(error));
        }
        for (at, target) in self.into.iter().flatten().enumerate() {
            if let IntoTarget::User(name) = target {
                self.context.session.set_user_variable(&name.text, batch.value(at, 0).into_owned());
            }
        }
        self.affected = Some(1);
        Ok(())
    }

    /// Everything at once; for tests and small results. Of a procedure's results the last one, as the reference gives it.
    pub fn collect(mut self) -> Result<Collected> {
        let mut rows = Vec::new();
        loop {
            match self.next(i64::MAX)? {
                Step::Batch(batch) => rows.extend((0..batch.rows).map(|row| batch.row(row))),
                Step::Result => rows.clear(),
                Step::Yield | Step::Wait => {}
                // There is no waiting here.
                Step::Sleep(_) => self.wake(),
                Step::Done(summary) => return Ok((self.columns.clone(), rows, summary)),
            }
        }
    }

    /// Ends a SLEEP early.
    fn wake(&mut self) {
        if let Some(asleep) = &mut self.asleep {
            asleep.until_microseconds = 0;
        }
    }

    /// What a finished effect tells.
    fn take_outcome(&mut self, outcome: Outcome) {
        self.last_insert_id = outcome.told_id.unwrap_or(0);
        if let Some(matched) = outcome.matched {
            self.context.session.found_rows.set(matched);
        }
        if outcome.is_truncation {
            self.row_count = Some(0);
        }
        self.state = State::Done;
        self.affected = Some(outcome.affected);
        self.info = outcome.info;
        if let Some((columns, rows)) = outcome.rows {
            self.state = State::Rows(batches(columns.len(), rows));
            self.columns = columns.into();
            self.affected = None;
        }
    }

    /// The end of a whole statement; `false` when the host has to do something first.
    fn end_statement(&mut self) -> Result<bool> {
        if self.ends.is_none() {
            return Ok(true);
        }
        let transaction = &self.context.catalog.transaction;
        let ended = match self.commits {
            true => transaction.commit_and_continue(Next::WithNextStatement),
            false => transaction.end_statement(),
        };
        match ended {
            Ok(()) => {
                self.ends = None;
                Ok(true)
            }
            Err(error) if error.is_wait() => Ok(false),
            Err(error) => {
                // The transaction may be open still, as it was before the statement.
                if let Some(mark) = self.ends.take().filter(|_| error.is_interruption()) {
                    transaction.restore(&mark);
                }
                self.state = State::Done;
                Err(error)
            }
        }
    }

    /// Takes back what the statement has done.
    fn failed(&mut self, error: SqlError) -> SqlError {
        self.state = State::Done;
        if let Some(mark) = self.ends.take() {
            let transaction = &self.context.catalog.transaction;
            if !error.keeps_changes() {
                transaction.restore(&mark);
            }
            // There is nothing left to commit.
            if let Err(later) = transaction.end_statement() {
                return later;
            }
        }
        error
    }

    fn summary(&self) -> Summary {
        let session = &self.context.session;
        let rows = session.calculated_rows.take().unwrap_or(self.rows);
        // As in the reference: SHOW and changes leave what the last query has found.
        match (self.row_count, self.affected.filter(|_| self.into.is_none())) {
            (Some(0), _) | (None, Some(_)) => {}
            (_, Some(_)) => session.found_rows.set(1),
            (_, None) => session.found_rows.set(rows),
        }
        let changed = self.affected.filter(|_| self.into.is_none());
        session.row_count.set(self.row_count.map(i64::from).or(changed.map(|rows| rows as i64)).unwrap_or(-1));
        Summary {
            rows: if self.into.is_some() { 0 } else { self.rows },
            affected: self.affected,
            last_insert_id: self.last_insert_id,
            info: self.info.clone(),
            warnings: session.warnings(),
        }
    }
}

/// Rows as batches of columns.
pub(crate) fn batches(width: usize, rows: Vec<Vec<Value<'static>>>) -> VecDeque<Batch> {
    let batch = |rows: &[Vec<Value<'static>>]| {
        let column = |at: usize| {
            let mut column = VectorBuilder::with_capacity(rows.len());
            rows.iter().for_each(|row| column.push(row.get(at).map_or(Value::Null, Value::borrowed)));
            Rc::new(column.finish())
        };
        Batch::new(rows.len(), (0..width).map(column).collect())
    };
    rows.chunks(BATCH_ROWS).map(batch).collect()
}

impl Drop for Cursor {
    /// A statement that is given up halfway has done nothing.
    fn drop(&mut self) {
        if let (State::Effect(_) | State::Done, Some(mark)) = (&self.state, self.ends.take()) {
            self.context.catalog.transaction.restore(&mark);
        }
    }
}
