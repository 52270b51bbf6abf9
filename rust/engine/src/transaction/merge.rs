//! Merge of the changes of a transaction with those that others have committed since it began.

use codec::Address;
use vcs::{Expressions, Head, RefChange, Refs, RootValue, TableNames, VcsReason, WorkingSet};

use crate::catalog::Catalog;
use crate::error::{Result, SqlError};
use crate::write::full_text::AfterMerge;

/// Datasets of the working sets of branches.
pub const WORKING_SETS: &str = "workingSets/heads/";

/// Two transactions changed the same thing.
pub const CONFLICT: u16 = 1213;

/// Whether it is the working set of a branch that neither came nor went.
pub fn is_changed_working_set(edit: &RefChange) -> bool {
    edit.name.starts_with(WORKING_SETS) && edit.before.is_some() && edit.after.is_some()
}

/// The error when two transactions changed the same thing; the client tries again.
pub fn conflict() -> SqlError {
    let text = "serialization failure: this transaction conflicts with a committed transaction from another client, try \
                restarting transaction.";
    SqlError::new(CONFLICT, text).in_state(*b"40001")
}

/// The names `now` with the changes that lead from `base` to `ours`.
///
/// # Errors
/// 1213 where both changed the same thing.
pub fn onto(base: &Refs, ours: &Refs, edits: &[RefChange], now: &Refs, expressions: &dyn Expressions) -> Result<Refs> {
    let mut draft = now.draft();
    for edit in edits {
        let theirs = now.dataset(&edit.name)?;
        if theirs == edit.before || theirs == edit.after {
            draft.set(edit.name.clone(), edit.after);
            continue;
        }
        let branch = edit.name.strip_prefix(WORKING_SETS).filter(|_| edit.after.is_some() && theirs.is_some());
        let Some(branch) = branch else { return Err(conflict()) };
        let [ours, theirs] = [ours.working_set(branch)?, now.working_set(branch)?];
        if edit.before.is_none() {
            // Both made the branch: they agree when they made the same.
            let is_same = ours.working == theirs.working && ours.staged == theirs.staged && ours.merge == theirs.merge;
            if is_same {
                continue;
            }
            return Err(conflict());
        }
        let head = Head::Branch(branch.into());
        let names = TableNames { refs: now, head: &head };
        let set = working_sets(&base.working_set(branch)?, &ours, &theirs, names, expressions)?;
        draft.set_working_set(branch, Some(&set))?;
    }
    Ok(draft.write()?)
}

/// Tables whose definitions may let a statement read others that it does not name.
const LEADING_ELSEWHERE: [&str; 3] = ["dolt_schemas", "dolt_procedures", "dolt_nonlocal_tables"];

/// Whether others have changed, on a branch that `edits` change as well, a table that the transaction may have read. Rows that both sides
/// made the same merge, so that a transaction that is to be as if it were alone is not merged then.
///
/// # Errors
/// 1213 if so, where the session asks for it by `@@varve_unchanged`.
pub fn check_unchanged(catalog: &Catalog, base: &Refs, edits: &[RefChange], now: &Refs) -> Result<()> {
    let Some(names) = catalog.state.variables.borrow().unchanged() else { return Ok(()) };
    for edit in edits.iter().filter(|edit| is_changed_working_set(edit)) {
        if now.dataset(&edit.name)?.is_none_or(|theirs| Some(theirs) == edit.before) {
            continue;
        }
        let [before, after] = [working_root(base, &edit.name)?, working_root(now, &edit.name)?];
        let mut is_all = names == "*";
        for name in LEADING_ELSEWHERE {
            is_all |= before.table_address(name)?.is_some();
        }
        for table in vcs::changed_tables(&before, &after)? {
            if is_all || names.lines().any(|name| *name == table.to_lowercase()) {
                return Err(conflict());
            }
        }
    }
    Ok(())
}

/// The working root of the branch whose working set is the dataset of this name.
#[inline(never)]
fn working_root(refs: &Refs, dataset: &str) -> Result<RootValue> {
    let set = refs.working_set(dataset.strip_prefix(WORKING_SETS).unwrap_or_default())?;
    Ok(refs.objects().root_value(&set.working)?)
}

fn working_sets(
    base: &WorkingSet,
    ours: &WorkingSet,
    theirs: &WorkingSet,
    names: TableNames<'_>,
    expressions: &dyn Expressions,
) -> Result<WorkingSet> {
    let root = |address: &Address| names.refs.objects().root_value(address);
    let merged = |base: RootValue, ours: &RootValue, theirs: &RootValue| -> Result<Address> {
        if ours.address() == theirs.address() || theirs.address() == base.address() {
            return Ok(ours.address());
        }
        if ours.address() == base.address() {
            return Ok(theirs.address());
        }
        match vcs::merge_working(&base, theirs, ours, expressions, names) {
            // Rows that violate constraints are looked at where those of one transaction are.
            Ok(merged) if merged.schema_conflicts.is_empty() && merged.conflicted_tables().next().is_none() => {
                Ok(AfterMerge::new(merged.root, theirs, None)?.at_once()?.address())
            }
            Ok(_) => Err(conflict()),
            Err(error) if matches!(error.reason(), VcsReason::Merge(_)) => Err(conflict()),
            Err(error) => Err(error.into()),
        }
    };
    let [staged_before, staged, staged_by_others] = [root(&base.staged)?, root(&ours.staged)?, root(&theirs.staged)?];
    // Two that staged the same agree, also about rows without a key, of which two that insert the same rows do not.
    let mut agreed = Vec::new();
    for name in vcs::changed_tables(&staged_before, &staged)? {
        let table = staged.table_address(&name)?;
        if table == staged_by_others.table_address(&name)? {
            agreed.push((name, table));
        }
    }
    let staged = merged(staged_before.with_tables_at(&agreed)?, &staged, &staged_by_others)?;
    let merge = if ours.merge == base.merge { theirs.merge.clone() } else { ours.merge.clone() };
    let rebase = if ours.rebase == base.rebase { theirs.rebase.clone() } else { ours.rebase.clone() };
    Ok(WorkingSet {
        working: merged(root(&base.working)?, &root(&ours.working)?, &root(&theirs.working)?)?,
        staged,
        merge,
        rebase,
        ..ours.clone()
    })
}
