//! End of statements and of transactions: commits, rollbacks, and what goes on after them.

use super::snapshot::{Snapshot, several_branches};
use super::state::{End, Event, State};
use super::{Next, Transaction};
use crate::error::{Result, SqlError};

impl Transaction {
    /// COMMIT: as [`Transaction::commit`], or as one of a group with the transactions that follow.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn commit_or_defer(&self) -> Result<()> {
        if self.defer_transaction() {
            return Ok(());
        }
        // If the group cannot be flushed, the transaction stays.
        self.engine.flush_group()?;
        self.commit()
    }

    /// ROLLBACK: forgets what the transaction has changed.
    pub fn roll_back(&self) {
        let state = self.state.borrow().clone();
        match state {
            State::Stacked | State::Parked => self.undo_scope(),
            // Pending commits that could not be flushed stay.
            State::Deferred => {}
            _ => self.discard(),
        }
    }

    /// Forgets all changes and ends the transaction.
    pub fn discard(&self) {
        self.close();
        self.apply(Event::Discarded);
    }

    /// Makes the changes those of the database, for all to see and for good. The transaction is over then.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again. 1105 for changes of several branches or databases, which stay
    /// those of an open transaction, as do those of a COMMIT that was cancelled (1317) or had no memory (1041): it can be run again. All
    /// others end the transaction without its changes: 1213 when another client changed the same rows.
    pub fn commit(&self) -> Result<()> {
        // What others have acknowledged comes first.
        let written = self.engine.flush_group().and_then(|()| self.write_changes());
        let is_open = self.state.borrow().is_in_transaction();
        let is_pending = self.state.borrow().has_pending_commits();
        let stays = |error: &SqlError| {
            error.is_wait() || is_pending || is_open && (error.keeps_changes() || error.is_interruption())
        };
        match written {
            Err(error) if stays(&error) => Err(error),
            written => {
                self.discard();
                written
            }
        }
    }

    pub(super) fn write_changes(&self) -> Result<()> {
        self.publish_writer()?;
        self.keep_temporary()?;
        let view = self.view.borrow();
        let changed: Vec<Snapshot> = view.snapshots.iter().filter(|snapshot| snapshot.is_changed()).cloned().collect();
        let branches_max = if view.moves_changes { 2 } else { 1 };
        drop(view);
        match &changed[..] {
            [] => Ok(()),
            [only] => only.commit(&self.catalog()?, branches_max),
            _ => Err(several_branches()),
        }
    }

    /// Commits at the end of a statement that defines something, or in a procedure that does. Where autocommit is off, or START
    /// TRANSACTION was said, another transaction takes the place of this one.
    pub fn commit_and_continue(&self, next: Next) -> Result<()> {
        let before = self.state.borrow().clone();
        self.commit()?;
        if before.is_begun() {
            self.apply(Event::Continues);
        }
        if before.is_in_transaction() && next == Next::AtOnce {
            return self.begin_many(Event::Opened { is_begun: before.is_begun(), is_read_only: false });
        }
        Ok(())
    }

    /// The end of a statement: commits when the transaction was of this statement alone, or when it has switched autocommit on.
    pub fn end_statement(&self) -> Result<()> {
        self.keep_temporary()?;
        self.queue.borrow_mut().note_end();
        let end = self.state.borrow().end(self.is_autocommit());
        match end {
            End::Nothing => Ok(()),
            End::JoinGroup => self.join_group(),
            End::DeferOrCommit if self.defer_commit() => Ok(()),
            End::DeferOrCommit | End::Commit => self.commit(),
            End::KeepOpen => self.keep_open(),
        }
    }

    /// Changes of temporary tables stay, whatever becomes of the transaction.
    fn keep_temporary(&self) -> Result<()> {
        let mut view = self.view.borrow_mut();
        for snapshot in view.snapshots.iter_mut().filter(|snapshot| snapshot.attached.is_temporary) {
            if snapshot.is_changed() {
                snapshot.attached.keep(&snapshot.base, &snapshot.refs)?;
                snapshot.base = snapshot.refs.clone();
            }
        }
        Ok(())
    }

    /// Ends the transaction without its changes; START TRANSACTION goes on.
    pub(super) fn close(&self) {
        self.open_writer.take();
        if self.state.borrow().has_pending_commits() {
            self.release_lock();
            self.engine.group_ended();
        }
        self.queue.borrow_mut().clear();
        self.apply(Event::Ended);
        let chunks = self.view.borrow_mut().close();
        drop(chunks);
    }
}
