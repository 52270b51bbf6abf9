//! Evaluation context: what expressions and operators can access while a statement runs.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;
use value::json::JsonPath;
use value::{DateTime, Json, SqlType, Value, Warning};

use super::{ExprType, Locals};
use crate::batch::{BATCH_BYTES, Batch};
use crate::catalog::Catalog;
use crate::error::{Result, SqlError};
use crate::plan::OuterSlot;
use crate::state::{ROW_WORK, SessionState};
use crate::vector::bytes_of;

/// The error of a parameter that has no value yet: while a statement is prepared.
pub const NO_VALUE: u16 = 1210;

/// The longest text that a statement makes of much shorter ones, whatever `max_allowed_packet` says: `REPEAT('a', 1000000000)` fills memory
/// in one call, which nothing stops.
const MADE_BYTES_MAX: usize = 256 << 20;

/// The least that `max_allowed_packet` can be.
const PACKET_BYTES_MIN: usize = 1024;

/// The free memory is checked before larger values are made.
pub const LARGE_BYTES: usize = 1 << 20;

/// An array of a document with its first few values.
const CONTAINER_BYTES: usize = 6 * size_of::<Json>();

/// Fuel of those that cannot stop halfway.
const UNLIMITED: i64 = i64::MAX / 2;

/// Values of `?`, in order.
pub type Params = Rc<Vec<Value<'static>>>;

/// What a statement has while it runs. Shared by all its operators; everything that changes is in cells.
pub struct Context {
    /// What databases and revisions are called, for functions such as `HASHOF`.
    pub catalog: Rc<Catalog>,
    pub session: Rc<SessionState>,
    /// Values of `?`, in order; those of a stored program's variables, which the program goes on with.
    pub params: Params,
    /// See [`Context::now`].
    now: OnceCell<DateTime>,
    /// In a stored program: the variables in sight. Their values are the parameters.
    pub locals: Option<Rc<Locals>>,
    fuel: Cell<i64>,
    /// The plan is a good one for these values of the parameters, and may be a bad one for others.
    pub plans_for_values: Cell<bool>,
    outer: RefCell<Vec<Value<'static>>>,
    rounds: RefCell<HashMap<u32, Rc<Vec<Batch>>>>,
    kept: RefCell<Vec<Kept>>,
    path: RefCell<Option<(Box<str>, Rc<JsonPath>)>>,
}

/// Rows of a common table that several places read, by the very name.
struct Kept {
    name: Rc<str>,
    rows: Rc<dyn Any>,
}

impl Context {
    /// Of a statement that begins now.
    pub fn new(catalog: Rc<Catalog>, params: impl Into<Params>) -> Context {
        Context {
            session: catalog.state.clone(),
            catalog,
            params: params.into(),
            now: OnceCell::new(),
            locals: None,
            fuel: Cell::new(i64::MAX),
            plans_for_values: Cell::new(false),
            outer: RefCell::default(),
            rounds: RefCell::default(),
            kept: RefCell::default(),
            path: RefCell::default(),
        }
    }

    /// As [`Context::new`], of one that began then.
    pub fn at(catalog: Rc<Catalog>, params: impl Into<Params>, now: DateTime) -> Context {
        Context { now: now.into(), ..Context::new(catalog, params) }
    }

    /// When the statement began, UTC. Reading the clock takes longer than finding a row and few statements need it: so it is read on first
    /// use, but before the statement yields.
    #[inline(never)]
    pub fn now(&self) -> DateTime {
        *self.now.get_or_init(|| self.session.now())
    }

    /// What a text means as a path into documents. The last one is remembered: functions are called for row after row with it.
    ///
    /// # Errors
    /// That it is no path.
    pub fn json_path(&self, text: &str) -> Result<Rc<JsonPath>> {
        let mut last = self.path.borrow_mut();
        if let Some((known, path)) = &*last
            && **known == *text
        {
            return Ok(path.clone());
        }
        let path: Rc<JsonPath> = Rc::new(text.parse()?);
        *last = Some((text.into(), path.clone()));
        Ok(path)
    }

    /// The same for a statement of a stored program.
    pub fn with_locals(self, locals: Rc<Locals>) -> Context {
        Context { locals: Some(locals), ..self }
    }

    /// The types of the values for `?`; variables of a stored program have types of their own.
    pub fn parameter_types(&self) -> Vec<ExprType> {
        if self.locals.is_some() { Vec::new() } else { self.params.iter().map(ExprType::of_parameter).collect() }
    }

    /// Whether the values for `?` are of these types; those of a stored program's variables are in the program.
    pub(crate) fn has_parameters(&self, types: &[ExprType]) -> bool {
        self.params.iter().zip(types).all(|(value, ty)| ExprType::of_parameter(value) == *ty)
    }

    /// Allows about `rows` rows of work until the next yield.
    pub fn refuel(&self, rows: i64) {
        self.fuel.set(rows);
    }

    /// What is left until the next yield.
    pub fn fuel(&self) -> i64 {
        self.fuel.get()
    }

    /// Takes note of work done on `rows` rows.
    pub fn spend(&self, rows: usize) {
        self.fuel.set(self.fuel.get().saturating_sub(rows as i64));
        self.session.work.spend(rows.saturating_mul(ROW_WORK as usize));
    }

    /// Takes note of work that is more than what a row costs, in steps of about a nanosecond.
    #[inline]
    pub fn spend_work(&self, steps: usize) {
        self.session.work.spend(steps);
    }

    /// Whether it is time to yield. With unlimited fuel it never is: then the caller cannot stop halfway.
    pub fn is_out_of_fuel(&self) -> bool {
        let fuel = self.fuel.get();
        fuel <= 0 || (fuel < UNLIMITED && self.session.is_call_over())
    }

    /// Asks the host now and then whether the statement is to end; for what works long without a yield.
    ///
    /// # Errors
    /// [`SqlError::is_interruption`].
    #[inline]
    pub fn check(&self) -> Result<()> {
        self.session.check_interruption()
    }

    /// [`Context::spend_work`] and [`Context::check`]: for loops within one value.
    ///
    /// # Errors
    /// As [`Context::check`].
    #[inline]
    pub fn work(&self, steps: usize) -> Result<()> {
        self.spend_work(steps);
        self.check()
    }

    /// Evaluates expressions over a range of rows, which is cut short where it takes long or makes much: an error then that
    /// `SqlError::is_cut`, and the caller comes again with fewer rows. Nothing that `evaluate` has done but warnings may last then.
    pub(crate) fn in_range<T>(&self, rows: usize, evaluate: impl FnOnce() -> Result<T>) -> Result<T> {
        let warnings = self.session.warning_count();
        let outer = self.session.work.begin_range(rows > 1);
        let evaluated = evaluate();
        self.session.work.end_range(outer);
        if evaluated.as_ref().is_err_and(SqlError::is_cut) {
            self.session.truncate_warnings(warnings);
        }
        evaluated
    }

    /// After `done` of `rows` rows of an expression, which have made `bytes` bytes.
    ///
    /// # Errors
    /// See [`Context::in_range`] and [`Context::check`].
    #[inline]
    pub(crate) fn row_done(&self, done: usize, rows: usize, bytes: usize) -> Result<()> {
        match self.session.work.cuts_range((done, rows), bytes) {
            true => Err(SqlError::cut()),
            false => self.check(),
        }
    }

    /// Charges evaluated columns for their memory. A constant text counts once per row: an operator that keeps rows copies it for each.
    ///
    /// # Errors
    /// As [`Context::row_done`].
    pub(crate) fn columns_done(&self, evaluated: &Batch) -> Result<()> {
        match evaluated.rows_within(2 * BATCH_BYTES, 0) {
            fitting if fitting < evaluated.rows => self.row_done(fitting, evaluated.rows, 2 * BATCH_BYTES),
            _ => Ok(()),
        }
    }

    /// Between the parts of an expression: `done` of them were evaluated over the rows.
    ///
    /// # Errors
    /// As [`Context::row_done`].
    #[inline]
    pub(crate) fn part_done(&self, done: usize, parts: usize) -> Result<()> {
        match done {
            0 => Ok(()),
            _ => self.row_done(done, parts, 0),
        }
    }

    pub fn bind_outer(&self, slot: OuterSlot, value: Value<'static>) {
        let mut outer = self.outer.borrow_mut();
        if outer.len() <= slot as usize {
            outer.resize(slot as usize + 1, Value::Null);
        }
        outer[slot as usize] = value;
    }

    pub fn outer(&self, slot: OuterSlot) -> Result<Value<'static>> {
        self.copied(self.outer.borrow().get(slot as usize).unwrap_or(&Value::Null))
    }

    pub fn bind_round(&self, id: u32, rows: Rc<Vec<Batch>>) {
        self.rounds.borrow_mut().insert(id, rows);
    }

    pub fn round(&self, id: u32) -> Rc<Vec<Batch>> {
        self.rounds.borrow().get(&id).cloned().unwrap_or_default()
    }

    pub fn kept(&self, name: &Rc<str>) -> Option<Rc<dyn Any>> {
        let kept = self.kept.borrow();
        kept.iter().find(|known| Rc::ptr_eq(&known.name, name)).map(|known| known.rows.clone())
    }

    pub fn keep(&self, name: Rc<str>, rows: Rc<dyn Any>) {
        let mut kept = self.kept.borrow_mut();
        // What a subquery kept for the row before.
        kept.retain(|known| !Rc::ptr_eq(&known.name, &name));
        kept.push(Kept { name, rows });
    }

    pub fn param(&self, n: u32) -> Result<Value<'static>> {
        let missing = || SqlError::new(NO_VALUE, format!("no value was given for parameter {}", n + 1));
        self.copied(self.params.get(n as usize).ok_or_else(missing)?)
    }

    /// `max_allowed_packet`: the most bytes that a value may have.
    fn packet_bytes_max(&self) -> usize {
        usize::try_from(self.session.variables.borrow().integer("max_allowed_packet")).unwrap_or(usize::MAX)
    }

    /// The most bytes that a value may have that is made of much shorter ones.
    pub fn made_bytes_max(&self) -> usize {
        self.packet_bytes_max().min(MADE_BYTES_MAX)
    }

    /// Whether a text of `len` bytes may be made of others that have `of` bytes together; if not, there is a warning and the answer is to be
    /// NULL.
    ///
    /// # Errors
    /// 1041 where there is no memory for it.
    pub fn may_make(&self, len: usize, of: usize) -> Result<bool> {
        let most = self.packet_bytes_max().min(of.max(MADE_BYTES_MAX));
        if len > most {
            self.session.warn(1301, format!("Result was larger than max_allowed_packet ({most}) - truncated"));
            return Ok(false);
        }
        self.needs(len, 1).map(|()| true)
    }

    /// As [`Context::large_within_packet`], for texts: how long a document is takes long to tell.
    ///
    /// # Errors
    /// 1041.
    #[inline]
    pub fn within_packet(&self, made: Value<'static>, of: &[Value<'_>]) -> Result<Value<'static>> {
        match &made {
            Value::Text(text) if text.len() < PACKET_BYTES_MIN => Ok(made),
            Value::Bytes(bytes) if bytes.len() < PACKET_BYTES_MIN => Ok(made),
            Value::Text(_) | Value::Bytes(_) => self.large_within_packet(made, of),
            _ => Ok(made),
        }
    }

    /// What a function made of values, where it is no longer than it may be or than the longest of them. A longer text is NULL, with a
    /// warning.
    ///
    /// # Errors
    /// That a document is longer, or 1041.
    #[inline(never)]
    pub fn large_within_packet(&self, made: Value<'static>, of: &[Value<'_>]) -> Result<Value<'static>> {
        let bytes = bytes_of(&made);
        if bytes <= PACKET_BYTES_MIN || of.iter().any(|value| bytes <= bytes_of(value)) {
            return Ok(made);
        }
        // A column takes a copy of it.
        if self.may_make(bytes, of.iter().map(bytes_of).sum())? {
            return Ok(made);
        }
        match made {
            Value::Json(_) => Err(SqlError::new(1301, "Result is a document larger than max_allowed_packet")),
            _ => Ok(Value::Null),
        }
    }

    /// A copy of a value that is kept somewhere: in a variable, a parameter, the statement.
    ///
    /// # Errors
    /// 1041.
    pub fn copied(&self, value: &Value<'_>) -> Result<Value<'static>> {
        self.needs_copy(value)?;
        Ok(value.clone().into_owned())
    }

    /// Checks that there is memory for a copy of a value.
    ///
    /// # Errors
    /// 1041.
    #[inline]
    pub fn needs_copy(&self, value: &Value<'_>) -> Result<()> {
        match value {
            // A copy of a document shares its parts.
            Value::Json(_) => Ok(()),
            value => self.needs(bytes_of(value), 1),
        }
    }

    /// Checks that there is memory for so many copies of something of `bytes` bytes. What it becomes later is checked there.
    ///
    /// # Errors
    /// 1041.
    #[inline]
    pub fn needs(&self, bytes: usize, copies: usize) -> Result<()> {
        if bytes < LARGE_BYTES {
            return Ok(());
        }
        // A buffer that grows is twice as large as what is in it.
        self.session.check_block(bytes.saturating_mul(copies), bytes.saturating_mul(copies.div_ceil(2)))
    }

    /// Looks whether there is memory for the document that a text is.
    ///
    /// # Errors
    /// 1041.
    pub fn needs_document(&self, text: &str) -> Result<()> {
        if text.len() < LARGE_BYTES {
            return Ok(());
        }
        let count = |wanted: fn(u8) -> bool| text.bytes().filter(|&byte| wanted(byte)).count();
        let values = count(|byte| byte == b',').saturating_mul(2 * size_of::<Json>());
        let containers = count(|byte| matches!(byte, b'[' | b'{')).saturating_mul(CONTAINER_BYTES);
        self.session.check_memory(text.len().saturating_add(values).saturating_add(containers))
    }

    /// CAST as it is written: what is no date is NULL with a warning, a time is none, and bytes are filled up as far as there is room.
    pub fn cast_or_null(&self, value: &Value<'_>, ty: &SqlType) -> Result<Value<'static>> {
        if ty.is_date()
            && let Err(error @ value::ValueError::IncorrectDateTime(_)) = value::cast(value, ty, &mut Vec::new())
        {
            self.session.warn(1292, error);
            return Ok(Value::Null);
        }
        if let SqlType::Binary { length } = ty
            && !self.may_make(*length as usize, 0)?
        {
            return Ok(Value::Null);
        }
        Ok(match (self.cast_alone(value, ty)?, ty) {
            (Value::Text(text), SqlType::VarChar { length: 1.., .. }) => Value::text(first_characters(&text, ty)),
            (cast, _) => cast,
        })
    }

    /// Casts with the session's rules: a time is one of today. What was lost becomes a warning.
    pub fn cast(&self, value: &Value<'_>, ty: &SqlType) -> Result<Value<'static>> {
        let moment = match value {
            Value::Time(time) if ty.is_date() => self.today_at(*time),
            _ => None,
        };
        match moment {
            Some(moment) => self.cast_alone(&Value::DateTime(moment), ty),
            None => self.cast_alone(value, ty),
        }
    }

    fn cast_alone(&self, value: &Value<'_>, ty: &SqlType) -> Result<Value<'static>> {
        if let (Value::Text(text), SqlType::Json) = (value, ty) {
            self.needs_document(text)?;
        }
        let mut warnings: Vec<Warning> = Vec::new();
        let cast = value::cast(value, ty, &mut warnings)?;
        warnings.iter().for_each(|warning| self.session.warn(warning.errno(), warning));
        Ok(cast)
    }
}

/// The beginning of a text that has the length of a type, in characters.
fn first_characters(text: &str, ty: &SqlType) -> String {
    let SqlType::VarChar { length, .. } = ty else { return text.to_owned() };
    text.chars().take(*length as usize).collect()
}
