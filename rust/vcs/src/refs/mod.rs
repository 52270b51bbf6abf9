//! Refs: branches, tags and other names at one moment (docs/format/database.md, section 2).

pub mod draft;
pub mod past;
pub mod revision;

use std::collections::BTreeMap;
use std::rc::Rc;

use codec::{Address, CompactSort};
use tree::message::stash::{Stash, StashList};
use tree::message::store_root::StoreRoot;
use tree::message::tag::Tag;
use tree::{AddressMap, Change, Diff, Item};

use crate::commit::Commit;
use crate::error::{Result, VcsError, VcsReason};
use crate::objects::Objects;
use crate::objects::names::{Names, text};
use crate::refs::draft::RefsDraft;
use crate::working_set::WorkingSet;

pub const BRANCHES: &str = "refs/heads/";
pub const REMOTE_BRANCHES: &str = "refs/remotes/";
pub const TAGS: &str = "refs/tags/";
pub const STASHES: &str = "refs/stashes/";
pub const WORKING_SETS: &str = "workingSets/heads/";

/// All datasets of a database at one store root. Reading through it is a snapshot: later writes are not seen.
#[derive(Clone)]
pub struct Refs {
    objects: Rc<Objects>,
    root: Address,
    /// `None` for a store without any data.
    datasets: Option<AddressMap>,
    /// Of names that a draft has written.
    edits: Option<Rc<RefEdits>>,
}

/// What drafts have changed since the names they began with: no two states need to be compared for that.
#[derive(Clone)]
pub(crate) struct RefEdits {
    /// The store root of those names.
    pub(crate) since: Address,
    pub(crate) changes: BTreeMap<Box<str>, RefChange>,
}

/// A dataset that differs between two states of the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefChange {
    /// The whole name.
    pub name: Box<str>,
    pub before: Option<Address>,
    pub after: Option<Address>,
}

/// A branch of a remote as it was when it was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteRef {
    pub remote: Box<str>,
    pub branch: Box<str>,
    pub head: Address,
}

/// A stash with its place in the list: 0 is the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedStash {
    /// `dolt-cli` for those of the shell.
    pub list: Box<str>,
    pub index: usize,
    /// Number by which the list keeps it.
    pub id: u64,
    pub stash: Stash,
}

impl Refs {
    /// The datasets of the store root `root`; reads one chunk.
    pub(crate) fn read(objects: &Rc<Objects>, root: Address) -> Result<Refs> {
        let datasets = match root.is_empty() {
            true => None,
            false => {
                let chunk = objects.nodes().message(&root)?;
                let store_root = StoreRoot::decode(&chunk).map_err(|error| error.in_chunk(&root))?;
                Some(AddressMap::embedded(objects.nodes().clone(), store_root.datasets)?)
            }
        };
        Ok(Refs { objects: objects.clone(), root, datasets, edits: None })
    }

    /// The datasets of a store root that was just written.
    pub(crate) fn of(objects: &Rc<Objects>, root: Address, datasets: AddressMap, edits: RefEdits) -> Refs {
        Refs { objects: objects.clone(), root, datasets: Some(datasets), edits: Some(Rc::new(edits)) }
    }

    /// The same names as those that others begin with.
    pub(crate) fn settled(&self) -> Refs {
        Refs { edits: None, ..self.clone() }
    }

    /// What drafts have changed on the way to these names; nothing yet for those that were read.
    pub(crate) fn edits(&self) -> RefEdits {
        let none = || RefEdits { since: self.root, changes: BTreeMap::new() };
        self.edits.as_deref().cloned().unwrap_or_else(none)
    }

    /// A draft of other names, which has all of these.
    pub fn draft(&self) -> RefsDraft {
        RefsDraft { before: self.clone(), edits: BTreeMap::new() }
    }

    pub(crate) fn address_map(&self) -> Option<&AddressMap> {
        self.datasets.as_ref()
    }

    pub fn objects(&self) -> &Rc<Objects> {
        &self.objects
    }

    /// Address of the store root.
    pub fn root(&self) -> Address {
        self.root
    }

    /// The address of a dataset by its whole name, such as `refs/heads/main`.
    pub fn dataset(&self, name: &str) -> Result<Option<Address>> {
        let Some(datasets) = &self.datasets else { return Ok(None) };
        Ok(datasets.get(name.as_bytes())?)
    }

    /// What differs from the names `before`, in bytewise order. Reads nothing where drafts began with those, else as much as there are
    /// changes.
    pub fn changes_since(&self, before: &Refs) -> Result<Vec<RefChange>> {
        if let Some(edits) = self.edits.as_ref().filter(|edits| edits.since == before.root) {
            return Ok(edits.changes.values().filter(|change| change.before != change.after).cloned().collect());
        }
        self.compared_with(before)
    }

    fn compared_with(&self, before: &Refs) -> Result<Vec<RefChange>> {
        let change = |name: Box<str>, before, after| RefChange { name, before, after };
        let (Some(old), Some(new)) = (&before.datasets, &self.datasets) else {
            let removed = before.datasets("").map(|entry| entry.map(|(name, at)| change(name, Some(at), None)));
            let added = self.datasets("").map(|entry| entry.map(|(name, at)| change(name, None, Some(at))));
            return removed.chain(added).collect();
        };
        let mut changes = Vec::new();
        let mut diff = Diff::new(old.map(), new.map())?.by_bytes();
        while let Some(Change { from, to }) = diff.next_change()? {
            let Some(item) = from.as_ref().or(to.as_ref()) else { continue };
            let address = |item: &Item| item.leaf.child_address(item.index);
            let name = text(item.key().to_vec())?;
            changes.push(change(name, from.as_ref().and_then(address), to.as_ref().and_then(address)));
        }
        Ok(changes)
    }

    /// Datasets that start with `prefix`, in bytewise order, the prefix taken off.
    pub fn datasets(&self, prefix: &'static str) -> impl Iterator<Item = Result<(Box<str>, Address)>> + use<> {
        let names = self.datasets.as_ref().map_or_else(Names::none, |datasets| Names::from(datasets, prefix));
        names.map_while(move |entry| match entry {
            Ok((name, address)) => name.strip_prefix(prefix).map(|name| Ok((name.into(), address))),
            Err(error) => Some(Err(error)),
        })
    }

    /// Branch names and heads.
    pub fn branches(&self) -> impl Iterator<Item = Result<(Box<str>, Address)>> + use<> {
        self.datasets(BRANCHES)
    }

    /// The head of a branch; names are case-sensitive.
    pub fn branch(&self, name: &str) -> Result<Option<Address>> {
        self.dataset(&format!("{BRANCHES}{name}"))
    }

    /// The head commit of a branch.
    ///
    /// # Errors
    /// [`VcsReason::BranchNotFound`].
    pub fn branch_head(&self, name: &str) -> Result<Rc<Commit>> {
        let head = self.branch(name)?.ok_or_else(|| VcsReason::BranchNotFound(name.into()))?;
        self.objects.commit(&head)
    }

    /// Tag names and tags.
    pub fn tags(&self) -> impl Iterator<Item = Result<(Box<str>, Tag)>> + use<> {
        let objects = self.objects.clone();
        self.datasets(TAGS).map(move |entry| {
            let (name, address) = entry?;
            Ok((name, objects.tag(&address)?))
        })
    }

    pub fn tag(&self, name: &str) -> Result<Option<Tag>> {
        self.dataset(&format!("{TAGS}{name}"))?.map(|address| self.objects.tag(&address)).transpose()
    }

    /// Remote-tracking branches.
    pub fn remote_branches(&self) -> impl Iterator<Item = Result<RemoteRef>> + use<> {
        self.datasets(REMOTE_BRANCHES).filter_map(|entry| match entry {
            Ok((name, head)) => {
                let (remote, branch) = name.split_once('/')?;
                Some(Ok(RemoteRef { remote: remote.into(), branch: branch.into(), head }))
            }
            Err(error) => Some(Err(error)),
        })
    }

    /// The working set of a branch; one that equals HEAD when none was stored.
    ///
    /// # Errors
    /// [`VcsReason::BranchNotFound`].
    pub fn working_set(&self, branch: &str) -> Result<WorkingSet> {
        self.shared_working_set(branch).map(Rc::unwrap_or_clone)
    }

    /// As [`Refs::working_set`], to look at.
    pub(crate) fn shared_working_set(&self, branch: &str) -> Result<Rc<WorkingSet>> {
        match self.dataset(&format!("{WORKING_SETS}{branch}"))? {
            Some(address) => self.objects.working_set(&address),
            None => Ok(Rc::new(WorkingSet::clean(self.branch_head(branch)?.root))),
        }
    }

    /// The stashes of every list, the newest of each first.
    pub fn stashes(&self) -> Result<Vec<ListedStash>> {
        let mut all = Vec::new();
        for entry in self.datasets(STASHES) {
            let (list, address) = entry?;
            let chunk = self.objects.nodes().message(&address)?;
            let stashes = StashList::decode(&chunk).map_err(|error| error.in_chunk(&address))?;
            let mut ids = Vec::new();
            let stashes = AddressMap::embedded(self.objects.nodes().clone(), stashes.stashes)?;
            for entry in Names::from(&stashes, "") {
                let (id, address) = entry?;
                let id: u64 = id.parse().map_err(|_| VcsError::corrupt("stash list", "an id is no number"))?;
                ids.push((id, address));
            }
            ids.compact_sort_by(|a, b| b.cmp(a));
            for (index, (id, address)) in ids.into_iter().enumerate() {
                all.push(ListedStash { list: list.clone(), index, id, stash: self.objects.stash(&address)? });
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use store::MemoryChunks;
    use tree::NodeStore;

    use super::*;

    /// What drafts remember is what a comparison finds, whichever state it is asked against.
    #[test]
    fn edits_are_what_a_comparison_finds() {
        let nodes = NodeStore::new(Rc::new(MemoryChunks::new()), Default::default());
        let mut states = vec![Refs::read(&Objects::new(nodes), Address::EMPTY).unwrap()];
        let mut random = 7_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for step in 0..200_u64 {
            let before = &states[states.len() - 1];
            // Now and then a transaction ends, and others begin with what it has left.
            let mut draft = if next(8) == 0 { before.settled().draft() } else { before.draft() };
            for _ in 0..=next(3) {
                let name = format!("{BRANCHES}a branch with a name of some length {}", next(150));
                let address = (next(4) > 0).then(|| Address::of(&(step + next(2)).to_le_bytes()));
                // Nothing that is there is as good as nothing.
                let is_known = draft.before.dataset(&name).unwrap().is_some();
                if address.is_some() || is_known {
                    draft.set(name, address);
                }
            }
            states.push(draft.write().unwrap());
            let after = &states[states.len() - 1];
            for before in states.iter().rev().take(12) {
                assert_eq!(after.changes_since(before).unwrap(), after.compared_with(before).unwrap(), "step {step}");
            }
        }
        assert!(states[200].address_map().unwrap().map().root.level() > 0, "too few names to be a tree");
    }
}
