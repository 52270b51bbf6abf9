//! Tuples: fields packed in one byte string, read where they lie (docs/format/tree.md, section 5).

mod addresses;
mod builder;
mod compare;
mod descriptor;
mod encode;
mod encoding;
mod field;
mod payload;
mod row_writer;

use core::ops::Range;

pub use addresses::AddressFields;
pub use builder::TupleBuilder;
pub use descriptor::{Bound, FieldType, Side, Sides, TupleDescriptor};
pub use encode::encode;
pub use encoding::Encoding;
pub use field::{decode, decode_decimal, decode_parts};
pub use payload::Stored;
pub use row_writer::{Part, RowWriter};

/// A key or value tuple.
///
/// `field0 … fieldK-1 | offset1 … offsetK-1 (u16) | K (u16)`. NULL is a field without bytes; NULLs at the end are left out,
/// so any index past the stored fields is NULL too. The schema says what the bytes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuple<'a>(&'a [u8]);

/// Bytes of an offset and of the field count.
const WORD: usize = 2;
/// Fields of a tuple at most (section 4.4).
pub const FIELDS_MAX: usize = 4_096;
/// The tuple without fields.
pub const EMPTY: &[u8] = &[0, 0];

impl<'a> Tuple<'a> {
    /// Bytes that a node has verified, or that [`Tuple::check`] accepts; of others the fields read as NULL or arbitrary bytes,
    /// but nothing panics.
    pub fn new(bytes: &'a [u8]) -> Tuple<'a> {
        Tuple(bytes)
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Fields that are stored, trailing NULLs not counted.
    #[inline]
    pub fn stored_fields(&self) -> usize {
        match self.0 {
            [.., low, high] => usize::from(u16::from_le_bytes([*low, *high])),
            _ => 0,
        }
    }

    /// The range of field `i`; empty or `None` for NULL.
    #[inline]
    pub fn span(&self, i: usize) -> Option<Range<usize>> {
        let (before, count) = self.0.split_last_chunk::<WORD>()?;
        let fields = usize::from(u16::from_le_bytes(*count));
        if i >= fields {
            return None;
        }
        let (data, offsets) = before.split_at_checked(before.len().checked_sub((fields - 1) * WORD)?)?;
        let (offsets, _) = offsets.as_chunks();
        let offset = |at: usize| offsets.get(at).map(|offset| usize::from(u16::from_le_bytes(*offset)));
        let start = if i == 0 { 0 } else { offset(i - 1)? };
        Some(start..offset(i).unwrap_or(data.len()))
    }

    /// The bytes of field `i`; `None` for NULL.
    #[inline]
    pub fn field(&self, i: usize) -> Option<&'a [u8]> {
        self.0.get(self.span(i)?).filter(|field| !field.is_empty())
    }

    /// The stored fields in order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = Option<&'a [u8]>> + use<'a> {
        let tuple = *self;
        (0..self.stored_fields()).map(move |i| tuple.field(i))
    }

    /// Whether `other`, of the same length, has its fields at the same places.
    pub(crate) fn trailer_equals(&self, other: &[u8]) -> bool {
        let trailer_at = self.0.len().saturating_sub(self.stored_fields().max(1) * WORD);
        self.0.get(trailer_at..) == other.get(trailer_at..)
    }

    /// Checks that the offsets rise and stay inside the tuple. The error says what is wrong.
    pub fn check(bytes: &[u8]) -> Result<(), &'static str> {
        let Some((before, count)) = bytes.split_last_chunk::<WORD>() else {
            return Err("tuple is shorter than its field count");
        };
        let fields = usize::from(u16::from_le_bytes(*count));
        if fields == 0 {
            return if before.is_empty() { Ok(()) } else { Err("tuple without fields has bytes") };
        }
        if fields > FIELDS_MAX {
            return Err("tuple has more than 4096 fields");
        }
        let (data, offsets) = before
            .len()
            .checked_sub((fields - 1) * WORD)
            .and_then(|data_bytes| before.split_at_checked(data_bytes))
            .ok_or("tuple is shorter than its field offsets")?;
        let mut previous = 0;
        for offset in offsets.as_chunks().0 {
            let offset = u16::from_le_bytes(*offset);
            if offset < previous {
                return Err("field offsets of a tuple do not rise");
            }
            previous = offset;
        }
        if usize::from(previous) > data.len() {
            return Err("field of a tuple lies outside it");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_and_missing_ones_are_null() {
        // (1 as i32, NULL, 'hi'), as Dolt stores it.
        let bytes = [1, 0, 0, 0, b'h', b'i', 0, 4, 0, 4, 0, 3, 0];
        Tuple::check(&bytes).unwrap();
        let tuple = Tuple::new(&bytes);
        assert_eq!(tuple.field(0), Some(&[1u8, 0, 0, 0][..]));
        assert_eq!(tuple.field(1), None);
        assert_eq!(tuple.field(2), Some(&b"hi\0"[..]));
        assert_eq!(tuple.field(3), None);
        assert_eq!(tuple.fields().flatten().count(), 2);
        assert_eq!(Tuple::new(EMPTY).field(0), None);
    }

    #[test]
    fn damaged_tuples_are_refused_and_never_panic() {
        let good = [1u8, 0, 0, 0, b'h', b'i', 0, 4, 0, 4, 0, 3, 0];
        for cut in 0..good.len() {
            let _ = Tuple::new(&good[..cut]).fields().count();
        }
        for at in 7..good.len() {
            for byte in 0..=255 {
                let mut bad = good;
                bad[at] = byte;
                let fields = Tuple::new(&bad).fields().flatten().map(<[u8]>::len).sum::<usize>();
                assert!(Tuple::check(&bad).is_err() || fields <= bad.len());
            }
        }
        assert!(Tuple::check(&[9, 0, 0]).is_err());
        assert!(Tuple::check(&[]).is_err());
    }
}
