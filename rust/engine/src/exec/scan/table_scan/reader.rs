//! Column reader: decodes one column of many tuples.

use std::rc::Rc;

use tree::{Column, Encoding, FieldType, Items, Node, NodeStore, Stored, Tuple, tuple};
use value::{Date, DateTime, Value};
use vcs::{Place, Schema};

use super::pieces::{Chosen, Piece, Pieces};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::plan::ValueParts;
use crate::vector::{Bitmap, Buffer, Data, Vector, View, Views, bytes_of};

/// Which tuple of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Key,
    Value,
}

/// The position of a column.
#[derive(Debug, Clone)]
pub struct Field {
    half: Half,
    position: usize,
    kind: FieldType,
    /// Of documents and texts, if not all of them is looked at.
    parts: Option<Rc<ValueParts>>,
}

impl Field {
    /// Fields of the table's own rows.
    pub fn of_rows(schema: &Schema, columns: &[usize]) -> Result<Vec<Field>> {
        let field = |&column: &usize| {
            let column = &schema.columns[column];
            let (half, position, descriptor) = match column.place {
                Place::Key(position) => (Half::Key, position, &schema.key),
                Place::Value(position) => (Half::Value, position, &schema.value),
                Place::Virtual => return Err(SqlError::unsupported("reading a virtual generated column")),
            };
            let kind = descriptor.fields()[position].clone();
            Ok(Field { half, position, kind, parts: None })
        };
        columns.iter().map(field).collect()
    }

    pub fn kind(&self) -> &FieldType {
        &self.kind
    }

    /// Reads only these parts of documents or texts.
    pub fn read_parts(&mut self, parts: Rc<ValueParts>) {
        self.parts = Some(parts);
    }

    /// The column that a tree may keep in its columnar cache: one that is read as numbers of a fixed width.
    pub fn cached_column(&self) -> Option<Column> {
        use Encoding::*;
        let width = match self.kind.encoding {
            Int8 | Uint8 | Int16 | Uint16 | Int32 | Uint32 | Int64 | Float32 | Float64 | Date | Time | Datetime => {
                self.kind.encoding.width()?
            }
            _ => return None,
        };
        Some(Column { is_key: self.half == Half::Key, field: self.position, width })
    }

    /// The bytes of the field in a row; `None` for NULL.
    #[inline]
    pub fn of<'t>(&self, key: Tuple<'t>, value: Tuple<'t>) -> Option<&'t [u8]> {
        match self.half {
            Half::Key => key.field(self.position),
            Half::Value => value.field(self.position),
        }
    }

    /// Fields of an index, if it has all the columns whole.
    pub fn of_index(schema: &Schema, index: &vcs::Index, columns: &[usize]) -> Option<Vec<Field>> {
        // An entry of a keyless table represents several equal rows.
        if schema.is_keyless() || !index.is_ordered() {
            return None;
        }
        let field = |&column: &usize| {
            let position = index.fields.iter().position(|f| f.column == Some(column) && f.prefix_bytes == 0)?;
            Some(Field { half: Half::Key, position, kind: index.key.fields()[position].clone(), parts: None })
        };
        columns.iter().map(field).collect()
    }
}

/// What processors read of memory at once.
const LINE_BYTES: usize = 64;
/// They see from so many that more is wanted.
const TOUCHED_LINES: usize = 4;

/// Cost of an out-of-line value, beside its bytes.
const OUTSIDE_WORK: usize = 1 << 10;
/// What a byte of a document costs that is decoded.
const DECODED_BYTE_WORK: usize = 4;

/// Decodes one column; nothing is kept between batches.
pub struct ColumnReader {
    field: Field,
    nodes: Rc<NodeStore>,
}

impl ColumnReader {
    pub fn new(field: Field, nodes: Rc<NodeStore>) -> ColumnReader {
        ColumnReader { field, nodes }
    }

    fn items<'n>(&self, leaf: &'n Node) -> Items<'n> {
        match (self.field.half, self.field.cached_column()) {
            (_, Some(column)) if !leaf.is_leaf() => leaf.column(column),
            (Half::Key, _) => leaf.keys(),
            (Half::Value, _) => leaf.values(),
        }
    }

    /// Reads a few bytes of each leaf. Leaves lie anywhere in memory, and these reads wait for it together, where a loop over one
    /// leaf after the other waits at each: a twentieth of a scan of numbers.
    fn touch(&self, pieces: &Pieces) {
        let mut touched = 0;
        for Piece { leaf, .. } in pieces {
            let bytes = self.items(leaf).bytes();
            for line in 0..TOUCHED_LINES {
                touched |= bytes.get(line * LINE_BYTES).copied().unwrap_or(0);
            }
        }
        std::hint::black_box(touched);
    }

    /// The column of `rows` rows, which the pieces have together.
    ///
    /// # Errors
    /// Where values that lie outside of the leaves make a large batch, see [`Context::row_done`].
    pub fn read(&self, pieces: &Pieces, rows: usize, context: Option<&Context>) -> Result<Rc<Vector>> {
        use Encoding::*;
        Ok(Rc::new(match self.field.kind.encoding {
            Int8 => self.fixed(pieces, rows, 0, |b: [u8; 1]| i64::from(i8::from_le_bytes(b)), Data::Int),
            Int16 => self.fixed(pieces, rows, 0, |b: [u8; 2]| i64::from(i16::from_le_bytes(b)), Data::Int),
            Int32 => self.fixed(pieces, rows, 0, |b: [u8; 4]| i64::from(i32::from_le_bytes(b)), Data::Int),
            Int64 => self.fixed(pieces, rows, 0, i64::from_le_bytes, Data::Int),
            Uint8 => self.fixed(pieces, rows, 0, |b: [u8; 1]| u64::from(b[0]), Data::UInt),
            Uint16 => self.fixed(pieces, rows, 0, |b: [u8; 2]| u64::from(u16::from_le_bytes(b)), Data::UInt),
            Uint32 => self.fixed(pieces, rows, 0, |b: [u8; 4]| u64::from(u32::from_le_bytes(b)), Data::UInt),
            Uint64 if !matches!(self.field.kind.sql_type, value::SqlType::Bit(_)) => {
                self.fixed(pieces, rows, 0, u64::from_le_bytes, Data::UInt)
            }
            Float32 => self.fixed(pieces, rows, 0.0, f32::from_le_bytes, Data::Float),
            Float64 => self.fixed(pieces, rows, 0.0, f64::from_le_bytes, Data::Double),
            Date => self.fixed(pieces, rows, value::Date::ZERO, |b| date(u32::from_le_bytes(b)), Data::Date),
            Time => self.fixed(
                pieces,
                rows,
                value::Time::ZERO,
                |b| value::Time::from_microseconds(i64::from_le_bytes(b)),
                Data::Time,
            ),
            Datetime => {
                self.fixed(pieces, rows, value::DateTime::ZERO, |b| moment(i64::from_le_bytes(b)), Data::DateTime)
            }
            Decimal => self.decimals(pieces, rows)?,
            String | StringAdaptive | StringAddr => self.views(pieces, rows, context, Data::Text)?,
            Bytes | BytesAdaptive | BytesAddr => self.views(pieces, rows, context, Data::Bytes)?,
            _ => self.values(pieces, rows, context)?,
        }))
    }

    /// Values of a fixed width.
    #[inline(never)]
    fn fixed<const N: usize, T: Clone>(
        &self,
        pieces: &Pieces,
        rows: usize,
        zero: T,
        decode: impl Fn([u8; N]) -> T + Copy,
        data: impl Fn(Vec<T>) -> Data,
    ) -> Vector {
        self.touch(pieces);
        let mut values: Vec<T> = Vec::with_capacity(rows);
        let mut validity: Option<Bitmap> = None;
        for Piece { leaf, items: chosen } in pieces {
            let (items, position) = (self.items(leaf), self.field.position);
            if extend_evenly(&mut values, &items, position, chosen, decode) {
                continue;
            }
            chosen.for_each(|item| {
                let field = Tuple::new(items.get(item)).field(position);
                match field.and_then(|field| field.try_into().ok()) {
                    Some(bytes) => values.push(decode(bytes)),
                    None => {
                        validity.get_or_insert_with(|| Bitmap::filled(rows, true)).set(values.len(), false);
                        values.push(zero.clone());
                    }
                }
            });
        }
        Vector { data: data(values), validity }
    }

    fn decimals(&self, pieces: &Pieces, rows: usize) -> Result<Vector> {
        let mut values: Vec<value::Decimal> = Vec::with_capacity(rows);
        let mut validity = Bitmap::with_capacity(rows);
        for Piece { leaf, items: chosen } in pieces {
            let items = self.items(leaf);
            chosen.try_for_each(|item| {
                let field = Tuple::new(items.get(item)).field(self.field.position);
                validity.push(field.is_some());
                values.push(match field {
                    None => value::Decimal::ZERO,
                    Some(field) => tuple::decode_decimal(&self.field.kind, field)?,
                });
                Ok::<_, SqlError>(())
            })?;
        }
        Ok(Vector::with_validity(Data::Decimal(values), validity))
    }

    /// Text and bytes: views into the leaves; out-of-line values are read now.
    fn views(
        &self,
        pieces: &Pieces,
        rows: usize,
        context: Option<&Context>,
        data: impl Fn(Views) -> Data,
    ) -> Result<Vector> {
        let encoding = self.field.kind.encoding;
        let is_adaptive = matches!(encoding, Encoding::StringAdaptive | Encoding::BytesAdaptive);
        let is_terminated = matches!(encoding, Encoding::String | Encoding::Bytes);
        let mut views = Views::with_capacity(rows);
        let mut outside: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut outside_bytes = 0;
        let mut lengths: Vec<(usize, u32)> = Vec::new();
        let mut validity: Option<Bitmap> = None;
        for Piece { leaf, items: chosen } in pieces {
            let items = self.items(leaf);
            let base = leaf.bytes().as_ptr() as usize;
            let buffer = views.add_buffer(Buffer::Node(leaf.clone()));
            chosen.try_for_each(|item| {
                let Some(field) = Tuple::new(items.get(item)).field(self.field.position) else {
                    validity.get_or_insert_with(|| Bitmap::filled(rows, true)).set(views.len(), false);
                    views.push_view(View::default());
                    return Ok(());
                };
                let payload = match field {
                    [0, payload @ ..] if is_adaptive => payload,
                    [payload @ .., 0] if is_terminated => payload,
                    _ => match Stored::of(encoding, field)? {
                        Stored::Inline(payload) => payload,
                        stored => {
                            let before_bytes = outside_bytes;
                            if let Some(length) = self.length_alone(&stored)? {
                                lengths.push((views.len(), length));
                            } else {
                                let read = self.outside(&stored)?;
                                outside_bytes += read.len();
                                outside.push((views.len(), read));
                            }
                            if let Some(context) = context {
                                context.spend_work(OUTSIDE_WORK + outside_bytes - before_bytes);
                                context.row_done(views.len() + 1, rows, outside_bytes)?;
                            }
                            &[]
                        }
                    },
                };
                let start = (payload.as_ptr() as usize).wrapping_sub(base) as u32;
                views.push_view(View { buffer, start, len: payload.len() as u32 });
                Ok::<_, SqlError>(())
            })?;
        }
        views.replace(outside);
        views.replace_by_zeros(&lengths)?;
        Ok(Vector { data: data(views), validity })
    }

    /// How long a value outside of its leaf is, where nothing else is asked of it.
    fn length_alone(&self, stored: &Stored<'_>) -> Result<Option<u32>> {
        let is_asked = self.field.parts.as_deref() == Some(&ValueParts::Length);
        Ok(if is_asked { stored.known_length(&self.nodes)? } else { None })
    }

    /// A value outside of its leaf, or as much of it as is asked for.
    fn outside(&self, stored: &Stored<'_>) -> Result<Vec<u8>> {
        let Some(ValueParts::Prefix(bytes)) = self.field.parts.as_deref() else {
            return Ok(stored.read(&self.nodes)?.into_owned());
        };
        let mut read = stored.read_prefix(&self.nodes, *bytes)?;
        if let Err(error) = core::str::from_utf8(&read)
            && error.error_len().is_none()
            && self.field.kind.sql_type.is_text()
        {
            read.truncate(error.valid_up_to());
        }
        Ok(read)
    }

    /// Everything else, value by value.
    fn values(&self, pieces: &Pieces, rows: usize, context: Option<&Context>) -> Result<Vector> {
        let mut values = Vec::with_capacity(rows);
        let mut bytes = 0;
        for Piece { leaf, items: chosen } in pieces {
            let items = self.items(leaf);
            chosen.try_for_each(|item| {
                let field = Tuple::new(items.get(item)).field(self.field.position);
                let value = match (field, self.field.parts.as_deref()) {
                    (Some(field), Some(ValueParts::Members(parts))) => {
                        Value::json(tuple::decode_parts(&self.nodes, &self.field.kind, field, parts)?)
                    }
                    _ => decode(&self.nodes, &self.field.kind, field)?,
                };
                let read = bytes_of(&value);
                values.push(value);
                bytes += read;
                match context.filter(|_| read > 0) {
                    None => Ok(()),
                    Some(context) => {
                        context.spend_work(DECODED_BYTE_WORK * read);
                        context.row_done(values.len(), rows, bytes)
                    }
                }
            })?;
        }
        Ok(Vector::new(Data::Values(values)))
    }
}

/// Adds a field of `N` bytes of the chosen items if it is at the same offset in all items of the leaf.
///
/// A function of its own for each width: browsers spill the registers of loops in a large one.
#[inline(never)]
fn extend_evenly<const N: usize, T>(
    values: &mut Vec<T>,
    items: &Items<'_>,
    field: usize,
    chosen: &Chosen,
    decode: impl Fn([u8; N]) -> T,
) -> bool {
    match chosen {
        Chosen::Range(range) => {
            let fields = items.fixed_field(field, range.start as usize..range.end as usize);
            fields.map(|fields| values.extend(fields.map(decode))).is_some()
        }
        Chosen::List(list) => {
            let fields = items.fixed_field_of(field, list.items());
            fields.map(|fields| values.extend(fields.map(decode))).is_some()
        }
    }
}

fn decode(nodes: &NodeStore, kind: &FieldType, field: Option<&[u8]>) -> Result<Value<'static>> {
    Ok(tuple::decode(nodes, kind, field)?.into_owned())
}

/// A date that no calendar has reads as the zero date, as native Dolt shows it.
fn date(packed: u32) -> Date {
    Date::from_packed(packed).unwrap_or(Date::ZERO)
}

fn moment(microseconds: i64) -> DateTime {
    DateTime::from_microseconds(microseconds).unwrap_or(DateTime::ZERO)
}
