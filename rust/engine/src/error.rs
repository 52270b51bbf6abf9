//! SQL errors: the only place where errors become MySQL errors.
//!
//! Dolt uses code 1105 for most of its own errors; codes and texts follow docs/format/sql-surface.md, section 11.

use core::fmt;
use core::ops::{Deref, DerefMut};

use codec::Address;
use parse::ast::Span;
use vcs::Obstacle;

/// An error as a MySQL client sees it: a [`Report`], of which results carry the address only.
#[derive(Debug, Clone, PartialEq)]
pub struct SqlError(Box<Report>);

/// What an error says.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// MySQL's error number, 1105 for Dolt's own errors.
    pub errno: u16,
    /// Five characters, `HY000` unless MySQL says otherwise.
    pub sqlstate: [u8; 5],
    pub message: String,
    /// Where in the statement's text, in bytes.
    pub span: Option<Span>,
    /// What to do about it, where the message, which is native Dolt's, does not say it.
    pub hint: Option<Box<str>>,
    is_wait: bool,
    is_cut: bool,
    is_interruption: bool,
    /// What the statement has done stays.
    keeps_changes: bool,
    is_about_text: bool,
    /// Stored bytes are damaged: the chunk that has them, where the error names it.
    damage: Option<Option<Address>>,
}

pub type Result<T> = core::result::Result<T, SqlError>;

/// The error of a statement that needs a database in use.
pub const NO_DATABASE: &str = "no database selected";

impl SqlError {
    pub fn new(errno: u16, message: impl Into<String>) -> SqlError {
        SqlError::of(errno, message.into())
    }

    #[cold]
    #[inline(never)]
    fn of(errno: u16, message: String) -> SqlError {
        SqlError(Box::new(Report {
            errno,
            sqlstate: *b"HY000",
            message,
            span: None,
            hint: None,
            is_wait: false,
            is_cut: false,
            is_interruption: false,
            keeps_changes: false,
            is_about_text: false,
            damage: None,
        }))
    }

    /// The same error with a SQLSTATE of its own.
    pub fn in_state(mut self, sqlstate: [u8; 5]) -> SqlError {
        self.sqlstate = sqlstate;
        self
    }

    pub fn with_hint(mut self, hint: Option<String>) -> SqlError {
        self.hint = hint.map(Into::into);
        self
    }

    /// Dolt's general error code.
    pub fn general(message: impl Into<String>) -> SqlError {
        SqlError::new(1105, message)
    }

    /// A feature that is known and not built: an error is better than a wrong answer.
    pub fn unsupported(what: impl fmt::Display) -> SqlError {
        SqlError::new(1235, format!("{what} is not supported yet")).in_state(*b"42000")
    }

    /// A statement that would need more of the stack than there is.
    pub fn too_deep() -> SqlError {
        SqlError::general("statement is nested too deeply")
    }

    /// A promise of ours that did not hold; never the user's fault.
    pub fn internal(what: impl fmt::Display) -> SqlError {
        SqlError::general(format!("internal error: {what}; please report this statement"))
    }

    pub fn into_message(self) -> String {
        self.0.message
    }

    /// The error of a text that is not the statement's own, so that the place in it says nothing.
    pub fn elsewhere(mut self) -> SqlError {
        self.span = None;
        self
    }

    /// The error of a step that has to wait for the host.
    pub fn wait() -> SqlError {
        SqlError::waiting("the host has to do something first".into())
    }

    fn waiting(message: String) -> SqlError {
        let mut error = SqlError::general(message);
        error.is_wait = true;
        error
    }

    /// Whether nothing was done and the same step will do once the host has taken a lock or prepared a file. People never see it.
    pub fn is_wait(&self) -> bool {
        self.is_wait
    }

    /// The signal of an evaluation that is to be made anew over fewer rows. People never see it.
    pub(crate) fn cut() -> SqlError {
        let mut error = SqlError::internal("a range of rows was cut short");
        error.is_cut = true;
        error
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The error of a statement that its host wants to end.
    pub fn interrupted() -> SqlError {
        let mut error = SqlError::new(1317, "Query execution was interrupted").in_state(*b"70100");
        error.is_interruption = true;
        error
    }

    /// The error of a statement that needs more memory than it may have.
    pub fn out_of_memory(bytes_max: usize) -> SqlError {
        let message =
            format!("Out of memory; the statement needs more than the {} MiB that it may have", bytes_max >> 20);
        let mut error =
            SqlError::new(1041, message).with_hint(Some("Take fewer rows, or shorter values, at a time".into()));
        error.is_interruption = true;
        error
    }

    /// Whether the statement has to end, as the host or the lack of memory wants it: no handler catches that.
    pub fn is_interruption(&self) -> bool {
        self.is_interruption
    }

    /// The error of a statement that stops halfway to be gone on with: its changes are not taken back.
    pub fn keeping_changes(mut self) -> SqlError {
        self.keeps_changes = true;
        self
    }

    pub(crate) fn keeps_changes(&self) -> bool {
        self.keeps_changes
    }

    /// The error of a text of rows that cannot be read, which is no matter of SQL.
    pub(crate) fn about_text(mut self) -> SqlError {
        self.is_about_text = true;
        self
    }

    pub fn is_about_text(&self) -> bool {
        self.is_about_text
    }

    /// The chunk that is damaged, where that is known, of an error about damage. Forgets that it is one.
    pub(crate) fn take_damage(&mut self) -> Option<Option<Address>> {
        self.damage.take()
    }

    pub fn too_many_columns() -> SqlError {
        SqlError::new(1117, "Too many columns").in_state(*b"42000")
    }

    /// A change of a partition's rows: tables are not partitioned.
    pub fn partition_management() -> SqlError {
        SqlError::new(1505, "Partition management on a not partitioned table is not possible")
    }

    /// A statement over the rows of a partition: tables are not partitioned.
    pub fn partition_clause() -> SqlError {
        SqlError::new(1747, "PARTITION () clause on non partitioned table")
    }

    pub fn table_not_found(name: &str) -> SqlError {
        SqlError::new(1146, format!("table not found: {name}"))
    }

    /// A stored definition that cannot be parsed.
    pub fn unreadable(kind: &str, name: &str) -> SqlError {
        SqlError::general(format!("the definition of {kind} {name} cannot be read: drop it and create it anew"))
    }

    pub fn column_not_found(name: &str) -> SqlError {
        SqlError::general(format!("column \"{name}\" could not be found in any table in scope"))
    }

    pub fn database_not_found(name: &str) -> SqlError {
        SqlError::new(1049, format!("database not found: {name}"))
    }

    pub fn no_database() -> SqlError {
        SqlError::general(NO_DATABASE)
    }

    /// Says where in the text, unless something inside has said so already.
    pub fn at(mut self, span: Span) -> SqlError {
        self.span.get_or_insert(span);
        self
    }
}

impl Deref for SqlError {
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.0
    }
}

impl DerefMut for SqlError {
    fn deref_mut(&mut self) -> &mut Report {
        &mut self.0
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.errno)
    }
}

impl core::error::Error for SqlError {}

impl From<vcs::VcsError> for SqlError {
    #[cold]
    fn from(error: vcs::VcsError) -> SqlError {
        if matches!(error.reason(), vcs::VcsReason::Interrupted) {
            return SqlError::interrupted();
        }
        let text = error.to_string();
        match error.obstacle() {
            Some(Obstacle::Wait) => SqlError::waiting(text),
            Some(Obstacle::Collected) => SqlError::new(1213, text).in_state(*b"40001"),
            Some(Obstacle::ReadOnly) => SqlError::new(1290, text),
            // Not 1213, which says that the transaction is gone: what was acknowledged before is tried again.
            Some(Obstacle::LeaseLost) => SqlError::new(1205, text),
            Some(Obstacle::NoSpace) => SqlError::new(
                1021,
                format!(
                    "{text}: nothing of this commit was stored, all before it is safe; free space, then run it again"
                ),
            ),
            Some(Obstacle::NoMemory) => SqlError::new(1041, text),
            // MySQL's ER_FILE_NOT_FOUND, ER_CONNECT_TO_FOREIGN_DATA_SOURCE, ER_ILLEGAL_HA.
            Some(Obstacle::Gone) => SqlError::new(1017, text),
            Some(Obstacle::NotFetched) => SqlError::new(1429, text),
            Some(Obstacle::Incomplete) => SqlError::new(1031, text),
            None => {
                let mut general = SqlError::general(text);
                general.damage = error.damage();
                general
            }
        }
    }
}

impl From<vcs::VcsReason> for SqlError {
    #[cold]
    fn from(reason: vcs::VcsReason) -> SqlError {
        vcs::VcsError::from(reason).into()
    }
}

impl From<tree::TreeError> for SqlError {
    #[cold]
    fn from(error: tree::TreeError) -> SqlError {
        vcs::VcsError::from(error).into()
    }
}

impl From<value::ValueError> for SqlError {
    #[cold]
    fn from(error: value::ValueError) -> SqlError {
        SqlError::new(error.errno(), error.to_string())
    }
}
