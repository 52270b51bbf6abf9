//! Earlier roots that a journal still records.

use std::collections::VecDeque;

use codec::Address;

/// Roots that are kept, as many as Dolt keeps for its reflog.
const KEPT_MAX: usize = 5000;

/// A root that a store had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastRoot {
    pub address: Address,
    /// When it became the root, in seconds since 1970; records of old versions do not tell.
    pub seconds: Option<u64>,
}

/// The last roots, the oldest first, each once where it was recorded several times in a row.
#[derive(Default)]
pub(super) struct Past(VecDeque<PastRoot>);

impl Past {
    pub(super) fn push(&mut self, root: PastRoot) {
        if self.0.back().is_some_and(|last| last.address == root.address) {
            return;
        }
        if self.0.len() >= KEPT_MAX {
            self.0.pop_front();
        }
        self.0.push_back(root);
    }

    pub(super) fn roots(&self) -> Vec<PastRoot> {
        self.0.iter().copied().collect()
    }
}
