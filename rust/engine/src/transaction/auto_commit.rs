//! `@@dolt_transaction_commit`: every transaction that changes something makes a Dolt commit (docs/format/database.md, section 6.2).

use vcs::{Commit, Ignored, RefChange, Refs, WorkingSet};

use super::merge::{WORKING_SETS, is_changed_working_set};
use crate::catalog::Catalog;
use crate::error::Result;
use crate::state::Authorship;

/// The names with a commit of all changes of the branch whose working set a transaction has changed.
pub fn with_commit(catalog: &Catalog, refs: Refs, edits: &[RefChange]) -> Result<Refs> {
    if catalog.state.variables.borrow().integer("dolt_transaction_commit") == 0 {
        return Ok(refs);
    }
    let edit = edits.iter().find(|edit| is_changed_working_set(edit));
    let Some(branch) = edit.and_then(|edit| edit.name.strip_prefix(WORKING_SETS)) else { return Ok(refs) };
    let staged = refs.roots(branch)?.stage_all(Ignored::LeftOut)?;
    if staged.staged.address() == staged.head.address() {
        return Ok(refs);
    }
    let message = catalog.state.variables.borrow().text("dolt_transaction_commit_message");
    let message = if message.is_empty() { "Transaction commit" } else { &message };
    let Some(head) = refs.branch(branch)? else { return Ok(refs) };
    let objects = refs.objects();
    let parents = [objects.commit(&head)?];
    let meta = Authorship::of(&catalog.state)?.meta(message, &parents);
    let commit = Commit::write(objects, &parents, staged.staged.address(), meta)?;
    let set = refs.working_set(branch)?;
    let set = WorkingSet { working: staged.working.address(), staged: staged.staged.address(), ..set };
    let mut draft = refs.draft();
    draft.set_branch(branch, Some(commit.address));
    draft.set_working_set(branch, Some(&set))?;
    Ok(draft.write()?)
}
