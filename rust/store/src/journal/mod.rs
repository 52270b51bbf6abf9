//! The chunk journal: a file without index, scanned when it is opened (docs/format/store.md, section 6).

mod append;
mod index;
mod past;
mod record;
mod redo;
mod replay;
mod tail;
mod window;

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::{Address, CompactSort, Corrupt};
use hashbrown::HashMap;
use region::{Advice, Mapping};

use crate::StoreError;
use crate::source::{Form, Listed, Place, Source};
use past::Past;

pub(crate) use append::{Appender, Room};
pub(crate) use index::is_key_of;
pub use past::PastRoot;
use redo::ALL_REDO_BYTES_MAX;
pub(crate) use redo::REDO_BYTES_MAX;
pub(crate) use redo::Redo;

/// Chunks without a place in `journal.idx` at which they get one, as in Dolt.
const UNCOVERED_MAX: usize = 16_384;

/// A replayed journal: where its chunks lie, about 40 bytes of memory for each.
pub(crate) struct Journal {
    mapping: Mapping,
    places: RefCell<HashMap<Address, Place>>,
    /// What `journal.idx` told, and no replay has seen.
    indexed: HashMap<index::Key, Place>,
    /// The name of `journal.idx`, if there is one that cannot be used.
    unusable_index: Option<Rc<str>>,
    root: Cell<Option<LastRoot>>,
    past: RefCell<Past>,
    /// The root of the manifest, and whether a record names it.
    checkpoint: Address,
    has_checkpoint: Cell<bool>,
    /// Chunks of other writers after the last root that begin as redo records do.
    redo: RefCell<Vec<Address>>,
    /// Offset after the last whole record.
    end: Cell<u64>,
    /// Up to here the file has nothing but zeros behind `end`: room that was made ahead, so that a commit changes no file's length and
    /// its flush is one of data alone. What follows it is a torn tail.
    blank_end: Cell<u64>,
    /// Records that were taken back are cut off, and a crash could bring them back: the cut was not flushed.
    is_cut_loose: Cell<bool>,
    /// Length of the file with a torn tail without a live writer: read under the lock.
    torn_len: Cell<u64>,
    /// Appends since it was opened.
    appends: Cell<u64>,
    /// Memory for the records of the next append.
    spare: Cell<Vec<u8>>,
    cover: Cell<Cover>,
}

/// How far `journal.idx` goes, as far as is known.
#[derive(Debug, Clone, Copy)]
struct Cover {
    /// Offset in the journal up to which it covers chunks.
    end: u64,
    /// Its bytes that are complete batches, and its length with what came after them.
    index_bytes: u64,
    index_len: u64,
    /// Chunks of `places` when that was so.
    places: usize,
}

/// The last root that was recorded, and the offset of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastRoot {
    address: Address,
    at: u64,
}

/// How often a file may become shorter under a look at it. Native Dolt cuts the room behind the records away when it opens a
/// journal, which may be between our question for its length and our reading.
const CUTS_MAX: u32 = 3;

impl Journal {
    /// Scans the file, checking every record, from the place to which its `index` leads, or else all of it.
    ///
    /// # Errors
    /// [`StoreError::DataLoss`] when whole records follow a damaged one, as native Dolt decides it. A torn tail is no error.
    pub(crate) fn open(mapping: Mapping, index: Option<Mapping>, checkpoint: Address) -> Result<Journal, StoreError> {
        mapping.advise(Advice::Sequential);
        let index_len = index.as_ref().map_or(0, Mapping::len);
        let read = index.as_ref().map(|index| index::read(index, &mapping));
        let is_unusable = matches!(read, Some(None));
        let unusable_index = index.filter(|_| is_unusable).map(|index| index.name().clone());
        let index::Indexed { places: indexed, end, bytes } = read.flatten().unwrap_or_default();
        let cover = Cell::new(Cover { end, index_bytes: bytes, index_len, places: 0 });
        let (places, root, past, end) = (RefCell::default(), Cell::new(None), RefCell::default(), Cell::new(end));
        let (redo, blank_end, is_cut_loose, torn_len, appends, spare, has_checkpoint) = Default::default();
        let journal = Journal {
            mapping,
            places,
            indexed,
            unusable_index,
            root,
            past,
            checkpoint,
            has_checkpoint,
            redo,
            end,
            blank_end,
            is_cut_loose,
            torn_len,
            appends,
            spare,
            cover,
        };
        if !replay::replay(&journal)? && !replay::has_room(&journal)? {
            tail::check_loss(&journal)?;
        }
        journal.mapping.advise(Advice::Normal);
        journal.mapping.set_growing();
        journal.note_tail();
        Ok(journal)
    }

    /// Takes in what others appended. Answers `false` when this is not the file that it was: it has to be opened again.
    ///
    /// `is_locked` says that the write lock is held, so that an incomplete record is an orphan.
    pub(crate) fn catch_up(&self, is_locked: bool) -> Result<bool, StoreError> {
        for _ in 0..CUTS_MAX {
            match self.look(is_locked) {
                Err(error) if error.is_past_end() => {}
                known => return known,
            }
        }
        self.look(is_locked)
    }

    fn look(&self, is_locked: bool) -> Result<bool, StoreError> {
        if self.mapping.extend() < self.end.get() || is_locked && !self.has_its_last_root()? {
            return Ok(false);
        }
        if !self.is_as_known()? {
            self.mapping.forget(self.end.get()..self.mapping.len());
            self.blank_end.set(0);
            if !replay::replay(self)? && !replay::has_room(self)? && is_locked {
                tail::check_loss(self)?;
            }
        }
        if is_locked {
            self.note_tail();
        }
        Ok(true)
    }

    /// What follows the last record now is room, or a torn tail that the next append may cut off.
    fn note_tail(&self) {
        self.torn_len.set(self.mapping.len());
    }

    /// What the end of the file was expected to be and what it is, where another writer has changed it.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub(crate) fn foreign_end(&self) -> Result<Option<(String, String)>, StoreError> {
        let is_torn = self.is_torn();
        let known = if is_torn { self.torn_len.get() } else { self.mapping.len() };
        let found = self.mapping.extend();
        let bytes = |len: u64| format!("{len} bytes");
        if found != known {
            return Ok(Some((bytes(known), bytes(found))));
        }
        Ok(match is_torn || self.is_as_known()? {
            true => None,
            false => Some((format!("free room at byte {}", self.end.get()), "a record there".to_owned())),
        })
    }

    pub(crate) fn name(&self) -> &Rc<str> {
        self.mapping.name()
    }

    /// Whether the file has other bytes behind the records that are known. Where it cannot be read, it has.
    pub(crate) fn has_changed(&self) -> bool {
        self.mapping.extend();
        !self.is_as_known().unwrap_or(false)
    }

    /// Whether the file ends where it ended, and the room behind the last record is still free.
    fn is_as_known(&self) -> Result<bool, StoreError> {
        let (end, blank_end) = (self.end.get(), self.blank_end());
        if self.mapping.len() != blank_end {
            return Ok(false);
        }
        // The length of a record comes first, and is not zero.
        let mut first = [0; 4];
        match first.get_mut(..(blank_end - end).min(4) as usize) {
            Some(first) if !first.is_empty() => self.mapping.read_past_pages(end, first)?,
            _ => {}
        }
        Ok(first == [0; 4])
    }

    fn blank_end(&self) -> u64 {
        self.blank_end.get().max(self.end.get())
    }

    /// Whether the file still has the last root where it was.
    fn has_its_last_root(&self) -> Result<bool, StoreError> {
        let Some(LastRoot { address, at }) = self.root.get() else { return Ok(true) };
        let mut bytes = [0; record::ROOT_RECORD_BYTES as usize];
        let Some(bytes) = bytes.get_mut(..(self.end.get() - at).min(record::ROOT_RECORD_BYTES) as usize) else {
            return Ok(false);
        };
        self.mapping.read_past_pages(at, bytes)?;
        Ok(bytes.windows(Address::LEN).any(|window| window == address.as_bytes()))
    }

    /// Whether so much was appended that the next open would take long.
    pub(crate) fn wants_index(&self) -> bool {
        self.places.borrow().len() - self.cover.get().places > UNCOVERED_MAX
    }

    /// Covers all chunks up to the last root with a batch at the end of `index`. The caller has the lock.
    ///
    /// # Errors
    /// What the host says. The index is only worth less then, since what is wrong with it is seen when it is read.
    pub(crate) fn extend_index(&self, index: &Mapping) -> Result<(), StoreError> {
        let Some(root) = self.root.get() else { return Ok(()) };
        let mut cover = self.cover.get();
        if index.len() != cover.index_len {
            // Another writer was here.
            let read = index::read(index, &self.mapping).unwrap_or_default();
            (cover.end, cover.index_bytes) = (read.end, read.bytes);
        }
        let places = self.places.borrow();
        let is_uncovered = |place: &Place| (cover.end..root.at).contains(&place.offset);
        let mut chunks: Vec<(Address, Place)> =
            places.iter().filter(|(_, place)| is_uncovered(place)).map(|(address, place)| (*address, *place)).collect();
        if chunks.len() > UNCOVERED_MAX {
            chunks.compact_sort_by_key(|(_, place)| place.offset);
            if index.len() > cover.index_bytes {
                index.truncate(cover.index_bytes)?;
            }
            index.append(&index::batch(&chunks, cover.end, root.at, &root.address))?;
            (cover.end, cover.index_bytes) = (root.at, index.len());
        }
        self.cover.set(Cover { index_len: index.len(), places: places.len(), ..cover });
        Ok(())
    }

    /// The last root that was recorded.
    pub(crate) fn root(&self) -> Option<Address> {
        self.root.get().map(|root| root.address)
    }

    /// Whether a root was recorded in the part that was scanned, and the manifest's was not.
    pub(crate) fn lacks_checkpoint(&self) -> bool {
        self.root.get().is_some() && !self.has_checkpoint.get() && !self.checkpoint.is_empty()
    }

    /// Whether a part of the file was not scanned, since `journal.idx` covers it.
    pub(crate) fn has_index(&self) -> bool {
        !self.indexed.is_empty()
    }

    /// Offset after the last whole record that is known.
    pub(crate) fn end(&self) -> u64 {
        self.end.get()
    }

    /// The last roots of the part that was scanned, the oldest first.
    pub(crate) fn past_roots(&self) -> Vec<PastRoot> {
        self.past.borrow().roots()
    }

    /// Whether the chunk is in the part that was scanned. Costs no read.
    pub(crate) fn has_scanned(&self, address: &Address) -> bool {
        self.places.borrow().contains_key(address)
    }

    /// Whether redo records may lie behind the last root that were not written here.
    pub(crate) fn may_have_redo(&self) -> bool {
        !self.redo.borrow().is_empty()
    }

    /// The redo records behind the last root that were not written here, in their order.
    ///
    /// # Errors
    /// What is wrong with a chunk; [`StoreError::Corrupt`] for more than anybody leaves.
    pub(crate) fn redo(&self) -> Result<Vec<Redo>, StoreError> {
        let (mut records, mut bytes) = (Vec::new(), 0);
        for address in self.redo.borrow().iter() {
            let place = self.places.borrow().get(address).copied();
            if let Some(place) = place
                && let Some(redo) = Redo::decode(&self.read(address, place)?)
            {
                bytes += redo.changes.len();
                if bytes > ALL_REDO_BYTES_MAX {
                    let corrupt = Corrupt::new("more redo records than anybody leaves", 0);
                    return Err(StoreError::corrupt(self.mapping.name(), place.offset, corrupt));
                }
                records.push(redo);
            }
        }
        Ok(records)
    }

    /// The redo records that are there mean nothing any more.
    pub(crate) fn forget_redo(&self) {
        self.redo.borrow_mut().clear();
    }

    /// Cuts off everything after the last record.
    fn cut(&self) -> Result<(), StoreError> {
        self.blank_end.set(0);
        if self.mapping.len() > self.end.get() {
            self.mapping.truncate(self.end.get())?;
            self.is_cut_loose.set(true);
        }
        Ok(())
    }

    /// Returns when a crash cannot bring back what was cut off.
    fn flush_cut(&self) -> Result<(), StoreError> {
        if self.is_cut_loose.get() {
            self.flush()?;
            self.is_cut_loose.set(false);
        }
        Ok(())
    }

    /// Appends since it was opened.
    pub(crate) fn appends(&self) -> u64 {
        self.appends.get()
    }

    /// Whether commits follow each other, so that room should be left for the next ones.
    pub(crate) fn is_busy(&self) -> bool {
        self.appends.get() > 0
    }

    /// Returns when everything that was appended would survive a crash.
    pub(crate) fn flush(&self) -> Result<(), StoreError> {
        Ok(self.mapping.flush()?)
    }

    fn decode(&self, record: &[u8], place: Place) -> Result<Vec<u8>, StoreError> {
        crate::record::decode(record).map_err(|error| StoreError::corrupt(self.mapping.name(), place.offset, error))
    }

    /// What is wrong with the file, and its index, beside the chunks.
    ///
    /// # Errors
    /// What the host says.
    pub(crate) fn flaws(&self) -> Result<Vec<StoreError>, StoreError> {
        let index = self.unusable_index.iter().map(|file| {
            let what = "the index of the journal cannot be used, which is read as a whole instead";
            StoreError::Corrupt { file: file.clone(), what, at_bytes: 0 }
        });
        Ok(index.chain(tail::torn_record(self)?).collect())
    }

    /// Whether an interrupted write follows the last whole record, and not just room.
    pub(crate) fn is_torn(&self) -> bool {
        self.mapping.len() > self.end.get() && self.mapping.len() != self.blank_end()
    }

    /// Bytes behind the last whole record: room, or an interrupted write, dropped as native Dolt drops both.
    pub(crate) fn torn_bytes(&self) -> u64 {
        self.mapping.len().saturating_sub(self.end.get())
    }
}

impl Source for Journal {
    fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    fn find(&self, address: &Address) -> Result<Option<Place>, StoreError> {
        let place = self.places.borrow().get(address).copied();
        Ok(place.or_else(|| self.indexed.get(&index::key_of(address)).copied()))
    }

    fn read(&self, address: &Address, place: Place) -> Result<Vec<u8>, StoreError> {
        let bytes = self.mapping.bytes(place.offset, place.len as usize)?;
        let chunk = self.decode(&bytes, place)?;
        let is_proved = place.form != Form::Indexed
            || index::is_record_of(&self.mapping, place, address)?
            || Address::of(&chunk) == *address;
        if !is_proved {
            let file = self.mapping.name().clone();
            return Err(StoreError::WrongAddress { file, address: *address, at_bytes: place.offset });
        }
        Ok(chunk)
    }

    fn count(&self) -> u64 {
        (self.places.borrow().len() + self.indexed.len()) as u64
    }

    fn each_listed(&self, each: &mut dyn FnMut(Result<Listed, StoreError>)) {
        for (address, place) in self.places.borrow().iter() {
            each(Ok(Listed { address: *address, place: *place }));
        }
        for (key, place) in &self.indexed {
            // The reader of an index entry does not know the whole address, which other lookups compare.
            each(Ok(Listed { address: index::address_of(key), place: Place { form: Form::Record, ..*place } }));
        }
    }
}
