//! Table files: Snappy records, then an index read in place (docs/format/store.md, section 4).

mod lengths;

use core::cell::Cell;
use core::ops::Range;

use codec::{Address, Reader};
use region::Mapping;

use crate::StoreError;
use crate::record;
use crate::search;
use crate::source::{Form, Listed, Place, Source};
use lengths::Lengths;

/// Bytes after the index: u32 chunks, u64 uncompressed bytes, magic.
const FOOTER_BYTES: u64 = 20;
const MAGIC: [u8; 8] = [0xff, 0xb5, 0xd8, 0xc2, 0x24, 0x63, 0xee, 0x50];
/// Prefix map entry: u64 prefix, u32 ordinal.
const PREFIX_ENTRY_BYTES: u64 = 12;
const LENGTH_BYTES: u64 = 4;
const SUFFIX_BYTES: u64 = 12;
const INDEX_BYTES_PER_CHUNK: u64 = PREFIX_ENTRY_BYTES + LENGTH_BYTES + SUFFIX_BYTES;

/// An index that is not larger is fetched from a remote as a whole.
const INDEX_BYTES_AT_ONCE: u64 = 128 << 10;

/// A mapped table file. Nothing of its index is loaded but sums of record lengths, sampled, as far as lookups needed them.
pub(crate) struct TableFile {
    mapping: Mapping,
    count: u32,
    /// Also the length of the record area.
    index_start: u64,
    lengths: Lengths,
    /// Whether each lookup announces what it reads: of a remote whose index is not fetched as a whole.
    announces_lookups: Cell<bool>,
}

impl TableFile {
    /// Reads the footer. `listed_count` is the manifest's, which Dolt requires to be right.
    pub(crate) fn open(mapping: Mapping, listed_count: u32) -> Result<TableFile, StoreError> {
        let len = mapping.len();
        let corrupt = |what, at_bytes| StoreError::Corrupt { file: mapping.name().clone(), what, at_bytes };
        let footer_start = len.checked_sub(FOOTER_BYTES).ok_or(corrupt("table file is shorter than its footer", 0))?;
        let footer: [u8; FOOTER_BYTES as usize] = mapping.array(footer_start)?;
        let mut reader = Reader::new(&footer);
        let decode = |error| StoreError::corrupt(mapping.name(), footer_start, error);
        let count = reader.u32_be().map_err(decode)?;
        let _uncompressed_bytes = reader.u64_be().map_err(decode)?;
        if reader.rest() != MAGIC {
            return Err(corrupt("table file does not end with its magic number", footer_start + 12));
        }
        if count != listed_count {
            return Err(corrupt("table file does not have as many chunks as the manifest says", footer_start));
        }
        let index_start = footer_start
            .checked_sub(INDEX_BYTES_PER_CHUNK * u64::from(count))
            .ok_or(corrupt("table file is shorter than its index", footer_start))?;
        mapping.set_index(index_start..len);
        let lengths = Lengths::new(index_start + PREFIX_ENTRY_BYTES * u64::from(count), count, index_start);
        Ok(TableFile { mapping, count, index_start, lengths, announces_lookups: Cell::new(false) })
    }

    fn prefix_at(&self, position: u64) -> u64 {
        self.index_start + PREFIX_ENTRY_BYTES * position
    }

    /// Where the prefix of an address probably is.
    fn likely_prefixes(&self, address: &Address) -> Range<u64> {
        let likely = search::likely_range(self.count, address.prefix());
        self.prefix_at(likely.start)..self.prefix_at(likely.end)
    }

    fn suffix_at(&self, ordinal: u32) -> u64 {
        self.index_start
            + (PREFIX_ENTRY_BYTES + LENGTH_BYTES) * u64::from(self.count)
            + SUFFIX_BYTES * u64::from(ordinal)
    }

    /// The ordinal in the prefix map at `position`.
    fn ordinal(&self, position: u32) -> Result<u32, StoreError> {
        let at = self.prefix_at(position.into()) + 8;
        let ordinal = self.mapping.u32_be(at)?;
        if ordinal >= self.count {
            let what = "prefix map of a table file points past its chunks";
            return Err(StoreError::Corrupt { file: self.mapping.name().clone(), what, at_bytes: at });
        }
        Ok(ordinal)
    }

    fn listed(&self, position: u32) -> Result<Listed, StoreError> {
        let prefix: [u8; 8] = self.mapping.array(self.prefix_at(position.into()))?;
        let ordinal = self.ordinal(position)?;
        let suffix: [u8; SUFFIX_BYTES as usize] = self.mapping.array(self.suffix_at(ordinal))?;
        let (offset, len) = self.lengths.span(&self.mapping, ordinal)?;
        let place = Place { offset, len, form: Form::Record };
        Ok(Listed { address: Address::of_parts(prefix, suffix), place })
    }
}

impl Source for TableFile {
    fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    fn announce(&self) {
        let index = self.index_start..self.mapping.len();
        let is_small = index.end - index.start <= INDEX_BYTES_AT_ONCE;
        self.announces_lookups.set(!is_small);
        if is_small {
            self.mapping.will_need(core::slice::from_ref(&index));
        }
    }

    fn is_slow(&self) -> bool {
        self.announces_lookups.get()
    }

    fn find(&self, address: &Address) -> Result<Option<Place>, StoreError> {
        let prefix = address.prefix();
        if self.announces_lookups.get() {
            self.mapping.will_need(core::slice::from_ref(&self.likely_prefixes(address)));
        }
        let probe = |position: u32| self.mapping.u64_be(self.prefix_at(position.into()));
        let first = search::lower_bound(self.count, prefix, probe)?;
        for position in first..self.count {
            if self.mapping.u64_be(self.prefix_at(position.into()))? != prefix {
                break;
            }
            let ordinal = self.ordinal(position)?;
            if self.announces_lookups.get() {
                let suffix = self.suffix_at(ordinal);
                self.mapping.will_need(&[self.lengths.unknown_before(ordinal), suffix..suffix + SUFFIX_BYTES]);
            }
            let suffix: [u8; SUFFIX_BYTES as usize] = self.mapping.array(self.suffix_at(ordinal))?;
            if suffix == *address.suffix() {
                let (offset, len) = self.lengths.span(&self.mapping, ordinal)?;
                return Ok(Some(Place { offset, len, form: Form::Record }));
            }
        }
        Ok(None)
    }

    fn find_many(&self, addresses: &[(Address, usize)], found: &mut dyn FnMut(usize, Place)) -> Result<(), StoreError> {
        let windows: Vec<_> = addresses.iter().map(|(address, _)| self.likely_prefixes(address)).collect();
        self.mapping.will_need(&windows);
        for (address, i) in addresses {
            if let Some(place) = self.find(address)? {
                found(*i, place);
            }
        }
        Ok(())
    }

    fn read(&self, _: &Address, place: Place) -> Result<Vec<u8>, StoreError> {
        let bytes = self.mapping.bytes(place.offset, place.len as usize)?;
        record::decode(&bytes).map_err(|error| StoreError::corrupt(self.mapping.name(), place.offset, error))
    }

    fn renew_index(&self) {
        self.mapping.renew(self.index_start..self.mapping.len());
        self.lengths.clear();
    }

    fn count(&self) -> u64 {
        self.count.into()
    }

    fn each_listed(&self, each: &mut dyn FnMut(Result<Listed, StoreError>)) {
        (0..self.count).for_each(|position| each(self.listed(position)));
    }
}
