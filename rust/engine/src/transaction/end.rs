//! How statements and transactions end: commits, rollbacks, and what goes on behind them.

use super::settle::Backlog;
use super::snapshot::{Snapshot, several_branches};
use super::{Inner, Next, State, Transaction};
use crate::error::{Result, SqlError};

impl Transaction {
    /// COMMIT: as [`Transaction::commit`], or as one of a group with the transactions that follow.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn commit_in_group(&self) -> Result<()> {
        if self.leaves_redo() {
            return Ok(());
        }
        // If what lies below cannot be settled, the transaction stays.
        self.engine.settle()?;
        self.commit()
    }

    /// ROLLBACK: forgets what the transaction has changed.
    pub fn roll_back(&self) {
        let is_below = self.inner.borrow().state == State::Unsettled;
        // Pending commits that could not be flushed stay.
        if !self.undo_own() && !self.forget_own() && !is_below {
            self.discard();
        }
    }

    /// Forgets all changes and ends the transaction.
    pub fn discard(&self) {
        self.close();
        self.inner.borrow_mut().is_begun = false;
    }

    /// Makes the changes those of the database, for all to see and for good. The transaction is over then.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again. 1105 for changes of several branches or databases, which stay
    /// those of an open transaction, as do those of a COMMIT that was cancelled (1317) or had no memory (1041): it can be run again. All
    /// others end the transaction without its changes: 1213 when another client changed the same rows.
    pub fn commit(&self) -> Result<()> {
        // What others have acknowledged comes first.
        let written = self.engine.settle().and_then(|()| self.write_changes());
        let is_open = self.inner.borrow().state == State::Open;
        match written {
            Err(error) if error.is_wait() || (is_open && (error.keeps_changes() || error.is_interruption())) => {
                Err(error)
            }
            written => {
                self.discard();
                written
            }
        }
    }

    pub(super) fn write_changes(&self) -> Result<()> {
        self.publish_writer()?;
        self.keep_temporary()?;
        let changed: Vec<Snapshot> =
            self.inner.borrow().snapshots.iter().filter(|snapshot| snapshot.is_changed()).cloned().collect();
        match &changed[..] {
            [] => Ok(()),
            [only] => {
                let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
                let branches_max = if self.inner.borrow().moves_changes { 2 } else { 1 };
                only.commit(&catalog, branches_max)
            }
            _ => Err(several_branches()),
        }
    }

    /// Commits at the end of a statement that defines something, or in a procedure that does. Where autocommit is off, or somebody began
    /// the transaction, another one takes its place.
    pub fn commit_and_go_on(&self, next: Next) -> Result<()> {
        let Inner { state, is_begun, .. } = *self.inner.borrow();
        self.commit()?;
        self.inner.borrow_mut().is_begun = is_begun;
        if state == State::Open && next == Next::AtOnce { self.begin_as(state, false) } else { Ok(()) }
    }

    /// The end of a statement: commits when the transaction was of this statement alone, or when it has switched autocommit on.
    pub fn end_statement(&self) -> Result<()> {
        self.keep_temporary()?;
        self.note_end();
        let Inner { state, is_begun, .. } = *self.inner.borrow();
        match state {
            State::Closed | State::Gathering => Ok(()),
            State::Unsettled => self.stays_unsettled(),
            State::Open if is_begun => Ok(()),
            State::Statement if self.puts_off() => Ok(()),
            _ if self.is_autocommit() => self.commit(),
            State::Open => Ok(()),
            State::Statement => self.stay_open(),
        }
    }

    pub(super) fn is_autocommit(&self) -> bool {
        self.catalog.upgrade().is_none_or(|catalog| catalog.state.variables.borrow().is_autocommit())
    }

    /// What was done to temporary tables stays, whatever becomes of the transaction.
    fn keep_temporary(&self) -> Result<()> {
        let mut inner = self.inner.borrow_mut();
        for snapshot in inner.snapshots.iter_mut().filter(|snapshot| snapshot.attached.is_temporary) {
            if snapshot.is_changed() {
                snapshot.attached.keep(&snapshot.base, &snapshot.refs)?;
                snapshot.base = snapshot.refs.clone();
            }
        }
        Ok(())
    }

    pub(super) fn close(&self) {
        self.open_writer.take();
        if self.inner.borrow().backlog.statements > 0 {
            self.let_go();
            self.engine.has_settled();
        }
        let mut inner = self.inner.borrow_mut();
        inner.state = State::Closed;
        inner.may_be_put_off = false;
        inner.backlog = Backlog::default();
        inner.published.clear();
        inner.is_read_only = false;
        inner.moves_changes = false;
        inner.savepoints.clear();
        inner.snapshots.retain(|snapshot| !snapshot.is_changed());
        if std::mem::take(&mut inner.has_pending) {
            let writers = self.engine.writers.get().saturating_sub(1);
            self.engine.writers.set(writers);
            if writers == 0 {
                self.engine.databases().iter().for_each(|a| a.database.objects().nodes().chunks().forget_pending());
            }
        }
    }
}
