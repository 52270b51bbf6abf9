//! Interpreter of stored programs, step by step.
//!
//! The whole state of a running program is in fields: a call pushes a frame, a statement is a cursor that is pulled.
//! So the machine can be left after any of them, and nothing recurses.

mod evaluate;
mod handlers;

use std::rc::Rc;

use parse::ast;
use value::{DateTime, Value, truth};

use self::handlers::Block;
use super::call;
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::program::condition::no_data;
use crate::program::{Argument, Embedded, Program, Step, Target};

use crate::cursor::{self, Cursor, Procedure, ProcedureStep};
use crate::session::Session;

/// What one step costs of a statement's fuel, in rows.
const STEP_COST: i64 = 16;

/// The same in steps of the work meter: a step binds and runs a statement, most of the time.
const STEP_WORK: usize = 16 << 10;

/// Calls inside each other.
const FRAMES_MAX: usize = 1024;

/// Machines inside each other: through EXECUTE of a CALL, and triggers. They share the stack, calls do not.
const NESTED_MAX: usize = 24;

/// A running program and those that called it.
pub struct Machine {
    session: Session,
    frames: Vec<Frame>,
    running: Option<Running>,
    /// The rows that the last statement has changed, and the AUTO_INCREMENT value that it tells.
    told: (u64, u64),
    gave_rows: bool,
    /// It runs inside a statement: a trigger.
    trigger: Option<DateTime>,
    /// The variables of the first program, when it has ended.
    values: Rc<Vec<Value<'static>>>,
}

/// A program that runs.
struct Frame {
    program: Rc<Program>,
    /// The step that runs or comes next.
    at: usize,
    values: Rc<Vec<Value<'static>>>,
    blocks: Vec<Block>,
    cursors: Vec<Option<OpenCursor>>,
    /// What the caller's arguments are, for what comes back.
    returns: Vec<(usize, Target)>,
    /// What the tables of the caller are, if it is not they that the program sees: see [`set_past`](crate::catalog::Catalog::set_past).
    past: Option<Option<Value<'static>>>,
    /// The database that its CALL named: calls in it that name none find their procedures there.
    found_in: Option<Rc<str>>,
}

struct OpenCursor {
    cursor: Cursor,
    batch: Option<Batch>,
    row: usize,
}

/// A statement of the program that runs now.
struct Running {
    cursor: Cursor,
    purpose: Purpose,
}

enum Purpose {
    /// Rows go to the client.
    Give(Given),
    /// The value of an expression, for the step.
    Value(Option<Value<'static>>),
    /// At most one row, for the variables of the step.
    Into(Option<Vec<Value<'static>>>),
}

/// What the client has of a statement's result.
enum Given {
    /// Nothing: a statement that changes something has its columns when it is done.
    Nothing,
    /// The columns, and these rows come next.
    Columns(Option<Batch>),
}

impl Machine {
    /// A machine that is about to run `program` with values for its parameters, over the tables of the past where that is given.
    pub fn new(
        session: Session,
        program: Rc<Program>,
        arguments: Vec<Value<'static>>,
        returns: Vec<(usize, Target)>,
        past: Option<Value<'static>>,
        found_in: Option<Rc<str>>,
    ) -> Result<Machine> {
        let mut machine = Machine::idle(session);
        machine.enter(program, arguments, returns, past, found_in)?;
        Ok(machine)
    }

    fn idle(session: Session) -> Machine {
        let (frames, values) = (Vec::new(), Rc::default());
        Machine { session, frames, running: None, told: (0, 0), gave_rows: false, trigger: None, values }
    }

    /// Runs the program of a trigger to its end; `values` are those of its first variables, and what became of them is
    /// given back, with the others behind. `now` is when the enclosing statement began.
    pub fn run_trigger(
        session: &Session,
        program: &Rc<Program>,
        mut values: Vec<Value<'static>>,
        now: DateTime,
    ) -> Result<Vec<Value<'static>>> {
        let mut machine = Machine::idle(session.twin());
        machine.trigger = Some(now);
        let others = program.variables.iter().skip(values.len());
        values.extend(others.map(|variable| variable.initial.clone()));
        machine.frames.push(Frame {
            program: program.clone(),
            at: 0,
            values: Rc::new(values),
            blocks: Vec::new(),
            cursors: program.cursors.iter().map(|_| None).collect(),
            returns: Vec::new(),
            past: None,
            found_in: None,
        });
        loop {
            match machine.next(i64::MAX)? {
                ProcedureStep::Done(_) => return Ok(Rc::unwrap_or_clone(std::mem::take(&mut machine.values))),
                // Rows that a trigger selects go nowhere.
                ProcedureStep::Result(_) | ProcedureStep::Batch(_) | ProcedureStep::Yield => {}
                ProcedureStep::Wait => return Err(SqlError::internal("a trigger that waits")),
            }
        }
    }

    fn enter(
        &mut self,
        program: Rc<Program>,
        arguments: Vec<Value<'static>>,
        returns: Vec<(usize, Target)>,
        past: Option<Value<'static>>,
        found_in: Option<Rc<str>>,
    ) -> Result<()> {
        if self.frames.len() >= FRAMES_MAX {
            let text = format!("Recursive limit {FRAMES_MAX} was exceeded for a stored procedure");
            return Err(SqlError::general(text));
        }
        let mut values: Vec<Value<'static>> =
            program.variables.iter().map(|variable| variable.initial.clone()).collect();
        for ((slot, variable), argument) in values.iter_mut().zip(&program.variables).zip(arguments) {
            *slot = argument_of(&argument, &variable.ty)?;
        }
        let cursors = program.cursors.iter().map(|_| None).collect();
        let values = Rc::new(values);
        let past = past.map(|past| self.session.catalog().set_past(Some(past)));
        let frame = Frame { program, at: 0, values, blocks: Vec::new(), cursors, returns, past, found_in };
        self.frames.push(frame);
        Ok(())
    }

    fn run(&mut self, fuel: i64) -> Result<ProcedureStep> {
        let mut left = fuel;
        loop {
            if left <= 0 || (self.trigger.is_none() && self.session.state().is_call_over()) {
                return Ok(ProcedureStep::Yield);
            }
            match self.step(left) {
                Ok(Some(progress)) => return Ok(progress),
                Ok(None) => {
                    left -= STEP_COST;
                    self.session.state().work.spend(STEP_WORK);
                    // A trigger cannot stop halfway.
                    self.session.state().check_interruption()?;
                }
                Err(error) if error.is_wait() => return Ok(ProcedureStep::Wait),
                Err(error) => {
                    let error = self.session.state().reported(error);
                    if error.is_interruption() {
                        return Err(error);
                    }
                    self.raise(error)?;
                }
            }
        }
    }

    fn frame(&mut self) -> Result<&mut Frame> {
        self.frames.last_mut().ok_or_else(|| SqlError::internal("a stored program without frame"))
    }

    fn step(&mut self, fuel: i64) -> Result<Option<ProcedureStep>> {
        if self.running.is_some() {
            return self.pull(fuel);
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(ProcedureStep::Done((!self.gave_rows).then_some(self.told))));
        };
        let program = frame.program.clone();
        let Some(step) = program.steps.get(frame.at) else {
            self.return_from_frame()?;
            return Ok(None);
        };
        match step {
            Step::Enter { cursors } => {
                frame.cursors[cursors.clone()].iter_mut().for_each(|cursor| *cursor = None);
                frame.blocks.push(Block::default());
                frame.at += 1;
            }
            Step::Exit => {
                frame.blocks.pop();
                frame.at += 1;
            }
            Step::Jump { to, leave } => {
                let left = frame.blocks.len().saturating_sub(*leave);
                frame.blocks.truncate(left);
                frame.at = *to;
            }
            Step::Handle { handler, behind } => {
                let block =
                    frame.blocks.last_mut().ok_or_else(|| SqlError::internal("a handler outside of a block"))?;
                block.handlers.push(*handler);
                frame.at = *behind;
            }
            Step::EndHandler => frame.end_handler(),
            Step::Declare { slot, value: None } => {
                Rc::make_mut(&mut frame.values)[*slot] = program.variables[*slot].initial.clone();
                frame.at += 1;
            }
            Step::Declare { value: Some(value), .. } | Step::Assign { value, .. } => {
                return self.begin_value(value);
            }
            Step::Test { condition, .. } => return self.begin_value(condition),
            Step::Run(embedded) => return self.give(embedded),
            Step::SelectInto { query, targets } => {
                let cursor = self.start(query)?;
                if cursor.columns().len() != targets.len() {
                    let text = "The used SELECT statements have a different number of columns";
                    return Err(SqlError::general(text));
                }
                self.running = Some(Running { cursor, purpose: Purpose::Into(None) });
            }
            Step::Call { statement, name, .. } if crate::procedures::is_procedure(&name.name.text) => {
                return self.give(statement);
            }
            Step::Call { statement, name, arguments, as_of } => {
                self.call(statement, name, arguments, as_of.as_ref())?;
            }
            Step::Open(cursor) => self.open(&program, *cursor)?,
            Step::Fetch { cursor, targets } => return self.fetch(*cursor, targets, fuel),
            Step::Close(cursor) => {
                frame.cursors[*cursor].take().ok_or_else(|| not_open(&program, *cursor))?;
                frame.at += 1;
            }
            Step::Raise(raise) => return Err(self.raised(raise)?),
            Step::CaseNotFound => {
                return Err(SqlError::new(1339, "Case not found for CASE statement").in_state(*b"20000"));
            }
        }
        Ok(None)
    }

    /// Begins another program, which is defined in SQL.
    fn call(
        &mut self,
        statement: &Embedded,
        name: &ast::ObjectName,
        arguments: &[Argument],
        as_of: Option<&ast::Expr>,
    ) -> Result<()> {
        let database = name.database.as_ref().map(|database| Rc::from(&*database.text));
        let database = database.or_else(|| self.frames.last().and_then(|frame| frame.found_in.clone()));
        let program = call::find(&self.session, database.as_deref(), &name.name.text)?;
        call::check_count(&name.name.text, &program, arguments.len())?;
        let past = crate::names::revision(as_of, &self.context(&statement.locals))?;
        let (mut values, mut returns) = (Vec::new(), Vec::new());
        for (slot, (argument, mode)) in arguments.iter().zip(&program.parameters).enumerate() {
            values.push(match mode {
                ast::ParameterMode::Out => Value::Null,
                _ => self.value_now(&argument.value)?,
            });
            if let (ast::ParameterMode::Out | ast::ParameterMode::InOut, Some(target)) = (mode, &argument.target) {
                returns.push((slot, target.clone()));
            }
        }
        self.enter(program, values, returns, past, database)
    }

    fn open(&mut self, program: &Program, cursor: usize) -> Result<()> {
        let (name, query) = &program.cursors[cursor];
        if self.frame()?.cursors[cursor].is_some() {
            return Err(SqlError::general(format!("cursor '{name}' is already open")));
        }
        let opened = self.start(query)?;
        let frame = self.frame()?;
        frame.cursors[cursor] = Some(OpenCursor { cursor: opened, batch: None, row: 0 });
        frame.at += 1;
        Ok(())
    }

    /// Starts a statement whose rows go to the client.
    fn give(&mut self, embedded: &Embedded) -> Result<Option<ProcedureStep>> {
        let cursor = self.start(embedded)?;
        let columns = cursor.columns().clone();
        let is_known = !columns.is_empty();
        let given = if is_known { Given::Columns(None) } else { Given::Nothing };
        self.running = Some(Running { cursor, purpose: Purpose::Give(given) });
        self.gave_rows |= is_known;
        Ok(is_known.then_some(ProcedureStep::Result(columns)))
    }

    /// Pulls the statement that runs.
    fn pull(&mut self, fuel: i64) -> Result<Option<ProcedureStep>> {
        let Some(Running { cursor, purpose }) = &mut self.running else { return Ok(None) };
        if let Purpose::Give(Given::Columns(held)) = purpose
            && let Some(batch) = held.take()
        {
            return Ok(Some(ProcedureStep::Batch(batch)));
        }
        let step = cursor.next(fuel)?;
        if let (Purpose::Give(given @ Given::Nothing), cursor::Step::Batch(_) | cursor::Step::Done(_)) =
            (&mut *purpose, &step)
            && !cursor.columns().is_empty()
        {
            let columns = cursor.columns().clone();
            *given = Given::Columns(if let cursor::Step::Batch(batch) = step { Some(batch) } else { None });
            self.gave_rows = true;
            return Ok(Some(ProcedureStep::Result(columns)));
        }
        match step {
            cursor::Step::Yield | cursor::Step::Sleep(_) => return Ok(Some(ProcedureStep::Yield)),
            cursor::Step::Wait => return Ok(Some(ProcedureStep::Wait)),
            // A procedure that a prepared statement called gives more than one result.
            cursor::Step::Result => {
                self.gave_rows = true;
                return Ok(Some(ProcedureStep::Result(cursor.columns().clone())));
            }
            cursor::Step::Batch(batch) => match purpose {
                Purpose::Give(_) => return Ok(Some(ProcedureStep::Batch(batch))),
                Purpose::Value(value) => {
                    if batch.rows > 0 {
                        *value = Some(batch.value(0, 0).into_owned());
                    }
                    return Ok(None);
                }
                Purpose::Into(row) => {
                    if row.is_some() || batch.rows > 1 {
                        let text = "Result consisted of more than one row";
                        return Err(SqlError::general(text));
                    }
                    *row = Some(batch.row(0));
                    return Ok(None);
                }
            },
            cursor::Step::Done(summary) => {
                if let Some(affected) = summary.affected {
                    self.told = (affected, summary.last_insert_id);
                }
            }
        }
        let purpose = self.running.take().map(|running| running.purpose);
        match purpose {
            Some(Purpose::Value(value)) => self.take_value(value.unwrap_or(Value::Null))?,
            Some(Purpose::Into(Some(row))) => {
                let frame = self.frame()?;
                let program = frame.program.clone();
                if let Some(Step::SelectInto { targets, .. }) = program.steps.get(frame.at) {
                    self.store(targets, row)?;
                }
                self.frame()?.at += 1;
            }
            Some(Purpose::Into(None)) => {
                let nothing = no_data();
                if self.catching(&nothing).is_some() {
                    return Err(nothing);
                }
                self.session.state().warn(nothing.errno, nothing.into_message());
                self.frame()?.at += 1;
            }
            Some(Purpose::Give(_)) | None => self.frame()?.at += 1,
        }
        Ok(None)
    }

    /// A value for the step that asked for one.
    fn take_value(&mut self, value: Value<'static>) -> Result<()> {
        let frame = self.frame()?;
        let program = frame.program.clone();
        match program.steps.get(frame.at) {
            Some(Step::Declare { slot, .. } | Step::Assign { slot, .. }) => {
                Rc::make_mut(&mut frame.values)[*slot] = assigned(&value, &program.variables[*slot].ty)?;
                frame.at += 1;
            }
            Some(Step::Test { otherwise, .. }) => {
                frame.at = if truth(&value) == Some(true) { frame.at + 1 } else { *otherwise };
            }
            _ => return Err(SqlError::internal("a value that no step wants")),
        }
        Ok(())
    }

    fn fetch(&mut self, cursor: usize, targets: &[Target], fuel: i64) -> Result<Option<ProcedureStep>> {
        let frame = self.frame()?;
        let program = frame.program.clone();
        let open = frame.cursors[cursor].as_mut().ok_or_else(|| not_open(&program, cursor))?;
        loop {
            if let Some(batch) = open.batch.as_ref().filter(|batch| open.row < batch.rows) {
                let row = batch.row(open.row);
                open.row += 1;
                if row.len() != targets.len() {
                    return Err(SqlError::general("incorrect number of FETCH variables"));
                }
                self.store(targets, row)?;
                self.frame()?.at += 1;
                return Ok(None);
            }
            match open.cursor.next(fuel)? {
                cursor::Step::Batch(batch) => (open.batch, open.row) = (Some(batch), 0),
                cursor::Step::Yield | cursor::Step::Sleep(_) => return Ok(Some(ProcedureStep::Yield)),
                cursor::Step::Wait => return Ok(Some(ProcedureStep::Wait)),
                cursor::Step::Result => {}
                cursor::Step::Done(_) => {
                    open.batch = None;
                    return Err(no_data());
                }
            }
        }
    }

    fn store(&mut self, targets: &[Target], row: Vec<Value<'static>>) -> Result<()> {
        for (target, value) in targets.iter().zip(row) {
            self.assign(target, value)?;
        }
        Ok(())
    }

    fn assign(&mut self, target: &Target, value: Value<'static>) -> Result<()> {
        match target {
            Target::User(name) => self.session.state().set_user_variable(name, value),
            Target::Local(slot) => {
                let frame = self.frame()?;
                let value = assigned(&value, &frame.program.variables[*slot].ty)?;
                Rc::make_mut(&mut frame.values)[*slot] = value;
            }
        }
        Ok(())
    }

    /// Ends the innermost program, and gives its caller what comes back.
    fn return_from_frame(&mut self) -> Result<()> {
        let Some(frame) = self.leave_frame() else { return Ok(()) };
        for (slot, target) in &frame.returns {
            self.assign(target, frame.values[*slot].clone())?;
        }
        if let Some(caller) = self.frames.last_mut() {
            caller.at += 1;
        }
        Ok(())
    }

    /// Ends the innermost program. The variables of the outermost one are what the statement leaves.
    fn leave_frame(&mut self) -> Option<Frame> {
        let mut frame = self.frames.pop()?;
        if let Some(before) = frame.past.take() {
            self.session.catalog().set_past(before);
        }
        if self.frames.is_empty() {
            self.values = frame.values.clone();
        }
        Some(frame)
    }
}

impl Procedure for Machine {
    /// Goes on for about `fuel` rows.
    ///
    /// # Errors
    /// What no handler caught; the program is over then.
    fn next(&mut self, fuel: i64) -> Result<ProcedureStep> {
        let state = self.session.state().clone();
        let depth = state.running_programs.get();
        if depth >= NESTED_MAX {
            let text = format!("Recursive limit {NESTED_MAX} was exceeded for a stored program");
            return Err(SqlError::general(text));
        }
        state.running_programs.set(depth + 1);
        let progress = self.run(fuel);
        state.running_programs.set(depth);
        progress
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        while self.leave_frame().is_some() {}
    }
}

fn not_open(program: &Program, cursor: usize) -> SqlError {
    SqlError::general(format!("cursor '{}' is not open", program.cursors[cursor].0))
}

/// A value as a parameter takes it: text that is too long is refused there.
fn argument_of(value: &Value<'_>, ty: &value::SqlType) -> Result<Value<'static>> {
    value::convert::assign(value, ty).map_err(|error| match error {
        value::ValueError::TooLong { value } => {
            let ty = crate::catalog::create_table::shown_type(ty, value::Collation::UTF8MB4_0900_BIN);
            SqlError::general(format!("string '{value}' is too large for column '{ty}'"))
        }
        error => error.into(),
    })
}

/// A value as a variable keeps it. Text that is too long stays whole, as in the reference.
fn assigned(value: &Value<'_>, ty: &value::SqlType) -> Result<Value<'static>> {
    match value::convert::assign(value, ty) {
        Err(value::ValueError::TooLong { .. }) if ty.is_text() => Ok(value.clone().into_owned()),
        assigned => Ok(assigned?),
    }
}
