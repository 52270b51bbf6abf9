//! Merge bases: common ancestors, by commit closures (docs/format/database.md, sections 3 and 10.1; docs/format/tree.md, section 10).

use core::cmp::Ordering;
use std::rc::Rc;

use codec::Address;
use tree::{Ancestor, CommitClosure, NodeStore};

use crate::commit::Commit;
use crate::error::Result;

/// The first common commit when both histories are walked from the highest (height, address) down; a commit belongs to
/// its own history. `None` for unrelated ones.
pub(crate) fn merge_base(nodes: &Rc<NodeStore>, left: &Commit, right: &Commit) -> Result<Option<Address>> {
    merge_base_between((nodes, left), (nodes, right))
}

/// As [`merge_base`], of commits in two stores.
pub(crate) fn merge_base_between(
    (left_nodes, left): (&Rc<NodeStore>, &Commit),
    (right_nodes, right): (&Rc<NodeStore>, &Commit),
) -> Result<Option<Address>> {
    let (mut lefts, mut rights) = (history(left_nodes, left)?, history(right_nodes, right)?);
    let (mut left, mut right) = (lefts.next().transpose()?, rights.next().transpose()?);
    while let (Some(l), Some(r)) = (left, right) {
        match l.cmp(&r) {
            Ordering::Equal => return Ok(Some(l.address)),
            Ordering::Greater => left = lefts.next().transpose()?,
            Ordering::Less => right = rights.next().transpose()?,
        }
    }
    Ok(None)
}

/// Whether `ancestor` is in the history of `commit`, itself included; reads one path of the closure.
pub(crate) fn has_ancestor(nodes: &Rc<NodeStore>, commit: &Commit, ancestor: &Commit) -> Result<bool> {
    if commit.height <= ancestor.height {
        return Ok(commit.address == ancestor.address);
    }
    match closure(nodes, commit)? {
        Some(closure) => Ok(closure.contains(&place(ancestor))?),
        None => Ok(false),
    }
}

fn place(commit: &Commit) -> Ancestor {
    Ancestor { height: commit.height, address: commit.address }
}

fn closure(nodes: &Rc<NodeStore>, commit: &Commit) -> Result<Option<CommitClosure>> {
    Ok(commit.closure.as_ref().map(|address| CommitClosure::at(nodes.clone(), address)).transpose()?)
}

/// The commit and all its ancestors, highest first, then by descending address.
fn history(nodes: &Rc<NodeStore>, commit: &Commit) -> Result<impl Iterator<Item = Result<Ancestor>> + use<>> {
    let ancestors = closure(nodes, commit)?.map(|closure| closure.descending(None)).transpose()?;
    let ancestors = ancestors.into_iter().flatten().map(|ancestor| Ok(ancestor?));
    Ok(core::iter::once(Ok(place(commit))).chain(ancestors))
}
