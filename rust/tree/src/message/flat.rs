//! Flatbuffers tables read in place (docs/format/tree.md, sections 1, 1.2 and 2).

use core::ops::Range;

use codec::Address;

use crate::{TreeError, TreeReason};

/// Bytes before the flatbuffer: message kind and length.
pub const PREFIX_BYTES: usize = 4;
/// First byte of every chunk.
pub const SERIAL_MESSAGE: u8 = 0x1b;

/// Four ASCII letters that tell what a message is.
pub type FileId = [u8; 4];

/// What a reader knows of one table: its name for errors, and how many slots its fields take.
///
/// A message that uses a slot past `known_slots` was written by a newer Dolt and is refused, as Dolt itself does (section 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub name: &'static str,
    pub known_slots: u16,
}

/// The file identifier of a chunk or embedded message; checks the framing only.
///
/// # Errors
/// [`TreeReason::Corrupt`] when the prefix is not that of a serial message of this length.
pub fn file_id(message: &[u8]) -> Result<FileId, TreeError> {
    let flat = body(message)?;
    match flat.get(4..8).and_then(|id| FileId::try_from(id).ok()) {
        Some(id) => Ok(id),
        None => Err(TreeError::corrupt("message", "too short for a file identifier", message.len())),
    }
}

/// The root table of `message` (a chunk or an embedded message, prefix included).
///
/// # Errors
/// [`TreeReason::WrongMessage`] when it is another message, [`TreeReason::UnknownFields`] when it was written by a newer Dolt,
/// [`TreeReason::Corrupt`] when framing, root offset or vtable do not fit the bytes.
pub fn root<'a>(message: &'a [u8], id: &FileId, shape: &'static Shape) -> Result<Table<'a>, TreeError> {
    let found = file_id(message)?;
    if found != *id {
        return Err(TreeReason::WrongMessage { wanted: shape.name, found }.into());
    }
    let flat = body(message)?;
    let at = u32_at(flat, 0).ok_or_else(|| TreeError::corrupt(shape.name, "no root offset", PREFIX_BYTES))?;
    Table::at(flat, at as usize, shape)
}

/// The flatbuffer behind the prefix.
fn body(message: &[u8]) -> Result<&[u8], TreeError> {
    let Some(([kind, a, b, c], flat)) = message.split_first_chunk::<PREFIX_BYTES>() else {
        return Err(TreeError::corrupt("message", "too short for its prefix", message.len()));
    };
    if *kind != SERIAL_MESSAGE {
        return Err(TreeError::corrupt("message", "is not a serial message", 0));
    }
    if u32::from_be_bytes([0, *a, *b, *c]) as usize != flat.len() {
        return Err(TreeError::corrupt("message", "length in the prefix differs from the chunk's", 1));
    }
    Ok(flat)
}

/// One table of a message. Slots are 0-based; positions count from the flatbuffer's first byte.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    flat: &'a [u8],
    at: usize,
    vtable: &'a [u8],
    shape: &'static Shape,
}

macro_rules! scalars {
    ($($name:ident $ty:ty),*) => { $(
        #[doc = concat!("The `", stringify!($ty), "` in a slot, or `default` when the writer left it out.")]
        pub fn $name(&self, slot: u16, default: $ty) -> Result<$ty, TreeError> {
            let Some(at) = self.position(slot) else { return Ok(default) };
            match self.flat.get(at..).and_then(|rest| rest.first_chunk()) {
                Some(bytes) => Ok(<$ty>::from_le_bytes(*bytes)),
                None => Err(self.corrupt("scalar lies outside the message", at)),
            }
        }
    )* };
}

impl<'a> Table<'a> {
    /// The table at position `at`.
    fn at(flat: &'a [u8], at: usize, shape: &'static Shape) -> Result<Table<'a>, TreeError> {
        let corrupt = |what| TreeError::corrupt(shape.name, what, at.saturating_add(PREFIX_BYTES));
        let back = u32_at(flat, at).ok_or(corrupt("table lies outside the message"))?;
        // The vtable is at `at - back`; `back` is signed.
        let vtable_at = usize::try_from(at as i64 - i64::from(back as i32))
            .map_err(|_| corrupt("vtable lies outside the message"))?;
        let vtable_bytes = usize::from(u16_at(flat, vtable_at).ok_or(corrupt("vtable lies outside the message"))?);
        if vtable_bytes < 4 || vtable_bytes % 2 != 0 {
            return Err(corrupt("vtable has an impossible size"));
        }
        let vtable = vtable_at
            .checked_add(vtable_bytes)
            .and_then(|end| flat.get(vtable_at + 4..end))
            .ok_or(corrupt("vtable lies outside the message"))?;
        let slots = (vtable.len() / 2) as u16;
        if slots > shape.known_slots {
            return Err(TreeReason::UnknownFields { table: shape.name, slots, known_slots: shape.known_slots }.into());
        }
        Ok(Table { flat, at, vtable, shape })
    }

    /// Whether the writer stored the slot at all.
    pub fn has(&self, slot: u16) -> bool {
        self.position(slot).is_some()
    }

    scalars!(u8 u8, u16 u16, u32 u32, u64 u64, i16 i16, i32 i32, i64 i64, f32 f32);

    pub fn bool(&self, slot: u16) -> Result<bool, TreeError> {
        Ok(self.u8(slot, 0)? != 0)
    }

    /// The byte vector in a slot; `None` when it is absent.
    pub fn bytes(&self, slot: u16) -> Result<Option<&'a [u8]>, TreeError> {
        self.vector(slot, 1)
    }

    /// The byte vector of a slot that every writer fills.
    pub fn required_bytes(&self, slot: u16) -> Result<&'a [u8], TreeError> {
        self.bytes(slot)?.ok_or(self.corrupt("a required field is absent", self.at))
    }

    /// The text in a slot; `None` when it is absent.
    pub fn string(&self, slot: u16) -> Result<Option<&'a str>, TreeError> {
        self.bytes(slot)?.map(|bytes| self.text(bytes)).transpose()
    }

    /// The text of a slot; empty when it is absent.
    pub fn string_or_empty(&self, slot: u16) -> Result<&'a str, TreeError> {
        Ok(self.string(slot)?.unwrap_or_default())
    }

    /// The 20-byte address in a slot; `None` when the slot is absent, empty or all zero.
    pub fn address(&self, slot: u16) -> Result<Option<Address>, TreeError> {
        let bytes = self.bytes(slot)?.unwrap_or_default();
        if bytes.is_empty() {
            return Ok(None);
        }
        let address = Address::from_slice(bytes).map_err(|error| self.corrupt(error.what, self.at))?;
        Ok(Some(address).filter(|address| !address.is_empty()))
    }

    /// The address of a slot that every writer fills; zeros are an error.
    pub fn required_address(&self, slot: u16) -> Result<Address, TreeError> {
        self.address(slot)?.ok_or(self.corrupt("a required address is absent", self.at))
    }

    /// The addresses packed into a byte vector, 20 bytes each; none when it is absent.
    pub fn addresses(&self, slot: u16) -> Result<impl ExactSizeIterator<Item = Address> + Clone + 'a, TreeError> {
        let bytes = self.bytes(slot)?.unwrap_or_default();
        let (addresses, rest) = bytes.as_chunks::<{ Address::LEN }>();
        if !rest.is_empty() {
            return Err(self.corrupt("address array is not a multiple of 20 bytes", self.at));
        }
        Ok(addresses.iter().map(|bytes| Address::from_bytes(*bytes)))
    }

    /// The elements of a u16 vector; none when it is absent.
    pub fn u16s(&self, slot: u16) -> Result<impl ExactSizeIterator<Item = u16> + Clone + 'a, TreeError> {
        let (elements, _) = self.vector(slot, 2)?.unwrap_or_default().as_chunks();
        Ok(elements.iter().map(|bytes| u16::from_le_bytes(*bytes)))
    }

    /// The elements of a u64 vector; none when it is absent.
    pub fn u64s(&self, slot: u16) -> Result<impl ExactSizeIterator<Item = u64> + Clone + 'a, TreeError> {
        let (elements, _) = self.vector(slot, 8)?.unwrap_or_default().as_chunks();
        Ok(elements.iter().map(|bytes| u64::from_le_bytes(*bytes)))
    }

    /// The texts of a string vector; none when it is absent.
    pub fn strings(&self, slot: u16) -> Result<Vec<&'a str>, TreeError> {
        self.targets(slot)?.map(|at| self.text(self.vector_at(at?, 1)?)).collect()
    }

    /// The table that a slot refers to; `None` when it is absent.
    pub fn table(&self, slot: u16, shape: &'static Shape) -> Result<Option<Table<'a>>, TreeError> {
        match self.position(slot) {
            Some(at) => Ok(Some(Table::at(self.flat, self.follow(at)?, shape)?)),
            None => Ok(None),
        }
    }

    /// The tables of a vector; none when it is absent.
    pub fn tables(
        &self,
        slot: u16,
        shape: &'static Shape,
    ) -> Result<impl ExactSizeIterator<Item = Result<Table<'a>, TreeError>>, TreeError> {
        let flat = self.flat;
        Ok(self.targets(slot)?.map(move |at| Table::at(flat, at?, shape)))
    }

    /// An error about this table; `at` is a position in the flatbuffer.
    pub fn corrupt(&self, what: &'static str, at: usize) -> TreeError {
        TreeError::corrupt(self.shape.name, what, at.saturating_add(PREFIX_BYTES))
    }

    /// Where a table's own error is reported.
    pub fn wrong(&self, what: &'static str) -> TreeError {
        self.corrupt(what, self.at)
    }

    /// The position of a slot's field; `None` when it was left out.
    fn position(&self, slot: u16) -> Option<usize> {
        debug_assert!(slot < self.shape.known_slots, "slot {slot} of {}", self.shape.name);
        match u16_at(self.vtable, usize::from(slot) * 2) {
            None | Some(0) => None,
            Some(offset) => Some(self.at + usize::from(offset)),
        }
    }

    /// The position that the offset at `at` refers to.
    fn follow(&self, at: usize) -> Result<usize, TreeError> {
        let offset = u32_at(self.flat, at).ok_or(self.corrupt("offset lies outside the message", at))?;
        Ok(at.saturating_add(offset as usize))
    }

    /// Where the elements of a vector lie, from the first byte of the message (prefix included); `None` when it is absent.
    ///
    /// `width` is the number of bytes of an element.
    pub fn vector_span(&self, slot: u16, width: usize) -> Result<Option<Range<usize>>, TreeError> {
        let Some(at) = self.position(slot) else { return Ok(None) };
        let vector = self.follow(at)?;
        let start = vector.saturating_add(4 + PREFIX_BYTES);
        Ok(Some(start..start.saturating_add(self.vector_at(vector, width)?.len())))
    }

    fn vector(&self, slot: u16, width: usize) -> Result<Option<&'a [u8]>, TreeError> {
        match self.position(slot) {
            Some(at) => Ok(Some(self.vector_at(self.follow(at)?, width)?)),
            None => Ok(None),
        }
    }

    /// The bytes of the vector at `at`, its element count taken off.
    fn vector_at(&self, at: usize, width: usize) -> Result<&'a [u8], TreeError> {
        let outside = || self.corrupt("vector lies outside the message", at);
        let elements = u32_at(self.flat, at).ok_or_else(outside)? as usize;
        let rest = self.flat.get(at + 4..).ok_or_else(outside)?;
        elements.checked_mul(width).and_then(|bytes| rest.get(..bytes)).ok_or_else(outside)
    }

    /// Positions that a vector of offsets refers to; none when the slot is absent.
    fn targets(&self, slot: u16) -> Result<impl ExactSizeIterator<Item = Result<usize, TreeError>> + 'a, TreeError> {
        let (first, elements) = match self.position(slot) {
            Some(at) => {
                let vector = self.follow(at)?;
                (vector + 4, self.vector_at(vector, 4)?.len() / 4)
            }
            None => (0, 0),
        };
        let table = *self;
        Ok((0..elements).map(move |i| table.follow(first + 4 * i)))
    }

    fn text(&self, bytes: &'a [u8]) -> Result<&'a str, TreeError> {
        core::str::from_utf8(bytes).map_err(|_| self.corrupt("text is not UTF-8", self.at))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    static INNER: Shape = Shape { name: "Inner", known_slots: 1 };
    static OUTER: Shape = Shape { name: "Outer", known_slots: 6 };
    static OLDER: Shape = Shape { name: "Outer", known_slots: 5 };

    /// A message with every kind of field, written by the reference library.
    fn message() -> Vec<u8> {
        let mut builder = flatbuffers::FlatBufferBuilder::new();
        let address = builder.create_vector(&[7u8; 20]);
        let numbers = builder.create_vector(&[1u64, 2, 1 << 40]);
        let texts = ["a", "", "longer"].map(|text| builder.create_string(text));
        let texts = builder.create_vector(&texts);
        let name = builder.create_string("inner");
        let inner = builder.start_table();
        builder.push_slot_always(4, name);
        let inner = builder.end_table(inner);
        let inners = builder.create_vector(&[inner, inner]);
        let outer = builder.start_table();
        builder.push_slot::<u64>(4, 77, 0);
        builder.push_slot_always(6, address);
        builder.push_slot_always(8, numbers);
        builder.push_slot_always(10, texts);
        builder.push_slot_always(12, inners);
        builder.push_slot_always(14, inner);
        let outer = builder.end_table(outer);
        builder.finish(outer, Some("TEST"));
        let flat = builder.finished_data();
        let mut message = vec![SERIAL_MESSAGE];
        message.extend_from_slice(&(flat.len() as u32).to_be_bytes()[1..]);
        message.extend_from_slice(flat);
        message
    }

    /// Reads every field; what it returns is compared, so that no read can be left out.
    fn read(message: &[u8]) -> Result<String, TreeError> {
        let table = root(message, b"TEST", &OUTER)?;
        let inner = |table: Table<'_>| table.string_or_empty(0).map(str::to_owned);
        let inners = table.tables(4, &INNER)?.map(|table| inner(table?)).collect::<Result<Vec<_>, _>>()?;
        let single = table.table(5, &INNER)?.map(inner).transpose()?;
        let address = table.address(1)?.map(|address| address.as_bytes()[0]);
        let numbers: Vec<u64> = table.u64s(2)?.collect();
        Ok(format!("{} {address:?} {numbers:?} {:?} {inners:?} {single:?}", table.u64(0, 0)?, table.strings(3)?))
    }

    #[test]
    fn reads_what_the_reference_library_writes() {
        let wanted = r#"77 Some(7) [1, 2, 1099511627776] ["a", "", "longer"] ["inner", "inner"] Some("inner")"#;
        assert_eq!(read(&message()).unwrap(), wanted);
    }

    #[test]
    fn refuses_a_newer_writer_by_name() {
        let error = root(&message(), b"TEST", &OLDER).unwrap_err();
        assert_eq!(error.to_string(), "Outer has 6 fields, this version knows 5: written by a newer Dolt");
        let Err(refused) = root(&message(), b"ELSE", &OUTER) else { panic!("it is another message") };
        assert!(matches!(refused.reason(), TreeReason::WrongMessage { .. }));
    }

    #[test]
    fn damaged_messages_are_read_or_refused() {
        let good = message();
        let mut refused = 0;
        for at in 0..good.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, good[at] ^ 4] {
                let mut bad = good.clone();
                bad[at] = byte;
                refused += usize::from(read(&bad).is_err());
            }
            assert!(read(&good[..at]).is_err());
        }
        assert!(refused > good.len());
    }
}
