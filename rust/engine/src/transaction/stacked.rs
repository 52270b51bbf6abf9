//! Stacked transactions: those that begin on pending commits, which are acknowledged and not flushed.
//!
//! While such a transaction is open, the open writer has the pending changes and, in an *undo scope*, those of the transaction: as long as
//! it does nothing but change rows by their keys. COMMIT puts its changes to the pending ones, ROLLBACK takes them back. When any other
//! statement begins they are parked, in the form of a redo record; the group is flushed, and they are made again on the result.

use std::rc::Rc;

use super::commit_queue::ParkedScope;
use super::snapshot::Snapshot;
use super::state::{Event, State};
use super::view::PendingChunks;
use super::{Transaction, merge};
use crate::engine::Attached;
use crate::error::Result;
use crate::write::{Since, redo};

impl Transaction {
    /// START TRANSACTION on pending commits; false where there are none, or too many.
    pub(super) fn stack(&self) -> Result<bool> {
        let Some(writer) = self.open_writer().filter(|_| *self.state.borrow() == State::Deferred) else {
            return Ok(false);
        };
        if !self.group_has_room() {
            return Ok(false);
        }
        self.consumed_ids.borrow_mut().clear();
        self.engine.refresh()?;
        let here = writer.borrow().place().attached.clone();
        let others = self.engine.databases().into_iter().filter(|attached| !Rc::ptr_eq(attached, &here));
        let others = others.map(|attached| Snapshot::new(&attached)).collect::<Result<Vec<_>>>()?;
        let mut view = self.view.borrow_mut();
        view.snapshots.retain(|known| Rc::ptr_eq(&known.attached, &here));
        view.snapshots.extend(others);
        writer.borrow_mut().begin_undo_scope();
        self.apply(Event::ScopeBegan);
        Ok(true)
    }

    /// COMMIT of a transaction that START TRANSACTION began and that did nothing but change rows by their keys: it leaves a redo record, or
    /// nothing with relaxed durability. False where it is to be committed now.
    pub(super) fn defer_transaction(&self) -> bool {
        if !self.state.borrow().is_in_transaction() || !self.state.borrow().is_begun() {
            return false;
        }
        self.queue.borrow_mut().note_commit();
        // Where each statement is one of a transaction, none may leave its commit to itself.
        let is_deferred = self.is_autocommit() && self.defer_commit();
        if is_deferred && let Some(writer) = self.open_writer() {
            writer.borrow_mut().keep_undo_scope();
        }
        is_deferred
    }

    /// ROLLBACK of a stacked transaction, which may be parked.
    pub(super) fn undo_scope(&self) {
        if let Some(writer) = self.open_writer().filter(|_| *self.state.borrow() == State::Stacked) {
            writer.borrow_mut().undo_scope();
        }
        drop(self.queue.borrow_mut().parked.take());
        self.apply(Event::ScopeUndone);
    }

    /// The group under a stacked transaction is about to be flushed.
    pub(super) fn park_scope(&self) {
        let Some(writer) = self.open_writer().filter(|_| *self.state.borrow() == State::Stacked) else { return };
        let mut writer = writer.borrow_mut();
        // A writer with an undo scope keeps its edits out of the trees.
        let changes = writer.changes(Since::UndoScope).unwrap_or_default();
        writer.undo_scope();
        let attached = writer.place().attached.clone();
        let chunks = PendingChunks::keep(&self.engine);
        self.queue.borrow_mut().parked = Some(ParkedScope { attached, changes, chunks });
        self.apply(Event::ScopeParked);
    }

    /// The transaction that was stacked on the group goes on, if there was one: the group is flushed.
    pub(super) fn restore_scope(&self) -> Result<()> {
        let parked = self.queue.borrow_mut().parked.take();
        let Some(ParkedScope { attached, changes, chunks }) = parked else { return Ok(()) };
        self.apply(Event::ScopeRestored);
        {
            let mut view = self.view.borrow_mut();
            view.chunks = Some(chunks);
            view.snapshots.retain(|known| !Rc::ptr_eq(&known.attached, &attached));
        }
        let redone = self.redo_scope(&attached, changes);
        if redone.is_err() {
            self.discard();
            self.apply(Event::ScopeLost);
        }
        redone
    }

    fn redo_scope(&self, attached: &Rc<Attached>, changes: Vec<u8>) -> Result<()> {
        let refs = self.refs(attached)?;
        if !changes.is_empty() {
            let redone = redo::onto(&refs, &[changes], &self.catalog()?.written_now())?;
            self.set_refs(attached, redone)?;
        }
        self.note_published();
        Ok(())
    }

    /// Whether changes of a stacked transaction are parked, because the group under it could not be flushed.
    pub(super) fn is_parked(&self) -> bool {
        *self.state.borrow() == State::Parked
    }

    /// The group under a stacked transaction is lost, and so is the transaction.
    pub(super) fn lose_scope(&self) {
        let parked = self.queue.borrow_mut().parked.take();
        if parked.is_some() {
            self.apply(Event::ScopeLost);
        }
    }

    /// # Errors
    /// 1213 where a stacked transaction was lost since the statement before.
    pub(super) fn report_loss(&self) -> Result<()> {
        let is_lost = *self.state.borrow() == State::Lost;
        self.apply(Event::LossReported);
        if is_lost { Err(merge::conflict()) } else { Ok(()) }
    }
}
