//! An open store: its current files, its root, and how chunks are found and read in them.

use core::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use codec::{Address, CompactSort};
use hashbrown::HashSet;
use region::{Directory, Mode, Region};

use crate::files::{Files, Opener};
use crate::layout::Layout;
use crate::lazy::Elsewhere;
use crate::source::{Place, Source};
use crate::stats::Counters;
use crate::{OpenOptions, StoreError, Verify};

/// The side of a store that reads; the writer gives it other files when something was written.
pub(crate) struct Opened {
    layout: Layout,
    region: Rc<Region>,
    options: OpenOptions,
    files: RefCell<Rc<Files>>,
    /// Where a lazy clone has its other chunks; it stays when none are lacking any more.
    elsewhere: OnceCell<Rc<Elsewhere>>,
    /// The root that this store tells: of its last commit or refresh.
    pub(crate) root: Cell<Address>,
    /// The source that had the last chunk: neighbours were written together.
    last: Cell<usize>,
    /// Whether the indexes were renewed: once is enough to get rid of a faulty copy.
    is_renewed: Cell<bool>,
    pub(crate) counters: Counters,
}

/// Where one of many addresses was found.
struct Found {
    source: usize,
    place: Place,
    /// Position of the address in what was asked.
    position: usize,
}

impl Opened {
    pub(crate) fn new(region: &Rc<Region>, options: OpenOptions, layout: Layout, files: Files) -> Opened {
        Opened {
            layout,
            region: region.clone(),
            options,
            root: Cell::new(files.root()),
            elsewhere: files.elsewhere.clone().map_or_else(OnceCell::new, OnceCell::from),
            files: RefCell::new(Rc::new(files)),
            last: Cell::new(0),
            is_renewed: Cell::new(false),
            counters: Counters::default(),
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// The current files. A reader holds on to them, whatever is opened meanwhile.
    pub(crate) fn files(&self) -> Rc<Files> {
        self.files.borrow().clone()
    }

    pub(crate) fn set_files(&self, files: Files) {
        *self.files.borrow_mut() = Rc::new(files);
        self.last.set(0);
    }

    pub(crate) fn opener<'a>(&'a self, directory: &'a dyn Directory) -> Opener<'a> {
        Opener { region: &self.region, directory, options: self.options, elsewhere: self.elsewhere.get() }
    }

    /// A store that is not there yet will lack what is in the files of a remote.
    pub(crate) fn lean_on(&self, elsewhere: impl FnOnce(&Rc<Region>, Mode) -> Elsewhere) {
        let elsewhere = self.elsewhere.get_or_init(|| Rc::new(elsewhere(&self.region, self.options.mode)));
        let manifest = self.files().manifest.clone().made_lazy(true);
        self.set_files(Files { manifest, elsewhere: Some(elsewhere.clone()), ..Files::absent() });
    }

    /// Whether a shallow clone left this chunk behind.
    pub(crate) fn is_ghost(&self, address: &Address) -> bool {
        self.files().ghosts.contains(address)
    }

    pub(crate) fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.find(&self.files(), address)?.is_some())
    }

    /// Whether a file has each of some chunks; `is_near` leaves those of the remote of a lazy clone out.
    pub(crate) fn has_many(&self, addresses: &[Address], is_near: bool) -> Result<Vec<bool>, StoreError> {
        let files = self.files();
        let found = match self.find_many(&files, addresses, is_near) {
            Err(error) if self.renews(&files, &error) => self.find_many(&files, addresses, is_near)?,
            outcome => outcome?,
        };
        let mut has = vec![false; addresses.len()];
        for Found { position, .. } in found {
            if let Some(has) = has.get_mut(position) {
                *has = true;
            }
        }
        Ok(has)
    }

    /// The file and the offset of the chunk.
    pub(crate) fn locate(&self, address: &Address) -> Option<(Rc<str>, u64)> {
        let files = self.files();
        let (source, place) = self.find(&files, address).ok()??;
        Some((files.source(source)?.mapping().name().clone(), place.offset))
    }

    pub(crate) fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.read_in(&self.files(), address)
    }

    /// As [`Opened::read`], in files of before.
    pub(crate) fn read_in(&self, files: &Files, address: &Address) -> Result<Vec<u8>, StoreError> {
        match self.read_once(files, address) {
            Err(error) if self.renews(files, &error) => self.read_once(files, address),
            outcome => outcome,
        }
    }

    fn read_once(&self, files: &Files, address: &Address) -> Result<Vec<u8>, StoreError> {
        let (source, place) = self.find(files, address)?.ok_or_else(|| self.absent(address))?;
        self.read_found(files, address, source, place)
    }

    /// Whether damage may be that of a copy of a remote file.
    fn may_be_copy(&self, is_elsewhere: bool, error: &StoreError) -> bool {
        (is_elsewhere || self.options.verify == Verify::Always) && error.is_damage()
    }

    /// Has indexes of a remote read anew, once. Whether what failed is worth another try.
    fn renews(&self, files: &Files, error: &StoreError) -> bool {
        if !self.may_be_copy(files.elsewhere.is_some(), error) || self.is_renewed.replace(true) {
            return false;
        }
        files.sources.iter().for_each(|source| source.renew_index());
        if let Some(elsewhere) = &files.elsewhere {
            elsewhere.renew_indexes();
        }
        true
    }

    /// Reads many chunks in the order in which they lie, each with its position in `addresses`. Those that no file has are asked of
    /// `elsewhere`, and come first.
    pub(crate) fn read_many(
        &self,
        addresses: &[Address],
        elsewhere: impl Fn(&Address) -> Option<Vec<u8>>,
        each: &mut dyn FnMut(usize, Vec<u8>),
    ) -> Result<(), StoreError> {
        let files = self.files();
        let found = match self.find_many(&files, addresses, false) {
            Err(error) if self.renews(&files, &error) => self.find_many(&files, addresses, false)?,
            outcome => outcome?,
        };
        if found.len() < addresses.len() {
            let positions: HashSet<usize> = found.iter().map(|found| found.position).collect();
            for (position, address) in addresses.iter().enumerate().filter(|(i, _)| !positions.contains(i)) {
                each(position, elsewhere(address).map_or_else(|| self.read_in(&files, address), Ok)?);
            }
        }
        announce(&files, &found);
        for Found { source, place, position } in found {
            let address = addresses.get(position).copied().unwrap_or_default();
            let chunk = match self.read_found(&files, &address, source, place) {
                // What is wrong may be the place.
                Err(error) if self.may_be_copy(files.is_elsewhere(source), &error) => self.read_in(&files, &address)?,
                outcome => outcome?,
            };
            each(position, chunk);
        }
        Ok(())
    }

    /// Announces that these chunks will be read.
    pub(crate) fn will_need(&self, addresses: &[Address]) {
        let files = self.files();
        // Whatever is wrong will be said when the chunk is read.
        if let Ok(found) = self.find_many(&files, addresses, false) {
            announce(&files, &found);
        }
    }

    /// Searches the files, the one that had the last chunk first.
    fn find(&self, files: &Files, address: &Address) -> Result<Option<(usize, Place)>, StoreError> {
        let last = self.last.get();
        let order = core::iter::once(last).chain((0..files.sources.len()).filter(|i| *i != last));
        let is_slow = |i: &usize| files.sources.get(*i).is_some_and(|source| source.is_slow());
        for i in order.clone().filter(|i| !is_slow(i)).chain(order.filter(is_slow)) {
            let Some(source) = files.sources.get(i) else { continue };
            self.counters.update(|stats| stats.searches += 1);
            if let Some(place) = source.find(address)? {
                self.last.set(i);
                return Ok(Some((i, place)));
            }
        }
        let Some(elsewhere) = &files.elsewhere else { return Ok(None) };
        let found = elsewhere.find(address)?;
        Ok(found.map(|(number, place)| (files.sources.len() + number, place)))
    }

    /// Searches the files for many addresses. The answer has their positions in `addresses`, sorted by file and offset, so that
    /// reading them in this order goes forward.
    fn find_many(&self, files: &Files, addresses: &[Address], is_near: bool) -> Result<Vec<Found>, StoreError> {
        let mut wanted: Vec<(Address, usize)> = addresses.iter().copied().zip(0..).collect();
        wanted.compact_sort();
        let mut all = Vec::with_capacity(wanted.len());
        let sources = || files.sources.iter().enumerate();
        let slow = sources().filter(|(_, file)| file.is_slow());
        for (source, file) in sources().filter(|(_, file)| !file.is_slow()).chain(slow) {
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
        if let Some(elsewhere) = files.elsewhere.as_ref().filter(|_| !is_near) {
            elsewhere.find_many(&mut wanted, &mut |number, position, place| {
                all.push(Found { source: files.sources.len() + number, place, position });
            })?;
        }
        all.compact_sort_by_key(|found| (found.source, found.place.offset, found.position));
        Ok(all)
    }

    fn read_found(&self, files: &Files, address: &Address, number: usize, place: Place) -> Result<Vec<u8>, StoreError> {
        let source = &**files.source(number).ok_or(StoreError::Missing(*address))?;
        let is_elsewhere = files.is_elsewhere(number);
        let read = || self.read_checked(address, source, place, is_elsewhere);
        let outcome = match read() {
            Err(error) if self.may_be_copy(is_elsewhere, &error) => {
                source.renew(place);
                read()
            }
            outcome => outcome,
        };
        outcome.map_err(|error| files.told(number, error))
    }

    fn read_checked(
        &self,
        address: &Address,
        source: &dyn Source,
        place: Place,
        is_elsewhere: bool,
    ) -> Result<Vec<u8>, StoreError> {
        let chunk = source.read(address, place)?;
        let is_checked = match self.options.verify {
            _ if is_elsewhere => true,
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

/// Announces what [`Opened::read_found`] will touch.
fn announce(files: &Files, found: &[Found]) {
    for run in found.chunk_by(|a, b| a.source == b.source) {
        let ranges: Vec<_> =
            run.iter().map(|found| found.place.offset..found.place.offset + u64::from(found.place.len)).collect();
        if let Some(source) = run.first().and_then(|first| files.source(first.source)) {
            source.mapping().will_need(&ranges);
        }
    }
}
