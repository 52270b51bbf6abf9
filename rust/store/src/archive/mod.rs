//! Archives: spans of chunks and dictionaries, then an index read in place (docs/format/store.md, section 5).

mod dictionaries;
mod footer;
mod head;
mod write;

use core::cell::{Cell, RefCell};
use core::ops::Range;

use codec::{Address, zstd};
use region::Mapping;

use crate::StoreError;
use crate::record::{self, CHUNK_BYTES_MAX, STORED_BYTES_MAX};
use crate::search;
use crate::source::{Form, Listed, Place, Source};
use dictionaries::Dictionaries;
pub use dictionaries::decode as decode_dictionary;
use footer::Footer;
use head::{HEAD_BYTES, Head};

pub(crate) use write::{ArchiveWriter, NamelessArchive};

const SPAN_END_BYTES: u64 = 8;
const PREFIX_BYTES: u64 = 8;
/// u32 dictionary span, u32 data span.
const REFERENCE_BYTES: u64 = 8;
const SUFFIX_BYTES: u64 = 12;

/// An index that is not larger is fetched from a remote as a whole: 3,500 chunks.
const INDEX_BYTES_AT_ONCE: u64 = 128 << 10;
/// One that is not larger is, once so many chunks were looked up that their parts of it are as much.
const INDEX_BYTES_IN_USE: u64 = 1 << 20;
const LOOKUPS_IN_USE: usize = 8;
/// Ends of spans that are fetched ahead, for they depend on what a lookup finds: where they are more, those of the head.
const SPAN_ENDS_BYTES_AHEAD: u64 = 128 << 10;
const SPAN_ENDS_BYTES_OF_HEAD: u64 = 8 << 10;

/// A mapped archive. Nothing of its index is loaded; dictionaries are prepared when first needed, and kept.
pub(crate) struct Archive {
    mapping: Mapping,
    footer: Footer,
    dictionaries: Dictionaries,
    /// Whether each lookup announces where its address probably is: of a remote whose index is not fetched as a whole.
    announces_lookups: Cell<bool>,
    /// Addresses that were looked up meanwhile.
    lookups: Cell<usize>,
    head: Head,
    /// A bit for each chunk whose bytes were compared with its address: archives are immutable.
    proved: RefCell<Box<[u64]>>,
}

impl Archive {
    /// Reads the footer.
    pub(crate) fn open(mapping: Mapping) -> Result<Archive, StoreError> {
        let footer = Footer::read(&mapping)?;
        mapping.set_index(footer.index_start..footer.index_end());
        let (dictionaries, announces_lookups, lookups, head, proved) = Default::default();
        Ok(Archive { mapping, footer, dictionaries, announces_lookups, lookups, head, proved })
    }

    fn prefix_at(&self, position: u64) -> u64 {
        self.footer.index_start + SPAN_END_BYTES * u64::from(self.footer.spans) + PREFIX_BYTES * position
    }

    fn reference_at(&self, position: u64) -> u64 {
        self.prefix_at(self.footer.chunks.into()) + REFERENCE_BYTES * position
    }

    fn suffix_at(&self, position: u64) -> u64 {
        self.reference_at(self.footer.chunks.into()) + SUFFIX_BYTES * position
    }

    /// Bytes of the index that give the position of a span: its end, and the end of the one before it.
    fn span_ends_at(&self, span: u32) -> Range<u64> {
        let end = self.footer.index_start + SPAN_END_BYTES * u64::from(span);
        end.saturating_sub(if span > 1 { 2 * SPAN_END_BYTES } else { SPAN_END_BYTES })..end
    }

    /// Announces what a remote needs to look up so many more addresses: parts of the index or, for many, the whole of one that is not large.
    fn announce_lookups(&self, addresses: &[(Address, usize)]) {
        let (start, end) = (self.footer.index_start, self.mapping.len());
        let lookups = self.lookups.get() + addresses.len();
        self.lookups.set(lookups);
        if lookups >= LOOKUPS_IN_USE && end - start <= INDEX_BYTES_IN_USE {
            self.announces_lookups.set(false);
            return self.mapping.will_need(core::slice::from_ref(&(start..end)));
        }
        // Of many addresses the exact places in the other arrays are worth a round trip.
        let arrays = if addresses.len() < LOOKUPS_IN_USE { 3 } else { 1 };
        let likely = |(address, _): &(Address, usize)| {
            let Range { start, end } = search::likely_range(self.footer.chunks, address.prefix());
            let windows = [
                self.prefix_at(start)..self.prefix_at(end),
                self.reference_at(start)..self.reference_at(end),
                self.suffix_at(start)..self.suffix_at(end),
            ];
            windows.into_iter().take(arrays)
        };
        self.mapping.will_need(&addresses.iter().flat_map(likely).collect::<Vec<_>>());
    }

    fn corrupt(&self, what: &'static str, at_bytes: u64) -> StoreError {
        StoreError::Corrupt { file: self.mapping.name().clone(), what, at_bytes }
    }

    /// Position of the first chunk that has the prefix of `address` or a greater one.
    fn lower_bound(&self, prefix: u64) -> Result<u32, StoreError> {
        let probe = |position: u32| self.mapping.u64_be(self.prefix_at(position.into()));
        Ok(search::lower_bound(self.footer.chunks, prefix, probe)?)
    }

    /// The position of `address`, looking from `first` on.
    fn position(&self, address: &Address, first: u32) -> Result<Option<u64>, StoreError> {
        let prefix = address.prefix();
        for position in u64::from(first)..self.footer.chunks.into() {
            if self.mapping.u64_be(self.prefix_at(position))? != prefix {
                break;
            }
            let suffix: [u8; SUFFIX_BYTES as usize] = self.mapping.array(self.suffix_at(position))?;
            if suffix == *address.suffix() {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Dictionary and data span of the chunk at `position`.
    fn reference(&self, position: u64) -> Result<(u32, u32), StoreError> {
        let at = self.reference_at(position);
        let (dictionary, data) = (self.mapping.u32_be(at)?, self.mapping.u32_be(at + 4)?);
        if data == 0 || data > self.footer.spans || dictionary > self.footer.spans {
            return Err(self.corrupt("archive refers to a span that it does not have", at));
        }
        if dictionary == 0 && self.footer.version < 2 {
            return Err(self.corrupt("archive of version 1 has a chunk without dictionary", at));
        }
        Ok((dictionary, data))
    }

    /// Offset and length of `span`, which is between 1 and the count.
    fn span(&self, span: u32) -> Result<(u64, u32), StoreError> {
        let ends = self.span_ends_at(span);
        let start = if span > 1 { self.mapping.u64_be(ends.start)? } else { 0 };
        let end = self.mapping.u64_be(ends.end - SPAN_END_BYTES)?;
        if end > self.footer.index_start || start > end {
            return Err(self.corrupt("span of an archive is not inside its span area", ends.start));
        }
        if end - start > STORED_BYTES_MAX {
            return Err(self.corrupt("span of an archive is longer than a chunk may be", ends.start));
        }
        Ok((start, (end - start) as u32))
    }

    fn place(&self, position: u64) -> Result<Place, StoreError> {
        let (dictionary, data) = self.reference(position)?;
        let (offset, len) = self.span(data)?;
        let form = if dictionary == 0 { Form::Record } else { Form::Zstd { position: position as u32, dictionary } };
        Ok(Place { offset, len, form })
    }

    fn listed(&self, position: u64) -> Result<Listed, StoreError> {
        let prefix = self.mapping.array(self.prefix_at(position))?;
        let suffix = self.mapping.array(self.suffix_at(position))?;
        Ok(Listed { address: Address::of_parts(prefix, suffix), place: self.place(position)? })
    }
}

impl Source for Archive {
    fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The head, the ends of its spans, and a small index.
    fn announce(&self) {
        let (start, end) = (self.footer.index_start, self.mapping.len());
        let is_small = end - start <= INDEX_BYTES_AT_ONCE;
        self.announces_lookups.set(!is_small);
        let span_ends_bytes = SPAN_END_BYTES * u64::from(self.footer.spans);
        let index = match span_ends_bytes {
            _ if is_small => start..end,
            0..=SPAN_ENDS_BYTES_AHEAD => start..start + span_ends_bytes,
            _ => start..start + SPAN_ENDS_BYTES_OF_HEAD,
        };
        self.mapping.will_need(&[0..HEAD_BYTES, index]);
    }

    fn is_slow(&self) -> bool {
        self.announces_lookups.get()
    }

    fn find(&self, address: &Address) -> Result<Option<Place>, StoreError> {
        if self.announces_lookups.get() {
            if let Some(place) = self.head.find(self, address) {
                return Ok(Some(place));
            }
            self.announce_lookups(&[(*address, 0)]);
        }
        let first = self.lower_bound(address.prefix())?;
        self.position(address, first)?.map(|position| self.place(position)).transpose()
    }

    fn find_many(&self, addresses: &[(Address, usize)], found: &mut dyn FnMut(usize, Place)) -> Result<(), StoreError> {
        let mut elsewhere = Vec::new();
        let mut addresses = addresses;
        if self.announces_lookups.get() {
            for (address, i) in addresses {
                match self.head.find(self, address) {
                    Some(place) => found(*i, place),
                    None => elsewhere.push((*address, *i)),
                }
            }
            addresses = &elsewhere;
            self.announce_lookups(addresses);
        }
        let announce =
            |ranges: &mut dyn Iterator<Item = Range<u64>>| self.mapping.will_need(&ranges.collect::<Vec<_>>());
        let mut candidates = Vec::new();
        for (address, i) in addresses {
            let first = self.lower_bound(address.prefix())?;
            if first < self.footer.chunks && self.mapping.u64_be(self.prefix_at(first.into()))? == address.prefix() {
                candidates.push((address, *i, first));
            }
        }
        announce(&mut candidates.iter().flat_map(|(.., first)| {
            let (suffix, reference) = (self.suffix_at((*first).into()), self.reference_at((*first).into()));
            [suffix..suffix + SUFFIX_BYTES, reference..reference + REFERENCE_BYTES]
        }));
        let mut positions = Vec::new();
        for (address, i, first) in candidates {
            if let Some(position) = self.position(address, first)? {
                positions.push((position, i, self.reference(position)?.1));
            }
        }
        announce(&mut positions.iter().map(|(.., span)| self.span_ends_at(*span)));
        for (position, i, _) in positions {
            found(i, self.place(position)?);
        }
        Ok(())
    }

    fn read(&self, _: &Address, place: Place) -> Result<Vec<u8>, StoreError> {
        let corrupt = |error| StoreError::corrupt(self.mapping.name(), place.offset, error);
        let Form::Zstd { dictionary, .. } = place.form else {
            let bytes = self.mapping.bytes(place.offset, place.len as usize)?;
            return record::decode(&bytes).map_err(corrupt);
        };
        let dictionary = self.dictionaries.get(dictionary, || {
            let (offset, len) = self.span(dictionary)?;
            let frame = self.mapping.bytes(offset, len as usize)?;
            dictionaries::decode(&frame).map_err(|error| StoreError::corrupt(self.mapping.name(), offset, error))
        })?;
        let frame = self.mapping.bytes(place.offset, place.len as usize)?;
        let chunk = zstd::decompress(&frame, Some(&dictionary), CHUNK_BYTES_MAX).map_err(corrupt)?;
        if chunk.is_empty() {
            return Err(self.corrupt("span of an archive holds an empty chunk", place.offset));
        }
        Ok(chunk)
    }

    fn is_proved(&self, place: Place) -> bool {
        let Form::Zstd { position, .. } = place.form else { return true };
        self.proved.borrow().get(position as usize / 64).is_some_and(|bits| bits >> (position % 64) & 1 == 1)
    }

    fn prove(&self, place: Place) {
        let Form::Zstd { position, .. } = place.form else { return };
        let mut proved = self.proved.borrow_mut();
        if proved.is_empty() {
            *proved = vec![0; (self.footer.chunks as usize).div_ceil(64)].into();
        }
        if let Some(bits) = proved.get_mut(position as usize / 64) {
            *bits |= 1 << (position % 64);
        }
    }

    fn renew(&self, place: Place) {
        self.mapping.renew(place.offset..place.offset + u64::from(place.len));
        if let Form::Zstd { dictionary, .. } = place.form
            && let Ok((offset, len)) = self.span(dictionary)
        {
            self.mapping.renew(offset..offset + u64::from(len));
        }
        self.dictionaries.clear();
    }

    fn renew_index(&self) {
        self.mapping.renew(self.footer.index_start..self.mapping.len());
        self.dictionaries.clear();
    }

    fn count(&self) -> u64 {
        self.footer.chunks.into()
    }

    fn each_listed(&self, each: &mut dyn FnMut(Result<Listed, StoreError>)) {
        (0..self.count()).for_each(|position| each(self.listed(position)));
    }
}
