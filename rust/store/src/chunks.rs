//! The one interface of the layer: chunks by address.

use codec::Address;

use crate::StoreError;

/// Chunks by address. The tree and everything above it see only this.
pub trait Chunks {
    /// Address of the current root chunk, a store-root message; [`Address::EMPTY`] in an empty store.
    fn root(&self) -> Address;

    /// The uncompressed bytes of a chunk, in a fresh buffer that the caller keeps as its node.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when no file has it, [`StoreError::Ghost`] when a shallow clone left it behind; otherwise what
    /// is wrong with the file that has it.
    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError>;

    /// Reads many chunks, in the order of their place on disk and not in the order asked; `each` gets the position in
    /// `addresses` and the bytes. A repeated address is read once for each time it is asked.
    ///
    /// # Errors
    /// As [`Chunks::read`], at the first chunk that fails; `each` may have seen others by then.
    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError>;

    /// Advice that these chunks will be read soon: starts reads, waits for none, reports nothing.
    fn will_need(&self, addresses: &[Address]);

    /// Whether the chunk can be read. A ghost cannot.
    ///
    /// # Errors
    /// What is wrong with an index that had to be searched.
    fn contains(&self, address: &Address) -> Result<bool, StoreError>;
}
