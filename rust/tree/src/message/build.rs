//! Writes flatbuffers messages with exactly the bytes Dolt writes (docs/format/tree.md, section 2).
//!
//! A message is filled from its end towards its start, and the order of calls is part of the format: two messages
//! with the same fields are the same chunk only if the fields were added in the same order.

use crate::message::flat::{FileId, SERIAL_MESSAGE};
use crate::{TreeError, TreeReason};

/// The frame stores the length in three bytes.
pub const MESSAGE_BYTES_MAX: usize = (1 << 24) - 1;

/// Something already written: its distance from the end of the message in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offset(usize);

/// A vtable already written, for sharing.
struct Vtable {
    offset: usize,
    entries: Vec<u16>,
}

/// One message under construction. Children first, then the table that points at them; tables do not nest.
#[derive(Default)]
pub struct Builder {
    /// Room, and behind it from `start` on what is written.
    buffer: Vec<u8>,
    start: usize,
    align: usize,
    vtables: Vec<Vtable>,
    /// Slots of the open table: number and distance from the end.
    slots: Vec<(u16, usize)>,
    object_end: usize,
}

macro_rules! scalar_slots {
    ($($name:ident $ty:ty),*) => { $(
        #[doc = concat!("Adds a `", stringify!($ty), "` to the open table, nothing if it equals zero.")]
        pub fn $name(&mut self, slot: u16, value: $ty) {
            if value != <$ty>::default() {
                self.scalar(slot, &value.to_le_bytes());
            }
        }
    )* };
}

macro_rules! scalar_vectors {
    ($($name:ident $ty:ty),*) => { $(
        #[doc = concat!("Writes a vector of `", stringify!($ty), "`.")]
        pub fn $name(&mut self, values: &[$ty]) -> Offset {
            let bytes = size_of_val(values);
            self.prepare(4, bytes);
            self.prepare(size_of::<$ty>(), bytes);
            let (room, _) = self.room(bytes).as_chunks_mut();
            room.iter_mut().zip(values).for_each(|(place, value)| *place = value.to_le_bytes());
            self.place_length(values.len())
        }
    )* };
}

impl Builder {
    pub fn new() -> Builder {
        Builder { align: 1, ..Builder::default() }
    }

    /// A builder with room for a message of about `capacity_bytes`.
    pub fn with_capacity(capacity_bytes: usize) -> Builder {
        Builder { buffer: vec![0; capacity_bytes], start: capacity_bytes, ..Builder::new() }
    }

    /// Bytes written so far.
    fn written(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Room for so many bytes in front of what exists, which counts as written.
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        if bytes > self.start {
            let written = self.written();
            let len = (2 * self.buffer.len()).max(written + bytes);
            let mut larger = vec![0; len];
            let (from, to) = (self.buffer.get(self.start..), larger.get_mut(len - written..));
            if let (Some(from), Some(to)) = (from, to) {
                to.copy_from_slice(from);
            }
            (self.buffer, self.start) = (larger, len - written);
        }
        let end = self.start;
        self.start -= bytes;
        self.buffer.get_mut(self.start..end).unwrap_or_default()
    }

    /// Pads so that after `extra` more bytes the position is a multiple of `size` from the end.
    fn prepare(&mut self, size: usize, extra: usize) {
        self.align = self.align.max(size);
        let padding = (self.written() + extra).next_multiple_of(size) - (self.written() + extra);
        self.room(padding).fill(0);
    }

    fn place(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
    }

    /// The length word in front of a vector; closes it.
    fn place_length(&mut self, length: usize) -> Offset {
        self.place(&(length as u32).to_le_bytes());
        Offset(self.written())
    }

    fn place_relative(&mut self, target: Offset) {
        let distance = self.written() - target.0 + 4;
        self.place(&(distance as u32).to_le_bytes());
    }

    /// Writes a byte vector.
    pub fn bytes(&mut self, bytes: &[u8]) -> Offset {
        self.prepare(4, bytes.len());
        self.place(bytes);
        self.place_length(bytes.len())
    }

    /// Writes a string: like a byte vector, with a zero byte behind it.
    pub fn string(&mut self, text: &str) -> Offset {
        self.prepare(4, text.len() + 1);
        self.place(&[0]);
        self.place(text.as_bytes());
        self.place_length(text.len())
    }

    scalar_vectors!(u16s u16, u32s u32, u64s u64);

    /// Writes a vector of `u16`: zero, and then `ends`, which all fit.
    pub fn narrow_offsets(&mut self, ends: &[u32]) -> Offset {
        let bytes = 2 * (1 + ends.len());
        self.prepare(4, bytes);
        let (room, _) = self.room(bytes).as_chunks_mut();
        if let [first, room @ ..] = room {
            *first = [0; 2];
            room.iter_mut().zip(ends).for_each(|(place, end)| *place = (*end as u16).to_le_bytes());
        }
        self.place_length(1 + ends.len())
    }

    /// Writes a vector of strings or tables that are already there.
    pub fn offsets(&mut self, targets: &[Offset]) -> Offset {
        self.prepare(4, 4 * targets.len());
        for target in targets.iter().rev() {
            self.place_relative(*target);
        }
        self.place_length(targets.len())
    }

    /// Writes a vector of strings; the strings are created last to first, as Dolt does everywhere.
    pub fn strings<T: AsRef<str>>(&mut self, texts: &[T]) -> Offset {
        let mut offsets: Vec<Offset> = texts.iter().rev().map(|text| self.string(text.as_ref())).collect();
        offsets.reverse();
        self.offsets(&offsets)
    }

    /// Opens a table. Every child must have been written before.
    pub fn start_table(&mut self) {
        debug_assert!(self.slots.is_empty(), "tables do not nest");
        self.object_end = self.written();
    }

    /// Adds a scalar to the open table even if it is the default.
    fn scalar(&mut self, slot: u16, bytes: &[u8]) {
        self.prepare(bytes.len(), 0);
        self.place(bytes);
        self.slots.push((slot, self.written()));
    }

    scalar_slots!(u8 u8, u16 u16, i16 i16, u64 u64, i64 i64, f32 f32);

    /// Adds a `bool` to the open table, nothing if it is false.
    pub fn bool(&mut self, slot: u16, value: bool) {
        self.u8(slot, u8::from(value));
    }

    /// Adds a `u16` whose default is not zero.
    pub fn u16_with_default(&mut self, slot: u16, value: u16, default: u16) {
        if value != default {
            self.scalar(slot, &value.to_le_bytes());
        }
    }

    /// Adds a `u64` even if it is zero: what overwriting the field in place leaves behind.
    pub fn u64_always(&mut self, slot: u16, value: u64) {
        self.scalar(slot, &value.to_le_bytes());
    }

    /// Adds a reference to the open table.
    pub fn offset(&mut self, slot: u16, target: Offset) {
        self.prepare(4, 0);
        self.place_relative(target);
        self.slots.push((slot, self.written()));
    }

    /// Adds a reference if there is a target.
    pub fn offset_if(&mut self, slot: u16, target: Option<Offset>) {
        if let Some(target) = target {
            self.offset(slot, target);
        }
    }

    /// Closes the open table: its vtable is the newest equal one, or a new one in front of the table.
    pub fn end_table(&mut self) -> Offset {
        self.prepare(4, 0);
        let object = self.written() + 4;
        let count = self.slots.iter().map(|(slot, _)| usize::from(*slot) + 1).max().unwrap_or(0);
        let mut entries = vec![0u16; count];
        for (slot, position) in self.slots.drain(..) {
            if let Some(entry) = entries.get_mut(usize::from(slot)) {
                *entry = (object - position) as u16;
            }
        }
        if let Some(shared) = self.vtables.iter().rev().find(|vtable| vtable.entries == entries) {
            let distance = shared.offset as i64 - object as i64;
            self.place(&(distance as i32).to_le_bytes());
            return Offset(object);
        }
        // The vtable follows at once and needs no padding, so its place is known before it is written.
        let vtable_bytes = 2 * (entries.len() + 2);
        self.place(&(vtable_bytes as i32).to_le_bytes());
        for entry in entries.iter().rev() {
            self.place(&entry.to_le_bytes());
        }
        self.place(&((object - self.object_end) as u16).to_le_bytes());
        self.place(&(vtable_bytes as u16).to_le_bytes());
        self.vtables.push(Vtable { offset: self.written(), entries });
        Offset(object)
    }

    /// The framed message: prefix, root position, identifier, body.
    ///
    /// # Errors
    /// [`TreeReason::TooLong`] when the flatbuffer does not fit 24 bits of length.
    pub fn finish(mut self, root: Offset, identifier: &FileId) -> Result<Vec<u8>, TreeError> {
        self.prepare(self.align, 8);
        self.place(identifier);
        self.place_relative(root);
        let length_bytes = self.written();
        if length_bytes > MESSAGE_BYTES_MAX {
            return Err(TreeReason::TooLong {
                length_bytes: length_bytes as u64,
                limit_bytes: MESSAGE_BYTES_MAX as u64,
            }
            .into());
        }
        let [_, high, middle, low] = (length_bytes as u32).to_be_bytes();
        self.place(&[SERIAL_MESSAGE, high, middle, low]);
        self.buffer.drain(..self.start);
        Ok(self.buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codec::Address;

    fn empty_leaf(identifier: &FileId, slots: &dyn Fn(&mut Builder)) -> String {
        let mut builder = Builder::new();
        slots(&mut builder);
        let root = builder.end_table();
        Address::of(&builder.finish(root, identifier).unwrap()).to_string()
    }

    #[test]
    fn the_empty_nodes_have_their_well_known_addresses() {
        let row_map = empty_leaf(b"TUPM", &|b| {
            let (keys, key_offsets) = (b.bytes(b""), b.u16s(&[0]));
            let (values, value_offsets) = (b.bytes(b""), b.u16s(&[0]));
            b.start_table();
            for (slot, offset) in [(0, keys), (1, key_offsets), (3, values), (4, value_offsets)] {
                b.offset(slot, offset);
            }
            b.u64(9, 0);
            b.u8(2, 1);
            b.u8(5, 1);
            b.u8(10, 0);
        });
        assert_eq!(row_map, "52qkcc17dcqtblc9aml4so2jrooun338");

        let address_map = empty_leaf(b"ADRM", &|b| {
            let (keys, key_offsets, addresses) = (b.bytes(b""), b.u16s(&[0]), b.bytes(b""));
            b.start_table();
            for (slot, offset) in [(0, keys), (1, key_offsets), (2, addresses)] {
                b.offset(slot, offset);
            }
        });
        assert_eq!(address_map, "o0te4bsh307ieff51bhqo7omuobm5cdc");
    }

    #[test]
    fn the_worked_example_of_the_format_page() {
        let mut b = Builder::new();
        let keys = b.bytes(&[1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 1, 0]);
        let key_offsets = b.u16s(&[0, 6, 12]);
        let values = b.bytes(&[10, 0, 0, 0, b'h', b'i', 0, 4, 0, 2, 0, 0, 0]);
        let value_offsets = b.u16s(&[0, 11, 13]);
        b.start_table();
        b.offset(0, keys);
        b.offset(1, key_offsets);
        b.offset(3, values);
        b.offset(4, value_offsets);
        b.u64(9, 2);
        b.u8(2, 1);
        b.u8(5, 1);
        b.u8(10, 0);
        let root = b.end_table();
        let message = b.finish(root, b"TUPM").unwrap();
        assert_eq!(message.len(), 132);
        assert_eq!(Address::of(&message).to_string(), "iilq3h727sgt8tngioi9fajm6fh150ja");
    }

    #[test]
    fn a_message_over_sixteen_mebibytes_is_refused() {
        let mut b = Builder::new();
        let bytes = b.bytes(&vec![0; MESSAGE_BYTES_MAX]);
        b.start_table();
        b.offset(0, bytes);
        let root = b.end_table();
        assert!(b.finish(root, b"TUPL").is_err());
    }
}
