//! Copy target interface: what a copy needs of the store that it writes to.

use std::rc::Rc;

use codec::Address;
use region::Directory;

use crate::StoreError;
use crate::manifest::ListedFile;
use crate::opened::Opened;
use crate::writer::Held;

/// The store that chunks are copied to.
pub(crate) trait Target {
    fn opened(&self) -> &Opened;

    fn directory(&self) -> &Rc<dyn Directory>;

    /// Beginning of the path of a file that is being written, up to what tells it from others.
    fn temporary(&self) -> &'static str;

    /// The time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Takes the lock of the writers for a moment.
    fn lock(&self) -> Result<Rc<Held>, StoreError>;

    /// Those of `addresses` that no file of the store has. Ghosts are there, unless they are among `roots`.
    fn lacks(&self, addresses: &[Address], roots: &[Address]) -> Result<Vec<Address>, StoreError> {
        let opened = self.opened();
        let has = opened.has_many(addresses, false)?;
        let is_absent = |address: &Address| !opened.is_ghost(address) || roots.contains(address);
        let absent = addresses.iter().zip(has).filter(|(address, has)| !has && is_absent(address));
        Ok(absent.map(|(address, _)| *address).collect())
    }

    /// A chunk that was put and that no root leads to yet.
    fn pending(&self, address: &Address) -> Option<Vec<u8>> {
        let _ = address;
        None
    }

    /// Makes a lazy clone a whole store, if all that it needs is among what was `seen`. Answers what was not.
    fn complete(&self, seen: &dyn Fn(&Address) -> bool) -> Result<Vec<Address>, StoreError> {
        let _ = seen;
        Err(StoreError::ReadOnly("a remote lacks no chunks"))
    }

    /// Makes `files`, which are under their names, part of the store.
    fn list(&self, files: &[ListedFile]) -> Result<(), StoreError>;

    /// Takes in that `ghosts` are elsewhere.
    fn add_ghosts(&self, ghosts: &[Address]) -> Result<(), StoreError>;

    /// Keeps what was copied for a root that comes.
    fn keep(&self, roots: &[Address]);
}
