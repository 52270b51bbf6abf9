//! Begin of transactions and of statements: what they flush first, and the snapshots that they take.

use std::rc::Rc;

use super::snapshot::Snapshot;
use super::state::{Entry, Event, Opening};
use super::{Intent, Transaction};
use crate::error::Result;
use crate::expr::Context;

impl Transaction {
    /// START TRANSACTION, with the commit of what was open: fixes what is seen of all databases.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn start_transaction(&self, is_read_only: bool) -> Result<()> {
        if !is_read_only && self.stack()? {
            return Ok(());
        }
        self.engine.flush_group()?;
        self.commit()?;
        self.begin_many(Event::Opened { is_begun: true, is_read_only })
    }

    /// Begins a transaction of several statements, in place of what there is.
    pub(super) fn begin_many(&self, event: Event) -> Result<()> {
        self.close();
        self.consumed_ids.borrow_mut().clear();
        self.engine.refresh()?;
        let snapshots = self.engine.databases().iter().map(Snapshot::new).collect::<Result<_>>()?;
        self.view.borrow_mut().snapshots = snapshots;
        self.apply(event);
        Ok(())
    }

    /// Begins the transaction of a single statement with autocommit.
    pub(super) fn begin_single(&self, may_defer: bool) -> Result<()> {
        self.engine.refresh()?;
        self.open_writer.take();
        self.apply(Event::StatementBegan { may_defer });
        let mut view = self.view.borrow_mut();
        // What is as it was stays known, unless the database was dropped.
        view.snapshots.retain(|snapshot| {
            !snapshot.is_changed() && snapshot.is_current() && self.engine.is_there(&snapshot.attached)
        });
        view.savepoints.clear();
        Ok(())
    }

    /// The transaction of the statement that ends stays open: it has switched autocommit off.
    pub(super) fn keep_open(&self) -> Result<()> {
        let mut view = self.view.borrow_mut();
        for attached in self.engine.databases() {
            if view.find(&attached).is_none() {
                view.snapshots.push(Snapshot::new(&attached)?);
            }
        }
        self.apply(Event::AutocommitDisabled);
        Ok(())
    }

    /// A statement begins: with autocommit in a transaction of its own, unless one is open. Unless it is one that changes rows
    /// through [`Transaction::open_writer`], [`Transaction::publish`] is next.
    ///
    /// # Errors
    /// As `flush_group`; 1213 where a stacked transaction was lost since the statement before.
    pub fn begin_statement(&self, is_autocommit: bool, intent: Intent) -> Result<()> {
        let is_in_transaction = self.state.borrow().is_in_transaction();
        self.consumed_ids.borrow_mut().begin_statement(is_in_transaction);
        let needs_trees = intent == Intent::ReadRows && self.edits().is_some();
        self.queue.borrow_mut().note_begin(intent, is_in_transaction, needs_trees);
        let entry = self.state.borrow().entry(intent, || self.group_has_room());
        match entry {
            Entry::JoinGroup => {
                if intent == Intent::ChangeRows {
                    self.queue.borrow_mut().join();
                }
                return Ok(());
            }
            Entry::FlushQuietly => {
                self.engine.flush_group_quietly();
                let _ = self.report_loss();
                return Ok(());
            }
            Entry::Flush => match self.engine.flush_group() {
                // Reading goes on, say, while the disk is full; the next statement that changes something fails.
                Err(_) if intent.only_reads() && self.engine.has_pending_commits() && !self.is_parked() => {}
                flushed => flushed?,
            },
        }
        self.report_loss()?;
        if !is_in_transaction {
            match self.redo_orphans() {
                Err(error) if intent.only_reads() && !error.is_wait() => {}
                redone => redone?,
            }
        }
        let opening = self.state.borrow().opening(intent, is_autocommit);
        match opening {
            Opening::Current => Ok(()),
            Opening::Transaction { is_begun } => self.begin_many(Event::Opened { is_begun, is_read_only: false }),
            Opening::Statement { may_defer } => self.begin_single(may_defer),
        }
    }

    /// A statement that changes rows, or a procedure, is about to begin: with autocommit no other tab commits between what it reads and its own
    /// commit, where it is done before the host has a turn. Merged row by row, two that add one to the same number, or that give the same
    /// number to equal rows, would agree, and one of them be lost; two Dolt commits of one branch could not be merged.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`].
    ///
    /// [`SqlError::is_wait`]: crate::error::SqlError::is_wait
    pub fn claim(&self) -> Result<()> {
        let is_within_another = self.state.borrow().is_in_transaction() || self.state.borrow().is_begun();
        if is_within_another || !self.is_autocommit() {
            return Ok(());
        }
        let Some(catalog) = self.catalog.upgrade() else { return Ok(()) };
        let name = catalog.state.database().unwrap_or_default();
        let base = name.split(['/', '@']).next().unwrap_or_default();
        let Some(attached) = self.engine.database(base) else { return Ok(()) };
        Ok(attached.database.objects().nodes().chunks().claim().map_err(tree::TreeError::from)?)
    }

    /// The statement that begins runs in this context.
    pub(crate) fn runs(&self, context: &Rc<Context>) {
        *self.statement.borrow_mut() = Rc::downgrade(context);
    }
}
