//! Row writer: encodes rows as tuples and moves long values out of line (docs/format/tree.md, section 5.5).

use std::borrow::Cow;
use std::rc::Rc;

use codec::{Address, CompactSort, varint};
use value::Value;

use crate::tuple::{Encoding, FieldType, TupleBuilder, TupleDescriptor, encode};
use crate::write::sink::Sink;
use crate::{TreeError, TreeReason, blob};

/// What is to become one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    Null,
    /// The bytes of the field.
    Field(Cow<'a, [u8]>),
    /// Text, binary, JSON or geometry, to be stored in the way of the field's encoding.
    Payload(Cow<'a, [u8]>),
}

impl<'a> Part<'a> {
    /// A value that already has the field's type (`value::assign`).
    ///
    /// # Errors
    /// As [`encode()`].
    pub fn of(kind: &FieldType, value: &'a Value<'_>) -> Result<Part<'a>, TreeError> {
        Ok(match (kind.encoding, value) {
            (_, Value::Null) => Part::Null,
            (Encoding::StringAdaptive | Encoding::StringAddr, Value::Text(text)) => {
                Part::Payload(Cow::Borrowed(text.as_bytes()))
            }
            (Encoding::BytesAdaptive | Encoding::BytesAddr, Value::Bytes(bytes))
            | (Encoding::GeomAdaptive | Encoding::GeomAddr, Value::Geometry(bytes)) => {
                Part::Payload(Cow::Borrowed(bytes))
            }
            (Encoding::JsonAdaptive | Encoding::JsonAddr | Encoding::Json, Value::Json(document)) => {
                Part::Payload(Cow::Owned(document.canonical().into_bytes()))
            }
            (encoding, _) if encoding.is_adaptive() || encoding.is_address() => {
                return Err(TreeError::corrupt("value", "is not of the field's type", 0));
            }
            (_, value) => {
                let mut field = Vec::new();
                encode(kind, value, &mut field)?;
                Part::Field(Cow::Owned(field))
            }
        })
    }
}

/// Least bytes of an indexed JSON document that may have more than one segment (section 9.2).
const JSON_SEGMENT_BYTES_MIN: usize = 512;
/// What a value still in the tuple counts once it is out of it: an address and a length of one byte, whatever its length.
const OUT_OF_BAND_BYTES: usize = Address::LEN + 1;

/// Packs the key or value tuples of one tree.
#[derive(Debug)]
pub struct RowWriter {
    descriptor: Rc<TupleDescriptor>,
    target_bytes: usize,
    /// No field has another form than [`encode()`] gives it, whatever the others are.
    is_plain: bool,
    builder: TupleBuilder,
    /// Memory for one field.
    field: Vec<u8>,
}

impl RowWriter {
    /// `target_bytes` is the schema's target row size: longer rows have values out of band, the longest first.
    pub fn new(descriptor: Rc<TupleDescriptor>, target_bytes: u16) -> RowWriter {
        let is_plain = descriptor.fields().iter().all(|kind| is_plain(kind.encoding));
        let (builder, field) = Default::default();
        RowWriter { descriptor, target_bytes: target_bytes.into(), is_plain, builder, field }
    }

    pub fn descriptor(&self) -> &Rc<TupleDescriptor> {
        &self.descriptor
    }

    /// The tuple of values, one per field, each of its field's type. Values out of band go to `sink`.
    ///
    /// # Errors
    /// As [`RowWriter::pack`].
    pub fn write<'a, 'v: 'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a Value<'v>>,
        sink: &mut impl Sink,
    ) -> Result<Vec<u8>, TreeError> {
        let mut values = values.into_iter();
        let kinds = self.descriptor.fields().iter().zip(&mut values);
        if !self.is_plain {
            let parts: Vec<_> = kinds.map(|(kind, value)| Part::of(kind, value)).collect::<Result<_, _>>()?;
            return self.pack(&parts, sink);
        }
        self.builder.clear();
        for (kind, value) in kinds {
            self.builder.push_value(kind, value)?;
        }
        if self.builder.len() != self.descriptor.len() {
            return Err(another_number(self.builder.len()));
        }
        self.builder.finish()
    }

    /// The tuple of fields that are as they lie in it.
    ///
    /// # Errors
    /// [`TreeReason::TooLong`] for a tuple that is.
    pub(crate) fn copy<'a>(&mut self, fields: impl Iterator<Item = Option<&'a [u8]>>) -> Result<Vec<u8>, TreeError> {
        self.builder.clear();
        fields.for_each(|field| _ = self.builder.push(field));
        self.builder.finish()
    }

    /// As [`RowWriter::write`], of parts.
    ///
    /// # Errors
    /// [`TreeReason::Corrupt`] for another number of parts than fields; [`TreeReason::TooLong`] for a tuple that is;
    /// [`TreeReason::UnsupportedEncoding`] for Doltgres encodings and JSON documents of 512 bytes and more in columns made
    /// before adaptive encodings; errors of the sink.
    pub fn pack(&mut self, parts: &[Part<'_>], sink: &mut impl Sink) -> Result<Vec<u8>, TreeError> {
        if parts.len() != self.descriptor.len() {
            return Err(another_number(parts.len()));
        }
        // A row before that did not fit may have left fields.
        self.builder.clear();
        let out_of_band = self.out_of_band(parts);
        let field = &mut self.field;
        for (i, (kind, part)) in self.descriptor.fields().iter().zip(parts).enumerate() {
            field.clear();
            match part {
                Part::Null => {}
                Part::Field(bytes) => field.extend_from_slice(bytes),
                Part::Payload(payload) => store(kind.encoding, payload, out_of_band.contains(&i), field, sink)?,
            }
            self.builder.push((!field.is_empty()).then_some(&field[..]));
        }
        self.builder.finish()
    }

    /// Which adaptive fields go out of band.
    fn out_of_band(&self, parts: &[Part<'_>]) -> Vec<usize> {
        let mut total_bytes = 0;
        let mut candidates = Vec::new();
        for (i, (kind, part)) in self.descriptor.fields().iter().zip(parts).enumerate() {
            total_bytes += match (kind.encoding, part) {
                (_, Part::Null) => 0,
                (Encoding::Year, _) => 2,
                (_, Part::Field(bytes)) => bytes.len(),
                (encoding, Part::Payload(_)) if encoding.is_address() => Address::LEN,
                (encoding, Part::Payload(payload)) => {
                    let inline_bytes = payload.len() + 1;
                    let outside_bytes = match inline_bytes > self.target_bytes {
                        true => length_bytes(payload.len()) + Address::LEN,
                        false => OUT_OF_BAND_BYTES,
                    };
                    if encoding.is_adaptive() && inline_bytes > outside_bytes {
                        candidates.push((inline_bytes - outside_bytes, i));
                    }
                    inline_bytes
                }
            };
        }
        // Stable: the first of equals goes first.
        candidates.compact_sort_by_key(|(saved_bytes, _)| core::cmp::Reverse(*saved_bytes));
        let mut chosen = Vec::new();
        for (saved_bytes, i) in candidates {
            if total_bytes <= self.target_bytes {
                break;
            }
            total_bytes -= saved_bytes;
            chosen.push(i);
        }
        chosen
    }
}

/// Whether fields of an encoding have one form, whatever the row.
fn is_plain(encoding: Encoding) -> bool {
    !encoding.is_adaptive() && !encoding.is_address() && encoding != Encoding::Json
}

fn another_number(values: usize) -> TreeError {
    TreeError::corrupt("row", "has another number of values than fields", values)
}

fn length_bytes(length: usize) -> usize {
    let mut bytes = Vec::new();
    varint::write_sqlite4(length as u64, &mut bytes);
    bytes.len()
}

/// Appends the field of a payload.
fn store(
    encoding: Encoding,
    payload: &[u8],
    is_out_of_band: bool,
    field: &mut Vec<u8>,
    sink: &mut impl Sink,
) -> Result<(), TreeError> {
    match encoding {
        Encoding::String | Encoding::Bytes | Encoding::Json | Encoding::Geometry => {
            field.extend_from_slice(payload);
            field.push(0);
        }
        Encoding::JsonAddr if payload.len() >= JSON_SEGMENT_BYTES_MIN => {
            return Err(TreeReason::UnsupportedEncoding { encoding: encoding.id() }.into());
        }
        _ if encoding.is_address() => field.extend_from_slice(blob::write(sink, payload)?.as_bytes()),
        Encoding::ExtendedAdaptive => return Err(TreeReason::UnsupportedEncoding { encoding: encoding.id() }.into()),
        _ if encoding.is_adaptive() && is_out_of_band => {
            varint::write_sqlite4(payload.len() as u64, field);
            field.extend_from_slice(blob::write(sink, payload)?.as_bytes());
        }
        _ if encoding.is_adaptive() => {
            field.push(0);
            field.extend_from_slice(payload);
        }
        _ => return Err(TreeReason::UnsupportedEncoding { encoding: encoding.id() }.into()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_does_not_fit_leaves_nothing_in_the_next() {
        let kind = FieldType::new(Encoding::Bytes, false, value::SqlType::BIGINT);
        let mut writer = RowWriter::new(Rc::new(TupleDescriptor::new([kind])), 2048);
        let chunks = store::MemoryChunks::new();
        let mut write = |bytes: &[u8]| writer.pack(&[Part::Field(Cow::Borrowed(bytes))], &mut &chunks);
        assert!(write(&[1; 65_505]).is_err());
        assert_eq!(write(&[7]).unwrap(), [7, 1, 0]);
    }
}
