//! How transactions and statements begin.

use std::rc::Rc;

use super::snapshot::Snapshot;
use super::{Intent, State, Transaction};
use crate::error::Result;
use crate::expr::Context;

impl Transaction {
    /// START TRANSACTION, with the commit of what was open: fixes what is seen of all databases.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn start(&self, is_read_only: bool) -> Result<()> {
        if !is_read_only && self.begin_on_top()? {
            return Ok(());
        }
        self.engine.settle()?;
        self.commit()?;
        self.begin_as(State::Open, is_read_only)?;
        self.inner.borrow_mut().is_begun = true;
        Ok(())
    }

    pub(super) fn begin_as(&self, state: State, is_read_only: bool) -> Result<()> {
        self.close();
        self.in_vain.borrow_mut().tables.clear();
        self.engine.refresh()?;
        let mut inner = self.inner.borrow_mut();
        inner.snapshots = self.engine.databases().iter().map(Snapshot::new).collect::<Result<_>>()?;
        inner.state = state;
        inner.is_read_only = is_read_only;
        Ok(())
    }

    /// The transaction of the statement that ends goes on: it has switched autocommit off.
    pub(super) fn stay_open(&self) -> Result<()> {
        let mut inner = self.inner.borrow_mut();
        for attached in self.engine.databases() {
            if !inner.snapshots.iter().any(|known| Rc::ptr_eq(&known.attached, &attached)) {
                inner.snapshots.push(Snapshot::new(&attached)?);
            }
        }
        inner.state = State::Open;
        Ok(())
    }

    /// A statement begins: with autocommit in a transaction of its own, unless one is open. Unless it is one that changes rows
    /// through [`Transaction::open_writer`], [`Transaction::publish`] is next.
    ///
    /// # Errors
    /// As `settle`.
    pub fn begin_statement(&self, autocommit: bool, intent: Intent) -> Result<()> {
        let mut in_vain = self.in_vain.borrow_mut();
        let is_within_another = self.inner.borrow().state == State::Open;
        if !std::mem::take(&mut in_vain.is_new) && !is_within_another {
            in_vain.tables.clear();
        }
        drop(in_vain);
        self.note_run(intent);
        if self.goes_on_top(intent) {
            return Ok(());
        }
        if intent == Intent::RollBack {
            // Nothing keeps a transaction from being forgotten: what failed below it is told by the next statement.
            self.engine.settle_quietly();
            let _ = self.check_own();
            return Ok(());
        }
        match self.engine.settle() {
            // Reading goes on, say, while the disk is full; whoever changes something is told.
            Err(_) if intent.only_reads() && self.engine.has_unsettled() && !self.has_own() => {}
            settled => settled?,
        }
        self.check_own()?;
        if !is_within_another {
            match self.redo_what_is_left() {
                Err(error) if intent.only_reads() && !error.is_wait() => {}
                redone => redone?,
            }
        }
        let (state, is_begun) = (self.inner.borrow().state, self.inner.borrow().is_begun);
        match state {
            State::Open | State::Unsettled | State::Gathering => return Ok(()),
            State::Closed | State::Statement if is_begun || !autocommit => return self.begin_as(State::Open, false),
            State::Closed | State::Statement => {}
        }
        self.begin_alone()?;
        self.inner.borrow_mut().may_be_put_off = intent == Intent::ChangeRows;
        Ok(())
    }

    /// A statement that changes rows, or a procedure, is about to begin: with autocommit nobody commits between what it reads and its own
    /// commit, where it is done before the host has a turn. Merged row by row, two that add one to the same number, or that give the same
    /// number to equal rows, would agree, and one of them be lost; two Dolt commits of one branch could not be merged.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`].
    ///
    /// [`SqlError::is_wait`]: crate::error::SqlError::is_wait
    pub fn claim(&self) -> Result<()> {
        let is_within_another = self.inner.borrow().state == State::Open || self.inner.borrow().is_begun;
        if is_within_another || !self.is_autocommit() {
            return Ok(());
        }
        let Some(catalog) = self.catalog.upgrade() else { return Ok(()) };
        let name = catalog.state.database().unwrap_or_default();
        let base = name.split(['/', '@']).next().unwrap_or_default();
        let Some(attached) = self.engine.database(base) else { return Ok(()) };
        Ok(attached.database.objects().nodes().chunks().claim().map_err(tree::TreeError::from)?)
    }

    pub(super) fn begin_alone(&self) -> Result<()> {
        self.engine.refresh()?;
        self.open_writer.take();
        let mut inner = self.inner.borrow_mut();
        inner.state = State::Statement;
        // What is as it was stays known, unless the database was dropped.
        inner.snapshots.retain(|snapshot| {
            !snapshot.is_changed() && snapshot.is_current() && self.engine.is_there(&snapshot.attached)
        });
        inner.savepoints.clear();
        inner.is_read_only = false;
        Ok(())
    }

    /// The statement that begins runs in this context.
    pub(crate) fn runs(&self, context: &Rc<Context>) {
        *self.statement.borrow_mut() = Rc::downgrade(context);
    }
}
