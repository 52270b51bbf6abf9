//! Push: copies commits to a remote, then moves a ref there.

use codec::Address;
use store::{Committed, Copied, Copy, StoreError};

use super::{copy, lost_race};
use crate::commit::ancestors::merge_base_between;
use crate::error::{Result, VcsReason};
use crate::refs::{BRANCHES, TAGS, WORKING_SETS};
use crate::{Database, Refs, VcsError, WorkingSet};

/// What is to become of one name of the remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushChange {
    /// The branch gets this head, a commit here. Unless it is forced, only one that has the head of before in its history.
    Branch { branch: Box<str>, head: Address, is_forced: bool },
    /// The branch goes. Unless it is forced, only with a working set that is clean.
    DeleteBranch { branch: Box<str>, is_forced: bool },
    /// The tag is the one at this address here.
    Tag { name: Box<str>, tag: Address },
}

/// What became of a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    /// The remote is changed, and was so before. A branch that is deleted may not have been there.
    Done {
        before: Option<Address>,
    },
    UpToDate,
    /// The branch of the remote has commits that the one that is pushed has not.
    NonFastForward,
    /// The branches have no commit in common.
    Unrelated,
    /// The working set of the branch is not clean there.
    DirtyWorkingSet,
}

/// How far a push is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pushing {
    pub copied: Copied,
    /// Once it is over.
    pub outcome: Option<Pushed>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Check,
    Copy,
    Commit,
    Over(Pushed),
}

/// A push that is under way: see [the order of calls](super).
pub struct Push {
    change: PushChange,
    phase: Phase,
    copy: Copy,
    attempts: u32,
}

impl Push {
    /// Begins a push. Nothing happens before the first step.
    pub fn begin(change: PushChange) -> Push {
        let roots = match &change {
            PushChange::Branch { head, .. } => vec![*head],
            PushChange::Tag { tag, .. } => vec![*tag],
            PushChange::DeleteBranch { .. } => Vec::new(),
        };
        Push { change, phase: Phase::Check, copy: copy(roots), attempts: 0 }
    }

    /// Copies about `chunks_max` chunks, or changes the names of the remote. Where another writer changed them first, their current
    /// values are looked at again.
    ///
    /// # Errors
    /// [`VcsReason::ShallowPush`]; as [`store::Chunks::take`] and [`store::Chunks::commit`], after which the push is over unless it is to
    /// wait.
    pub fn step(&mut self, local: &Database, remote: &Database, chunks_max: usize) -> Result<Pushing> {
        match self.phase {
            Phase::Check => {
                let refused = self.refused(local, remote, &remote.refs()?)?;
                self.phase = refused.map_or(Phase::Copy, Phase::Over);
            }
            Phase::Copy => {
                let (here, there) = (local.objects().nodes().chunks(), remote.objects().nodes().chunks());
                let copied = there.take(&mut self.copy, &**here, chunks_max).map_err(|error| match error {
                    StoreError::Ghost(_) => VcsError::from(VcsReason::ShallowPush),
                    error => error.into(),
                })?;
                if copied.is_done {
                    self.phase = Phase::Commit;
                }
            }
            Phase::Commit => self.commit(local, remote)?,
            Phase::Over(_) => {}
        }
        let outcome = if let Phase::Over(outcome) = self.phase { Some(outcome) } else { None };
        Ok(Pushing { copied: self.copy.progress(), outcome })
    }

    /// Why the current names are not changed, if they are not.
    fn refused(&self, local: &Database, remote: &Database, names: &Refs) -> Result<Option<Pushed>> {
        let PushChange::Branch { branch, head, is_forced } = &self.change else { return Ok(None) };
        let (Some(before), false) = (names.branch(branch)?, *is_forced) else { return Ok(None) };
        if before == *head {
            return Ok(Some(Pushed::UpToDate));
        }
        let (here, there) = (local.objects(), remote.objects());
        let (old, new) = (there.commit(&before)?, here.commit(head)?);
        if here.has_ancestor(&new, &old)? {
            return Ok(None);
        }
        let base = merge_base_between((there.nodes(), &old), (here.nodes(), &new))?;
        Ok(Some(if base.is_some() { Pushed::NonFastForward } else { Pushed::Unrelated }))
    }

    fn commit(&mut self, local: &Database, remote: &Database) -> Result<()> {
        let names = remote.refs()?;
        if let Some(refused) = self.refused(local, remote, &names)? {
            self.phase = Phase::Over(refused);
            return Ok(());
        }
        let mut draft = names.draft();
        let before = match &self.change {
            PushChange::Branch { branch, head, is_forced } => {
                let before = names.branch(branch)?;
                let pushes_working_set = remote.objects().nodes().chunks().asserts_working_set();
                if *is_forced || pushes_working_set {
                    let is_in_the_way = || -> Result<bool> {
                        // Ignored tables are not uncommitted work.
                        let is_clean = is_clean(remote, &names, branch)?;
                        Ok(!is_clean && !names.roots(branch)?.has_only_ignored_changes()?)
                    };
                    if !is_forced && is_in_the_way()? {
                        self.phase = Phase::Over(Pushed::DirtyWorkingSet);
                        return Ok(());
                    }
                    let root = local.objects().commit(head)?.root;
                    draft.set_working_set(branch, Some(&WorkingSet::clean(root)))?;
                }
                draft.set_branch(branch, Some(*head));
                before
            }
            PushChange::DeleteBranch { branch, is_forced } => {
                let before = names.branch(branch)?;
                if before.is_none() {
                    self.phase = Phase::Over(Pushed::Done { before });
                    return Ok(());
                }
                if !is_forced {
                    if !is_clean(remote, &names, branch)? {
                        self.phase = Phase::Over(Pushed::DirtyWorkingSet);
                        return Ok(());
                    }
                    if names.dataset(&format!("{WORKING_SETS}{branch}"))?.is_some() {
                        draft.set_working_set(branch, None)?;
                    }
                }
                draft.set_branch(branch, None);
                before
            }
            PushChange::Tag { name, tag } => {
                let name = format!("{TAGS}{name}");
                let before = names.dataset(&name)?;
                draft.set(name, Some(*tag));
                before
            }
        };
        // Where another writer was first, the next step uses the current names.
        match remote.commit(&names, &draft.write()?)? {
            Committed::Done => self.phase = Phase::Over(Pushed::Done { before }),
            Committed::Moved => lost_race(&mut self.attempts)?,
        }
        Ok(())
    }

    /// The whole name that is pushed to.
    pub fn name(&self) -> String {
        match &self.change {
            PushChange::Branch { branch, .. } | PushChange::DeleteBranch { branch, .. } => {
                format!("{BRANCHES}{branch}")
            }
            PushChange::Tag { name, .. } => format!("{TAGS}{name}"),
        }
    }
}

/// Whether the working set of a branch is that of its head.
fn is_clean(remote: &Database, names: &Refs, branch: &str) -> Result<bool> {
    let (Some(head), Some(set)) = (names.branch(branch)?, names.dataset(&format!("{WORKING_SETS}{branch}"))?) else {
        return Ok(true);
    };
    let set = remote.objects().working_set(&set)?;
    Ok(set.working == set.staged && set.staged == remote.objects().commit(&head)?.root)
}
