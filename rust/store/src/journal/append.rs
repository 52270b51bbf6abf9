//! Appending to a journal: records go to the file in large pieces, and count when all of them are there (docs/format/store.md,
//! section 6.5).

use codec::Address;

use crate::StoreError;
use crate::record::Packing;
use crate::source::{Form, Place};

use super::record::{self, ROOT_RECORD_BYTES};
use super::{Journal, LastRoot, PastRoot};

/// Bytes of records that are written at a time. Memory for one such piece is all that an append of any size takes.
const PIECE_BYTES: usize = 256 << 10;

/// Memory of a piece that is kept for the next append.
const SPARE_BYTES_MAX: usize = 2 * PIECE_BYTES;

/// Room that is left behind a commit that finds none: a quarter of the journal within these bounds.
const ROOM_BYTES_MIN: u64 = 64 << 10;
pub(super) const ROOM_BYTES_MAX: u64 = 1 << 20;

/// Behind an append of more than `LARGE_BYTES` so much room is left at most. The next one of its size would find a place on the disk
/// in any case; what comes between, such as redo records, is small.
const ROOM_BEHIND_LARGE_BYTES: u64 = 128 << 10;
const LARGE_BYTES: u64 = 64 << 10;

/// Bytes preallocated at once while the store is idle.
const IDLE_ROOM_BYTES_MIN: u64 = 256 << 10;

/// What compression takes away from a chunk has to be more than this part of it.
const WORTH_A: usize = 16;

/// So many chunks, one after the other, are compressed in vain before others are written as they are, but for one of so many.
const INCOMPRESSIBLE_MIN: u32 = 4;
const TRIED_OF: u32 = 8;

/// How room is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// By zeros that are written: the flushes of the next commits have no place on the disk to find.
    Written,
    /// By the file's length alone: for commits that are not flushed one by one, zeros would be a second write of every byte.
    Length,
}

/// An append that is under way. The caller has the lock and has caught up. Until [`Appender::keep`] the journal knows nothing of it.
pub(crate) struct Appender<'a> {
    journal: &'a Journal,
    /// Records that are not in the file yet.
    piece: Vec<u8>,
    /// Offset of the piece in the file.
    piece_start: u64,
    places: Vec<(Address, Place)>,
    root: Option<LastRoot>,
    past: Vec<PastRoot>,
    /// The last chunks that did not become shorter.
    incompressible: u32,
    /// Room is left behind the records, so that the next commits need not make the file longer.
    room: Option<Room>,
}

impl<'a> Appender<'a> {
    /// Begins behind the last whole record. A torn tail is cut off first, for good: what is left of it must never be seen behind new
    /// records.
    pub(crate) fn new(journal: &'a Journal) -> Result<Appender<'a>, StoreError> {
        let piece_start = journal.end.get();
        if journal.is_torn() || journal.is_cut_loose.get() {
            journal.cut()?;
            journal.flush_cut()?;
        }
        Ok(Appender {
            journal,
            piece: journal.spare.take(),
            piece_start,
            places: Vec::new(),
            root: journal.root.get(),
            past: Vec::new(),
            incompressible: 0,
            room: None,
        })
    }

    /// Leaves room behind the records if they take all there is.
    pub(crate) fn leave_room(&mut self, room: Room) {
        self.room = Some(room);
    }

    /// Where the next record begins.
    pub(crate) fn end(&self) -> u64 {
        self.piece_start + self.piece.len() as u64
    }

    /// Bytes of all records so far.
    pub(crate) fn len(&self) -> u64 {
        self.end() - self.journal.end.get()
    }

    /// Whether the next append would not fit into the room behind it, if it is like this one.
    pub(crate) fn is_large(&self) -> bool {
        self.len() > LARGE_BYTES
    }

    pub(crate) fn chunk(&mut self, address: &Address, chunk: &[u8], packing: Packing) -> Result<(), StoreError> {
        // Those that follow are of the same table, mostly: a few are tried, and then some of them, whether that has changed.
        let is_incompressible =
            self.incompressible >= INCOMPRESSIBLE_MIN && !self.incompressible.is_multiple_of(TRIED_OF);
        let packing = if is_incompressible && packing == Packing::Small { Packing::Plain } else { packing };
        let payload = record::append_chunk(&mut self.piece, address, chunk, packing)
            .map_err(|error| StoreError::corrupt(self.journal.mapping.name(), 0, error))?;
        let is_shorter = payload.len() < chunk.len() - chunk.len() / WORTH_A;
        self.incompressible = if is_shorter { 0 } else { self.incompressible + 1 };
        let offset = self.piece_start + payload.start as u64;
        self.places.push((*address, Place { offset, len: payload.len() as u32, form: Form::Record }));
        if self.piece.len() >= PIECE_BYTES { self.write() } else { Ok(()) }
    }

    /// Records `root`. `is_loose` says that it is not flushed by itself.
    pub(crate) fn root(&mut self, address: &Address, seconds: u64, is_loose: bool) {
        record::append_root(&mut self.piece, address, seconds, is_loose);
        self.root = Some(LastRoot { address: *address, at: self.end() - ROOT_RECORD_BYTES });
        self.past.push(PastRoot { address: *address, seconds: Some(seconds) });
    }

    /// Writes what is not in the file yet.
    pub(crate) fn write(&mut self) -> Result<(), StoreError> {
        let (mapping, end) = (&self.journal.mapping, self.end());
        if let Some(room) = self.room.filter(|_| end > mapping.len()) {
            let most_bytes = if self.is_large() { ROOM_BEHIND_LARGE_BYTES } else { ROOM_BYTES_MAX };
            let room_bytes = (end / 4).clamp(ROOM_BYTES_MIN, most_bytes);
            match room {
                Room::Written => self.piece.resize(self.piece.len() + room_bytes as usize, 0),
                // Where it cannot be had, the records may still fit.
                Room::Length => _ = mapping.truncate(end + room_bytes),
            }
        }
        mapping.write_at(self.piece_start, &self.piece)?;
        self.piece_start = end;
        self.piece.clear();
        Ok(())
    }

    /// Lets the journal know what was appended; all of it is written.
    pub(crate) fn keep(self) {
        debug_assert!(self.piece.is_empty(), "all records are written");
        self.journal.places.borrow_mut().extend(self.places);
        self.journal.root.set(self.root);
        if !self.past.is_empty() {
            self.journal.forget_redo();
        }
        self.past.into_iter().for_each(|root| self.journal.past.borrow_mut().push(root));
        self.journal.end.set(self.piece_start);
        self.journal.blank_end.set(self.journal.mapping.len());
        self.journal.appends.set(self.journal.appends.get() + 1);
        if self.piece.capacity() <= SPARE_BYTES_MAX {
            self.journal.spare.set(self.piece);
        }
    }

    /// Takes back what was written.
    ///
    /// # Errors
    /// The file has records that were refused: nothing may be appended any more.
    pub(crate) fn undo(self) -> Result<(), StoreError> {
        self.journal.cut()?;
        // A crash must not bring back what was refused. Where that cannot be had now, the next append begins with it.
        let _ = self.journal.flush_cut();
        Ok(())
    }
}

impl Journal {
    /// Bytes that the file should have behind the last record before the next commits come, and has not: nothing while half of it is there.
    pub(crate) fn lacks_room_bytes(&self) -> u64 {
        let wanted = (self.end.get() / 4).clamp(IDLE_ROOM_BYTES_MIN, ROOM_BYTES_MAX);
        let room = self.blank_end().saturating_sub(self.end.get());
        if self.appends.get() > 1 && !self.is_torn() && room < wanted / 2 { wanted - room } else { 0 }
    }

    /// Writes so many zeros behind the room that is there. The caller has the lock and has caught up; nothing of it is safe before a flush,
    /// nor need it be.
    ///
    /// # Errors
    /// What the host says. The next append takes away what was written.
    pub(crate) fn make_room(&self, bytes: u64) -> Result<(), StoreError> {
        let until = self.mapping.len() + bytes;
        let zeros = vec![0; PIECE_BYTES.min(bytes as usize)];
        while let Some(left) = until.checked_sub(self.mapping.len()).filter(|left| *left > 0) {
            let piece = zeros.get(..left as usize).unwrap_or(&zeros);
            if let Err(error) = self.mapping.append(piece) {
                self.note_tail();
                return Err(error.into());
            }
        }
        self.blank_end.set(until);
        Ok(())
    }
}
