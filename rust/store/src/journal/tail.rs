//! Journal tail: tells an interrupted write, damage and the loss of whole commits apart (docs/format/store.md, sections 6.2 and 6.8).

use codec::Address;
use region::Mapping;

use super::Journal;
use super::record::{self, RECORD_BYTES_MAX, RECORD_BYTES_MIN, ROOT_RECORD_BYTES, Record};
use super::window::Window;
use crate::{LossKind, StoreError};

/// Bytes that the search for lost records hashes before it gives up and calls the journal damaged. Bytes that look like record
/// lengths at every turn could make it hash the file a million times over.
const HASHED_BYTES_MAX: u64 = 4 << 30;

/// A file system writes sectors: a record of which one is blank was not written to its end.
const SECTOR_BYTES: u64 = 512;
/// A blank part of a sector counts from this length on; a shorter one may be data.
const BLANK_BYTES_MIN: usize = 16;

/// Bytes of a copy that are in memory at a time.
const COPY_BYTES: usize = 256 << 10;

/// The bytes after the last valid record, where they are not free space.
pub(crate) struct Tail {
    pub(crate) kind: LossKind,
    pub(crate) bytes: u64,
    pub(crate) valid_records: u64,
    /// The last root among the valid records.
    pub(crate) root: Option<Address>,
}

/// Valid records after a damaged one.
#[derive(Default)]
struct Following {
    valid_records: u64,
    root: Option<Address>,
    /// A root that was flushed by itself and another record follow: native Dolt refuses such a journal.
    is_loss: bool,
}

impl Journal {
    /// What was dropped; `None` where the file ends with its last record, or with free space.
    pub(crate) fn tail(&self) -> Result<Option<Tail>, StoreError> {
        if !self.is_torn() {
            return Ok(None);
        }
        let (at_bytes, file_end) = (self.end.get(), self.mapping.len());
        let mut window = Window::new(&self.mapping);
        let following = following(&mut window, at_bytes, file_end)?;
        let is_torn = following.valid_records == 0 && is_interrupted(&mut window, at_bytes, file_end)?;
        let kind = if is_torn { LossKind::TornTail } else { LossKind::DamagedRecord };
        let Following { valid_records, root, .. } = following;
        Ok(Some(Tail { kind, bytes: file_end - at_bytes, valid_records, root }))
    }

    /// Copies the tail to the end of `target`, and flushes that.
    pub(crate) fn copy_tail(&self, target: &Mapping) -> Result<(), StoreError> {
        self.each_tail_piece(|_, piece| Ok(target.append(piece).map(|()| true)?))?;
        Ok(target.flush()?)
    }

    /// Whether `copy` has the bytes of the tail.
    pub(crate) fn is_tail(&self, copy: &Mapping) -> Result<bool, StoreError> {
        let mut buffer = Vec::new();
        let is_as_long = copy.len() == self.torn_bytes();
        Ok(is_as_long
            && self.each_tail_piece(|at, piece| {
                buffer.resize(piece.len(), 0);
                copy.copy_to(at, &mut buffer)?;
                Ok(buffer == piece)
            })?)
    }

    /// Hands out the tail, piece by piece with its place in it, while that answers `true`.
    fn each_tail_piece(
        &self,
        mut each: impl FnMut(u64, &[u8]) -> Result<bool, StoreError>,
    ) -> Result<bool, StoreError> {
        let (start, end) = (self.end.get(), self.mapping.len());
        let mut at = start;
        let mut piece = Vec::new();
        while at < end {
            piece.resize((end - at).min(COPY_BYTES as u64) as usize, 0);
            self.mapping.copy_to(at, &mut piece)?;
            if !each(at - start, &piece)? {
                return Ok(false);
            }
            at += piece.len() as u64;
        }
        Ok(true)
    }
}

/// Whether a write that was interrupted can have left what is at `at`, where no valid record follows: a record that the end of the file
/// cuts off, or one with sectors that were never written.
fn is_interrupted(window: &mut Window<'_>, at: u64, file_end: u64) -> Result<bool, StoreError> {
    let len = window.u32_be(at)?.unwrap_or_default();
    if len == 0 || len <= RECORD_BYTES_MAX && at + u64::from(len) > file_end {
        return Ok(true);
    }
    if !(RECORD_BYTES_MIN..=RECORD_BYTES_MAX).contains(&len) {
        return Ok(false);
    }
    let bytes = window.bytes(at, len as usize)?.unwrap_or_default();
    let (first, rest) = bytes.split_at_checked((SECTOR_BYTES - at % SECTOR_BYTES) as usize).unwrap_or((bytes, &[]));
    let is_blank = |part: &[u8]| part.len() >= BLANK_BYTES_MIN && part.iter().all(|byte| *byte == 0);
    Ok(is_blank(first) || rest.chunks(SECTOR_BYTES as usize).any(is_blank))
}

/// Bytes after the last record that look like a record and are none: an interrupted write, or damage. Room is neither, nor is a record
/// that the end of the file cuts off. So judges native Dolt.
pub(super) fn torn_record(journal: &Journal) -> Result<Option<StoreError>, StoreError> {
    let (mapping, at_bytes) = (&journal.mapping, journal.end.get());
    let len = Window::new(mapping).u32_be(at_bytes)?.unwrap_or_default();
    let is_cut_off = len <= RECORD_BYTES_MAX && at_bytes + u64::from(len) > mapping.len();
    let what = "what lies behind the last record of the journal is no record";
    let torn = StoreError::Corrupt { file: mapping.name().clone(), what, at_bytes };
    Ok((len > 0 && !is_cut_off).then_some(torn))
}

/// Refuses a journal whose damage at its `end` is more than an interrupted write.
pub(super) fn check_loss(journal: &Journal) -> Result<(), StoreError> {
    let (mapping, at_bytes) = (&journal.mapping, journal.end.get());
    if following(&mut Window::new(mapping), at_bytes, mapping.len())?.is_loss {
        return Err(StoreError::DataLoss { file: mapping.name().clone(), at_bytes });
    }
    Ok(())
}

/// Looks for valid records behind `from`; a root record and another valid record make a synced commit that the replay did not reach.
///
/// Dolt's rule, down to where it stops: a record is looked for at every byte that leaves room for a root record, whole records
/// are skipped, and a whole record of unknown form ends the search. Loose roots, which Dolt does not write, were not synced by
/// themselves and do not count.
fn following(window: &mut Window<'_>, from: u64, file_end: u64) -> Result<Following, StoreError> {
    let (mut at, mut root_found, mut hashed) = (from, false, 0);
    let mut following = Following::default();
    while at + ROOT_RECORD_BYTES <= file_end {
        match whole_record(window, at, file_end, &mut hashed)? {
            None => at += 1,
            Some((_, None)) => return Ok(following),
            Some((len, Some(record))) => {
                following.valid_records += 1;
                if let Record::Root { address, .. } = record {
                    following.root = Some(address);
                }
                following.is_loss = root_found;
                if root_found {
                    return Ok(following);
                }
                root_found = matches!(record, Record::Root { is_loose: false, .. });
                at += len;
            }
        }
        if hashed > HASHED_BYTES_MAX {
            following.is_loss = true;
            return Ok(following);
        }
    }
    Ok(following)
}

/// The whole record at `at`, if there is one: its length, and what it says unless it is of unknown form.
fn whole_record(
    window: &mut Window<'_>,
    at: u64,
    file_end: u64,
    hashed: &mut u64,
) -> Result<Option<(u64, Option<Record>)>, StoreError> {
    let Some([a, b, c, d, tag]) = window.bytes(at, 5)?.and_then(|bytes| bytes.first_chunk().copied()) else {
        return Ok(None);
    };
    let len = u32::from_be_bytes([a, b, c, d]);
    let is_possible = (RECORD_BYTES_MIN..=RECORD_BYTES_MAX).contains(&len) && at + u64::from(len) <= file_end;
    // The checksum is worth its time only where fields begin.
    if !is_possible || !(record::is_tag(tag) || len == RECORD_BYTES_MIN) {
        return Ok(None);
    }
    *hashed += u64::from(len);
    let whole = window.bytes(at, len as usize)?.filter(|bytes| record::is_whole(bytes));
    Ok(whole.map(|bytes| (len.into(), record::decode(bytes).ok())))
}
