//! Changes of a transaction on top of those that others committed meanwhile.

use codec::Address;
use vcs::{Refs, RootValue, WorkingSet};

use crate::error::{Result, SqlError};

/// Datasets of the working sets of branches.
pub const WORKING_SETS: &str = "workingSets/heads/";

/// A dataset that a transaction changed.
pub struct Edit {
    /// The whole name.
    pub name: Box<str>,
    before: Option<Address>,
    after: Option<Address>,
}

/// What is different between two states of the names.
pub fn edits(before: &Refs, after: &Refs) -> Result<Vec<Edit>> {
    let mut edits = Vec::new();
    for entry in after.datasets("") {
        let (name, address) = entry?;
        let known = before.dataset(&name)?;
        if known != Some(address) {
            edits.push(Edit { name, before: known, after: Some(address) });
        }
    }
    for entry in before.datasets("") {
        let (name, address) = entry?;
        if after.dataset(&name)?.is_none() {
            edits.push(Edit { name, before: Some(address), after: None });
        }
    }
    Ok(edits)
}

/// The error when two transactions changed the same thing; the client tries again.
pub fn conflict() -> SqlError {
    let text = "serialization failure: this transaction conflicts with a committed transaction from another client, try \
                restarting transaction.";
    SqlError::new(1213, text).in_state(*b"40001")
}

/// The names `now` with the changes that lead from `base` to `ours`.
///
/// # Errors
/// 1213 where both changed the same thing.
pub fn onto(base: &Refs, ours: &Refs, edits: &[Edit], now: &Refs) -> Result<Refs> {
    let mut draft = now.draft();
    for edit in edits {
        let theirs = now.dataset(&edit.name)?;
        if theirs == edit.before || theirs == edit.after {
            draft.set(edit.name.clone(), edit.after);
            continue;
        }
        let branch = edit.name.strip_prefix(WORKING_SETS).filter(|_| edit.after.is_some() && theirs.is_some());
        let Some(branch) = branch else { return Err(conflict()) };
        let set = working_sets(&base.working_set(branch)?, &ours.working_set(branch)?, &now.working_set(branch)?, now)?;
        draft.set_working_set(branch, Some(&set))?;
    }
    Ok(draft.write()?)
}

fn working_sets(base: &WorkingSet, ours: &WorkingSet, theirs: &WorkingSet, refs: &Refs) -> Result<WorkingSet> {
    let root = |address: &Address| refs.objects().root_value(address);
    let merged = |base: &Address, ours: &Address, theirs: &Address| -> Result<Address> {
        if ours == theirs || theirs == base {
            return Ok(*ours);
        }
        if ours == base {
            return Ok(*theirs);
        }
        Ok(roots(&root(base)?, &root(ours)?, &root(theirs)?)?.address())
    };
    let merge = if ours.merge == base.merge { theirs.merge.clone() } else { ours.merge.clone() };
    let rebase = if ours.rebase == base.rebase { theirs.rebase.clone() } else { ours.rebase.clone() };
    Ok(WorkingSet {
        working: merged(&base.working, &ours.working, &theirs.working)?,
        staged: merged(&base.staged, &ours.staged, &theirs.staged)?,
        merge,
        rebase,
        ..ours.clone()
    })
}

/// Tables that one side changed; 1213 for those that both did.
fn roots(base: &RootValue, ours: &RootValue, theirs: &RootValue) -> Result<RootValue> {
    let changed = |root: &RootValue| root.foreign_keys_address() != base.foreign_keys_address();
    let mut merged = theirs.clone();
    if changed(ours) {
        if changed(theirs) {
            return Err(conflict());
        }
        merged = merged.with_foreign_keys(&ours.foreign_keys()?)?;
    }
    for entry in ours.tables() {
        let (name, table) = entry?;
        let (before, there) = (exactly(base, &name)?, exactly(theirs, &name)?);
        if before == Some(table) || there == Some(table) {
            continue;
        }
        if there != before {
            return Err(conflict());
        }
        merged = merged.with_table_at(&name, &table)?;
    }
    for entry in base.tables() {
        let (name, table) = entry?;
        if exactly(ours, &name)?.is_none() {
            match exactly(theirs, &name)? {
                None => {}
                Some(there) if there == table => merged = merged.without_table(&name)?,
                Some(_) => return Err(conflict()),
            }
        }
    }
    Ok(merged)
}

fn exactly(root: &RootValue, name: &str) -> Result<Option<Address>> {
    Ok(root.find_table(name)?.filter(|(stored, _)| **stored == *name).map(|(_, address)| address))
}
