//! A store in files: both generations, the journal, the ghosts and what is pending behind one interface.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::{Address, CompactSort};
use hashbrown::HashSet;
use region::{Directory, Region};

use crate::files::{Files, Opener};
use crate::layout::Layout;
use crate::manifest::Manifest;
use crate::source::Place;
use crate::stats::{Counters, Stats};
use crate::writer::Writer;
use crate::{Chunks, Collection, Committed, OpenOptions, PastRoot, Progress, StoreError, Verify, WriteOptions};

/// Chunks in files.
///
/// Opening reads manifests and footers and scans the journal, if there is one. No index is loaded.
pub struct ChunkStore {
    layout: Layout,
    region: Rc<Region>,
    options: OpenOptions,
    files: RefCell<Rc<Files>>,
    /// The root that this store tells: of its last commit or refresh.
    pub(crate) root: Cell<Address>,
    pub(crate) writer: Option<Writer>,
    /// The source that had the last chunk: neighbours were written together.
    last: Cell<usize>,
    pub(crate) counters: Counters,
}

impl ChunkStore {
    /// Opens, for reading, the store of the database whose directory (the one that holds `.dolt`) is `directory`, or of the `file://`
    /// remote that is `directory` itself.
    ///
    /// # Errors
    /// [`StoreError::NoManifest`] when it is neither; [`StoreError::AbsentFile`], [`StoreError::DataLoss`],
    /// [`StoreError::Corrupt`] and [`StoreError::Unsupported`] where native Dolt refuses as well.
    pub fn open(
        region: &Rc<Region>,
        directory: &dyn Directory,
        options: OpenOptions,
    ) -> Result<ChunkStore, StoreError> {
        let (layout, files) = Opener { region, directory, options }.open()?;
        Ok(Self::of_files(region, options, layout, files, None))
    }

    /// As [`ChunkStore::open`], for reading and writing. Opening itself writes nothing and takes no lock.
    ///
    /// # Errors
    /// As [`ChunkStore::open`]; [`StoreError::ReadOnly`] for a remote.
    pub fn open_writable(
        region: &Rc<Region>,
        directory: Rc<dyn Directory>,
        options: OpenOptions,
        write: WriteOptions,
    ) -> Result<ChunkStore, StoreError> {
        let (layout, files) = Opener { region, directory: &*directory, options }.open()?;
        if layout == Layout::Remote {
            return Err(StoreError::ReadOnly("it is a remote, which is pushed to"));
        }
        Ok(Self::of_files(region, options, layout, files, Some(Writer::new(directory, write))))
    }

    /// A new, empty store in `directory`. Nothing is on disk before the first commit, which makes journal and manifest: until then there
    /// is no database, and after it a whole one. `repo_state.json`, which native Dolt wants beside it, is the caller's to write before.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is one; what the host says.
    pub fn create(
        region: &Rc<Region>,
        directory: Rc<dyn Directory>,
        options: OpenOptions,
        write: WriteOptions,
    ) -> Result<ChunkStore, StoreError> {
        let layout = Layout::Database;
        let file = layout.manifest_path();
        if Manifest::read(&*directory, &file)?.is_some() {
            return Err(StoreError::Exists { file });
        }
        let (journal, sources, old_start, ghosts) = Default::default();
        let files = Files { manifest: Manifest::absent(), journal, sources, old_start, ghosts };
        Ok(Self::of_files(region, options, layout, files, Some(Writer::new(directory, write))))
    }

    fn of_files(
        region: &Rc<Region>,
        options: OpenOptions,
        layout: Layout,
        files: Files,
        writer: Option<Writer>,
    ) -> ChunkStore {
        ChunkStore {
            layout,
            region: region.clone(),
            options,
            root: Cell::new(files.root()),
            files: RefCell::new(Rc::new(files)),
            writer,
            last: Cell::new(0),
            counters: Counters::default(),
        }
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The manifest of the newer generation, as it was when it was looked at last.
    pub fn manifest(&self) -> Manifest {
        self.files().manifest.clone()
    }

    /// Bytes at the end of the journal that are no whole record: room for more, or an interrupted write, dropped as native Dolt
    /// drops both.
    pub fn torn_bytes(&self) -> u64 {
        self.files().journal.as_ref().map_or(0, |journal| journal.torn_bytes())
    }

    pub fn stats(&self) -> Stats {
        let pending_bytes = self.writer.as_ref().map_or(0, Writer::pending_bytes);
        Stats { pending_bytes, file_bytes: self.files().bytes(), ..self.counters.get() }
    }

    /// Calls `each` with every address that an index lists: for checking and copying a whole store. A chunk in two files comes twice.
    ///
    /// # Errors
    /// What is wrong with an index.
    pub fn each_address(&self, each: &mut dyn FnMut(Address)) -> Result<(), StoreError> {
        self.files().sources.iter().try_for_each(|source| source.each_address(each))
    }

    /// Whether a shallow clone left this chunk behind.
    pub fn is_ghost(&self, address: &Address) -> bool {
        self.files().ghosts.contains(address)
    }

    /// The files of now. Whoever reads holds on to them, whatever is opened meanwhile.
    pub(crate) fn files(&self) -> Rc<Files> {
        self.files.borrow().clone()
    }

    pub(crate) fn set_files(&self, files: Files) {
        *self.files.borrow_mut() = Rc::new(files);
        self.last.set(0);
    }

    pub(crate) fn opener<'a>(&'a self, directory: &'a dyn Directory) -> Opener<'a> {
        Opener { region: &self.region, directory, options: self.options }
    }

    /// Searches the files, the one that had the last chunk first.
    fn find(&self, files: &Files, address: &Address) -> Result<Option<(usize, Place)>, StoreError> {
        let last = self.last.get();
        let order = core::iter::once(last).chain((0..files.sources.len()).filter(|i| *i != last));
        for i in order {
            let Some(source) = files.sources.get(i) else { continue };
            self.counters.update(|stats| stats.searches += 1);
            if let Some(place) = source.find(address)? {
                self.last.set(i);
                return Ok(Some((i, place)));
            }
        }
        Ok(None)
    }

    /// Searches the files for many addresses. The answer has their positions in `addresses`, sorted by file and offset, so that
    /// reading them in this order goes forward.
    fn find_many(&self, files: &Files, addresses: &[Address]) -> Result<Vec<Found>, StoreError> {
        let mut wanted: Vec<(Address, usize)> = addresses.iter().copied().zip(0..).collect();
        wanted.compact_sort();
        let mut all = Vec::with_capacity(wanted.len());
        for (source, file) in files.sources.iter().enumerate() {
            if wanted.is_empty() {
                break;
            }
            self.counters.update(|stats| stats.searches += wanted.len() as u64);
            let before = all.len();
            file.find_many(&wanted, &mut |position, place| all.push(Found { source, place, position }))?;
            if all.len() > before {
                let found: HashSet<usize> = all.iter().skip(before).map(|found| found.position).collect();
                wanted.retain(|(_, position)| !found.contains(position));
            }
        }
        all.compact_sort_by_key(|found| (found.source, found.place.offset, found.position));
        Ok(all)
    }

    /// Announces what [`ChunkStore::read_found`] will touch.
    fn announce(files: &Files, found: &[Found]) {
        for run in found.chunk_by(|a, b| a.source == b.source) {
            let ranges: Vec<_> =
                run.iter().map(|found| found.place.offset..found.place.offset + u64::from(found.place.len)).collect();
            if let Some(source) = run.first().and_then(|first| files.sources.get(first.source)) {
                source.mapping().will_need(&ranges);
            }
        }
    }

    fn read_found(&self, files: &Files, address: &Address, source: usize, place: Place) -> Result<Vec<u8>, StoreError> {
        let source = files.sources.get(source).ok_or(StoreError::Missing(*address))?;
        let chunk = source.read(address, place)?;
        let is_checked = match self.options.verify {
            Verify::Always => true,
            Verify::Unchecked => !source.is_proved(place),
            Verify::Never => false,
        };
        if is_checked {
            if Address::of(&chunk) != *address {
                let file = source.mapping().name().clone();
                return Err(StoreError::WrongAddress { file, address: *address, at_bytes: place.offset });
            }
            source.prove(place);
        }
        self.counters.update(|stats| {
            stats.chunks_read += 1;
            stats.stored_bytes += u64::from(place.len);
            stats.chunk_bytes += chunk.len() as u64;
            stats.verified += u64::from(is_checked);
        });
        Ok(chunk)
    }

    fn absent(&self, address: &Address) -> StoreError {
        if self.is_ghost(address) { StoreError::Ghost(*address) } else { StoreError::Missing(*address) }
    }
}

/// Where one of many addresses was found.
struct Found {
    source: usize,
    place: Place,
    /// Position of the address in what was asked.
    position: usize,
}

impl Chunks for ChunkStore {
    fn root(&self) -> Address {
        self.root.get()
    }

    fn past_roots(&self) -> Vec<PastRoot> {
        self.files().journal.as_ref().map_or_else(Vec::new, |journal| journal.past_roots())
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        if let Some(chunk) = self.writer.as_ref().and_then(|writer| writer.pending(address)) {
            return Ok(chunk);
        }
        let files = self.files();
        let (source, place) = self.find(&files, address)?.ok_or_else(|| self.absent(address))?;
        self.read_found(&files, address, source, place)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        let files = self.files();
        let found = self.find_many(&files, addresses)?;
        if found.len() < addresses.len() {
            let positions: HashSet<usize> = found.iter().map(|found| found.position).collect();
            for (position, address) in addresses.iter().enumerate().filter(|(i, _)| !positions.contains(i)) {
                let pending = self.writer.as_ref().and_then(|writer| writer.pending(address));
                each(position, pending.ok_or_else(|| self.absent(address))?);
            }
        }
        Self::announce(&files, &found);
        for Found { source, place, position } in found {
            let address = addresses.get(position).copied().unwrap_or_default();
            each(position, self.read_found(&files, &address, source, place)?);
        }
        Ok(())
    }

    fn will_need(&self, addresses: &[Address]) {
        let files = self.files();
        // Whatever is wrong will be said when the chunk is read.
        if let Ok(found) = self.find_many(&files, addresses) {
            Self::announce(&files, &found);
        }
    }

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.is_pending(address) || self.find(&self.files(), address)?.is_some())
    }

    fn put(&self, chunk: &[u8]) -> Result<Address, StoreError> {
        self.writer()?.put(self, chunk)
    }

    fn make_room(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.make_room(self))
    }

    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.look_at_pending(address, look))
    }

    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        self.writer()?.commit(self, from, to, chunks)
    }

    fn claim(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), Writer::claim)
    }

    fn hold(&self, root: &Address, redo: &mut dyn FnMut() -> Option<Vec<u8>>) -> Result<bool, StoreError> {
        self.writer.as_ref().map_or(Ok(false), |writer| writer.hold(self, root, redo))
    }

    fn left_redo(&self, is_urgent: bool) -> Result<Vec<Vec<u8>>, StoreError> {
        self.writer.as_ref().map_or(Ok(Vec::new()), |writer| writer.left_redo(self, is_urgent))
    }

    fn forget_redo(&self) {
        if let Some(writer) = &self.writer {
            writer.forget_redo(self);
        }
    }

    fn let_go(&self) {
        if let Some(writer) = &self.writer {
            writer.let_go();
        }
    }

    fn refresh(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.refresh(self))
    }

    fn collect(&self, collection: &mut Collection, chunks_max: usize) -> Result<Progress, StoreError> {
        collection.step(self, self.writer()?, chunks_max)
    }

    fn file_beside(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.writer.as_ref().map_or(Ok(None), |writer| writer.file_beside(path))
    }

    fn replace_beside(&self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.writer()?.replace_beside(path, bytes)
    }

    fn forget_pending(&self) {
        if let Some(writer) = &self.writer {
            writer.forget_pending();
        }
    }
}
