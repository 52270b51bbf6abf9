//! Clone: a new database with what a remote has.

use std::rc::Rc;

use codec::Address;
use hashbrown::HashSet;
use store::{Copied, Copy};
use tree::CommitClosure;

use super::{copy, tracking_ref};
use crate::error::{Result, VcsReason};
use crate::refs::{BRANCHES, TAGS};
use crate::{DEFAULT_BRANCH, Database, RefsDraft, Remote, RepoState, Upstream, WorkingSet};

/// What is cloned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CloneOptions {
    /// Name that the remote gets; `origin` where it is empty.
    pub remote: Box<str>,
    /// The branch that is checked out: `main`, `master` or the first one by default.
    pub branch: Option<Box<str>>,
    /// Whether the other branches are left out.
    pub is_single_branch: bool,
    /// How many generations of commits come, of the one branch; all by default.
    pub depth: Option<u32>,
    /// Whether chunks stay in the remote until they are needed.
    pub lazy: Option<Lazy>,
}

/// How a lazy clone finds its remote again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lazy {
    pub url: Box<str>,
    /// The user at the remote, where it needs one.
    pub user: Option<Box<str>>,
}

/// A clone that is under way: see [the order of calls](super).
pub struct Cloning {
    remote: Box<str>,
    branch: Box<str>,
    head: Address,
    /// Whole names of the new database.
    names: Vec<(String, Address)>,
    copy: Copy,
    /// Of a lazy clone that does not lean on the remote yet.
    leaning: Option<Lazy>,
}

impl Cloning {
    /// Looks what the names of the remote are.
    ///
    /// # Errors
    /// [`VcsReason::NoRemoteData`], [`VcsReason::BranchNotFound`], [`VcsReason::DetachedHead`] for a tag in the place of a branch,
    /// [`VcsReason::InvalidDepth`], [`VcsReason::LazyDepth`]; what is wrong with the names.
    pub fn begin(remote: &Database, options: &CloneOptions) -> Result<Cloning> {
        let names = remote.refs()?;
        let branches = names.branches().collect::<Result<Vec<_>>>()?;
        let tags = names.datasets(TAGS).collect::<Result<Vec<_>>>()?;
        if branches.is_empty() && tags.is_empty() {
            return Err(VcsReason::NoRemoteData.into());
        }
        let branch = options.branch.clone().unwrap_or_else(|| default_branch(&branches));
        if tags.iter().any(|(tag, _)| tag.eq_ignore_ascii_case(&branch)) {
            return Err(VcsReason::DetachedHead.into());
        }
        let found = branches.iter().find(|(name, _)| *name == branch);
        let head = found.map(|(_, head)| *head).ok_or_else(|| VcsReason::BranchNotFound(branch.clone()))?;
        let is_shallow = options.depth.is_some();
        let origin = if options.remote.is_empty() { "origin".into() } else { options.remote.clone() };
        let mut to_be = vec![(format!("{BRANCHES}{branch}"), head)];
        let is_single = is_shallow || options.is_single_branch;
        let followed = branches.iter().filter(|(name, _)| !is_single || *name == branch);
        to_be.extend(followed.map(|(name, head)| (tracking_ref(&origin, name), *head)));
        // As in native Dolt, a shallow clone has no tags.
        to_be.extend(tags.iter().filter(|_| !is_shallow).map(|(name, tag)| (format!("{TAGS}{name}"), *tag)));
        let copy = match options.depth {
            Some(_) if options.lazy.is_some() => return Err(VcsReason::LazyDepth.into()),
            Some(0) => return Err(VcsReason::InvalidDepth(0).into()),
            Some(depth) => shallow(remote, head, depth)?,
            None => copy(to_be.iter().map(|(_, address)| *address).collect()).by_files(),
        };
        Ok(Cloning { remote: origin, branch, head, names: to_be, copy, leaning: options.lazy.clone() })
    }

    /// The branch that is checked out.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// What is written beside the new database.
    pub fn state(&self, remote: Remote) -> RepoState {
        let mut state = RepoState { default_branch: self.branch.clone(), ..RepoState::default() };
        let upstream = Upstream { remote: self.remote.clone(), branch: self.branch.clone() };
        state.upstreams.insert(self.branch.clone(), upstream);
        state.remotes.push(Remote { name: self.remote.clone(), ..remote });
        state
    }

    /// Copies about `chunks_max` chunks to the new database.
    ///
    /// # Errors
    /// As [`store::Chunks::take`], after which the clone is over unless it is to wait.
    pub fn step(&mut self, local: &Database, remote: &Database, chunks_max: usize) -> Result<Copied> {
        let (here, there) = (local.objects().nodes().chunks(), remote.objects().nodes().chunks());
        if let Some(Lazy { url, user }) = &self.leaning {
            // Nothing is looked for below what comes.
            let journal = here.lean_on(&**there, url, user.as_deref())?;
            self.copy = Copy::new(journal, Rc::new(|_, _| Ok(())));
            self.leaning = None;
        }
        Ok(here.take(&mut self.copy, &**there, chunks_max)?)
    }

    /// Puts the names of the new database into a draft: the branch with its working set, remote-tracking branches and tags.
    ///
    /// # Errors
    /// What is wrong with the head of the branch.
    pub fn write(&self, local: &Database, draft: &mut RefsDraft) -> Result<()> {
        for (name, address) in &self.names {
            draft.set(name.as_str(), Some(*address));
        }
        let root = local.objects().commit(&self.head)?.root;
        draft.set_working_set(&self.branch, Some(&WorkingSet::clean(root)))
    }
}

fn default_branch(branches: &[(Box<str>, Address)]) -> Box<str> {
    let has = |name: &&str| branches.iter().any(|(branch, _)| **branch == **name);
    match [DEFAULT_BRANCH, "master"].iter().find(|name| has(name)) {
        Some(name) => (*name).into(),
        None => branches.first().map_or_else(|| DEFAULT_BRANCH.into(), |(name, _)| name.clone()),
    }
}

/// A copy of the newest `depth` generations of commits; all older ones are ghosts.
fn shallow(remote: &Database, head: Address, depth: u32) -> Result<Copy> {
    let objects = remote.objects();
    let commit = objects.commit(&head)?;
    let mut ghosts = HashSet::new();
    if let Some(closure) = &commit.closure {
        for ancestor in CommitClosure::at(objects.nodes().clone(), closure)?.descending(None)? {
            ghosts.insert(ancestor?.address);
        }
    }
    let (mut roots, mut generation) = (vec![head], vec![commit]);
    for _ in 1..depth {
        let mut older = Vec::new();
        for parent in generation.iter().flat_map(|commit| &commit.parents) {
            if ghosts.remove(parent) {
                roots.push(*parent);
                older.push(objects.commit(parent)?);
            }
        }
        if older.is_empty() {
            break;
        }
        generation = older;
    }
    Ok(copy(roots).without(ghosts.into_iter().collect()))
}
