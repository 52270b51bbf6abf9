//! The chunk journal: a file without index, scanned when it is opened (format: store.md, section 6).

mod record;
mod replay;
mod window;

use codec::Address;
use hashbrown::HashMap;
use region::{Advice, Mapping};

use crate::StoreError;
use crate::source::{Place, Source};

/// A replayed journal: where its chunks lie, about 40 bytes of memory for each.
pub(crate) struct Journal {
    mapping: Mapping,
    places: HashMap<Address, Place>,
    root: Option<Address>,
    /// Offset after the last whole record; what lies behind it is a torn tail.
    end: u64,
}

impl Journal {
    /// Scans the whole file, checking every record.
    ///
    /// # Errors
    /// [`StoreError::DataLoss`] when whole records follow a damaged one, as native Dolt decides it. A torn tail is no error.
    pub(crate) fn open(mapping: Mapping) -> Result<Journal, StoreError> {
        mapping.advise(Advice::Sequential);
        let mut journal = Journal { mapping, places: HashMap::new(), root: None, end: 0 };
        replay::replay(&mut journal)?;
        journal.mapping.advise(Advice::Normal);
        Ok(journal)
    }

    /// The last root that was recorded.
    pub(crate) fn root(&self) -> Option<Address> {
        self.root
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
        Ok(self.places.get(address).copied())
    }

    fn read(&self, place: Place) -> Result<Vec<u8>, StoreError> {
        let bytes = self.mapping.bytes(place.offset, place.len as usize)?;
        crate::record::decode(&bytes).map_err(|error| StoreError::corrupt(self.mapping.name(), place.offset, error))
    }

    fn each_address(&self, each: &mut dyn FnMut(Address)) -> Result<(), StoreError> {
        self.places.keys().copied().for_each(each);
        Ok(())
    }
}
