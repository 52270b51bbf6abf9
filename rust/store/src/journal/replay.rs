//! Replay of a journal (docs/format/store.md, section 6.2).

use crate::StoreError;
use crate::source::{Form, Place};

use super::append::ROOM_BYTES_MAX;
use super::record::{self, RECORD_BYTES_MAX, RECORD_BYTES_MIN, Record};
use super::window::Window;
use super::{Journal, LastRoot, PastRoot, Redo};

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
                journal.has_checkpoint.set(journal.has_checkpoint.get() || address == journal.checkpoint);
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
