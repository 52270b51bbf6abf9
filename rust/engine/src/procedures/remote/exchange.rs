//! Remote exchanges: procedures that wait for a remote and work in steps.

use vcs::{Database, Remote};

use crate::error::{Result, SqlError};
use crate::procedures::call::{Answer, Call};

/// Chunks of one step: each takes about as long as some tens of rows.
pub const STEP_CHUNKS: usize = 64;
pub const STEP_ROWS: usize = STEP_CHUNKS * 32;

/// A procedure while it runs. Dropping it gives it up.
pub trait Exchange {
    /// Does a part of the work; the answer once it is done.
    ///
    /// # Errors
    /// Where it is to wait ([`SqlError::is_wait`]) the step is called again.
    fn step(&mut self, call: &Call) -> Result<Option<Answer>>;
}

/// Reads the arguments of a call.
pub type Begin = fn(&Call) -> Result<Box<dyn Exchange>>;

/// Whether a remote that is not there is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    IsEmpty,
    IsMade,
}

/// A remote that a procedure opens.
pub struct Peer {
    url: Box<str>,
    user: Option<Box<str>>,
    absent: Absent,
    database: Option<Database>,
}

impl Peer {
    pub fn new(remote: &Remote, user: Option<&str>, absent: Absent) -> Peer {
        Peer { url: remote.url.clone(), user: user.map(Box::from), absent, database: None }
    }

    pub fn is_open(&self) -> bool {
        self.database.is_some()
    }

    /// The names and chunks of the remote.
    ///
    /// # Errors
    /// One that is to wait, at first; `told` makes of the host's words what native Dolt says around them.
    pub fn open(&mut self, call: &Call, told: impl FnOnce(&str) -> String) -> Result<&Database> {
        if let Some(database) = self.database.take() {
            return Ok(self.database.insert(database));
        }
        let host = call.context.catalog.engine.databases_of_host()?;
        let opened = host.open_remote(&self.url, self.user.as_deref(), self.absent == Absent::IsMade);
        match opened {
            Ok(database) => Ok(self.database.insert(database)),
            Err(error) if error.is_wait() => Err(error),
            Err(mut error) => {
                error.message = told(&error.message);
                Err(error)
            }
        }
    }
}

/// The words of an error after others.
pub fn prefixed(error: SqlError, words: &str) -> SqlError {
    if error.is_wait() || error.is_interruption() {
        return error;
    }
    SqlError::general(format!("{words}{}", error.message))
}
