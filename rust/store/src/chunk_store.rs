//! Chunk store in files behind one interface: the open files, and the writer where the store can be changed.

use std::rc::Rc;

use codec::Address;
use region::{Directory, Region};

use crate::files::{Files, Opener};
use crate::layout::Layout;
use crate::lazy::{Elsewhere, LAZY_PATH};
use crate::manifest::Manifest;
use crate::opened::Opened;
use crate::scan::{EachScanned, Scan, Scanned};
use crate::stats::Stats;
use crate::writer::Writer;
use crate::{
    Chunks, Collection, Committed, Copied, Copy, LazyClone, Loss, OpenOptions, PastRoot, Progress, StoreError,
    WholeFile, WriteOptions,
};

/// Chunks in files.
///
/// Opening reads manifests and footers and scans the journal, if there is one. No index is loaded.
pub struct ChunkStore {
    opened: Opened,
    writer: Option<Writer>,
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
        let (layout, files) = Opener { region, directory, options, elsewhere: None }.open()?;
        Ok(ChunkStore { opened: Opened::new(region, options, layout, files), writer: None })
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
        let (layout, files) = Opener { region, directory: &*directory, options, elsewhere: None }.open()?;
        if layout == Layout::Remote {
            return Err(StoreError::ReadOnly("it is a remote, which is pushed to"));
        }
        let opened = Opened::new(region, options, layout, files);
        Ok(ChunkStore { opened, writer: Some(Writer::new(directory, write)) })
    }

    /// Opens a lazy clone, for which the others answer [`StoreError::Incomplete`]. What it lacks is read from `remote`, the directory of
    /// the remote that [`LazyClone::read`] tells, of which nothing is asked before something is needed.
    ///
    /// # Errors
    /// As [`ChunkStore::open_writable`].
    pub fn open_lazy(
        region: &Rc<Region>,
        directory: Rc<dyn Directory>,
        options: OpenOptions,
        write: Option<WriteOptions>,
        (lazy, remote): (LazyClone, &Rc<dyn Directory>),
    ) -> Result<ChunkStore, StoreError> {
        let elsewhere = Rc::new(Elsewhere::new(region, remote, options.mode, lazy));
        let opener = Opener { region, directory: &*directory, options, elsewhere: Some(&elsewhere) };
        let (layout, files) = opener.open()?;
        let opened = Opened::new(region, options, layout, files);
        Ok(ChunkStore { opened, writer: write.map(|write| Writer::new(directory, write)) })
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
        let opened = Opened::new(region, options, layout, Files::absent());
        Ok(ChunkStore { opened, writer: Some(Writer::new(directory, write)) })
    }

    pub fn layout(&self) -> Layout {
        self.opened.layout()
    }

    /// The manifest of the newer generation, as it was when it was looked at last.
    pub fn manifest(&self) -> Manifest {
        self.opened.files().manifest.clone()
    }

    /// Bytes at the end of the journal that are no whole record: room for more, or an interrupted write, dropped as native Dolt
    /// drops both.
    pub fn torn_bytes(&self) -> u64 {
        self.opened.files().journal.as_ref().map_or(0, |journal| journal.torn_bytes())
    }

    /// Why the opened state may not be the newest one.
    pub fn loss(&self) -> Option<Loss> {
        self.opened.files().loss.clone()
    }

    /// Whether nothing is written because of [`ChunkStore::loss`].
    pub fn is_held_back(&self) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.is_held_back(&self.opened))
    }

    pub fn stats(&self) -> Stats {
        let pending_bytes = self.writer.as_ref().map_or(0, Writer::pending_bytes);
        Stats { pending_bytes, file_bytes: self.opened.files().bytes(), ..self.opened.counters.get() }
    }

    /// Chunks in all files, those in several of them as often.
    pub fn chunk_count(&self) -> u64 {
        self.opened.files().sources.iter().map(|source| source.count()).sum()
    }

    /// Whether a shallow clone left this chunk behind.
    pub fn is_ghost(&self, address: &Address) -> bool {
        self.opened.is_ghost(address)
    }

    /// Flushes commits of relaxed durability whose time has come, at `now_ms`. Answers when the next ones are due, if there are any.
    ///
    /// # Errors
    /// What the host says.
    pub fn flush_if_due(&self, now_ms: u64) -> Result<Option<u64>, StoreError> {
        self.writer.as_ref().map_or(Ok(None), |writer| writer.flush_if_due(&self.opened, now_ms))
    }

    /// Flushes commits of relaxed durability now.
    ///
    /// # Errors
    /// What the host says.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.flush_loose(&self.opened))
    }

    /// Makes room in the journal for the next commits, if it lacks some and nothing is written at the moment. Answers when to ask again, in
    /// milliseconds since 1970, if there is something to do once it is idle.
    ///
    /// # Errors
    /// What the host says. Commits are none the worse, only slower.
    pub fn make_room_when_idle(&self, now_ms: u64) -> Result<Option<u64>, StoreError> {
        self.free_writer().map_or(Ok(None), |writer| writer.make_room_when_idle(&self.opened, now_ms))
    }

    fn writer(&self) -> Result<&Writer, StoreError> {
        if self.is_held_back() {
            return Err(StoreError::ReadOnly(
                "its newest commit is lost; restore a copy, or open it with acceptLoss to go on from the older state",
            ));
        }
        self.writer.as_ref().ok_or(StoreError::ReadOnly("change a copy of it that lies where it can be written"))
    }

    /// The writer, where it may write.
    fn free_writer(&self) -> Option<&Writer> {
        self.writer.as_ref().filter(|writer| !writer.is_held_back(&self.opened))
    }

    /// Refuses what needs all chunks, of a lazy clone.
    fn check_complete(&self, what: &'static str) -> Result<(), StoreError> {
        self.opened.files().elsewhere.as_ref().map_or(Ok(()), |elsewhere| Err(elsewhere.refusal(what)))
    }

    fn pending(&self, address: &Address) -> Option<Vec<u8>> {
        self.writer.as_ref().and_then(|writer| writer.pending(address))
    }
}

impl Chunks for ChunkStore {
    fn root(&self) -> Address {
        self.opened.root.get()
    }

    fn past_roots(&self) -> Vec<PastRoot> {
        self.opened.files().journal.as_ref().map_or_else(Vec::new, |journal| journal.past_roots())
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.pending(address).map_or_else(|| self.opened.read(address), Ok)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        self.opened.read_many(addresses, |address| self.pending(address), each)
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
        self.writer()?.put(&self.opened, chunk)
    }

    fn make_room(&self) -> Result<(), StoreError> {
        self.free_writer().map_or(Ok(()), |writer| writer.make_room(&self.opened))
    }

    fn look_at_pending(&self, address: &Address, look: &mut dyn FnMut(&[u8])) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.look_at_pending(address, look))
    }

    fn commit(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        self.writer()?.commit(&self.opened, from, to, chunks)
    }

    fn claim(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), Writer::claim)
    }

    fn hold(&self, root: &Address, redo: &mut dyn FnMut() -> Option<Vec<u8>>) -> Result<bool, StoreError> {
        self.free_writer().map_or(Ok(false), |writer| writer.hold(&self.opened, root, redo))
    }

    fn left_redo(&self, is_urgent: bool) -> Result<Vec<Vec<u8>>, StoreError> {
        self.free_writer().map_or(Ok(Vec::new()), |writer| writer.left_redo(&self.opened, is_urgent))
    }

    fn forget_redo(&self) {
        if let Some(writer) = &self.writer {
            writer.forget_redo(&self.opened);
        }
    }

    fn release(&self) {
        if let Some(writer) = &self.writer {
            writer.release();
        }
    }

    fn refresh(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.refresh(&self.opened))
    }

    fn collect(&self, collection: &mut Collection, chunks_max: usize) -> Result<Progress, StoreError> {
        self.check_complete("a garbage collection")?;
        collection.step(&self.opened, self.writer()?, chunks_max)
    }

    fn take(&self, copy: &mut Copy, source: &dyn Chunks, chunks_max: usize) -> Result<Copied, StoreError> {
        copy.step(&self.writer()?.target(&self.opened), source, chunks_max)
    }

    fn lean_on(&self, source: &dyn Chunks, url: &str, user: Option<&str>) -> Result<Vec<Address>, StoreError> {
        let writer = self.writer()?;
        let pinned = source.pinned()?.ok_or(StoreError::ReadOnly("its chunks are not in files of a remote"))?;
        let is_line = |text: &str| !text.chars().any(char::is_control);
        if !is_line(url) || !user.is_none_or(is_line) {
            return Err(StoreError::ReadOnly("the URL of its remote has control characters"));
        }
        if !self.opened.files().manifest.is_absent() {
            return Err(StoreError::Exists { file: self.opened.layout().manifest_path() });
        }
        self.opened.lean_on(|region, mode| Elsewhere::of(region, mode, &pinned, (url, user), source.root()));
        if let Some(lazy) = self.lazy() {
            writer.replace_beside(LAZY_PATH, lazy.to_string().as_bytes())?;
        }
        Ok(pinned.journal)
    }

    fn lazy(&self) -> Option<Rc<LazyClone>> {
        self.opened.files().elsewhere.as_ref().map(|elsewhere| elsewhere.lazy.clone())
    }

    fn whole_files(&self) -> Option<Vec<WholeFile>> {
        WholeFile::of(&self.opened.files().sources)
    }

    fn scan(&self, scan: &mut Scan, chunks_max: usize, each: &mut EachScanned<'_>) -> Result<Scanned, StoreError> {
        scan.step(&self.opened, self.writer.as_ref(), chunks_max, each)
    }

    fn read_scanned(&self, scan: &Scan, address: &Address) -> Result<Vec<u8>, StoreError> {
        scan.files().map_or_else(|| self.read(address), |files| self.opened.read_in(files, address))
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
