//! Snapshot of a database within a transaction, and the commit of its changes.

use std::rc::Rc;

use vcs::{Committed, RefChange, Refs};

use super::auto_commit::AutoCommit;
use super::{TRIES_MAX, merge, redo_recovery, validate};
use crate::catalog::Catalog;
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::write::SchemaExpressions;

/// A database as the transaction sees it.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) attached: Rc<Attached>,
    /// As it was when the transaction began.
    pub(super) base: Refs,
    /// With the changes of this transaction.
    pub(super) refs: Refs,
}

impl Snapshot {
    pub(super) fn new(attached: &Rc<Attached>) -> Result<Snapshot> {
        let base = attached.database.refs()?;
        Ok(Snapshot { attached: attached.clone(), refs: base.clone(), base })
    }

    pub(super) fn is_changed(&self) -> bool {
        self.refs.root() != self.base.root()
    }

    pub(super) fn is_current(&self) -> bool {
        self.base.root() == self.attached.database.objects().nodes().chunks().root()
    }

    pub(super) fn commit(&self, catalog: &Rc<Catalog>, branches_max: usize) -> Result<()> {
        let edits = self.refs.changes_since(&self.base)?;
        // Procedures make and delete branches, but only so many that are there may change.
        if edits.iter().filter(|edit| merge::is_changed_working_set(edit)).count() > branches_max {
            return Err(several_branches());
        }
        validate::working_sets(catalog, self.refs.objects(), &edits)?;
        if let Some(commit) = AutoCommit::of(catalog, self, &edits)? {
            let edits = commit.refs.changes_since(&self.base)?;
            return self.put(catalog, &commit.refs, &edits, |refs| commit.made(catalog, refs));
        }
        self.put(catalog, &self.refs, &edits, Ok)
    }

    /// Makes names with these edits those of the database, merged with what others have committed.
    fn put(
        &self,
        catalog: &Rc<Catalog>,
        refs: &Refs,
        edits: &[RefChange],
        finished: impl Fn(Refs) -> Result<Refs>,
    ) -> Result<()> {
        let database = &self.attached.database;
        let mut from = self.base.clone();
        let mut to = finished(refs.clone())?;
        for _ in 0..TRIES_MAX {
            if database.commit(&from, &to)? == Committed::Done {
                return Ok(());
            }
            redo_recovery::take_over(catalog, &self.attached, true)?;
            from = database.refs()?;
            merge::check_unchanged(catalog, &self.base, edits, &from)?;
            let merged = merge::onto(&self.base, refs, edits, &from, &SchemaExpressions::new(catalog))?;
            validate::working_sets(catalog, merged.objects(), &merged.changes_since(&from)?)?;
            to = finished(merged)?;
        }
        Err(merge::conflict())
    }
}

/// The changes stay: to take one of them back is enough.
pub(super) fn several_branches() -> SqlError {
    SqlError::general("Cannot commit changes on more than one branch / database").keeping_changes()
}
