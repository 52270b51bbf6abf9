//! Names (refs) of databases as a transaction sees and changes them.

use std::rc::Rc;

use codec::Address;
use vcs::{Committed, Refs, RefsDraft};

use super::snapshot::Snapshot;
use super::state::{Event, State};
use super::view::{PendingChunks, View};
use super::{TRIES_MAX, Transaction, merge, redo_recovery};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::write::SchemaExpressions;

impl Transaction {
    /// Whether it goes on after the end of a statement.
    pub fn is_open(&self) -> bool {
        self.state.borrow().is_open()
    }

    /// Whether START TRANSACTION READ ONLY began it.
    pub fn is_read_only(&self) -> bool {
        self.state.borrow().is_read_only()
    }

    /// The names of a database as the transaction sees them.
    pub fn refs(&self, attached: &Rc<Attached>) -> Result<Refs> {
        if !self.reads_base.get() {
            self.publish()?;
        }
        if self.state.borrow().is_closed() {
            return Ok(attached.database.refs()?);
        }
        let mut view = self.view.borrow_mut();
        if let Some(known) = view.find(attached) {
            return Ok(known.refs.clone());
        }
        let snapshot = Snapshot::new(attached)?;
        let refs = snapshot.refs.clone();
        view.snapshots.push(snapshot);
        Ok(refs)
    }

    /// The names of a database as they were when the transaction began, if it has looked at them.
    pub fn base(&self, attached: &Rc<Attached>) -> Option<Refs> {
        let view = self.view.borrow();
        view.find(attached).filter(|_| !self.state.borrow().is_closed()).map(|known| known.base.clone())
    }

    /// The store root of [`Transaction::refs`].
    pub(crate) fn root(&self, attached: &Rc<Attached>) -> Address {
        let view = self.view.borrow();
        match view.find(attached).filter(|_| !self.state.borrow().is_closed()) {
            Some(known) => known.refs.root(),
            None => attached.database.objects().nodes().chunks().root(),
        }
    }

    /// The store root on which an open transaction, or a statement that still runs, began.
    pub(crate) fn open_root(&self, attached: &Rc<Attached>) -> Option<Address> {
        let is_open = match &*self.state.borrow() {
            State::Statement { .. } => self.statement.borrow().strong_count() > 0,
            state => !state.is_closed(),
        };
        self.view.borrow().find(attached).filter(|_| is_open).map(|known| known.base.root())
    }

    /// Puts names with changes in place of those that [`Transaction::refs`] gave.
    ///
    /// # Errors
    /// 1792 in a READ ONLY transaction.
    pub fn set_refs(&self, attached: &Rc<Attached>, refs: Refs) -> Result<()> {
        // What was not looked at yet gets its base.
        self.refs(attached)?;
        self.will_write();
        self.check_writable_in(attached)?;
        let mut view = self.view.borrow_mut();
        if self.state.borrow().is_closed() {
            let snapshot = Snapshot::new(attached)?;
            view.snapshots.retain(|known| !Rc::ptr_eq(&known.attached, attached));
            view.snapshots.push(snapshot);
            self.apply(Event::NamesChanged);
        }
        if let Some(known) = view.find_mut(attached) {
            known.refs = refs;
        }
        Ok(())
    }

    /// Changes names for all to see, whatever becomes of the transaction: so Dolt makes tags.
    ///
    /// # Errors
    /// 1792 in a READ ONLY transaction; one that [`SqlError::is_wait`]: nothing has happened, try again.
    pub fn change_refs_now(&self, attached: &Rc<Attached>, edit: &dyn Fn(&mut RefsDraft) -> Result<()>) -> Result<()> {
        let edited = |refs: &Refs| -> Result<Refs> {
            let mut draft = refs.draft();
            edit(&mut draft)?;
            Ok(draft.write()?)
        };
        if !self.is_open() {
            return self.set_refs(attached, edited(&self.refs(attached)?)?);
        }
        self.check_writable()?;
        self.will_write();
        self.engine.flush_group()?;
        self.refs(attached)?;
        let database = &attached.database;
        for tries in 1.. {
            let now = database.refs()?;
            if database.commit(&now, &edited(&now)?)? == Committed::Done {
                break;
            }
            if tries == TRIES_MAX {
                return Err(merge::conflict());
            }
            redo_recovery::take_over(&self.catalog()?, attached, true)?;
        }
        let View { snapshots, savepoints, .. } = &mut *self.view.borrow_mut();
        let marked = savepoints.iter_mut().flat_map(|savepoint| &mut savepoint.mark.snapshots);
        for snapshot in snapshots.iter_mut().chain(marked).filter(|known| Rc::ptr_eq(&known.attached, attached)) {
            snapshot.base = edited(&snapshot.base)?;
            snapshot.refs = edited(&snapshot.refs)?;
        }
        Ok(())
    }

    /// # Errors
    /// 1792 in a READ ONLY transaction, and in a session that only reads.
    pub fn check_writable(&self) -> Result<()> {
        self.check_session()?;
        match self.is_read_only() {
            true => Err(read_only("cannot execute statement in a READ ONLY transaction")),
            false => Ok(()),
        }
    }

    /// As [`Transaction::check_writable`], for one database: temporary tables can be changed in READ ONLY transactions, too.
    pub fn check_writable_in(&self, attached: &Attached) -> Result<()> {
        if attached.is_temporary { self.check_session() } else { self.check_writable() }
    }

    fn check_session(&self) -> Result<()> {
        if self.catalog.upgrade().is_some_and(|catalog| catalog.state.variables.borrow().is_read_only()) {
            return Err(read_only("this session only reads (@@varve_read_only): write in another one"));
        }
        Ok(())
    }

    /// To be called before chunks are put: they are kept until the transaction ends.
    pub fn will_write(&self) {
        self.view.borrow_mut().chunks.get_or_insert_with(|| PendingChunks::keep(&self.engine));
    }

    /// Changes that are not committed move from one branch to another: this transaction may change both.
    pub fn will_move_changes(&self) {
        self.view.borrow_mut().moves_changes = true;
    }

    /// Takes over what others have committed to a database since the transaction began, so that a commit can follow theirs.
    ///
    /// # Errors
    /// 1213 when another client changed the same rows: the transaction ends without its changes. It stays open where the statement was
    /// cancelled or had no memory.
    pub fn catch_up(&self, attached: &Rc<Attached>) -> Result<()> {
        let catalog = self.catalog()?;
        let now = attached.database.refs()?;
        let Some(Snapshot { base, refs, .. }) = self.view.borrow().find(attached).cloned() else { return Ok(()) };
        let edits = refs.changes_since(&base)?;
        let merged = merge::check_unchanged(&catalog, &base, &edits, &now)
            .and_then(|()| merge::onto(&base, &refs, &edits, &now, &SchemaExpressions::new(&catalog)));
        let refs = merged.inspect_err(|error| {
            if !error.is_interruption() {
                self.discard();
            }
        })?;
        if let Some(known) = self.view.borrow_mut().find_mut(attached) {
            (known.base, known.refs) = (now, refs);
        }
        Ok(())
    }

    /// Whether others have committed something to a database since the transaction began.
    pub fn is_behind(&self, attached: &Rc<Attached>) -> Result<bool> {
        if self.is_open() {
            self.engine.refresh()?;
        }
        Ok(self.view.borrow().find(attached).is_some_and(|known| !known.is_current()))
    }
}

fn read_only(text: &str) -> SqlError {
    SqlError::new(1792, text).in_state(*b"25006")
}
