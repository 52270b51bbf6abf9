//! Chunks in a map, for tests of the layers above and for what was not written yet.

use core::cell::{Cell, RefCell};

use codec::Address;
use hashbrown::HashMap;

use crate::{Chunks, StoreError};

/// A store without files.
#[derive(Default)]
pub struct MemoryChunks {
    chunks: RefCell<HashMap<Address, Vec<u8>>>,
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

    pub fn is_empty(&self) -> bool {
        self.chunks.borrow().is_empty()
    }
}

impl Chunks for MemoryChunks {
    fn root(&self) -> Address {
        self.root.get()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.chunks.borrow().get(address).cloned().ok_or(StoreError::Missing(*address))
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        for (i, address) in addresses.iter().enumerate() {
            each(i, self.read(address)?);
        }
        Ok(())
    }

    fn will_need(&self, _addresses: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.chunks.borrow().contains_key(address))
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
}
