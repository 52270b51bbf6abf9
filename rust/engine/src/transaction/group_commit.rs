//! Group commit: defers the commits of statements with autocommit, which leave redo records, or none with relaxed durability, and flushes
//! the pending commits of a group as one.

use super::commit_queue::EDIT_BYTES_MAX;
use super::state::{Event, State};
use super::{Transaction, merge};
use crate::error::Result;
use crate::write::{SharedWriter, Since};

impl Transaction {
    /// Whether one more statement may put its commit to those that are pending.
    pub(super) fn group_has_room(&self) -> bool {
        let Some(writer) = self.open_writer() else { return false };
        let edit_bytes = writer.borrow().edit_bytes();
        let is_stacked = *self.state.borrow() == State::Stacked;
        self.queue.borrow().has_room(edit_bytes, is_stacked, || self.engine.host().now_microseconds())
    }

    /// When the group will have waited for long enough, unless other statements come before; `None` when it has, or when the
    /// clock was set back and does not tell.
    pub(crate) fn flush_due_at(&self, now: i64) -> Option<i64> {
        self.queue.borrow_mut().flush_due_at(now)
    }

    /// Ends a statement, or a transaction, without its commit, which comes with those of the next ones, if that may be: only of such changes
    /// that nothing but the host could keep from being committed.
    pub(super) fn defer_commit(&self) -> bool {
        let (Some(writer), Some(catalog)) = (self.open_writer(), self.catalog.upgrade()) else { return false };
        let makes_commits = || catalog.state.variables.borrow().integer("dolt_transaction_commit") != 0;
        if !writer.borrow().may_defer() || self.view.borrow().is_changed() || makes_commits() {
            return false;
        }
        let is_in_run = self.queue.borrow().is_in_run();
        // What is wrong with the files is said by the commit that is not deferred then.
        if !self.hold_lock(&writer, is_in_run.then_some(Since::UndoScope)).unwrap_or(false) {
            return false;
        }
        self.apply(Event::CommitDeferred);
        self.queue.borrow_mut().defer(|| self.engine.host().now_microseconds());
        self.engine.group_began(catalog);
        true
    }

    /// Ends a statement whose commit joins the pending ones. Where its changes cannot be written down by themselves, all are committed.
    ///
    /// # Errors
    /// As `flush_group`. One that says that the changes are kept means those before the statement: its own are taken back.
    pub(super) fn join_group(&self) -> Result<()> {
        let Some(writer) = self.open_writer() else { return Ok(()) };
        let ended = match self.hold_lock(&writer, Some(Since::Mark)) {
            Ok(true) => return Ok(()),
            Ok(false) => self.flush_group(),
            Err(error) => Err(error),
        };
        ended.inspect_err(|error| self.reopen(writer, error.is_wait()))
    }

    /// The writer of pending commits stays open, for they could not be committed: without the changes of the last statement, which has failed,
    /// unless its end is tried again.
    fn reopen(&self, writer: SharedWriter, is_tried_again: bool) {
        if !self.state.borrow().has_pending_commits() {
            return;
        }
        self.view.borrow_mut().snapshots.iter_mut().for_each(|snapshot| snapshot.refs = snapshot.base.clone());
        writer.borrow_mut().reopen();
        if !is_tried_again {
            writer.borrow_mut().undo();
            self.queue.borrow_mut().drop_last();
        }
        *self.open_writer.borrow_mut() = Some(writer);
    }

    /// Keeps the lock for a commit that comes later. What was changed since then is durable, if it is to be; `None` where no others follow.
    fn hold_lock(&self, writer: &SharedWriter, since: Option<Since>) -> Result<bool> {
        if writer.borrow().edit_bytes() > EDIT_BYTES_MAX {
            return Ok(false);
        }
        let attached = writer.borrow().place().attached.clone();
        let chunks = attached.database.objects().nodes().chunks();
        let mut redo = || writer.borrow_mut().redo(since?);
        Ok(chunks.hold(&self.root(&attached), &mut redo).map_err(tree::TreeError::from)?)
    }

    /// Commits the statements with autocommit whose commits are pending.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again. Else the changes stay what this session sees and are tried again
    /// when the next statement begins, unless the error says that they are lost.
    ///
    /// [`SqlError::is_wait`]: crate::error::SqlError::is_wait
    pub(crate) fn flush_group(&self) -> Result<()> {
        if !self.state.borrow().has_pending_commits() {
            return Ok(());
        }
        let statements = self.queue.borrow().statements();
        self.park_scope();
        let edit_bytes = self.open_writer().map_or(0, |writer| writer.borrow().edit_bytes());
        let began = self.engine.host().now_microseconds();
        let written = self.write_changes();
        let took_microseconds = self.engine.host().now_microseconds() - began;
        self.queue.borrow_mut().note_flush(took_microseconds, edit_bytes);
        self.release_lock();
        let Err(mut error) = written else {
            self.close();
            return self.restore_scope();
        };
        // Its chunks could not be written down, or another writer came first.
        let is_lost = !self.state.borrow().has_pending_commits() || error.errno == merge::CONFLICT;
        if error.is_wait() && !is_lost {
            return Err(error);
        }
        if is_lost {
            self.close();
            self.lose_scope();
        }
        let fate = if is_lost { "are lost" } else { "are not stored yet, and are tried again with the next statement" };
        error.message =
            format!("the changes of up to {statements} statements before this one {fate}: {}", error.message);
        Err(error)
    }

    /// Others may commit before the pending commits of this session.
    pub(super) fn release_lock(&self) {
        let view = self.view.borrow();
        view.snapshots.iter().for_each(|snapshot| snapshot.attached.database.objects().nodes().chunks().release());
    }
}
