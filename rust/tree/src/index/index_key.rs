//! Keys of secondary indexes, made from the rows of their table (docs/format/tree.md, sections 6.2 and 8).

use std::borrow::Cow;
use std::rc::Rc;

use value::SqlType;
use value::geometry::Geometry;

use crate::index::spatial_cell::cell;
use crate::tuple::{Encoding, FieldType, Part, RowWriter, Stored, Tuple, TupleDescriptor};
use crate::write::sink::Sink;
use crate::{NodeStore, TreeError};

/// Where a field of an index key is in its table's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Key(usize),
    Value(usize),
}

/// A field of an index key.
#[derive(Debug, Clone)]
pub struct IndexField {
    pub source: Source,
    /// The field in the table.
    pub column: FieldType,
    /// Only so many bytes of the value are indexed; 0 for all.
    pub prefix_bytes: u16,
}

impl IndexField {
    /// The field in the index: long values are cut or put whole into the key, unless the index holds them like the table, as each
    /// does with vectors.
    fn in_index(&self, keeps_encodings: bool) -> FieldType {
        let mut field = self.column.clone();
        field.nullable = true;
        let is_vector = matches!(field.sql_type, SqlType::Vector { .. });
        if (!keeps_encodings && !is_vector) || self.prefix_bytes > 0 {
            field.encoding = match field.encoding {
                Encoding::StringAdaptive | Encoding::StringAddr => Encoding::String,
                Encoding::BytesAdaptive | Encoding::BytesAddr => Encoding::Bytes,
                Encoding::GeomAdaptive | Encoding::GeomAddr | Encoding::Geometry => Encoding::Cell,
                encoding => encoding,
            };
        }
        field
    }

    /// Whether a field of any row is the same in the index, of which nothing goes out of band.
    fn is_copied_to(&self, target: Encoding) -> bool {
        let encoding = self.column.encoding;
        self.prefix_bytes == 0 && target == encoding && !encoding.is_adaptive() && !encoding.is_address()
    }
}

/// Makes the keys of one index; their values are [`crate::tuple::EMPTY`].
pub struct IndexKey {
    fields: Box<[IndexField]>,
    /// All fields are in the index as they are in the table.
    are_copied: bool,
    writer: RowWriter,
}

impl IndexKey {
    /// `fields` are the index columns, then those of the primary key that are not among them, or the hash of a keyless row.
    /// Unique and vector indexes keep the encodings of whole columns.
    pub fn new(fields: impl Into<Box<[IndexField]>>, keeps_encodings: bool, target_bytes: u16) -> IndexKey {
        let fields = fields.into();
        let descriptor =
            TupleDescriptor::new(fields.iter().map(|field| field.in_index(keeps_encodings)).collect::<Vec<_>>());
        let are_copied =
            fields.iter().zip(descriptor.fields()).all(|(field, target)| field.is_copied_to(target.encoding));
        IndexKey { fields, are_copied, writer: RowWriter::new(Rc::new(descriptor), target_bytes) }
    }

    /// The order of the index's keys.
    pub fn descriptor(&self) -> &Rc<TupleDescriptor> {
        self.writer.descriptor()
    }

    /// The index key of a row. Values out of band are read; the key may put some into `sink`.
    ///
    /// # Errors
    /// `TreeReason::TooLong` for a key that fits no tuple; what is wrong with a field; errors of the sink.
    pub fn of_row(
        &mut self,
        nodes: &NodeStore,
        key: Tuple<'_>,
        value: Tuple<'_>,
        sink: &mut impl Sink,
    ) -> Result<Vec<u8>, TreeError> {
        let stored = |field: &IndexField| match field.source {
            Source::Key(i) => key.field(i),
            Source::Value(i) => value.field(i),
        };
        if self.are_copied {
            return self.writer.copy(self.fields.iter().map(stored));
        }
        let mut parts = Vec::with_capacity(self.fields.len());
        for (field, target) in self.fields.iter().zip(self.writer.descriptor().fields()) {
            parts.push(match stored(field) {
                Some(stored) => part(nodes, field, target.encoding, stored)?,
                None => Part::Null,
            });
        }
        self.writer.pack(&parts, sink)
    }
}

fn part<'a>(nodes: &NodeStore, field: &IndexField, target: Encoding, stored: &'a [u8]) -> Result<Part<'a>, TreeError> {
    let encoding = field.column.encoding;
    // An address stays what it is where the index keeps the table's encoding.
    if field.is_copied_to(target) || (target == encoding && encoding.is_address()) {
        return Ok(Part::Field(Cow::Borrowed(stored)));
    }
    let mut payload = Stored::of(encoding, stored)?.read(nodes)?;
    if target == Encoding::Cell {
        return Ok(Part::Field(Cow::Owned(cell(&Geometry::from_ewkb(&payload)?)?.to_vec())));
    }
    let prefix_bytes = usize::from(field.prefix_bytes);
    if prefix_bytes > 0 && prefix_bytes < payload.len() {
        payload = match payload {
            Cow::Borrowed(payload) => Cow::Borrowed(&payload[..prefix_bytes]),
            Cow::Owned(mut payload) => {
                payload.truncate(prefix_bytes);
                Cow::Owned(payload)
            }
        };
    }
    Ok(Part::Payload(payload))
}
