//! Writer of a store in files: pending chunks, commits, and commits of other writers meanwhile (docs/format/store.md, section 6.5).

mod append;
mod lease;
mod loss;
mod redo;
mod room;
mod take;
pub mod target;

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::Address;
use region::{Directory, Lock};

use crate::files::JournalFile;
use crate::manifest::{Manifest, read_small, replace_file};
use crate::opened::Opened;
use crate::pending::Pending;
use crate::{CHUNK_BYTES_MAX, Durability, StoreError, WriteOptions};

/// Files beside a store are a few hundred bytes; more than this is something else.
const FILE_BESIDE_BYTES_MAX: u64 = 1 << 20;

/// The outcome of [`crate::Chunks::commit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Committed {
    Done,
    /// The root changed; nothing was written. [`crate::Chunks::root`] is the current one.
    Moved,
}

/// What a store needs to write.
pub(crate) struct Writer {
    directory: Rc<dyn Directory>,
    options: WriteOptions,
    pending: RefCell<Pending>,
    /// Bytes of pending chunks at which they go to the journal.
    early_at_bytes: Cell<usize>,
    tail: Cell<Tail>,
    /// The lock of the manifest that makes a new database, once the host was asked to put it in its place.
    first: Cell<Option<Address>>,
    /// What [`region::Lock::change_counter`] said when the files were looked at last.
    change_counter: Cell<Option<u64>>,
    /// What [`region::Lock::lease_epoch`] said when the files were looked at last under the lock.
    lease_epoch: Cell<Option<u64>>,
    /// The lock, while it is kept for a commit that was put off.
    held: RefCell<Option<Rc<Held>>>,
    /// Since when redo records of another writer follow the last root, in milliseconds since 1970, and that root.
    redo_since: Cell<Option<(u64, Option<Address>)>>,
    /// Appends to the journal when it was looked at whether anything is written.
    appends_at_rest: Cell<u64>,
    /// Orphaned redo records were handed out, and are part of the next root.
    has_redo: Cell<bool>,
    /// A collection of this process runs, which excludes its other writers.
    is_collecting: Rc<Cell<bool>>,
    /// Records that were refused are in the journal, and could not be taken back.
    is_broken: Cell<bool>,
}

/// What this store knows of the end of the journal, as far as durability goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// The last root is not loose, or not of this store.
    Settled,
    /// Loose roots since this time were not flushed.
    Unflushed { since_ms: u64 },
    /// Loose roots were flushed, up to this offset, and no other root vouches for them yet.
    Flushed { end: u64 },
}

/// A root that is to be recorded; a loose one is not flushed by itself.
#[derive(Clone, Copy)]
struct Root {
    address: Address,
    is_loose: bool,
}

/// The lock, given back when this goes.
pub(crate) struct Held(Rc<dyn Lock>);

/// The right of a collection to be the only one that writes, given back when this goes.
pub(crate) struct Alone {
    is_collecting: Rc<Cell<bool>>,
    _held: Rc<Held>,
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.is_collecting.set(false);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.unlock();
    }
}

/// Takes a lock.
pub(crate) fn try_lock(lock: &Rc<dyn Lock>) -> Result<Rc<Held>, StoreError> {
    match lock.try_lock() {
        Ok(true) => Ok(Rc::new(Held(lock.clone()))),
        Ok(false) => Err(StoreError::Wait),
        Err(error) => Err(StoreError::file(&"LOCK".into(), error)),
    }
}

impl Writer {
    pub(crate) fn new(directory: Rc<dyn Directory>, options: WriteOptions) -> Writer {
        let early_at_bytes = Cell::new(options.pending_bytes_max);
        let (pending, first, held, appends_at_rest, has_redo, is_collecting, is_broken) = Default::default();
        let (tail, change_counter, lease_epoch) = (Cell::new(Tail::Settled), Cell::new(None), Cell::new(None));
        // What is there when the store is opened has been there for long enough.
        let redo_since = Cell::new(Some((0, None)));
        Writer {
            directory,
            options,
            pending,
            early_at_bytes,
            tail,
            first,
            change_counter,
            lease_epoch,
            held,
            redo_since,
            appends_at_rest,
            has_redo,
            is_collecting,
            is_broken,
        }
    }

    pub(crate) fn flush_if_due(&self, opened: &Opened, now_ms: u64) -> Result<Option<u64>, StoreError> {
        let (Tail::Unflushed { since_ms }, Durability::Relaxed { window_ms }) =
            (self.tail.get(), self.options.durability)
        else {
            return Ok(None);
        };
        let due_ms = since_ms.saturating_add(window_ms);
        // A clock that was set back since then tells nothing of the wait.
        if (since_ms..due_ms).contains(&now_ms) {
            return Ok(Some(due_ms));
        }
        self.flush_loose(opened).map(|()| None)
    }

    /// Flushes roots that were not flushed by themselves.
    pub(crate) fn flush_loose(&self, opened: &Opened) -> Result<(), StoreError> {
        if let (Tail::Unflushed { .. }, Some(journal)) = (self.tail.get(), &opened.files().journal) {
            let end = journal.end();
            self.flush(opened, journal)?;
            self.tail.set(Tail::Flushed { end });
        }
        Ok(())
    }

    pub(crate) fn directory(&self) -> &dyn Directory {
        &*self.directory
    }

    pub(crate) fn pending(&self, address: &Address) -> Option<Vec<u8>> {
        self.pending.borrow().get(address).map(<[u8]>::to_vec)
    }

    pub(crate) fn pending_bytes(&self) -> u64 {
        self.pending.borrow().bytes() as u64
    }

    pub(crate) fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.pending.borrow().get(address).map(look).is_some()
    }

    pub(crate) fn forget_pending(&self) {
        self.pending.borrow_mut().clear();
        self.early_at_bytes.set(self.options.pending_bytes_max);
    }

    pub(crate) fn put(&self, opened: &Opened, chunk: &[u8]) -> Result<Address, StoreError> {
        if chunk.is_empty() || chunk.len() > CHUNK_BYTES_MAX {
            return Err(StoreError::ChunkLength { bytes: chunk.len() });
        }
        let address = Address::of(chunk);
        let files = opened.files();
        let bytes = {
            let mut pending = self.pending.borrow_mut();
            pending.note_generation(files.manifest.gc_generation);
            // Other files may have it, too; to search them for each chunk would cost more than to have one twice now and then.
            // In the middle of a collection what is there may be about to go.
            let is_there = || files.journal.as_ref().is_some_and(|journal| journal.has_scanned(&address));
            if !self.is_collecting.get() && is_there() {
                pending.is_elsewhere(address);
            } else {
                pending.insert(address, chunk);
            }
            pending.bytes()
        };
        if bytes > self.early_at_bytes.get() {
            // What cannot be written now is tried again when half as much again has come.
            self.early_at_bytes.set(bytes + self.options.pending_bytes_max / 2);
            match self.append_early(opened) {
                Err(error) if error.is_wait() => {}
                outcome => outcome?,
            }
        }
        Ok(address)
    }

    pub(crate) fn make_room(&self, opened: &Opened) -> Result<(), StoreError> {
        let is_full = self.pending.borrow().bytes() > self.options.pending_bytes_max;
        if is_full { self.append_early(opened) } else { Ok(()) }
    }

    pub(crate) fn commit(
        &self,
        opened: &Opened,
        from: &Address,
        to: &Address,
        chunks: &[Address],
    ) -> Result<Committed, StoreError> {
        let _held = self.lock()?;
        let was_absent = opened.files().manifest.is_absent();
        self.look(opened, true)?;
        let root = opened.files().root();
        opened.root.set(root);
        if root == *to && (from == to || was_absent) {
            return Ok(Committed::Done);
        }
        if root != *from || !self.has_redo.get() && self.has_redo_of_others(opened)? {
            return Ok(Committed::Moved);
        }
        if self.is_collected(opened) {
            return Err(StoreError::Collected);
        }
        if opened.files().manifest.is_absent() {
            self.append_first(opened, to, chunks)?;
        } else {
            let journal = self.listed_journal(opened)?;
            self.append(opened, &journal, chunks, Some(Root { address: *to, is_loose: self.is_relaxed() }))?;
        }
        opened.root.set(*to);
        opened.counters.update(|stats| stats.commits += 1);
        if let Some(journal) = opened.files().journal.as_ref().filter(|journal| journal.wants_index()) {
            // The commit is done, whatever becomes of what only makes the next open faster.
            let index = opened.opener(&*self.directory).journal_index(opened.layout());
            let _ = index.and_then(|index| journal.extend_index(&index));
        }
        let mut pending = self.pending.borrow_mut();
        chunks.iter().for_each(|address| pending.remove(address));
        if pending.is_empty() {
            pending.clear();
        }
        self.early_at_bytes.set(self.options.pending_bytes_max);
        Ok(Committed::Done)
    }

    pub(crate) fn refresh(&self, opened: &Opened) -> Result<(), StoreError> {
        match self.look(opened, false) {
            // Of files that were closed under us there is no change_counter: what is known can still be read, and a commit says what happened.
            Err(error) if error.is_gone() => {}
            looked => looked?,
        }
        opened.root.set(opened.files().root());
        Ok(())
    }

    /// Takes in what others wrote, if the change counter says so, or if others may have had the lock.
    pub(crate) fn look(&self, opened: &Opened, is_locked: bool) -> Result<(), StoreError> {
        let lease_epoch = if is_locked { self.options.lock.lease_epoch() } else { None };
        if lease_epoch.is_some() && lease_epoch == self.lease_epoch.get() {
            return Ok(());
        }
        let change_counter = self.options.lock.change_counter();
        // Before something is written, the length of the journal is looked at in any case: it costs nothing, and to write over what
        // another writer has would be the worst of all mistakes.
        let has_changed = || is_locked && opened.files().journal.as_ref().is_some_and(|journal| journal.has_changed());
        if change_counter.is_none() || change_counter != self.change_counter.get() || has_changed() {
            self.catch_up(opened, is_locked)?;
            self.change_counter.set(change_counter);
        }
        if is_locked {
            self.lease_epoch.set(lease_epoch);
        }
        Ok(())
    }

    pub(crate) fn file_beside(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let name = path.into();
        let file = self.directory.open(path).map_err(|error| StoreError::file(&name, error))?;
        file.map(|file| read_small(&*file, &name, FILE_BESIDE_BYTES_MAX)).transpose()
    }

    pub(crate) fn replace_beside(&self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let _held = self.lock()?;
        replace_file(&*self.directory, &path.into(), &format!("{path}.varve"), bytes)
    }

    /// Takes the lock.
    pub(crate) fn lock(&self) -> Result<Rc<Held>, StoreError> {
        if self.is_broken.get() {
            return Err(StoreError::ReadOnly("an earlier write could not be taken back; open the database again"));
        }
        if self.is_collecting.get() {
            return Err(StoreError::Wait);
        }
        if let Some(held) = self.kept_lock() {
            return Ok(held);
        }
        try_lock(&self.options.lock)
    }

    pub(crate) fn claim(&self) -> Result<(), StoreError> {
        let is_here = self.held.borrow().is_some() || self.options.lock.claim() != Ok(false);
        if is_here { Ok(()) } else { Err(StoreError::Wait) }
    }

    /// Takes the lock for a collection.
    pub(crate) fn lock_alone(&self) -> Result<Alone, StoreError> {
        let _held = self.lock()?;
        self.is_collecting.set(true);
        Ok(Alone { is_collecting: self.is_collecting.clone(), _held })
    }

    /// Chunks that were put and that no root leads to yet. Those from before another writer's collection are lost.
    pub(crate) fn put_ever(&self, opened: &Opened) -> Vec<Address> {
        let pending = self.pending.borrow();
        match pending.generation() == Some(opened.files().manifest.gc_generation) {
            true => pending.put_ever(),
            false => Vec::new(),
        }
    }

    /// Chunks that were put lean on nothing that a collection has not kept; it has made another generation.
    pub(crate) fn follow(&self, from: Address, to: Address) {
        self.pending.borrow_mut().follow(from, to);
    }

    /// Takes in what others wrote: a new manifest, records at the end of the journal.
    fn catch_up(&self, opened: &Opened, is_locked: bool) -> Result<(), StoreError> {
        let files = opened.files();
        let path = opened.layout().manifest_path();
        let manifest = match Manifest::read(&*self.directory, &path)? {
            Some(manifest) => manifest,
            None if files.manifest.is_absent() => return Ok(()),
            None => return Err(StoreError::Removed { file: path }),
        };
        if files.manifest.is_absent() && self.first.get() != Some(manifest.lock) {
            // Another writer made a database here.
            return Err(StoreError::Exists { file: path });
        }
        if manifest == files.manifest {
            match &files.journal {
                Some(journal) if !journal.catch_up(is_locked)? => {}
                _ => return Ok(()),
            }
        }
        // Whatever has changed, the journal of before may be another file by now, though it is open and whole.
        let opener = opened.opener(&*self.directory);
        match opener.open_files(opened.layout(), manifest, JournalFile::Open) {
            Ok(files) => opened.set_files(files),
            // Collected between the manifest and its files: once more, from the start.
            Err(StoreError::AbsentFile { .. }) => opened.set_files(opener.open()?.1),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
