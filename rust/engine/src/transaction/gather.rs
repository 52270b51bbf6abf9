//! INSERTs of a script that are committed together.

use super::{State, Transaction};
use crate::error::{Result, SqlError};

impl Transaction {
    /// The statement that comes next, an INSERT of so much text into a table, may be committed with others of its kind; those of
    /// before are committed when it would become more than `bytes_max`. Where a transaction is open, and where the table has triggers
    /// that may write to other databases or branches, the statement is one by itself.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub(crate) fn gather(
        &self,
        (bytes, bytes_max): (usize, usize),
        table: &str,
        may_write_elsewhere: impl Fn() -> Result<bool>,
    ) -> Result<()> {
        let state = self.inner.borrow().state;
        if state == State::Open {
            return Ok(());
        }
        if state != State::Gathering || self.inner.borrow().gathered_bytes + bytes > bytes_max {
            self.commit_gathered()?;
            if !self.begin_gathering()? {
                return Ok(());
            }
        }
        if !self.inner.borrow().gathered_tables.iter().any(|known| known.eq_ignore_ascii_case(table)) {
            // An error is told by the statement, in a transaction of its own.
            if may_write_elsewhere().unwrap_or(true) {
                return self.commit_gathered();
            }
            self.inner.borrow_mut().gathered_tables.push(table.into());
        }
        self.inner.borrow_mut().gathered_bytes += bytes;
        Ok(())
    }

    /// Begins a transaction for the INSERTs that come; false where each is committed by itself.
    fn begin_gathering(&self) -> Result<bool> {
        self.engine.settle()?;
        let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
        let variables = catalog.state.variables.borrow();
        if !variables.is_autocommit() || variables.integer("dolt_transaction_commit") != 0 {
            return Ok(false);
        }
        // What the statement before has done in vain concerns the next one, as if there were nothing around it.
        let in_vain = std::mem::take(&mut self.in_vain.borrow_mut().tables);
        self.begin_as(State::Gathering, false)?;
        self.in_vain.borrow_mut().tables = in_vain;
        let mut inner = self.inner.borrow_mut();
        inner.gathered_bytes = 0;
        inner.gathered_tables.clear();
        Ok(true)
    }

    /// Commits what [`Transaction::gather`] has put off.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub(crate) fn commit_gathered(&self) -> Result<()> {
        if self.inner.borrow().state == State::Gathering { self.commit() } else { Ok(()) }
    }
}
