//! Replay of a journal, and the decision whether what does not replay is a torn tail or a loss (docs/format/store.md, section 6.2).

use crate::StoreError;
use crate::source::{Form, Place};

use super::append::ROOM_BYTES_MAX;
use super::record::{self, RECORD_BYTES_MAX, RECORD_BYTES_MIN, ROOT_RECORD_BYTES, Record};
use super::window::Window;
use super::{Journal, LastRoot, PastRoot, Redo};

/// Bytes that the search for lost records hashes before it gives up and calls the journal damaged. Bytes that look like record
/// lengths at every turn could make it hash the file a million times over.
const HASHED_BYTES_MAX: u64 = 4 << 30;

/// Fills `journal` from its file, from its `end` on. Answers whether that was the end of the file, and no sign of damage.
pub(super) fn replay(journal: &Journal) -> Result<bool, StoreError> {
    let Journal { mapping, places, root, past, redo, end, .. } = journal;
    let file = mapping.name();
    let mut window = Window::new(mapping);
    let mut places = places.borrow_mut();
    loop {
        let at = end.get();
        // Fewer than four bytes are no record and no sign of damage.
        let Some(len) = window.u32_be(at)? else { return Ok(true) };
        let bytes = match len {
            RECORD_BYTES_MIN..=RECORD_BYTES_MAX => window.bytes(at, len as usize)?,
            _ => None,
        };
        let Some(bytes) = bytes.filter(|bytes| record::is_whole(bytes)) else { return Ok(false) };
        match record::decode(bytes).map_err(|error| StoreError::corrupt(file, at, error))? {
            Record::Root { address, seconds, .. } => {
                root.set(Some(LastRoot { address, at }));
                redo.borrow_mut().clear();
                past.borrow_mut().push(PastRoot { address, seconds });
            }
            Record::Chunk { address, payload_start, payload_len } => {
                let place = Place { offset: at + u64::from(payload_start), len: payload_len, form: Form::Record };
                places.insert(address, place);
                if bytes.get(payload_start as usize..).is_some_and(Redo::may_be) {
                    redo.borrow_mut().push(address);
                }
            }
        }
        end.set(at + u64::from(len));
    }
}

/// Whether all that follows the last record is room for others: zeros, not more of them than anybody leaves.
pub(super) fn has_room(journal: &Journal) -> Result<bool, StoreError> {
    let (end, file_end) = (journal.end.get(), journal.mapping.len());
    if file_end - end > ROOM_BYTES_MAX {
        return Ok(false);
    }
    let mut window = Window::new(&journal.mapping);
    let bytes = window.bytes(end, (file_end - end) as usize)?;
    let is_blank = bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0));
    if is_blank {
        journal.blank_end.set(file_end);
    }
    Ok(is_blank)
}

/// What lies behind the last record in the form of one and is none: an interrupted write, or damage. Room is neither, nor is a record
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
    if has_lost_records(&mut Window::new(mapping), at_bytes, mapping.len())? {
        return Err(StoreError::DataLoss { file: mapping.name().clone(), at_bytes });
    }
    Ok(())
}

/// Whether a whole root record and another whole record lie behind `from`: a synced commit that the replay did not reach.
///
/// Dolt's rule, down to where it stops: a record is looked for at every byte that leaves room for a root record, whole records
/// are skipped, and a whole record of unknown form ends the search. Loose roots, which Dolt does not write, were not synced by
/// themselves and do not count.
fn has_lost_records(window: &mut Window<'_>, from: u64, file_end: u64) -> Result<bool, StoreError> {
    let (mut at, mut root_found, mut hashed) = (from, false, 0);
    while at + ROOT_RECORD_BYTES <= file_end {
        match whole_record(window, at, file_end, &mut hashed)? {
            None => at += 1,
            Some((_, None)) => return Ok(false),
            Some((len, Some(record))) => {
                if root_found {
                    return Ok(true);
                }
                root_found = matches!(record, Record::Root { is_loose: false, .. });
                at += len;
            }
        }
        if hashed > HASHED_BYTES_MAX {
            return Ok(true);
        }
    }
    Ok(false)
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
