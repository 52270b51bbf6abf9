//! Automatic Dolt commits, `@@dolt_transaction_commit`: every transaction that changes something makes one (docs/format/database.md, section 6.2).

use std::rc::Rc;

use vcs::{Commit, Ignored, RefChange, Refs, WorkingSet};

use super::merge::{WORKING_SETS, is_changed_working_set};
use super::snapshot::Snapshot;
use crate::catalog::Catalog;
use crate::error::{Result, SqlError};
use crate::state::Authorship;

/// Where autocommitted work is going to be committed.
pub struct AutoCommit {
    branch: Box<str>,
    /// The names with all changes of the transaction staged.
    pub refs: Refs,
}

impl AutoCommit {
    /// The commit that a transaction makes: of its own changes, and of what others have staged. `None` where the session makes none,
    /// where the transaction has made one itself, and where nothing is to be committed.
    ///
    /// # Errors
    /// 1105 when another branch is checked out.
    pub fn of(catalog: &Catalog, snapshot: &Snapshot, edits: &[RefChange]) -> Result<Option<AutoCommit>> {
        let Snapshot { attached, base, refs } = snapshot;
        if catalog.state.variables.borrow().integer("dolt_transaction_commit") == 0 {
            return Ok(None);
        }
        let edit = edits.iter().find(|edit| is_changed_working_set(edit));
        let Some(branch) = edit.and_then(|edit| edit.name.strip_prefix(WORKING_SETS)) else { return Ok(None) };
        if refs.branch(branch)? != base.branch(branch)? {
            return Ok(None);
        }
        let place = catalog.place(None)?;
        let refused =
            |what: String| SqlError::general(format!("no changes to dolt_commit on {what}")).keeping_changes();
        if !Rc::ptr_eq(&place.attached, attached) {
            return Err(refused(format!("database {}", place.attached.name)));
        }
        match place.branch() {
            Some(current) if current != branch => return Err(refused(format!("branch {current}"))),
            _ => {}
        }
        let staged = refs.roots(branch)?.stage_all(Ignored::LeftOut)?;
        if staged.staged.address() == staged.head.address() {
            return Ok(None);
        }
        if let Some(failure) = catalog.verification_failure()? {
            return Err(failure.keeping_changes());
        }
        let set = refs.working_set(branch)?;
        let set = WorkingSet { working: staged.working.address(), staged: staged.staged.address(), ..set };
        let mut draft = refs.draft();
        draft.set_working_set(branch, Some(&set))?;
        Ok(Some(AutoCommit { branch: branch.into(), refs: draft.write()? }))
    }

    /// The names with a commit of what is staged in them.
    pub fn made(&self, catalog: &Catalog, refs: Refs) -> Result<Refs> {
        let message = catalog.state.variables.borrow().text("dolt_transaction_commit_message");
        let message = if message.trim().is_empty() { "Transaction commit" } else { message.trim() };
        let Some(head) = refs.branch(&self.branch)? else { return Ok(refs) };
        let objects = refs.objects();
        let set = refs.working_set(&self.branch)?;
        let merged = set.merge.as_ref().filter(|merge| !merge.is_cherry_pick && !merge.is_revert);
        let merged = merged.map(|merge| objects.commit(&merge.from_commit)).transpose()?;
        let parents: Vec<Rc<Commit>> = [objects.commit(&head)?].into_iter().chain(merged).collect();
        let meta = Authorship::of(&catalog.state)?.meta(message, &parents);
        let commit = Commit::write(objects, &parents, set.staged, meta)?;
        let mut draft = refs.draft();
        draft.set_branch(&self.branch, Some(commit.address));
        draft.set_working_set(&self.branch, Some(&WorkingSet { merge: None, ..set }))?;
        Ok(draft.write()?)
    }
}
