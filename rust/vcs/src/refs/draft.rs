//! Refs draft: edits of branches, tags and other names.

use std::collections::BTreeMap;

use codec::Address;
use tree::message::stash::{Stash, StashList};
use tree::message::store_root::StoreRoot;
use tree::message::tag::Tag;
use tree::{AddressFields, AddressMap, Chunker, Kind};

use crate::error::Result;
use crate::refs::{BRANCHES, RefChange, Refs, STASHES, TAGS, WORKING_SETS};
use crate::working_set::WorkingSet;

/// Names of the next store root: those of `before` with edits. Nothing is seen by others before [`crate::Database::commit`].
pub struct RefsDraft {
    pub(crate) before: Refs,
    pub(crate) edits: BTreeMap<Box<str>, Option<Address>>,
}

impl RefsDraft {
    /// Gives a dataset, by its whole name, an address; `None` removes it.
    pub fn set(&mut self, name: impl Into<Box<str>>, address: Option<Address>) {
        self.edits.insert(name.into(), address);
    }

    /// The head of a branch; `None` removes the branch. Its working set is a dataset of its own.
    pub fn set_branch(&mut self, branch: &str, head: Option<Address>) {
        self.set(format!("{BRANCHES}{branch}"), head);
    }

    /// Writes the working set of a branch; `None` removes it.
    pub fn set_working_set(&mut self, branch: &str, set: Option<&WorkingSet>) -> Result<()> {
        let address = set.map(|set| set.write(self.before.objects())).transpose()?;
        self.set(format!("{WORKING_SETS}{branch}"), address);
        Ok(())
    }

    /// Writes a tag; `None` removes it.
    pub fn set_tag(&mut self, name: &str, tag: Option<&Tag>) -> Result<()> {
        let objects = self.before.objects();
        let address = tag.map(|tag| objects.put(&tag.encode()?)).transpose()?;
        self.set(format!("{TAGS}{name}"), address);
        Ok(())
    }

    /// Puts stashes by their ids in a list; an empty list goes.
    pub fn set_stashes(&mut self, list: &str, stashes: &[(u64, Stash)]) -> Result<()> {
        let name = format!("{STASHES}{list}");
        if stashes.is_empty() {
            self.set(name, None);
            return Ok(());
        }
        let objects = self.before.objects();
        let nodes = objects.nodes();
        let mut entries = BTreeMap::new();
        for (id, stash) in stashes {
            entries.insert(id.to_string(), objects.put(&stash.encode()?)?);
        }
        let empty = Chunker::new(&**nodes, Kind::Addresses, AddressFields::default()).finish()?;
        let empty = AddressMap::embedded(nodes.clone(), &empty.message)?;
        let edits = entries.iter().map(|(id, address)| (id.as_bytes(), Some(address)));
        let map = empty.edited(edits)?;
        let address = objects.put(&StashList { stashes: map.message() }.encode()?)?;
        self.set(name, Some(address));
        Ok(())
    }

    /// Writes the store root with these names.
    ///
    /// # Errors
    /// [`store::StoreError::ReadOnly`] where nothing can be written.
    pub fn write(self) -> Result<Refs> {
        let objects = self.before.objects();
        let nodes = objects.nodes();
        let before = match self.before.address_map() {
            Some(datasets) => datasets.clone(),
            None => {
                let empty = Chunker::new(&**nodes, Kind::Addresses, AddressFields::default()).finish()?;
                AddressMap::embedded(nodes.clone(), &empty.message)?
            }
        };
        // Asked before the edit: it drops the nodes it replaces from the cache.
        let mut known = self.before.edits();
        for (name, &after) in &self.edits {
            match known.changes.get_mut(name) {
                Some(change) => change.after = after,
                None => {
                    let before = self.before.dataset(name)?;
                    known.changes.insert(name.clone(), RefChange { name: name.clone(), before, after });
                }
            }
        }
        let edits = self.edits.iter().map(|(name, address)| (name.as_bytes(), address.as_ref()));
        let datasets = before.edited(edits)?;
        let root = objects.put(&StoreRoot { datasets: datasets.message() }.encode()?)?;
        Ok(Refs::of(objects, root, datasets, known))
    }
}
