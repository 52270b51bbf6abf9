//! Chunks in a hash map, for tests of the layers above and for unwritten chunks.

use core::cell::{Cell, RefCell};

use codec::Address;
use hashbrown::{HashMap, HashSet};

use crate::{Chunks, Collection, Committed, Copied, Copy, Progress, StoreError};

/// A store without files.
#[derive(Default)]
pub struct MemoryChunks {
    chunks: RefCell<HashMap<Address, Vec<u8>>>,
    /// What was put and not committed.
    pending: RefCell<HashMap<Address, Vec<u8>>>,
    /// What was put and was there already, though perhaps no root leads to it.
    elsewhere: RefCell<HashSet<Address>>,
    root: Cell<Address>,
}

impl MemoryChunks {
    pub fn new() -> MemoryChunks {
        MemoryChunks::default()
    }

    /// Stores a chunk under its address.
    pub fn insert(&self, chunk: Vec<u8>) -> Address {
        let address = Address::of(&chunk);
        self.chunks.borrow_mut().insert(address, chunk);
        address
    }

    /// Removes a chunk; tells whether it was there.
    pub fn remove(&self, address: &Address) -> bool {
        self.chunks.borrow_mut().remove(address).is_some()
    }

    pub fn set_root(&self, root: Address) {
        self.root.set(root);
    }

    pub fn len(&self) -> usize {
        self.chunks.borrow().len()
    }

    /// Chunks that were put and not committed.
    pub fn pending_len(&self) -> usize {
        self.pending.borrow().len()
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.borrow().is_empty()
    }
}

impl Chunks for MemoryChunks {
    fn root(&self) -> Address {
        self.root.get()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        let chunk = self.chunks.borrow().get(address).cloned();
        chunk.or_else(|| self.pending.borrow().get(address).cloned()).ok_or(StoreError::Missing(*address))
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        for (i, address) in addresses.iter().enumerate() {
            each(i, self.read(address)?);
        }
        Ok(())
    }

    fn will_need(&self, _addresses: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.chunks.borrow().contains_key(address) || self.is_pending(address))
    }

    fn put(&self, chunk: &[u8]) -> Result<Address, StoreError> {
        let address = Address::of(chunk);
        match self.chunks.borrow().contains_key(&address) {
            true => drop(self.elsewhere.borrow_mut().insert(address)),
            false => drop(self.pending.borrow_mut().entry(address).or_insert_with(|| chunk.to_vec())),
        }
        Ok(address)
    }

    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.pending.borrow().get(address).map(|chunk| look(chunk)).is_some()
    }

    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        if self.root.get() != *from {
            return Ok(Committed::Moved);
        }
        let mut pending = self.pending.borrow_mut();
        let written = chunks.iter().filter_map(|address| Some((*address, pending.remove(address)?)));
        self.chunks.borrow_mut().extend(written);
        self.root.set(*to);
        Ok(Committed::Done)
    }

    fn collect(&self, collection: &mut Collection, _chunks_max: usize) -> Result<Progress, StoreError> {
        let elsewhere: Vec<Address> = self.elsewhere.borrow().iter().copied().collect();
        collection.collect_memory(self.root.get(), elsewhere, &self.pending.borrow(), &mut self.chunks.borrow_mut())
    }

    fn take(&self, copy: &mut Copy, source: &dyn Chunks, chunks_max: usize) -> Result<Copied, StoreError> {
        let lacks = |address: &Address| !self.chunks.borrow().contains_key(address);
        copy.step_in_memory(source, chunks_max, &lacks, &mut |address, chunk| {
            self.chunks.borrow_mut().insert(address, chunk);
            // No root leads to it yet.
            self.elsewhere.borrow_mut().insert(address);
        })
    }

    /// There are no files: the writer keeps its own copy.
    fn replace_beside(&self, _path: &str, _bytes: &[u8]) -> Result<(), StoreError> {
        Ok(())
    }

    fn forget_pending(&self) {
        self.pending.borrow_mut().clear();
        self.elsewhere.borrow_mut().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_found_by_their_address() {
        let chunks = MemoryChunks::new();
        let address = chunks.insert(b"abc".to_vec());
        assert_eq!(chunks.read(&address).unwrap(), b"abc");
        assert_eq!(chunks.read(&Address::EMPTY), Err(StoreError::Missing(Address::EMPTY)));
        assert!(chunks.contains(&address).unwrap());
        assert!(chunks.remove(&address));
        assert!(!chunks.contains(&address).unwrap());
    }

    #[test]
    fn pending_chunks_are_kept_when_a_root_needs_them() {
        let chunks = MemoryChunks::new();
        let [kept, lost] = [&b"kept"[..], b"lost"].map(|chunk| chunks.put(chunk).unwrap());
        assert!(chunks.is_pending(&kept) && chunks.read(&lost).is_ok());
        assert_eq!(chunks.commit(&lost, &kept, &[kept]), Ok(Committed::Moved));
        assert_eq!(chunks.commit(&Address::EMPTY, &kept, &[kept]), Ok(Committed::Done));
        chunks.forget_pending();
        assert_eq!((chunks.root(), chunks.contains(&kept), chunks.contains(&lost)), (kept, Ok(true), Ok(false)));
    }
}
