//! Databases in files, of which nodes are read anew each time.

use std::rc::Rc;

use region::{Directory, MemoryLock, Region};
use store::{ChunkStore, OpenOptions, WriteOptions};
use tree::NodeStore;
use vcs::{Database, RepoState};

use super::fresh::commit_first;

/// For a single writer, with a frozen clock.
pub fn write_options() -> WriteOptions {
    WriteOptions::new(Rc::new(MemoryLock::default()), || 1_795_262_400_000)
}

/// A new database with its first commit.
pub fn create(files: Rc<dyn Directory>, write: WriteOptions) -> Database {
    let database = over(ChunkStore::create(&region(), files, OpenOptions::default(), write));
    commit_first(&database, "A");
    database
}

/// The database that is there.
pub fn open(files: Rc<dyn Directory>, write: WriteOptions) -> Database {
    over(ChunkStore::open_writable(&region(), files, OpenOptions::default(), write))
}

fn region() -> Rc<Region> {
    Region::new(region::Options::default())
}

fn over(store: Result<ChunkStore, store::StoreError>) -> Database {
    let store = Rc::new(store.expect("the store opens"));
    Database::new(NodeStore::new(store, tree::Options { cache_bytes: 1 }), RepoState::default())
}
