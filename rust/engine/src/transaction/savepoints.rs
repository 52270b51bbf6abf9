//! Savepoints of a transaction, and the implicit one of each statement, for when it fails.

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
        Mark { snapshots: self.view.borrow().snapshots.clone(), has_writer: writer.is_some() }
    }

    /// Back to a state of this transaction.
    pub fn restore(&self, mark: &Mark) {
        let then = match self.open_writer() {
            Some(writer) if mark.has_writer => {
                writer.borrow_mut().undo();
                mark.snapshots.clone()
            }
            // The statement has published what those before it had left.
            None if mark.has_writer => self.view.borrow().published.clone(),
            _ => {
                self.open_writer.take();
                mark.snapshots.clone()
            }
        };
        let mut view = self.view.borrow_mut();
        for snapshot in &mut view.snapshots {
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
        let mut view = self.view.borrow_mut();
        view.savepoints.retain(|savepoint| !savepoint.name.eq_ignore_ascii_case(name));
        view.savepoints.push(Savepoint { name: name.into(), mark });
    }

    /// ROLLBACK TO: the savepoint stays, those after it go.
    pub fn rollback_to(&self, name: &str) -> Result<()> {
        let at = self.find(name)?;
        let mark = {
            let mut view = self.view.borrow_mut();
            view.savepoints.truncate(at + 1);
            view.savepoints[at].mark.clone()
        };
        self.restore(&mark);
        Ok(())
    }

    /// RELEASE SAVEPOINT: it goes; the changes stay, and as in the reference the savepoints after it.
    pub fn release(&self, name: &str) -> Result<()> {
        let at = self.find(name)?;
        self.view.borrow_mut().savepoints.remove(at);
        Ok(())
    }

    fn find(&self, name: &str) -> Result<usize> {
        let view = self.view.borrow();
        let at = view.savepoints.iter().position(|savepoint| savepoint.name.eq_ignore_ascii_case(name));
        at.ok_or_else(|| SqlError::general(format!("SAVEPOINT {name} does not exist")))
    }
}
