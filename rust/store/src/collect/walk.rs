//! Reachability walk for garbage collection, one chunk at a time.

use codec::Address;
use hashbrown::HashSet;

use super::References;
use crate::StoreError;

/// A walk depth first, so that the leaves of a tree follow one another, and are in the file in the order of later reads.
#[derive(Default)]
pub(crate) struct Walk {
    stack: Vec<Address>,
    /// About 30 bytes for each chunk that is reachable.
    seen: HashSet<Address>,
    children: Vec<Address>,
}

impl Walk {
    /// Goes on from `addresses`, the first one first.
    pub(crate) fn start(&mut self, addresses: impl IntoIterator<Item = Address>) {
        let before = self.stack.len();
        self.stack.extend(addresses);
        if let Some(new) = self.stack.get_mut(before..) {
            new.reverse();
        }
    }

    /// The next chunk that was not seen before.
    pub(crate) fn next(&mut self) -> Option<Address> {
        loop {
            let address = self.stack.pop()?;
            if self.seen.insert(address) {
                return Some(address);
            }
        }
    }

    /// Puts back what [`Walk::next`] gave last: it could not be read now.
    pub(crate) fn put_back(&mut self, address: Address) {
        self.seen.remove(&address);
        self.stack.push(address);
    }

    /// Notes what `chunk`, which is at `address`, leads to.
    pub(crate) fn follow(
        &mut self,
        references: &References,
        address: &Address,
        chunk: &[u8],
    ) -> Result<(), StoreError> {
        let Walk { stack, seen, children } = self;
        children.clear();
        references(chunk, &mut |child| {
            if !child.is_empty() && !seen.contains(&child) {
                children.push(child);
            }
        })
        .map_err(|reason| StoreError::Unreadable { address: *address, reason })?;
        stack.extend(children.iter().rev());
        Ok(())
    }

    pub(crate) fn has_seen(&self, address: &Address) -> bool {
        self.seen.contains(address)
    }
}
