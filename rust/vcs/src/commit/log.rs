//! Commit log: the highest commits first (docs/format/database.md, section 11.2).

use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;

use crate::commit::Commit;
use crate::error::{Result, VcsError};
use crate::objects::{Objects, is_ghost};

/// Commits reachable from some and not from others: larger height first, then the later author date.
///
/// Reads a commit when something may come after its children, so the first commit costs one chunk.
pub struct Log {
    objects: Rc<Objects>,
    heap: Vec<Queued>,
    /// Commits in the heap and whether they are left out. A commit that was taken out cannot come back: its children are
    /// higher, and everything higher was taken out before.
    queued: HashMap<Address, bool>,
    /// Commits in the heap that are not left out.
    visible: usize,
    /// Parents of the last commit, to be queued before the next one is chosen.
    pending: Option<(Rc<Commit>, bool)>,
    failed: bool,
}

struct Queued {
    commit: Rc<Commit>,
}

impl Queued {
    fn comes_before(&self, other: &Queued) -> bool {
        let key = |queued: &Queued| (queued.commit.height, queued.commit.meta.author_millis);
        key(self) > key(other)
    }
}

impl Log {
    /// The history of `from` without that of `excluded`.
    pub(crate) fn new(objects: &Rc<Objects>, from: &[Address], excluded: &[Address]) -> Result<Log> {
        let mut log = Log::empty(objects);
        for address in excluded {
            log.queue(address, true, u64::MAX)?;
        }
        for address in from {
            log.queue(address, false, u64::MAX)?;
        }
        Ok(log)
    }

    /// The history of one commit.
    pub(crate) fn of(objects: &Rc<Objects>, head: Rc<Commit>) -> Log {
        let mut log = Log::empty(objects);
        log.take_in(head, false);
        log
    }

    fn empty(objects: &Rc<Objects>) -> Log {
        let (heap, queued, pending) = Default::default();
        Log { objects: objects.clone(), heap, queued, visible: 0, pending, failed: false }
    }

    /// Queues a commit whose child has `child_height`.
    fn queue(&mut self, address: &Address, is_excluded: bool, child_height: u64) -> Result<()> {
        if let Some(excluded) = self.queued.get_mut(address) {
            if is_excluded && !*excluded {
                *excluded = true;
                self.visible -= 1;
            }
            return Ok(());
        }
        let commit = match self.objects.commit(address) {
            Ok(commit) => commit,
            // A shallow clone's history ends where it was cut.
            Err(error) if child_height < u64::MAX && is_ghost(&error) => return Ok(()),
            Err(error) => return Err(error),
        };
        if commit.height >= child_height {
            return Err(VcsError::corrupt("commit", "is not higher than its parent"));
        }
        self.take_in(commit, is_excluded);
        Ok(())
    }

    fn take_in(&mut self, commit: Rc<Commit>, is_excluded: bool) {
        self.queued.insert(commit.address, is_excluded);
        self.visible += usize::from(!is_excluded);
        self.push(Queued { commit });
    }

    fn step(&mut self) -> Result<Option<Rc<Commit>>> {
        loop {
            if let Some((child, is_excluded)) = self.pending.take() {
                for parent in &child.parents {
                    self.queue(parent, is_excluded, child.height)?;
                }
            }
            if self.visible == 0 {
                return Ok(None);
            }
            let Some(Queued { commit }) = self.pop() else { return Ok(None) };
            let is_excluded = self.queued.remove(&commit.address).unwrap_or_default();
            self.pending = Some((commit.clone(), is_excluded));
            if !is_excluded {
                self.visible -= 1;
                return Ok(Some(commit));
            }
        }
    }

    // A plain binary heap of our own: which of two commits with the same height and date comes first depends on how the
    // heap is sifted, and Dolt's is the textbook's.

    fn push(&mut self, queued: Queued) {
        self.heap.push(queued);
        let mut at = self.heap.len() - 1;
        while at > 0 && self.heap[at].comes_before(&self.heap[(at - 1) / 2]) {
            self.heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn pop(&mut self) -> Option<Queued> {
        let last = self.heap.len().checked_sub(1)?;
        self.heap.swap(0, last);
        let top = self.heap.pop();
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            if left >= last {
                return top;
            }
            let child = if right < last && self.heap[right].comes_before(&self.heap[left]) { right } else { left };
            if !self.heap[child].comes_before(&self.heap[at]) {
                return top;
            }
            self.heap.swap(at, child);
            at = child;
        }
    }
}

impl Iterator for Log {
    type Item = Result<Rc<Commit>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let step = self.step();
        self.failed = step.is_err();
        step.transpose()
    }
}
