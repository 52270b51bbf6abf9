//! Fetch: copies new commits of a remote, and moves remote-tracking branches and tags.

use codec::Address;
use store::{Copied, Copy};

use super::{RefSpec, copy};
use crate::error::{Result, VcsReason};
use crate::objects::is_ghost;
use crate::refs::{BRANCHES, REMOTE_BRANCHES, TAGS};
use crate::{Database, Refs, RefsDraft};

/// What is fetched.
pub struct FetchOptions<'a> {
    /// Name of the remote.
    pub remote: &'a str,
    /// Those of the remote, or those that were asked for.
    pub specs: &'a [RefSpec],
    /// Whether nothing was asked for: a remote without branches is no error then.
    pub is_default: bool,
    /// Whether remote-tracking branches go that are not fetched.
    pub prunes: bool,
}

/// A name that another address was given, or that is new or gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefUpdate {
    /// The whole name.
    pub name: Box<str>,
    pub before: Option<Address>,
    pub after: Option<Address>,
}

/// A fetch that is under way: see [the order of calls](super).
pub struct Fetch {
    remote: Box<str>,
    prunes: bool,
    names: Refs,
    /// Whole names here and what they become.
    heads: Vec<(String, Address)>,
    copy: Copy,
    is_copied: bool,
    /// Tags of the remote that are still to be looked at, the next one last.
    tags: Vec<(Box<str>, Address)>,
    /// Tags that follow, with their chunks.
    followed: Vec<(Box<str>, Address, Vec<u8>)>,
}

impl Fetch {
    /// Looks what the names of the remote are.
    ///
    /// # Errors
    /// [`VcsReason::NoRemoteBranches`], [`VcsReason::UnmatchedRefSpec`]; what is wrong with the names.
    pub fn begin(remote: &Database, options: &FetchOptions<'_>) -> Result<Fetch> {
        let names = remote.refs()?;
        let mut all = Vec::new();
        for prefix in [BRANCHES, TAGS] {
            for entry in names.datasets(prefix) {
                let (name, address) = entry?;
                all.push((format!("{prefix}{name}"), address));
            }
        }
        let mut heads: Vec<(String, Address)> = Vec::new();
        if all.is_empty() && !options.is_default {
            return Err(VcsReason::NoRemoteBranches(options.remote.into()).into());
        }
        if !all.is_empty() {
            for spec in options.specs {
                let found = all.iter().filter_map(|(name, address)| Some((spec.target(name)?, *address)));
                let before = heads.len();
                heads.extend(found);
                if heads.len() == before {
                    return Err(VcsReason::UnmatchedRefSpec(spec.asked().into()).into());
                }
            }
        }
        let mut tags = names.datasets(TAGS).collect::<Result<Vec<_>>>()?;
        tags.reverse();
        let copy = copy(heads.iter().map(|(_, head)| *head).collect());
        let prunes = options.prunes && !all.is_empty();
        let remote = options.remote.into();
        Ok(Fetch { remote, prunes, names, heads, copy, is_copied: false, tags, followed: Vec::new() })
    }

    /// Copies about `chunks_max` chunks. Once it is done all of them are here, and no name leads to them yet.
    ///
    /// # Errors
    /// As [`store::Chunks::take`], after which the fetch is over unless it is to wait; what is wrong in the remote.
    pub fn step(&mut self, local: &Database, remote: &Database, chunks_max: usize) -> Result<Copied> {
        let (here, there) = (local.objects().nodes().chunks(), remote.objects().nodes().chunks());
        if !self.is_copied {
            let copied = here.take(&mut self.copy, &**there, chunks_max)?;
            self.is_copied = copied.is_done;
            return Ok(Copied { is_done: self.is_copied && self.tags.is_empty(), ..copied });
        }
        for _ in 0..chunks_max.max(1) {
            let Some((name, address)) = self.tags.last() else { break };
            // One that is here was fetched before, and perhaps deleted.
            if !here.contains(address)? {
                let tag = remote.objects().tag(address)?;
                match local.objects().commit(&tag.commit) {
                    Ok(_) => self.followed.push((name.clone(), *address, there.read(address)?)),
                    Err(error) if is_ghost(&error) || is_missing(&error) => {}
                    Err(error) => return Err(error),
                }
            }
            self.tags.pop();
        }
        Ok(Copied { is_done: self.tags.is_empty(), ..self.copy.progress() })
    }

    /// Puts the names that have changed into a draft of the local ones, and tells them.
    ///
    /// # Errors
    /// What is wrong with the local names.
    pub fn write(&self, local: &Database, draft: &mut RefsDraft) -> Result<Vec<RefUpdate>> {
        let before = draft.before.clone();
        let mut updates: Vec<RefUpdate> = Vec::new();
        let mut set = |name: &str, after: Option<Address>| -> Result<()> {
            let before = before.dataset(name)?;
            if before != after {
                draft.set(name, after);
                updates.push(RefUpdate { name: name.into(), before, after });
            }
            Ok(())
        };
        for (name, head) in &self.heads {
            set(name, Some(*head))?;
        }
        if self.prunes {
            for entry in before.datasets(REMOTE_BRANCHES) {
                let (name, _) = entry?;
                let whole = format!("{REMOTE_BRANCHES}{name}");
                let is_of_remote = name.split_once('/').is_some_and(|(remote, _)| *remote == *self.remote);
                if is_of_remote && !self.heads.iter().any(|(head, _)| *head == whole) {
                    set(&whole, None)?;
                }
            }
        }
        for (name, address, chunk) in &self.followed {
            local.objects().put(chunk)?;
            set(&format!("{TAGS}{name}"), Some(*address))?;
        }
        Ok(updates)
    }

    /// The names of the remote that are fetched.
    pub fn names(&self) -> &Refs {
        &self.names
    }
}

fn is_missing(error: &crate::VcsError) -> bool {
    matches!(error.of_store(), Some(store::StoreError::Missing(_)))
}
