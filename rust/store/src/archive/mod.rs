//! Archives: spans of chunks and dictionaries, then an index read in place (docs/format/store.md, section 5).

mod dictionaries;
mod footer;
mod write;

use core::cell::{Cell, RefCell};
use core::ops::Range;

use codec::{Address, zstd};
use region::Mapping;

use crate::StoreError;
use crate::record::{self, CHUNK_BYTES_MAX, STORED_BYTES_MAX};
use crate::scan::Listed;
use crate::search;
use crate::source::{Form, Place, Source};
use dictionaries::Dictionaries;
use footer::Footer;

pub(crate) use write::{ArchiveWriter, NamelessArchive};

const SPAN_END_BYTES: u64 = 8;
const PREFIX_BYTES: u64 = 8;
/// u32 dictionary span, u32 data span.
const REFERENCE_BYTES: u64 = 8;
const SUFFIX_BYTES: u64 = 12;

/// An index that is not larger is fetched from a remote as a whole: 10,000 chunks, or about 25 MB of data.
const INDEX_BYTES_AT_ONCE: u64 = 512 << 10;
/// Of the chunks, and of a larger index, so much is fetched with it.
const HEAD_BYTES: u64 = 64 << 10;

/// A mapped archive. Nothing of its index is loaded; dictionaries are prepared when first needed, and kept.
pub(crate) struct Archive {
    mapping: Mapping,
    footer: Footer,
    dictionaries: Dictionaries,
    /// Whether each lookup announces where its address probably is: of a remote whose index is too large to be fetched as a whole.
    announces_lookups: Cell<bool>,
    /// A bit for each chunk whose bytes were compared with its address: nobody writes to an archive.
    proved: RefCell<Box<[u64]>>,
}

impl Archive {
    /// Reads the footer.
    pub(crate) fn open(mapping: Mapping) -> Result<Archive, StoreError> {
        let footer = Footer::read(&mapping)?;
        mapping.set_index(footer.index_start..footer.index_end());
        let (dictionaries, announces_lookups, proved) = Default::default();
        Ok(Archive { mapping, footer, dictionaries, announces_lookups, proved })
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

    /// Bytes of the index that say where a span lies: its end, and the end of the one before it.
    fn span_ends_at(&self, span: u32) -> Range<u64> {
        let end = self.footer.index_start + SPAN_END_BYTES * u64::from(span);
        end.saturating_sub(if span > 1 { 2 * SPAN_END_BYTES } else { SPAN_END_BYTES })..end
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

    /// The root and what it refers to come first (docs/format/store.md, section 5.7), and so do the ends of their spans.
    fn announce(&self) {
        let (start, end) = (self.footer.index_start, self.mapping.len());
        let is_small = end - start <= INDEX_BYTES_AT_ONCE;
        self.announces_lookups.set(!is_small);
        let index = start..if is_small { end } else { start + HEAD_BYTES };
        self.mapping.will_need(&[0..HEAD_BYTES, index]);
    }

    fn find(&self, address: &Address) -> Result<Option<Place>, StoreError> {
        if self.announces_lookups.get() {
            let Range { start, end } = search::likely_range(self.footer.chunks, address.prefix());
            self.mapping.will_need(&[
                self.prefix_at(start)..self.prefix_at(end),
                self.reference_at(start)..self.reference_at(end),
                self.suffix_at(start)..self.suffix_at(end),
            ]);
        }
        let first = self.lower_bound(address.prefix())?;
        self.position(address, first)?.map(|position| self.place(position)).transpose()
    }

    fn find_many(&self, addresses: &[(Address, usize)], found: &mut dyn FnMut(usize, Place)) -> Result<(), StoreError> {
        let announce =
            |ranges: &mut dyn Iterator<Item = Range<u64>>| self.mapping.will_need(&ranges.collect::<Vec<_>>());
        announce(&mut addresses.iter().map(|(address, _)| {
            let likely = search::likely_range(self.footer.chunks, address.prefix());
            self.prefix_at(likely.start)..self.prefix_at(likely.end)
        }));
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
