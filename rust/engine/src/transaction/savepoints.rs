//! States of a transaction to go back to: of statements that fail, and of savepoints.

use std::rc::Rc;

use super::Transaction;
use super::snapshot::Snapshot;
use crate::error::{Result, SqlError};

pub(super) struct Savepoint {
    name: Box<str>,
    pub(super) mark: Mark,
}

/// The state of a transaction, to go back to.
#[derive(Clone)]
pub struct Mark {
    pub(super) snapshots: Vec<Snapshot>,
    /// There was an open writer, which has a mark of its own.
    has_writer: bool,
}

impl Transaction {
    /// The state now.
    pub fn mark(&self) -> Mark {
        let writer = self.open_writer.borrow();
        if let Some(writer) = &*writer {
            writer.borrow_mut().mark();
        }
        Mark { snapshots: self.inner.borrow().snapshots.clone(), has_writer: writer.is_some() }
    }

    /// Back to a state of this transaction.
    pub fn restore(&self, mark: &Mark) {
        let then = match self.open_writer() {
            Some(writer) if mark.has_writer => {
                writer.borrow_mut().undo();
                mark.snapshots.clone()
            }
            // The statement has published what those before it had left.
            None if mark.has_writer => self.inner.borrow().published.clone(),
            _ => {
                self.open_writer.take();
                mark.snapshots.clone()
            }
        };
        let mut inner = self.inner.borrow_mut();
        for snapshot in &mut inner.snapshots {
            if snapshot.attached.is_temporary
                && snapshot.is_changed()
                && let Some(catalog) = self.catalog.upgrade()
            {
                catalog.has_moved();
            }
            match then.iter().find(|known| Rc::ptr_eq(&known.attached, &snapshot.attached)) {
                Some(then) => snapshot.clone_from(then),
                None => snapshot.refs = snapshot.base.clone(),
            }
        }
    }

    /// SAVEPOINT: one of the same name is replaced.
    pub fn savepoint(&self, name: &str) {
        let mut mark = self.mark();
        mark.snapshots.retain(|snapshot| !snapshot.attached.is_temporary);
        let mut inner = self.inner.borrow_mut();
        inner.savepoints.retain(|savepoint| !savepoint.name.eq_ignore_ascii_case(name));
        inner.savepoints.push(Savepoint { name: name.into(), mark });
    }

    /// ROLLBACK TO: the savepoint stays, those after it go.
    pub fn rollback_to(&self, name: &str) -> Result<()> {
        let at = self.find(name)?;
        let mark = {
            let mut inner = self.inner.borrow_mut();
            inner.savepoints.truncate(at + 1);
            inner.savepoints[at].mark.clone()
        };
        self.restore(&mark);
        Ok(())
    }

    /// RELEASE SAVEPOINT: it goes; the changes stay, and as in the reference the savepoints after it.
    pub fn release(&self, name: &str) -> Result<()> {
        let at = self.find(name)?;
        self.inner.borrow_mut().savepoints.remove(at);
        Ok(())
    }

    fn find(&self, name: &str) -> Result<usize> {
        let inner = self.inner.borrow();
        let at = inner.savepoints.iter().position(|savepoint| savepoint.name.eq_ignore_ascii_case(name));
        at.ok_or_else(|| SqlError::general(format!("SAVEPOINT {name} does not exist")))
    }
}
