//! A store opened from its files: both generations, the journal and the ghosts behind one interface.

use core::cell::Cell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashSet;
use region::{Directory, Mapping, Mode, Region};

use crate::archive::Archive;
use crate::journal::Journal;
use crate::manifest::Manifest;
use crate::source::{Form, Place, Source};
use crate::stats::{Counters, Stats};
use crate::table_file::TableFile;
use crate::{Chunks, OpenOptions, StoreError, Verify, ghosts};

/// How often an open starts over because a listed file was gone: a collection may have replaced the manifest meanwhile.
const ATTEMPTS_MAX: u32 = 5;

/// What kind of directory was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A database: `.dolt/noms` with generations and a journal.
    Database,
    /// A `file://` remote: manifest and files at the top.
    Remote,
}

/// Chunks in files.
///
/// Opening reads manifests and footers and scans the journal, if there is one. No index is loaded.
pub struct ChunkStore {
    layout: Layout,
    root: Address,
    manifest: Manifest,
    torn_bytes: u64,
    /// Of both generations, journal first.
    sources: Vec<Box<dyn Source>>,
    ghosts: HashSet<Address>,
    verify: Verify,
    /// The source that had the last chunk: neighbours were written together.
    last: Cell<usize>,
    counters: Counters,
}

impl ChunkStore {
    /// Opens the store of the database whose directory (the one that holds `.dolt`) is `directory`, or of the `file://` remote
    /// that is `directory` itself.
    ///
    /// # Errors
    /// [`StoreError::NoManifest`] when it is neither; [`StoreError::AbsentFile`], [`StoreError::DataLoss`],
    /// [`StoreError::Corrupt`] and [`StoreError::Unsupported`] where native Dolt refuses as well.
    pub fn open(
        region: &Rc<Region>,
        directory: &dyn Directory,
        options: OpenOptions,
    ) -> Result<ChunkStore, StoreError> {
        let mut attempt = 1;
        loop {
            match Self::open_once(region, directory, options) {
                Err(StoreError::AbsentFile { .. }) if attempt < ATTEMPTS_MAX => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    fn open_once(
        region: &Rc<Region>,
        directory: &dyn Directory,
        options: OpenOptions,
    ) -> Result<ChunkStore, StoreError> {
        let mut files = Files { region, directory, options, sources: Vec::new(), journal_root: None, torn_bytes: 0 };
        let database: Rc<str> = ".dolt/noms/manifest".into();
        let (layout, folder, manifest) = match Manifest::read(directory, &database)? {
            Some(manifest) => (Layout::Database, ".dolt/noms/", manifest),
            None => match Manifest::read(directory, &"manifest".into())? {
                Some(manifest) => (Layout::Remote, "", manifest),
                None => return Err(StoreError::NoManifest { file: database }),
            },
        };
        files.open_journal(layout, &manifest, folder)?;
        files.open_listed(&manifest, folder)?;
        let old_folder = format!("{folder}oldgen/");
        if let Some(old) = Manifest::read(directory, &format!("{old_folder}manifest").into())? {
            files.open_listed(&old, &old_folder)?;
        }
        let ghosts = match layout {
            Layout::Database => ghosts::read(directory, &format!("{folder}ghostObjects.txt"))?,
            Layout::Remote => HashSet::new(),
        };
        Ok(ChunkStore {
            layout,
            root: files.journal_root.unwrap_or(manifest.root),
            manifest,
            torn_bytes: files.torn_bytes,
            sources: files.sources,
            ghosts,
            verify: options.verify,
            last: Cell::new(0),
            counters: Counters::default(),
        })
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The manifest of the newer generation, as it was when the store was opened.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Bytes at the end of the journal that are no whole record: an interrupted write, dropped as native Dolt drops it.
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    pub fn stats(&self) -> Stats {
        self.counters.get()
    }

    /// Calls `each` with every address that an index lists: for checking and copying a whole store. A chunk in two files comes twice.
    ///
    /// # Errors
    /// What is wrong with an index.
    pub fn each_address(&self, each: &mut dyn FnMut(Address)) -> Result<(), StoreError> {
        self.sources.iter().try_for_each(|source| source.each_address(each))
    }

    /// Whether a shallow clone left this chunk behind.
    pub fn is_ghost(&self, address: &Address) -> bool {
        self.ghosts.contains(address)
    }

    /// Searches the files, the one that had the last chunk first.
    fn find(&self, address: &Address) -> Result<Option<(usize, Place)>, StoreError> {
        let last = self.last.get();
        let order = core::iter::once(last).chain((0..self.sources.len()).filter(|i| *i != last));
        for i in order {
            let Some(source) = self.sources.get(i) else { continue };
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
    fn find_many(&self, addresses: &[Address]) -> Result<Vec<Found>, StoreError> {
        let mut wanted: Vec<(Address, usize)> = addresses.iter().copied().zip(0..).collect();
        wanted.sort_unstable();
        let mut all = Vec::with_capacity(wanted.len());
        for (source, file) in self.sources.iter().enumerate() {
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
        all.sort_unstable_by_key(|found| (found.source, found.place.offset, found.position));
        Ok(all)
    }

    /// Announces what [`ChunkStore::read_found`] will touch.
    fn announce(&self, found: &[Found]) {
        for run in found.chunk_by(|a, b| a.source == b.source) {
            let ranges: Vec<_> =
                run.iter().map(|found| found.place.offset..found.place.offset + u64::from(found.place.len)).collect();
            if let Some(source) = run.first().and_then(|first| self.sources.get(first.source)) {
                source.mapping().will_need(&ranges);
            }
        }
    }

    fn read_found(&self, address: &Address, source: usize, place: Place) -> Result<Vec<u8>, StoreError> {
        let source = self.sources.get(source).ok_or(StoreError::Missing(*address))?;
        let chunk = source.read(address, place)?;
        let is_checked = match self.verify {
            Verify::Always => true,
            Verify::Unchecked => matches!(place.form, Form::Zstd { .. }),
            Verify::Never => false,
        };
        if is_checked && Address::of(&chunk) != *address {
            let file = source.mapping().name().clone();
            return Err(StoreError::WrongAddress { file, address: *address, at_bytes: place.offset });
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
        self.root
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        let (source, place) = self.find(address)?.ok_or_else(|| self.absent(address))?;
        self.read_found(address, source, place)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        let found = self.find_many(addresses)?;
        if found.len() < addresses.len() {
            let positions: HashSet<usize> = found.iter().map(|found| found.position).collect();
            let absent = addresses.iter().enumerate().find(|(position, _)| !positions.contains(position));
            if let Some((_, address)) = absent {
                return Err(self.absent(address));
            }
        }
        self.announce(&found);
        for Found { source, place, position } in found {
            let address = addresses.get(position).copied().unwrap_or_default();
            each(position, self.read_found(&address, source, place)?);
        }
        Ok(())
    }

    fn will_need(&self, addresses: &[Address]) {
        // Whatever is wrong will be said when the chunk is read.
        if let Ok(found) = self.find_many(addresses) {
            self.announce(&found);
        }
    }

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.find(address)?.is_some())
    }
}

/// The files of a store while it is opened.
struct Files<'a> {
    region: &'a Rc<Region>,
    directory: &'a dyn Directory,
    options: OpenOptions,
    sources: Vec<Box<dyn Source>>,
    journal_root: Option<Address>,
    torn_bytes: u64,
}

impl Files<'_> {
    fn map(&self, path: &str) -> Result<Option<Mapping>, StoreError> {
        self.map_as(path, self.options.mode)
    }

    fn map_as(&self, path: &str, mode: Mode) -> Result<Option<Mapping>, StoreError> {
        let file = self.directory.open(path).map_err(|error| StoreError::file(&path.into(), error))?;
        Ok(file.map(|file| self.region.map(file, path, mode)))
    }

    /// Replays the journal of `folder`. Its root counts even when the manifest does not list it; its chunks only when it does.
    /// Remotes have none (each look for one over a network costs a round trip), but a copy of a `noms` folder looks like one.
    fn open_journal(&mut self, layout: Layout, manifest: &Manifest, folder: &str) -> Result<(), StoreError> {
        let path = format!("{folder}{}", Address::JOURNAL);
        let is_listed = manifest.files.iter().any(|file| file.id == Address::JOURNAL);
        if layout == Layout::Remote && !is_listed {
            return Ok(());
        }
        let Some(mapping) = self.map(&path)? else {
            return if is_listed { Err(StoreError::AbsentFile { file: path.into() }) } else { Ok(()) };
        };
        let index = self.map_as(&format!("{folder}journal.idx"), Mode::Pread)?;
        let journal = Journal::open(mapping, index)?;
        self.journal_root = journal.root();
        self.torn_bytes = journal.torn_bytes();
        if is_listed {
            self.sources.push(Box::new(journal));
        }
        Ok(())
    }

    /// Opens what `manifest` lists in `folder`, except the journal.
    fn open_listed(&mut self, manifest: &Manifest, folder: &str) -> Result<(), StoreError> {
        let mut opened = HashSet::new();
        for listed in &manifest.files {
            if listed.id == Address::JOURNAL || !opened.insert(listed.id) {
                continue;
            }
            let path = format!("{folder}{}", listed.id);
            let source: Box<dyn Source> = if let Some(mapping) = self.map(&path)? {
                Box::new(TableFile::open(mapping, listed.chunks)?)
            } else if let Some(mapping) = self.map(&format!("{path}.darc"))? {
                Box::new(Archive::open(mapping)?)
            } else {
                return Err(StoreError::AbsentFile { file: path.into() });
            };
            self.sources.push(source);
        }
        Ok(())
    }
}
