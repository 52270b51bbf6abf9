//! The chunk journal: a file without index, scanned when it is opened (format: store.md, section 6).

mod index;
mod record;
mod replay;
mod window;

use codec::Address;
use hashbrown::HashMap;
use region::{Advice, Mapping};

use crate::StoreError;
use crate::source::{Form, Place, Source};

/// A replayed journal: where its chunks lie, about 40 bytes of memory for each.
pub(crate) struct Journal {
    mapping: Mapping,
    places: HashMap<Address, Place>,
    /// What `journal.idx` told, and no replay has seen.
    indexed: HashMap<index::Key, Place>,
    root: Option<Address>,
    /// Offset after the last whole record; what lies behind it is a torn tail.
    end: u64,
}

impl Journal {
    /// Scans the file, checking every record, from the place to which its `index` leads, or else all of it.
    ///
    /// # Errors
    /// [`StoreError::DataLoss`] when whole records follow a damaged one, as native Dolt decides it. A torn tail is no error.
    pub(crate) fn open(mapping: Mapping, index: Option<Mapping>) -> Result<Journal, StoreError> {
        mapping.advise(Advice::Sequential);
        let index::Indexed { places: indexed, end } =
            index.map(|index| index::read(&index, &mapping)).unwrap_or_default();
        let mut journal = Journal { mapping, places: HashMap::new(), indexed, root: None, end };
        replay::replay(&mut journal)?;
        journal.mapping.advise(Advice::Normal);
        Ok(journal)
    }

    /// The last root that was recorded.
    pub(crate) fn root(&self) -> Option<Address> {
        self.root
    }

    fn decode(&self, record: &[u8], place: Place) -> Result<Vec<u8>, StoreError> {
        crate::record::decode(record).map_err(|error| StoreError::corrupt(self.mapping.name(), place.offset, error))
    }

    /// Bytes behind the last whole record: an interrupted write, dropped as native Dolt drops it.
    pub(crate) fn torn_bytes(&self) -> u64 {
        self.mapping.len().saturating_sub(self.end)
    }
}

impl Source for Journal {
    fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    fn find(&self, address: &Address) -> Result<Option<Place>, StoreError> {
        let place = self.places.get(address).or_else(|| self.indexed.get(&index::key_of(address)));
        Ok(place.copied())
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

    fn each_address(&self, each: &mut dyn FnMut(Address)) -> Result<(), StoreError> {
        self.places.keys().copied().for_each(&mut *each);
        for place in self.indexed.values() {
            // The index has 16 of 20 bytes.
            let bytes = self.mapping.bytes(place.offset, place.len as usize)?;
            let address = Address::of(&self.decode(&bytes, *place)?);
            if !self.places.contains_key(&address) {
                each(address);
            }
        }
        Ok(())
    }
}
