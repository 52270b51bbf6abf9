//! Transactions that begin on top of changes that are acknowledged and not settled.
//!
//! While such a transaction is open, the open writer has those changes and, behind a mark, its own: as long as it does nothing but change
//! rows by their keys. COMMIT leaves its own changes with the others, ROLLBACK takes them back. When anything else begins they are put
//! aside, in the form of a redo record; what lies below is settled, and they come on top of that again.

use std::rc::Rc;

use super::snapshot::Snapshot;
use super::{Intent, State, Transaction, merge};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::write::{Since, redo};

/// What an open transaction has changed, put aside. It counts as a writer of its own: chunks that it needs stay.
pub(super) struct Own {
    attached: Rc<Attached>,
    changes: Vec<u8>,
}

impl Transaction {
    /// Whether a statement leaves what is not settled as it is: one more change of rows, or the beginning or end of a transaction of such.
    pub(super) fn goes_on_top(&self, intent: Intent) -> bool {
        let state = self.inner.borrow().state;
        let goes = match (state, intent) {
            (State::Unsettled | State::Open, Intent::ChangeRows) | (State::Unsettled, Intent::Begin) => {
                self.takes_more()
            }
            (State::Open, Intent::Commit | Intent::RollBack) => self.inner.borrow().backlog.statements > 0,
            _ => false,
        };
        if goes && intent == Intent::ChangeRows {
            self.inner.borrow_mut().backlog.statements += 1;
        }
        goes
    }

    /// START TRANSACTION on top of what is not settled; false where there is nothing, or too much.
    pub(super) fn begin_on_top(&self) -> Result<bool> {
        let Some(writer) = self.open_writer().filter(|_| self.inner.borrow().state == State::Unsettled) else {
            return Ok(false);
        };
        if !self.takes_more() {
            return Ok(false);
        }
        self.in_vain.borrow_mut().tables.clear();
        self.engine.refresh()?;
        let here = writer.borrow().place().attached.clone();
        let others = self.engine.databases().into_iter().filter(|attached| !Rc::ptr_eq(attached, &here));
        let others = others.map(|attached| Snapshot::new(&attached)).collect::<Result<Vec<_>>>()?;
        let mut inner = self.inner.borrow_mut();
        inner.snapshots.retain(|known| Rc::ptr_eq(&known.attached, &here));
        inner.snapshots.extend(others);
        (inner.state, inner.is_begun) = (State::Open, true);
        writer.borrow_mut().begin_own();
        Ok(true)
    }

    /// COMMIT of a transaction that somebody began and that did nothing but change rows by their keys: it leaves a redo record, or nothing
    /// with relaxed durability. False where it is to be committed now.
    pub(super) fn leaves_redo(&self) -> bool {
        {
            let mut inner = self.inner.borrow_mut();
            if inner.state != State::Open || !inner.is_begun {
                return false;
            }
            inner.is_in_run = std::mem::replace(&mut inner.was_change, true) && inner.apart == 0;
            inner.apart = inner.apart.saturating_sub(1);
        }
        // Where each statement is one of a transaction, none may leave its commit to itself.
        let leaves = self.is_autocommit() && self.puts_off();
        if leaves {
            self.inner.borrow_mut().is_begun = false;
            if let Some(writer) = self.open_writer() {
                writer.borrow_mut().keep_own();
            }
        }
        leaves
    }

    /// ROLLBACK of a transaction on top of others; false for any other.
    pub(super) fn undo_own(&self) -> bool {
        let is_on_top = self.inner.borrow().state == State::Open && self.inner.borrow().backlog.statements > 0;
        let Some(writer) = self.open_writer().filter(|_| is_on_top) else { return false };
        writer.borrow_mut().undo_own();
        let mut inner = self.inner.borrow_mut();
        (inner.state, inner.is_begun) = (State::Unsettled, false);
        true
    }

    /// What lies below an open transaction is about to be settled.
    pub(super) fn put_own_aside(&self) {
        let Some(writer) = self.open_writer().filter(|_| self.inner.borrow().state == State::Open) else { return };
        let mut writer = writer.borrow_mut();
        // A writer whose edits are its own keeps them out of the trees.
        let changes = writer.changes(Since::Own).unwrap_or_default();
        writer.undo_own();
        let attached = writer.place().attached.clone();
        let mut inner = self.inner.borrow_mut();
        inner.state = State::Unsettled;
        inner.own = Some(Own { attached, changes });
        self.engine.writers.set(self.engine.writers.get() + 1);
    }

    /// The open transaction goes on, if there was one on top of what is settled now.
    pub(super) fn go_on(&self) -> Result<()> {
        let Some(Own { attached, changes }) = self.inner.borrow_mut().own.take() else { return Ok(()) };
        {
            let mut inner = self.inner.borrow_mut();
            (inner.state, inner.has_pending) = (State::Open, true);
            inner.snapshots.retain(|known| !Rc::ptr_eq(&known.attached, &attached));
        }
        let redone = self.redo_own(&attached, changes);
        if redone.is_err() {
            self.discard();
            self.inner.borrow_mut().is_own_lost = true;
        }
        redone
    }

    fn redo_own(&self, attached: &Rc<Attached>, changes: Vec<u8>) -> Result<()> {
        let refs = self.refs(attached)?;
        if !changes.is_empty() {
            let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
            let redone = redo::onto(&refs, &[changes], &catalog.written_now())?;
            self.set_refs(attached, redone)?;
        }
        let mut inner = self.inner.borrow_mut();
        inner.published = inner.snapshots.clone();
        Ok(())
    }

    /// Whether changes of the open transaction are put aside, because what lies below could not be settled.
    pub(super) fn has_own(&self) -> bool {
        self.inner.borrow().own.is_some()
    }

    /// Forgets what the open transaction has changed, while it is put aside; false where nothing is.
    pub(super) fn forget_own(&self) -> bool {
        let mut inner = self.inner.borrow_mut();
        let is_aside = inner.own.take().is_some();
        if is_aside {
            inner.is_begun = false;
            self.engine.writers.set(self.engine.writers.get().saturating_sub(1));
        }
        is_aside
    }

    /// What lay below the open transaction is lost, and so is the transaction.
    pub(super) fn lose_own(&self) {
        let is_lost = self.forget_own();
        self.inner.borrow_mut().is_own_lost |= is_lost;
    }

    /// # Errors
    /// 1213 where the open transaction was lost since the statement before.
    pub(super) fn check_own(&self) -> Result<()> {
        if std::mem::take(&mut self.inner.borrow_mut().is_own_lost) { Err(merge::conflict()) } else { Ok(()) }
    }
}
