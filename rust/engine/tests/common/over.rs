//! Databases that can be written to without touching their files.

use std::path::Path;
use std::rc::Rc;

use codec::Address;
use engine::Session;
use region::{NativeDirectory, Region};
use store::{ChunkStore, Chunks, Committed, MemoryChunks, OpenOptions, StoreError};
use tree::NodeStore;
use vcs::{Database, RepoState};

/// What was written, over a store that stays as it is.
pub struct Over {
    below: Rc<dyn Chunks>,
    above: MemoryChunks,
}

impl Over {
    pub fn new(below: Rc<dyn Chunks>) -> Rc<Over> {
        let above = MemoryChunks::new();
        above.set_root(below.root());
        Rc::new(Over { below, above })
    }

    /// Makes this the store's root, as no other writer did meanwhile.
    pub fn set_root(&self, root: Address) {
        self.above.set_root(root);
    }
}

impl Chunks for Over {
    fn root(&self) -> Address {
        self.above.root()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.above.read(address).or_else(|_| self.below.read(address))
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        for (at, address) in addresses.iter().enumerate() {
            each(at, self.read(address)?);
        }
        Ok(())
    }

    fn will_need(&self, _: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.above.contains(address)? || self.below.contains(address)?)
    }

    fn put(&self, chunk: &[u8]) -> Result<Address, StoreError> {
        self.above.put(chunk)
    }

    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.above.look_at_pending(address, look)
    }

    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        self.above.commit(from, to, chunks)
    }

    fn forget_pending(&self) {
        self.above.forget_pending();
    }
}

/// A session over the database in a directory, whose files it leaves alone. It is called as the directory is.
pub fn session(directory: &Path) -> Session {
    let engine = super::empty_engine();
    let name = directory.file_name().expect("a directory has a name").to_string_lossy();
    engine.attach(&name, database(directory));
    engine.session()
}

/// The database in a directory, whose files stay as they are.
pub fn database(directory: &Path) -> Database {
    let state = match std::fs::read(directory.join(".dolt/repo_state.json")) {
        Ok(json) => RepoState::parse(&json).expect("a repo state"),
        Err(_) => RepoState::default(),
    };
    Database::new(NodeStore::new(chunks(directory), tree::Options::default()), state)
}

/// The chunks of the database in a directory.
pub fn chunks(directory: &Path) -> Rc<Over> {
    let region = Region::new(region::Options::default());
    let below = ChunkStore::open(&region, &NativeDirectory::new(directory), OpenOptions::default()).expect("opens");
    Over::new(Rc::new(below))
}

/// A fresh process over chunks: it has read none of them.
pub fn opened(chunks: &Rc<Over>) -> Database {
    Database::new(NodeStore::new(chunks.clone(), tree::Options::default()), RepoState::default())
}
