//! Reset of a session, as by MySQL's COM_RESET_CONNECTION, and its place: the database and branches in use.

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
                Err(_) => transaction.discard(),
                Ok(_) => {}
            }
        }
        self.prepared.borrow_mut().clear();
        self.catalog.reset(&beside.catalog);
        self.state().reset();
        Ok(())
    }

    /// Where the session stands, for [`Session::stand_at`]: the database in use, and on lines of their own those in which it has checked
    /// out a branch, with a tab before that.
    pub fn place(&self) -> String {
        let mut place = self.state().database().as_deref().unwrap_or_default().to_owned();
        for (database, branch) in self.catalog.branches() {
            place.extend(["\n", &database, "\t", &branch]);
        }
        place
    }

    /// Has a session that is new stand where another one told that it did. What is not there any more is an error of the statement that
    /// looks for it.
    pub fn stand_at(&self, place: &str) {
        let mut lines = place.split('\n');
        let database = lines.next().filter(|name| !name.is_empty());
        self.state().set_database(database.map(Into::into));
        for (database, branch) in lines.filter_map(|line| line.split_once('\t')) {
            self.catalog.set_branch(&database.into(), branch);
        }
        self.state().set_database(database.map(Into::into));
    }
}
