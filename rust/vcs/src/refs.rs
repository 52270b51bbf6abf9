//! Branches, tags and other names at one moment (docs/format/database.md, section 2).

use std::collections::BTreeMap;
use std::rc::Rc;

use codec::{Address, CompactSort};
use tree::message::stash::{Stash, StashList};
use tree::message::store_root::StoreRoot;
use tree::message::tag::Tag;
use tree::{AddressMap, Change, Diff, Item};

use crate::commit::Commit;
use crate::error::{Result, VcsError, VcsReason};
use crate::names::{Names, text};
use crate::objects::Objects;
use crate::refs_draft::RefsDraft;
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
        Ok(Refs { objects: objects.clone(), root, datasets })
    }

    /// The datasets of a store root that was just written.
    pub(crate) fn of(objects: &Rc<Objects>, root: Address, datasets: AddressMap) -> Refs {
        Refs { objects: objects.clone(), root, datasets: Some(datasets) }
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

    /// What differs from the names `before`, in bytewise order. Reads as much as there are changes.
    pub fn changes_since(&self, before: &Refs) -> Result<Vec<RefChange>> {
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
