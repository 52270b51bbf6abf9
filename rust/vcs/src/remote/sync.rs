//! Backup sync: copies a whole store with its root.

use codec::Address;
use store::{Committed, Copied, Copy, StoreError};

use super::{copy, lost_race};
use crate::Database;
use crate::error::{Result, VcsReason};

/// A copy of a whole database that is under way: see [the order of calls](super).
pub struct Sync {
    root: Address,
    copy: Copy,
    is_copied: bool,
    is_up_to_date: bool,
    attempts: u32,
}

impl Sync {
    /// Looks at both sides.
    ///
    /// # Errors
    /// [`VcsReason::NoRemoteData`] when there is nothing to copy; [`store::StoreError::Incomplete`] from or to a lazy clone.
    pub fn begin(from: &Database, to: &Database) -> Result<Sync> {
        let [root, there] = [from, to].map(|database| database.objects().nodes().chunks().root());
        if let Some(lazy) = [from, to].iter().find_map(|database| database.lazy()) {
            return Err(StoreError::Incomplete { url: lazy.url.clone(), what: "a backup" }.into());
        }
        if root.is_empty() {
            return Err(VcsReason::NoRemoteData.into());
        }
        let copy = copy(vec![root]).by_files();
        Ok(Sync { root, copy, is_copied: false, is_up_to_date: root == there, attempts: 0 })
    }

    /// Whether both sides were the same when it began. Then there is nothing to do.
    pub fn is_up_to_date(&self) -> bool {
        self.is_up_to_date
    }

    /// Copies about `chunks_max` chunks, and at last makes the root of the one that of the other, whatever it was.
    ///
    /// # Errors
    /// As [`store::Chunks::take`] and [`store::Chunks::commit`], after which it is over unless it is to wait.
    pub fn step(&mut self, from: &Database, to: &Database, chunks_max: usize) -> Result<Copied> {
        if self.is_up_to_date {
            return Ok(Copied { is_done: true, ..self.copy.progress() });
        }
        let (source, target) = (from.objects().nodes().chunks(), to.objects().nodes().chunks());
        if !self.is_copied {
            let copied = target.take(&mut self.copy, &**source, chunks_max)?;
            self.is_copied = copied.is_done;
            return Ok(Copied { is_done: false, ..copied });
        }
        // Where another writer was first, the next step replaces what they wrote, as native Dolt does.
        let is_done = target.commit(&target.root(), &self.root, &[])? == Committed::Done;
        if !is_done {
            lost_race(&mut self.attempts)?;
        }
        Ok(Copied { is_done, ..self.copy.progress() })
    }
}
