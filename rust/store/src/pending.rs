//! Pending chunks: put, but not yet in a file.

use codec::{Address, CompactSort};
use hashbrown::{HashMap, HashSet};

/// Places for chunks that are kept when they are empty.
const KEPT_PLACES_MAX: usize = 1 << 10;

/// New chunks in memory.
#[derive(Default)]
pub(crate) struct Pending {
    chunks: HashMap<Address, Kept>,
    /// Chunks that were ever kept.
    count: u64,
    bytes: usize,
    /// Chunks that were put and lie in the journal, where no root may lead to them: they were there, or went there early.
    elsewhere: HashSet<Address>,
    /// The generation of the store when the first of them came. Chunks that are not reachable from a root do not outlive it, and
    /// new ones may lean on such.
    generation: Option<Address>,
}

struct Kept {
    bytes: Box<[u8]>,
    /// Its place in the order in which chunks came.
    number: u64,
}

impl Pending {
    pub(crate) fn get(&self, address: &Address) -> Option<&[u8]> {
        self.chunks.get(address).map(|kept| &*kept.bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty() && self.elsewhere.is_empty()
    }

    /// Notes that a chunk that was put is in the journal.
    pub(crate) fn is_elsewhere(&mut self, address: Address) {
        self.elsewhere.insert(address);
    }

    /// Notes that chunks of these are in the journal now.
    pub(crate) fn are_elsewhere(&mut self, addresses: Vec<Address>) {
        addresses.iter().for_each(|address| self.remove(address));
        self.elsewhere.extend(addresses);
    }

    /// Everything that was put, sorted: the files of a collection do not depend on how the maps hash.
    pub(crate) fn put_ever(&self) -> Vec<Address> {
        let mut addresses: Vec<Address> = self.elsewhere.iter().chain(self.chunks.keys()).copied().collect();
        addresses.compact_sort();
        addresses
    }

    /// Uncompressed bytes of all chunks.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn generation(&self) -> Option<Address> {
        self.generation
    }

    /// Notes in which generation a chunk was put, even if it was there already.
    pub(crate) fn note_generation(&mut self, generation: Address) {
        self.generation.get_or_insert(generation);
    }

    /// A collection has kept what the chunks lean on.
    pub(crate) fn follow(&mut self, from: Address, to: Address) {
        if self.generation == Some(from) {
            self.generation = Some(to);
        }
    }

    pub(crate) fn insert(&mut self, address: Address, chunk: &[u8]) {
        self.bytes += chunk.len();
        self.count += 1;
        let kept = Kept { bytes: chunk.into(), number: self.count };
        if let Some(before) = self.chunks.insert(address, kept) {
            self.bytes -= before.bytes.len();
        }
    }

    pub(crate) fn remove(&mut self, address: &Address) {
        if let Some(kept) = self.chunks.remove(address) {
            self.bytes -= kept.bytes.len();
        }
    }

    /// All addresses, the oldest first.
    pub(crate) fn addresses(&self) -> Vec<Address> {
        let mut numbered: Vec<(u64, Address)> =
            self.chunks.iter().map(|(address, kept)| (kept.number, *address)).collect();
        numbered.compact_sort();
        numbered.into_iter().map(|(_, address)| address).collect()
    }

    /// Drops the pending chunks, which are no longer referenced.
    pub(crate) fn clear(&mut self) {
        let mut chunks = core::mem::take(&mut self.chunks);
        chunks.clear();
        *self = Pending::default();
        // The next commit needs as much room, if this one was no import.
        if chunks.capacity() <= KEPT_PLACES_MAX {
            self.chunks = chunks;
        }
    }
}
