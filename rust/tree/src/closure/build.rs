//! Builds the commit closure of a new commit (docs/format/tree.md, section 10).

use std::collections::BTreeSet;
use std::rc::Rc;

use codec::Address;

use crate::closure::{Ancestor, CommitClosure};
use crate::nodes::NodeStore;
use crate::read::diff::Diff;
use crate::tuple::AddressFields;
use crate::write::chunker::Chunker;
use crate::write::mutate::Edit;
use crate::write::sink::Sink;
use crate::{Kind, TreeError};

/// A parent of a new commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parent {
    pub commit: Ancestor,
    /// The closure that the parent names; zeros when it has no parents itself.
    pub closure: Address,
}

impl CommitClosure {
    /// Writes the closure of a commit with these parents, the first one first, and tells its address; zeros without parents.
    ///
    /// The tree depends on how it came about, not on the ancestors alone: new ones count a byte more than old ones when nodes
    /// are cut. So it is the first parent's closure with one batch of edits, as Dolt makes it.
    ///
    /// # Errors
    /// What is wrong with a closure of a parent; errors of the sink.
    pub fn of_parents(nodes: &Rc<NodeStore>, parents: &[Parent], sink: &mut impl Sink) -> Result<Address, TreeError> {
        let Some((first, others)) = parents.split_first() else { return Ok(Address::EMPTY) };
        let start = CommitClosure::or_empty(nodes, &first.closure)?;
        let mut added = BTreeSet::new();
        added.extend(parents.iter().map(|parent| parent.commit));
        for parent in others {
            let other = CommitClosure::or_empty(nodes, &parent.closure)?;
            let mut diff = Diff::new(start.map(), other.map())?;
            while let Some(change) = diff.next_change()? {
                added.extend(change.to.filter(|_| change.from.is_none()).map(|item| Ancestor::of(item.key())));
            }
        }
        let keys: Vec<_> = added.iter().map(Ancestor::key).collect();
        Ok(start.map().edit(keys.iter().map(|key| Edit::put(key, &[])), sink)?.address)
    }

    /// The closure at an address; without ancestors for zeros.
    fn or_empty(nodes: &Rc<NodeStore>, address: &Address) -> Result<CommitClosure, TreeError> {
        if !address.is_empty() {
            return CommitClosure::at(nodes.clone(), address);
        }
        let empty = Chunker::new(Nowhere, Kind::Closure, AddressFields::default()).finish()?;
        CommitClosure::new(nodes.clone(), nodes.embedded(&empty.message)?)
    }
}

/// Discards the empty node, which is never read by its address.
struct Nowhere;

impl Sink for Nowhere {
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError> {
        Ok(Address::of(chunk))
    }
}
