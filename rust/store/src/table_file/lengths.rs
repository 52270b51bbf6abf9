//! Record offsets of a table file: prefix sums of the records' lengths.
//!
//! The file stores lengths only. Summing from the start at each lookup would read up to 4 bytes per chunk each time, so sums at
//! every 512th record are kept, computed up to the furthest record that a lookup wanted so far.

use core::cell::RefCell;
use core::ops::Range;

use region::Mapping;

use crate::StoreError;
use crate::record::{CHECKSUM_BYTES, STORED_BYTES_MAX};

/// Records between kept sums: 2 KiB of lengths to add for a lookup, 16 bytes kept per 1,024 chunks.
const BLOCK_RECORDS: u32 = 512;

pub(super) struct Lengths {
    /// Offset of the array in the file.
    start: u64,
    count: u32,
    /// What all lengths must add up to.
    total: u64,
    /// Offset of the first record of each block, as far as known. Never empty.
    sums: RefCell<Vec<u64>>,
}

impl Lengths {
    pub(super) fn new(start: u64, count: u32, total: u64) -> Lengths {
        Lengths { start, count, total, sums: RefCell::new(vec![0]) }
    }

    /// Offset and length of the record `ordinal`, which is below the count.
    pub(super) fn span(&self, mapping: &Mapping, ordinal: u32) -> Result<(u64, u32), StoreError> {
        let block = ordinal / BLOCK_RECORDS;
        let mut offset = self.block_start(mapping, block)?;
        let first = block * BLOCK_RECORDS;
        let records = ordinal - first + 1;
        let lengths = mapping.bytes(self.at(first), 4 * records as usize)?;
        let (lengths, _) = lengths.as_chunks::<4>();
        let Some((last, before)) = lengths.split_last() else {
            return Ok((offset, 0));
        };
        offset += sum(before);
        let len = u32::from_be_bytes(*last);
        let corrupt = |what| StoreError::Corrupt { file: mapping.name().clone(), what, at_bytes: self.at(ordinal) };
        if u64::from(len) > STORED_BYTES_MAX || (len as usize) < CHECKSUM_BYTES {
            return Err(corrupt("record length in a table file is impossible"));
        }
        if offset.checked_add(len.into()).is_none_or(|end| end > self.total) {
            return Err(corrupt("record of a table file ends past its index"));
        }
        Ok((offset, len))
    }

    /// The lengths that [`Lengths::span`] of this record reads.
    pub(super) fn unknown_before(&self, ordinal: u32) -> Range<u64> {
        let known = (self.sums.borrow().len() as u32 - 1).min(ordinal / BLOCK_RECORDS);
        self.at(known * BLOCK_RECORDS)..self.at(ordinal + 1)
    }

    /// Offset of the first record of `block`.
    fn block_start(&self, mapping: &Mapping, block: u32) -> Result<u64, StoreError> {
        let mut sums = self.sums.borrow_mut();
        while sums.len() <= block as usize {
            let known = sums.len() as u32 - 1;
            let first = known * BLOCK_RECORDS;
            let records = BLOCK_RECORDS.min(self.count - first);
            let lengths = mapping.bytes(self.at(first), 4 * records as usize)?;
            let start = sums.last().copied().unwrap_or_default() + sum(lengths.as_chunks::<4>().0);
            if start > self.total {
                let what = "record lengths of a table file add up past its index";
                return Err(StoreError::Corrupt { file: mapping.name().clone(), what, at_bytes: self.at(first) });
            }
            sums.push(start);
        }
        Ok(sums.get(block as usize).copied().unwrap_or_default())
    }

    /// Forgets the sums.
    pub(super) fn clear(&self) {
        *self.sums.borrow_mut() = vec![0];
    }

    fn at(&self, ordinal: u32) -> u64 {
        self.start + 4 * u64::from(ordinal)
    }
}

/// At most 512 lengths of 32 bits: no overflow.
fn sum(lengths: &[[u8; 4]]) -> u64 {
    lengths.iter().map(|length| u64::from(u32::from_be_bytes(*length))).sum()
}
