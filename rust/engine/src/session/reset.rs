//! A session that begins anew, as after MySQL's COM_RESET_CONNECTION.

use super::Session;
use crate::cursor::Cursor;
use crate::error::Result;

impl Session {
    /// Makes the session what a new one is, but for its number, and has it stand where `beside` stands: an open transaction is rolled back;
    /// variables, warnings, prepared names, temporary tables, locks and branches that were checked out are forgotten. What it has
    /// acknowledged stays, and so does what it knows of texts and tables.
    ///
    /// # Errors
    /// One that [`crate::SqlError::is_wait`]: try again.
    pub fn reset(&self, beside: &Session) -> Result<()> {
        let transaction = &self.catalog.transaction;
        if transaction.is_open() {
            match self.query("ROLLBACK").and_then(Cursor::collect) {
                Err(error) if error.is_wait() => return Err(error),
                // It was lost before.
                Err(_) => transaction.rollback(),
                Ok(_) => {}
            }
        }
        self.prepared.borrow_mut().clear();
        self.catalog.reset(&beside.catalog);
        self.state().reset();
        Ok(())
    }
}
