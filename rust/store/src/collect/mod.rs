//! Garbage collection: copies reachable chunks to new files and removes the rest (docs/format/store.md, section 7.3).

mod files;
mod walk;

use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;

use crate::StoreError;

use files::OfFiles;
use walk::Walk;

/// How much is collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CollectMode {
    /// History that is not in the old generation yet goes there; the new generation is written anew.
    #[default]
    Default,
    /// Both generations are written anew.
    Full,
    /// Only files that no manifest lists are removed.
    Shallow,
}

/// Calls its second argument with every address in a chunk. The error is for people.
pub type References = Rc<dyn Fn(&[u8], &mut dyn FnMut(Address)) -> Result<(), Box<str>>>;

/// A garbage collection that is under way, in steps: see [`Chunks::collect`].
///
/// It excludes all other writers meanwhile. Dropping it before it is done gives that up, and leaves the store as it was.
///
/// [`Chunks::collect`]: crate::Chunks::collect
pub struct Collection {
    mode: CollectMode,
    references: References,
    /// What is to go to the old generation, with everything that it refers to.
    history: Vec<Address>,
    /// Older roots that a session still reads.
    kept: Vec<Address>,
    walk: Walk,
    of_files: OfFiles,
    progress: Progress,
}

/// How far a collection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Chunks that were kept so far.
    pub chunks: u64,
    /// Bytes of the new files so far.
    pub bytes: u64,
    /// Files that were removed.
    pub removed: u64,
    pub is_done: bool,
}

impl Collection {
    /// A collection of all that neither the store's root nor `history` lead to. `history` are the commits of branches and other refs:
    /// they lead to what will hardly ever be garbage.
    pub fn new(mode: CollectMode, history: Vec<Address>, references: References) -> Collection {
        let (walk, of_files, progress) = Default::default();
        Collection { mode, references, history, kept: Vec::new(), walk, of_files, progress }
    }

    /// Keeps what `roots` lead to, until the next collection: transactions that began before the last commits read them.
    pub fn keeping(self, roots: Vec<Address>) -> Collection {
        Collection { kept: roots, ..self }
    }

    /// What leads to all that stays beside history.
    fn roots(&self, root: Address) -> impl Iterator<Item = Address> {
        self.kept.iter().copied().chain([root]).filter(|address| !address.is_empty())
    }

    /// All of it for chunks in memory, where nothing has to be written.
    pub(crate) fn collect_memory(
        &mut self,
        root: Address,
        elsewhere: Vec<Address>,
        pending: &HashMap<Address, Vec<u8>>,
        chunks: &mut HashMap<Address, Vec<u8>>,
    ) -> Result<Progress, StoreError> {
        self.walk = Walk::default();
        let put_ever = elsewhere.into_iter().chain(pending.keys().copied());
        let roots: Vec<Address> = self.history.iter().copied().chain(self.roots(root)).chain(put_ever).collect();
        self.walk.start(roots);
        while let Some(address) = self.walk.next() {
            let chunk = chunks.get(&address).or_else(|| pending.get(&address)).ok_or(StoreError::Missing(address))?;
            self.walk.follow(&self.references, &address, chunk)?;
        }
        if self.mode != CollectMode::Shallow {
            chunks.retain(|address, _| self.walk.has_seen(address));
        }
        let bytes = chunks.values().map(|chunk| chunk.len() as u64).sum();
        Ok(Progress { chunks: chunks.len() as u64, bytes, removed: 0, is_done: true })
    }
}
