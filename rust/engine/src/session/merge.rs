//! Changes of a transaction on top of those that others committed meanwhile.

use codec::Address;
use vcs::{Expressions, Refs, VcsError, WorkingSet};

use crate::error::{Result, SqlError};
use crate::write::full_text;

/// Datasets of the working sets of branches.
pub const WORKING_SETS: &str = "workingSets/heads/";

/// A dataset that a transaction changed.
pub struct Edit {
    /// The whole name.
    pub name: Box<str>,
    before: Option<Address>,
    after: Option<Address>,
}

impl Edit {
    /// Whether it is the working set of a branch that neither came nor went.
    pub fn is_changed_working_set(&self) -> bool {
        self.name.starts_with(WORKING_SETS) && self.before.is_some() && self.after.is_some()
    }
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
pub fn onto(base: &Refs, ours: &Refs, edits: &[Edit], now: &Refs, expressions: &dyn Expressions) -> Result<Refs> {
    let mut draft = now.draft();
    for edit in edits {
        let theirs = now.dataset(&edit.name)?;
        if theirs == edit.before || theirs == edit.after {
            draft.set(edit.name.clone(), edit.after);
            continue;
        }
        let branch = edit.name.strip_prefix(WORKING_SETS).filter(|_| edit.after.is_some() && theirs.is_some());
        let Some(branch) = branch else { return Err(conflict()) };
        let [base, ours, theirs] = [base, ours, now].map(|refs| refs.working_set(branch));
        let set = working_sets(&base?, &ours?, &theirs?, now, expressions)?;
        draft.set_working_set(branch, Some(&set))?;
    }
    Ok(draft.write()?)
}

fn working_sets(
    base: &WorkingSet,
    ours: &WorkingSet,
    theirs: &WorkingSet,
    refs: &Refs,
    expressions: &dyn Expressions,
) -> Result<WorkingSet> {
    let root = |address: &Address| refs.objects().root_value(address);
    let merged = |base: &Address, ours: &Address, theirs: &Address| -> Result<Address> {
        if ours == theirs || theirs == base {
            return Ok(*ours);
        }
        if ours == base {
            return Ok(*theirs);
        }
        match vcs::merge_working(&root(base)?, &root(theirs)?, &root(ours)?, expressions) {
            Ok(merged) if merged.is_clean() => Ok(full_text::after_merge(merged.root, &root(theirs)?, None)?.address()),
            Ok(_) | Err(VcsError::Merge(_)) => Err(conflict()),
            Err(error) => Err(error.into()),
        }
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
