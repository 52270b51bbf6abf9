//! Page of one row, copied from the row's fields without a batch between: the answer to a point read.

use tree::{Encoding, FieldType, Stored};
use value::SqlType;

use super::{ALL_ASCII, COLUMN_BYTES, HAS_NULLS, HEADER_BYTES, Layout, MAGIC, layout_of};
use crate::error::Result;

/// Whether fields of this kind go into pages as they are stored.
pub fn is_copied(field: &FieldType, column: &SqlType) -> bool {
    use Encoding::*;
    match layout_of(column).0 {
        Layout::I32 => {
            matches!(column, SqlType::Integer(_)) && matches!(field.encoding, Int8 | Int16 | Int32 | Uint8 | Uint16)
        }
        Layout::U32 => field.encoding == Uint32,
        Layout::I64 => field.encoding == Int64,
        Layout::U64 => field.encoding == Uint64,
        Layout::F32 => field.encoding == Float32,
        Layout::F64 => field.encoding == Float64,
        Layout::Text => field.sql_type.is_text() && matches!(field.encoding, String | StringAdaptive),
        Layout::Binary => field.sql_type.is_binary() && matches!(field.encoding, Bytes | BytesAdaptive),
        Layout::Null => false,
    }
}

/// Writes one row of fields for which [`is_copied`] holds, in the type of their columns, replacing what `out` held. False
/// when a value is out of band: then the content of `out` is invalid.
pub fn write<'a>(
    row: impl ExactSizeIterator<Item = (Option<&'a [u8]>, &'a FieldType, &'a SqlType)>,
    out: &mut Vec<u8>,
) -> Result<bool> {
    let columns = row.len();
    out.clear();
    out.resize(HEADER_BYTES + COLUMN_BYTES * columns, 0);
    for (at, (field, kind, column)) in row.enumerate() {
        let layout = layout_of(column).0;
        let mut entry = Entry { layout, flags: 0, places: [0; 5] };
        let Some(field) = field else {
            entry.flags = HAS_NULLS;
            entry.places[0] = out.len() as u32;
            out.extend_from_slice(&[0; 8]);
            entry.write_null(out);
            entry.put(at, out);
            continue;
        };
        match layout {
            Layout::Text | Layout::Binary => {
                let Stored::Inline(payload) = Stored::of(kind.encoding, field)? else { return Ok(false) };
                entry.write_variable(payload, out);
            }
            _ => entry.write_number(kind.encoding, field, out),
        }
        entry.put(at, out);
    }
    let length = out.len() as u32;
    let header = [MAGIC, 1, columns as u32, length];
    header.iter().zip(out.chunks_exact_mut(4)).for_each(|(word, place)| place.copy_from_slice(&word.to_le_bytes()));
    Ok(true)
}

/// A column's line in the head of the page.
struct Entry {
    layout: Layout,
    flags: u8,
    /// Validity, offsets, offsets in UTF-16, data, length of the data.
    places: [u32; 5],
}

impl Entry {
    fn put(&self, column: usize, out: &mut [u8]) {
        let at = HEADER_BYTES + COLUMN_BYTES * column;
        let Some(entry) = out.get_mut(at..at + COLUMN_BYTES) else { return };
        entry[0] = self.layout as u8;
        entry[1] = self.flags;
        for (n, place) in self.places.iter().enumerate() {
            entry[4 + 4 * n..8 + 4 * n].copy_from_slice(&place.to_le_bytes());
        }
    }

    fn write_null(&mut self, out: &mut Vec<u8>) {
        match self.layout {
            Layout::Text | Layout::Binary => self.write_variable(&[], out),
            Layout::I32 | Layout::U32 | Layout::F32 => self.write_fixed([0; 8], 4, out),
            _ => self.write_fixed([0; 8], 8, out),
        }
    }

    fn write_variable(&mut self, payload: &[u8], out: &mut Vec<u8>) {
        let offsets = out.len();
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        let data = out.len();
        out.extend_from_slice(payload);
        align(out);
        self.places[1] = offsets as u32;
        self.places[3] = data as u32;
        self.places[4] = payload.len() as u32;
        if self.layout == Layout::Text {
            if payload.is_ascii() {
                self.flags |= ALL_ASCII;
            } else {
                self.places[2] = out.len() as u32;
                // A lead byte is one unit, a lead byte of four bytes two.
                let units = payload.iter().map(|b| u32::from(b & 0xc0 != 0x80) + u32::from(*b >= 0xf0)).sum::<u32>();
                out.extend_from_slice(&[0; 4]);
                out.extend_from_slice(&units.to_le_bytes());
            }
        }
    }

    /// A field that is too short for its encoding reads as zeros: nodes hold none.
    fn write_number(&mut self, encoding: Encoding, field: &[u8], out: &mut Vec<u8>) {
        let mut bytes = [0; 8];
        let width = field.len().min(8);
        bytes[..width].copy_from_slice(&field[..width]);
        match encoding {
            Encoding::Int8 => self.write_fixed(i64::from(bytes[0] as i8).to_le_bytes(), 4, out),
            Encoding::Int16 => {
                self.write_fixed(i64::from(i16::from_le_bytes([bytes[0], bytes[1]])).to_le_bytes(), 4, out);
            }
            Encoding::Int64 | Encoding::Uint64 | Encoding::Float64 => self.write_fixed(bytes, 8, out),
            _ => self.write_fixed(bytes, 4, out),
        }
    }

    fn write_fixed(&mut self, bytes: [u8; 8], width: u32, out: &mut Vec<u8>) {
        self.places[3] = out.len() as u32;
        self.places[4] = width;
        // What is behind four bytes is the padding to the next buffer, which is zero in pages of many rows too.
        let bytes =
            if width == 4 { u64::from_le_bytes(bytes) & u64::from(u32::MAX) } else { u64::from_le_bytes(bytes) };
        out.extend_from_slice(&bytes.to_le_bytes());
    }
}

fn align(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(8), 0);
}
