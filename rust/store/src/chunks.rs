//! The chunk interface of this layer: chunks by address, and a sequence of roots.

use std::rc::Rc;

use codec::Address;

use crate::{
    Collection, Committed, Copied, Copy, EachScanned, LazyClone, PastRoot, Pinned, Progress, Scan, Scanned, StoreError,
    WholeFile,
};

/// Chunks by address. The tree and everything above it see only this.
///
/// New chunks are *pending* first: in memory and readable, but of no one else. [`Chunks::commit`] writes those that a new root
/// needs, and the root, as one step.
pub trait Chunks {
    /// Address of the current root chunk, a store-root message; [`Address::EMPTY`] in an empty store.
    fn root(&self) -> Address;

    /// Earlier roots that are still known, the oldest first, then the current one. A garbage collection forgets them, and a store
    /// without a journal knows none.
    fn past_roots(&self) -> Vec<PastRoot> {
        Vec::new()
    }

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

    /// The file that has the chunk and the byte at which its record begins, for messages. `None` without files, and where an index cannot be
    /// read.
    fn locate(&self, address: &Address) -> Option<(Rc<str>, u64)> {
        let _ = address;
        None
    }

    /// Keeps a new chunk as pending and tells its address. A chunk that is there already is not kept again.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] by default.
    fn put(&self, chunk: &[u8]) -> Result<Address, StoreError> {
        let _ = chunk;
        Err(StoreError::ReadOnly("it can only be read"))
    }

    /// Writes pending chunks ahead of the root that needs them, if they are many. Called between two steps of a long statement: what
    /// has to wait for the lock can wait there, and not while a tree is written.
    ///
    /// # Errors
    /// [`StoreError::Wait`] when nothing was done yet and the call has to be repeated; what is wrong with the files.
    fn make_room(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Shows a chunk that was put and not committed yet. Whether it is one. `look` may ask the store, and puts nothing.
    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        let _ = (address, look);
        false
    }

    /// Whether the chunk was put and not committed yet.
    fn is_pending(&self, address: &Address) -> bool {
        self.look_at_pending(address, &mut |_| {})
    }

    /// Makes `to` the root if it is still `from`, looking at what others wrote: writes `chunks`, those of them that are pending,
    /// in this order (a chunk before those that refer to it), then the root, and flushes once. After [`Committed::Done`] a
    /// crash loses nothing of it, unless the store was opened with less durability.
    ///
    /// # Errors
    /// [`StoreError::Wait`] when nothing was done yet and the call has to be repeated; [`StoreError::ReadOnly`]; what is wrong
    /// with the files. The root is `from` then, as far as this store knows.
    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        let _ = (from, to, chunks);
        Err(StoreError::ReadOnly("it can only be read"))
    }

    /// Waits for the write lock, and releases it: until the host has its next turn no other writer commits.
    ///
    /// # Errors
    /// [`StoreError::Wait`]. Any other obstacle is reported by the commit.
    fn claim(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Holds the write lock for a commit onto `root` that comes a little later: no other writer commits before it, here or elsewhere.
    /// Where a commit is to be durable at once, `redo` tells what is to be written down instead of it, safe when this returns: all changes
    /// since the last call or since `root`; none for no change, and `None` where that is not to be. Answers whether all of that is so: not
    /// where others write without the lock, and when the root is another one.
    ///
    /// # Errors
    /// [`StoreError::Wait`]; what the host says. Nothing was written down.
    fn hold(&self, root: &Address, redo: &mut dyn FnMut() -> Option<Vec<u8>>) -> Result<bool, StoreError> {
        let _ = (root, redo);
        Ok(false)
    }

    /// Ends [`Chunks::hold`].
    fn release(&self) {}

    /// Orphaned redo records ([`Chunks::hold`] of a writer that is gone) on the current root, the oldest first. If there are any, the lock
    /// is kept until [`Chunks::release`], and the next commit is one that has it. A commit onto a root that has some fails as if
    /// the root had changed. `is_urgent` includes the records of a writer that may be just about to commit.
    ///
    /// # Errors
    /// [`StoreError::Wait`], after which the call is repeated; what is wrong with the files.
    fn left_redo(&self, is_urgent: bool) -> Result<Vec<Vec<u8>>, StoreError> {
        let _ = is_urgent;
        Ok(Vec::new())
    }

    /// What [`Chunks::left_redo`] gave cannot be used.
    fn forget_redo(&self) {}

    /// Takes in what others wrote since: a new transaction starts there.
    ///
    /// # Errors
    /// What is wrong with the files.
    fn refresh(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Does a part of `collection`, of about `chunks_max` chunks, and tells how far it is. Called until it is done; commits wait
    /// meanwhile. Pending chunks stay, with what they lean on. A commit of another process that was begun before fails with
    /// [`StoreError::Collected`], since what it leans on may be gone; of older roots those can be read that the collection keeps.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] by default; [`StoreError::Wait`], after which the call is repeated; [`StoreError::Incomplete`]; what is wrong
    /// with the files or a chunk, after which the collection is over and the store is as it was.
    fn collect(&self, collection: &mut Collection, chunks_max: usize) -> Result<Progress, StoreError> {
        let _ = (collection, chunks_max);
        Err(StoreError::ReadOnly("it can only be read"))
    }

    /// Does a part of `copy`, of about `chunks_max` chunks, from `source` to here, and tells how far it is. Called until it is done: then all
    /// of it is here, and stays until the next collection or longer, if a root leads to it. Before, nothing of it is. A remote lists
    /// it with the next root.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] by default; [`StoreError::Wait`], after which the call is repeated; [`StoreError::Collected`] after a garbage
    /// collection, and whatever is wrong with a chunk or a file: the copy is over then, and another one can begin.
    fn take(&self, copy: &mut Copy, source: &dyn Chunks, chunks_max: usize) -> Result<Copied, StoreError> {
        let _ = (copy, source, chunks_max);
        Err(StoreError::ReadOnly("it can only be read"))
    }

    /// The files that the store consists of, where they can be copied as they are.
    fn whole_files(&self) -> Option<Vec<WholeFile>> {
        None
    }

    /// The files of a remote as they are now, for a clone that leaves its chunks there.
    ///
    /// # Errors
    /// What is wrong with a journal.
    fn pinned(&self) -> Result<Option<Pinned>, StoreError> {
        Ok(None)
    }

    /// Makes a store that is not there yet one that lacks what `source`, the remote at `url`, has in its files. Answers what has to be
    /// copied nevertheless.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] by default; [`StoreError::Wait`], after which the call is repeated; what the host says.
    fn lean_on(&self, source: &dyn Chunks, url: &str, user: Option<&str>) -> Result<Vec<Address>, StoreError> {
        let _ = (source, url, user);
        Err(StoreError::ReadOnly("it can only be read"))
    }

    /// Where the other chunks of a lazy clone are.
    fn lazy(&self) -> Option<Rc<LazyClone>> {
        None
    }

    /// Whether a branch is pushed here only if its working set is clean, which is pushed with it.
    fn asserts_working_set(&self) -> bool {
        false
    }

    /// Does a part of `scan`, of about `chunks_max` chunks: `each` gets what is in the files, whether a root leads to it or not, and what is
    /// wrong with them. A store without files has nothing to scan.
    ///
    /// # Errors
    /// [`StoreError::Wait`], after which the call is repeated; a file that is not there any more. What is wrong with a chunk is no error.
    fn scan(&self, scan: &mut Scan, chunks_max: usize, each: &mut EachScanned<'_>) -> Result<Scanned, StoreError> {
        let _ = (scan, chunks_max, each);
        Ok(Scanned { root: self.root(), is_done: true, ..Scanned::default() })
    }

    /// As [`Chunks::read`], in the files that `scan` sees.
    ///
    /// # Errors
    /// As [`Chunks::read`].
    fn read_scanned(&self, scan: &Scan, address: &Address) -> Result<Vec<u8>, StoreError> {
        let _ = scan;
        self.read(address)
    }

    /// What a small file beside the store holds, such as `.dolt/repo_state.json`. `None` when there is none, and in a store that no host
    /// can write.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn file_beside(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let _ = path;
        Ok(None)
    }

    /// Puts another file in the place of that one, as one step.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] by default; [`StoreError::Wait`], after which the call is repeated; what the host says.
    fn replace_beside(&self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let _ = (path, bytes);
        Err(StoreError::ReadOnly("it can only be read"))
    }

    /// Drops all pending chunks: no transaction is open, so that none are needed.
    fn forget_pending(&self) {}
}
