//! A remote: one store in a directory that other writers use too (docs/format/store.md, section 8; docs/decisions/2026-11-29-remotes.md).

mod swap;

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::Address;
use region::{Directory, Lock, Mode, Region};

use crate::copy::Target;
use crate::files::{ATTEMPTS_MAX, Files, JournalFile, Opener};
use crate::layout::Layout;
use crate::manifest::{ListedFile, Manifest};
use crate::opened::Opened;
use crate::source::{Form, Source};
use crate::writer::{Held, try_lock};
use crate::{CHUNK_BYTES_MAX, Chunks, Committed, Copied, Copy, OpenOptions, Pinned, StoreError, Verify, WholeFile};

use swap::Swap;

/// How to open a remote.
#[derive(Clone)]
pub struct RemoteOptions {
    /// Held while the manifest is read and replaced. Where the remote can only be read, it says [`region::FileError::ReadOnly`].
    pub lock: Rc<dyn Lock>,
    /// The time in milliseconds since 1970.
    pub clock: fn() -> u64,
    pub mode: Mode,
    /// Whether the store behind it keeps a journal, as that of a server: it is read then. A directory with a journal is a database, and
    /// no remote.
    pub accepts_journal: bool,
    /// Whether a branch may be pushed only if its working set there is clean, which is pushed with it: what a server asks for.
    pub asserts_working_set: bool,
}

impl RemoteOptions {
    /// Those of a directory.
    pub fn new(lock: Rc<dyn Lock>, clock: fn() -> u64) -> RemoteOptions {
        RemoteOptions { lock, clock, mode: Mode::default(), accepts_journal: false, asserts_working_set: false }
    }
}

/// A remote that is open. Each chunk that is read is compared with its address.
///
/// What is put is pending until [`Chunks::commit`], which writes it as a small file and makes the root another one, in one step with the
/// files that [`Chunks::take`] has copied before.
pub struct Remote {
    directory: Rc<dyn Directory>,
    opened: Opened,
    options: RemoteOptions,
    /// Files that were copied there, and that no manifest lists yet.
    staged: RefCell<Vec<ListedFile>>,
    /// Of the remote when they were: what they lean on is there while it is the same.
    generation: Cell<Address>,
    pending: RefCell<hashbrown::HashMap<Address, Vec<u8>>>,
    /// A change of the root that waits for the host.
    swap: RefCell<Option<Swap>>,
}

impl Remote {
    /// Opens the remote in `directory`. One without a manifest is empty.
    ///
    /// # Errors
    /// [`StoreError::Exists`] for a database that keeps a journal there; what is wrong with the files.
    pub fn open(
        region: &Rc<Region>,
        directory: Rc<dyn Directory>,
        options: RemoteOptions,
    ) -> Result<Remote, StoreError> {
        let open = OpenOptions { mode: options.mode, verify: Verify::Always };
        let opener = Opener { region, directory: &*directory, options: open, elsewhere: None };
        let files = opener.open_remote()?;
        let remote = Remote {
            opened: Opened::new(region, open, Layout::Remote, files),
            directory,
            options,
            staged: RefCell::default(),
            generation: Cell::default(),
            pending: RefCell::default(),
            swap: RefCell::default(),
        };
        remote.check_journal()?;
        Ok(remote)
    }

    /// Whether nothing was ever pushed there.
    pub fn is_empty(&self) -> bool {
        self.opened.files().manifest.is_absent()
    }

    /// The manifest as it was when it was looked at last.
    pub fn manifest(&self) -> Manifest {
        self.opened.files().manifest.clone()
    }

    /// Whether the remote has each of some chunks.
    ///
    /// # Errors
    /// What is wrong with an index.
    pub fn has_many(&self, addresses: &[Address]) -> Result<Vec<bool>, StoreError> {
        self.opened.has_many(addresses, true)
    }

    /// Native Dolt refuses a directory with a journal as well.
    fn check_journal(&self) -> Result<(), StoreError> {
        if self.options.accepts_journal {
            return Ok(());
        }
        let path: Rc<str> = Layout::Remote.journal_path().into();
        match self.directory.open(&path).map_err(|error| StoreError::file(&path, error))? {
            Some(_) => Err(StoreError::Exists { file: path }),
            None => Ok(()),
        }
    }

    /// Opens what `manifest` lists, and what is staged. The journal of before stays, unless the manifest was read anew: one that came later
    /// may have a root whose file this manifest does not list.
    fn adopt(&self, manifest: Manifest, root: Option<Address>) -> Result<(), StoreError> {
        let opener = self.opened.opener(&*self.directory);
        self.staged.borrow_mut().retain(|staged| !manifest.lists(&staged.id));
        let listed = manifest.files.iter().chain(&*self.staged.borrow()).copied().collect();
        let all = Manifest { files: listed, ..manifest.clone() };
        let known = self.opened.files().journal.clone().filter(|_| root.is_some());
        let files = opener.open_files(Layout::Remote, all, known.map_or(JournalFile::Open, JournalFile::Keep))?;
        let files = Files { manifest, ..files };
        self.opened.root.set(root.unwrap_or_else(|| files.root()));
        self.opened.set_files(files);
        Ok(())
    }

    /// Takes in what others wrote.
    fn look(&self) -> Result<(), StoreError> {
        let path = Layout::Remote.manifest_path();
        let mut attempt = 1;
        loop {
            let files = self.opened.files();
            let manifest = match Manifest::read(&*self.directory, &path)? {
                Some(manifest) => manifest,
                None if files.manifest.is_absent() => return Ok(()),
                None => return Err(StoreError::Removed { file: path }),
            };
            if manifest == files.manifest && !manifest.lists(&Address::JOURNAL) {
                return Ok(());
            }
            match self.adopt(manifest, None) {
                // Native Dolt merges more than 256 files into one and removes them, without being asked.
                Err(StoreError::AbsentFile { .. }) if attempt < ATTEMPTS_MAX => attempt += 1,
                outcome => return outcome,
            }
        }
    }
}

impl Target for Remote {
    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn directory(&self) -> &Rc<dyn Directory> {
        &self.directory
    }

    /// Native Dolt removes files of such names.
    fn temporary(&self) -> &'static str {
        "nbs_table_varve_"
    }

    fn now_ms(&self) -> u64 {
        (self.options.clock)()
    }

    fn lock(&self) -> Result<Rc<Held>, StoreError> {
        try_lock(&self.options.lock)
    }

    fn list(&self, files: &[ListedFile]) -> Result<(), StoreError> {
        let manifest = self.manifest();
        if !self.staged.borrow().is_empty() && self.generation.get() != manifest.gc_generation {
            return Err(StoreError::Collected);
        }
        self.generation.set(manifest.gc_generation);
        let is_new = |file: &&ListedFile| !manifest.lists(&file.id);
        self.staged.borrow_mut().extend(files.iter().filter(is_new));
        self.adopt(manifest, Some(self.root()))
    }

    fn add_ghosts(&self, _: &[Address]) -> Result<(), StoreError> {
        Err(StoreError::ReadOnly("a remote has all of its history"))
    }

    fn keep(&self, _: &[Address]) {}
}

impl Chunks for Remote {
    fn root(&self) -> Address {
        self.opened.root.get()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        let pending = self.pending.borrow().get(address).cloned();
        pending.map_or_else(|| self.opened.read(address), Ok)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        self.opened.read_many(addresses, |address| self.pending.borrow().get(address).cloned(), each)
    }

    fn will_need(&self, addresses: &[Address]) {
        self.opened.will_need(addresses);
    }

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.is_pending(address) || self.opened.contains(address)?)
    }

    fn locate(&self, address: &Address) -> Option<(Rc<str>, u64)> {
        self.opened.locate(address)
    }

    fn put(&self, chunk: &[u8]) -> Result<Address, StoreError> {
        if chunk.is_empty() || chunk.len() > CHUNK_BYTES_MAX {
            return Err(StoreError::ChunkLength { bytes: chunk.len() });
        }
        let address = Address::of(chunk);
        self.pending.borrow_mut().insert(address, chunk.to_vec());
        Ok(address)
    }

    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.pending.borrow().get(address).map(|chunk| look(chunk)).is_some()
    }

    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        self.swap_root(from, to, chunks)
    }

    fn refresh(&self) -> Result<(), StoreError> {
        self.look()
    }

    fn take(&self, copy: &mut Copy, source: &dyn Chunks, chunks_max: usize) -> Result<Copied, StoreError> {
        copy.step(self, source, chunks_max)
    }

    fn whole_files(&self) -> Option<Vec<WholeFile>> {
        WholeFile::of(&self.opened.files().sources)
    }

    fn pinned(&self) -> Result<Option<Pinned>, StoreError> {
        let (mut files, mut journal) = (Vec::new(), Vec::new());
        for source in &self.opened.files().sources {
            match WholeFile::new(source) {
                Some(file) => files.push(file),
                None => journal = addresses_in(&**source)?,
            }
        }
        Ok(Some(Pinned { directory: self.directory.clone(), files, journal }))
    }

    fn asserts_working_set(&self) -> bool {
        self.options.asserts_working_set
    }

    fn forget_pending(&self) {
        self.pending.borrow_mut().clear();
    }
}

/// All chunks of a journal.
fn addresses_in(source: &dyn Source) -> Result<Vec<Address>, StoreError> {
    let (mut addresses, mut outcome) = (Vec::new(), Ok(()));
    source.each_listed(&mut |listed| {
        let whole = listed.and_then(|listed| match listed.place.form {
            // Of what only an index lists the whole address is not known; the index says so by another form elsewhere.
            Form::Record if listed.address.as_bytes().ends_with(&[0; 4]) => {
                source.read(&listed.address, listed.place).map(|chunk| Address::of(&chunk))
            }
            _ => Ok(listed.address),
        });
        match whole {
            Ok(address) => addresses.push(address),
            Err(error) => outcome = Err(error),
        }
    });
    outcome.map(|()| addresses)
}
