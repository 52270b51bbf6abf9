//! Session state: what a connection keeps between statements.

mod authorship;
mod defaults;
mod range;
pub mod variables;
mod work;

use std::cell::{Cell, Ref, RefCell};
use std::fmt::Display;
use std::rc::Rc;

use hashbrown::HashMap;
use value::{DateTime, Value};

use crate::engine::Globals;
use crate::error::{Result, SqlError};
use crate::host::{Host, Regex, RegexFailure, RegexFlags, Wish};

pub use authorship::{Authorship, parse_author};
use variables::Variables;
pub use work::{ROW_WORK, WRITE_WORK, Work};

/// A note for `SHOW WARNINGS`.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// `Warning`, `Note` or `Error`.
    pub level: &'static str,
    pub code: u16,
    pub message: String,
}

/// Which rules the plans of a session go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    #[default]
    All,
    /// Only those without which a plan cannot run. Answers must be the same: tests compare them.
    Needed,
}

/// As MySQL's `max_error_count`.
const WARNINGS_MAX: usize = 1024;

/// Where a statement needs a block of so many bytes, it is tried whether there is one.
const PROBED_BYTES: usize = 2 << 20;

fn can_have(bytes: usize) -> bool {
    core::hint::black_box(Vec::<u8>::new()).try_reserve_exact(core::hint::black_box(bytes)).is_ok()
}

/// Compiled regular expressions that a session keeps, and the memory that they may take.
const REGEXES_MAX: usize = 32;
const REGEX_BYTES_MAX: usize = 8 << 20;

/// Compiled expressions by pattern and flags.
type Regexes = HashMap<(Box<str>, RegexFlags), Rc<dyn Regex>>;

/// State of one connection. Statements hold it by reference count while they run, so everything is in cells.
pub struct SessionState {
    pub connection_id: u64,
    pub host: Rc<dyn Host>,
    pub variables: RefCell<Variables>,
    /// The name given in `USE`, revision and all (`db/branch`).
    database: RefCell<Option<Rc<str>>>,
    user_variables: RefCell<HashMap<Rc<str>, Value<'static>>>,
    warnings: RefCell<Vec<Warning>>,
    /// Compiled regular expressions, by pattern.
    regexes: RefCell<Regexes>,
    /// The query that was begun last, as the list of processes tells it.
    pub query: RefCell<Rc<str>>,
    pub last_insert_id: Cell<u64>,
    /// Rows that the last statement changed; -1 after a query.
    pub row_count: Cell<i64>,
    pub found_rows: Cell<u64>,
    /// How long SLEEP has asked the statement to wait before it goes on.
    pub sleep_microseconds: Cell<u64>,
    /// What SQL_CALC_FOUND_ROWS has counted, until the statement ends.
    pub calculated_rows: Cell<Option<u64>>,
    /// Tables whose triggers run now, from the outermost statement inwards.
    pub written_tables: RefCell<Vec<Box<str>>>,
    /// Stored programs that run inside each other through EXECUTE and triggers, on the stack of the process.
    pub running_programs: Cell<usize>,
    /// What ends a statement of the script that the session runs.
    pub delimiter: RefCell<Box<str>>,
    /// The statement of a script that runs has bytes that are no UTF-8 between quotes: they are bytes, and never cut to text.
    pub refuses_stray_bytes: Cell<bool>,
    /// Which rules the plans of this session go through.
    pub rules: Cell<Rules>,
    /// How often something was changed that a session keeps, but for variables: see [`crate::Session::stamp`].
    pub(crate) changes: Cell<u64>,
    /// What the calls into the engine do.
    pub work: Work,
    /// The statement that runs fails when less memory is left.
    memory_floor: Cell<usize>,
    /// The error with which the statement has to end, whatever becomes of it on its way out: a merge or a test keeps texts of errors only.
    interruption: RefCell<Option<SqlError>>,
}

impl SessionState {
    pub fn new(connection_id: u64, host: Rc<dyn Host>, global: Globals) -> SessionState {
        SessionState {
            connection_id,
            host,
            variables: RefCell::new(Variables::new(global)),
            database: RefCell::default(),
            user_variables: RefCell::default(),
            warnings: RefCell::default(),
            regexes: RefCell::default(),
            query: RefCell::new("".into()),
            last_insert_id: Cell::new(0),
            row_count: Cell::new(0),
            found_rows: Cell::new(1),
            calculated_rows: Cell::new(None),
            sleep_microseconds: Cell::new(0),
            written_tables: RefCell::default(),
            running_programs: Cell::new(0),
            delimiter: RefCell::new(";".into()),
            refuses_stray_bytes: Cell::default(),
            rules: Cell::default(),
            changes: Cell::default(),
            work: Work::default(),
            memory_floor: Cell::default(),
            interruption: RefCell::default(),
        }
    }

    /// Forgets what statements have left: everything that a new connection does not have.
    pub(crate) fn reset(&self) {
        self.has_changed();
        self.variables.borrow_mut().reset();
        self.user_variables.borrow_mut().clear();
        self.warnings.borrow_mut().clear();
        self.last_insert_id.set(0);
        self.row_count.set(0);
        self.found_rows.set(1);
        self.calculated_rows.set(None);
        *self.delimiter.borrow_mut() = ";".into();
    }

    /// Asks the host now and then whether the statement is to end, or has no memory left; for what works long without a yield.
    ///
    /// # Errors
    /// [`SqlError::is_interruption`].
    #[inline]
    pub fn check_interruption(&self) -> Result<()> {
        if self.work.is_check_due() { self.check_at_once() } else { Ok(()) }
    }

    /// The same without regard to the work since.
    ///
    /// # Errors
    /// As [`SessionState::check_interruption`].
    #[inline(never)]
    pub fn check_at_once(&self) -> Result<()> {
        self.check_memory(0)?;
        match self.wish() {
            Wish::End => Err(self.interrupted(SqlError::interrupted())),
            Wish::GoOn | Wish::Yield => Ok(()),
        }
    }

    /// A statement of a client begins. It may have half of the memory that is left, so that there is always some for the next one, which
    /// may be the one that gives memory back.
    pub(crate) fn begin_memory(&self) {
        self.memory_floor.set(self.host.memory_left() / 2);
        self.interruption.take();
    }

    #[cold]
    fn interrupted(&self, error: SqlError) -> SqlError {
        self.interruption.replace(Some(error.clone()));
        error
    }

    /// The error with which the statement has to end, if it does.
    pub fn interruption(&self) -> Option<SqlError> {
        self.interruption.borrow().clone()
    }

    /// The error to report in place of `error`: that of the interruption that it came from.
    pub fn reported(&self, error: SqlError) -> SqlError {
        if error.is_wait() { error } else { self.interruption().unwrap_or(error) }
    }

    /// Looks whether the statement may have `bytes` bytes more, or is to end for what it has.
    ///
    /// # Errors
    /// 1041.
    pub fn check_memory(&self, bytes: usize) -> Result<()> {
        self.check_block(bytes, bytes / 2)
    }

    /// As [`SessionState::check_memory`], for memory that has one block of `block` bytes.
    ///
    /// # Errors
    /// 1041.
    #[inline(never)]
    pub fn check_block(&self, bytes: usize, block: usize) -> Result<()> {
        let floor = self.memory_floor.get();
        // Where the system gives less than there are addresses, it says so when it is asked.
        let is_refused = || cfg!(target_family = "wasm") && block >= PROBED_BYTES && !can_have(block);
        match self.host.memory_left() < floor.saturating_add(bytes) || is_refused() {
            true => Err(self.interrupted(SqlError::out_of_memory(floor))),
            false => Ok(()),
        }
    }

    /// Whether what can stop halfway is to do so: the call has done its share, or the host wants its turn.
    #[inline]
    pub fn is_call_over(&self) -> bool {
        (self.work.is_check_due() && self.wish() != Wish::GoOn) || self.work.is_used_up()
    }

    /// Asks the host. Once it asks for its turn or for the end, the call is over: later checks of the meter see it as well.
    #[inline(never)]
    fn wish(&self) -> Wish {
        let wish = self.host.wish();
        if wish != Wish::GoOn {
            self.work.end_call();
        }
        wish
    }

    pub fn database(&self) -> Option<Rc<str>> {
        self.database.borrow().clone()
    }

    /// Whether this is the database in use.
    pub fn is_database(&self, name: Option<&Rc<str>>) -> bool {
        match (&*self.database.borrow(), name) {
            (Some(used), Some(name)) => Rc::ptr_eq(used, name) || used == name,
            (used, name) => used.is_none() && name.is_none(),
        }
    }

    pub fn set_database(&self, name: Option<Rc<str>>) {
        *self.database.borrow_mut() = name;
        self.has_changed();
    }

    /// Names of user variables are case-insensitive; NULL when never set.
    pub fn user_variable(&self, name: &str) -> Value<'static> {
        let variables = self.user_variables.borrow();
        variables.get(name.to_lowercase().as_str()).cloned().unwrap_or(Value::Null)
    }

    pub fn set_user_variable(&self, name: &str, value: Value<'static>) {
        self.user_variables.borrow_mut().insert(name.to_lowercase().into(), value);
        self.has_changed();
    }

    pub(crate) fn user_variables(&self) -> Ref<'_, HashMap<Rc<str>, Value<'static>>> {
        self.user_variables.borrow()
    }

    /// The session keeps something else than before.
    pub(crate) fn has_changed(&self) {
        self.changes.set(self.changes.get() + 1);
    }

    pub fn warn(&self, code: u16, message: impl Display) {
        self.push_warning("Warning", code, message);
    }

    /// As [`SessionState::warn`], of something that is no reason to worry.
    pub fn note(&self, code: u16, message: impl Display) {
        self.push_warning("Note", code, message);
    }

    /// What is not kept is not spelt out: it may be one of each row.
    fn push_warning(&self, level: &'static str, code: u16, message: impl Display) {
        let mut warnings = self.warnings.borrow_mut();
        if warnings.len() < WARNINGS_MAX {
            warnings.push(Warning { level, code, message: message.to_string() });
        }
    }

    pub(crate) fn add_warning(&self, warning: Warning) {
        self.warnings.borrow_mut().push(warning);
    }

    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings.borrow().clone()
    }

    pub fn warning_count(&self) -> usize {
        self.warnings.borrow().len()
    }

    /// Forgets warnings after the first `len`.
    pub fn truncate_warnings(&self, len: usize) {
        self.warnings.borrow_mut().truncate(len);
    }

    pub fn clear_warnings(&self) {
        self.warnings.borrow_mut().clear();
    }

    /// A regular expression of the host, compiled once.
    pub fn regex(&self, pattern: &str, flags: RegexFlags) -> core::result::Result<Rc<dyn Regex>, RegexFailure> {
        let key = (Box::from(pattern), flags);
        if let Some(known) = self.regexes.borrow().get(&key) {
            return Ok(known.clone());
        }
        let none = || Err(RegexFailure::Unsupported("a regular expression".into()));
        let compiled = self.host.regex(pattern, flags).unwrap_or_else(none)?;
        let mut regexes = self.regexes.borrow_mut();
        let bytes: usize = regexes.values().map(|regex| regex.bytes()).sum();
        if regexes.len() >= REGEXES_MAX || bytes + compiled.bytes() > REGEX_BYTES_MAX {
            regexes.clear();
        }
        regexes.insert(key, compiled.clone());
        Ok(compiled)
    }

    /// Seconds since 1970-01-01 UTC, as working sets keep them.
    pub fn now_seconds(&self) -> u64 {
        u64::try_from(self.host.now_microseconds() / 1_000_000).unwrap_or(0)
    }

    pub fn now(&self) -> DateTime {
        DateTime::from_microseconds(self.host.now_microseconds()).unwrap_or(DateTime::ZERO)
    }
}
