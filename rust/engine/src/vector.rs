//! Vector: one column of a batch. Typed values, a validity bitmap, text that may still be in a node of the tree.

use std::borrow::Cow;
use std::rc::Rc;

use tree::{Node, TreeError, TreeReason};
use value::{Date, DateTime, Decimal, Json, Time, Value};

/// Which rows are not NULL: bit `i` of word `i / 64`, set for a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bitmap {
    words: Vec<u64>,
    len: usize,
}

impl Bitmap {
    pub fn with_capacity(rows: usize) -> Bitmap {
        Bitmap { words: Vec::with_capacity(rows.div_ceil(64)), len: 0 }
    }

    pub fn filled(len: usize, valid: bool) -> Bitmap {
        Bitmap { words: vec![if valid { u64::MAX } else { 0 }; len.div_ceil(64)], len }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn get(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    #[inline]
    pub fn set(&mut self, i: usize, valid: bool) {
        let bit = 1 << (i % 64);
        if valid { self.words[i / 64] |= bit } else { self.words[i / 64] &= !bit }
    }

    #[inline]
    pub fn push(&mut self, valid: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        if valid {
            let i = self.len - 1;
            self.words[i / 64] |= 1 << (i % 64);
        }
    }

    /// Whether every row has a value.
    pub fn all(&self) -> bool {
        (0..self.len).step_by(64).zip(&self.words).all(|(start, word)| {
            let rows = (self.len - start).min(64);
            let mask = if rows == 64 { u64::MAX } else { (1 << rows) - 1 };
            word & mask == mask
        })
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

/// Bytes that views point into; cloning pins, dropping the last clone releases.
#[derive(Debug, Clone)]
pub enum Buffer {
    /// A node of a tree, kept in its slot while a view points into it.
    Node(Rc<Node>),
    Owned(Rc<Vec<u8>>),
}

impl Buffer {
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Buffer::Node(node) => node.bytes(),
            Buffer::Owned(bytes) => bytes,
        }
    }
}

/// The position of one value: buffer, first byte, length in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct View {
    pub buffer: u32,
    pub start: u32,
    pub len: u32,
}

/// Variable-length values as views into shared buffers, so that text is not copied out of its node.
#[derive(Debug, Clone, Default)]
pub struct Views {
    buffers: Vec<Buffer>,
    views: Vec<View>,
}

impl Views {
    pub fn with_capacity(rows: usize) -> Views {
        Views { buffers: Vec::new(), views: Vec::with_capacity(rows) }
    }

    /// Values that lie one after the other in `bytes`, of these lengths.
    pub fn of_owned(bytes: Vec<u8>, lengths: &[u32]) -> Views {
        let mut start = 0;
        let views = lengths.iter().map(|&len| {
            start += len;
            View { buffer: 0, start: start - len, len }
        });
        Views { views: views.collect(), buffers: vec![Buffer::Owned(Rc::new(bytes))] }
    }

    /// The same values in a buffer of this column's own.
    pub fn detached(&self) -> Views {
        let mut bytes = Vec::with_capacity(self.value_bytes());
        (0..self.len()).for_each(|row| bytes.extend_from_slice(self.get(row)));
        let lengths: Vec<u32> = self.lengths().collect();
        Views::of_owned(bytes, &lengths)
    }

    pub fn len(&self) -> usize {
        self.views.len()
    }

    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    #[inline]
    pub fn get(&self, i: usize) -> &[u8] {
        let View { buffer, start, len } = self.views[i];
        if len == 0 {
            return &[];
        }
        &self.buffers[buffer as usize].bytes()[start as usize..(start + len) as usize]
    }

    /// Each value with its row. The buffer of neighbours is looked up once.
    #[inline]
    pub fn for_each<'v>(&'v self, mut each: impl FnMut(usize, &'v [u8])) {
        let (mut known, mut bytes): (u32, &[u8]) = (u32::MAX, &[]);
        for (row, &View { buffer, start, len }) in self.views.iter().enumerate() {
            if len == 0 {
                each(row, &[]);
                continue;
            }
            if buffer != known {
                (known, bytes) = (buffer, self.buffers[buffer as usize].bytes());
            }
            each(row, &bytes[start as usize..(start + len) as usize]);
        }
    }

    /// Adds a buffer that later views may point into; its number.
    pub fn add_buffer(&mut self, buffer: Buffer) -> u32 {
        self.buffers.push(buffer);
        self.buffers.len() as u32 - 1
    }

    #[inline]
    pub fn push_view(&mut self, view: View) {
        self.views.push(view);
    }

    /// Copies `bytes` into a buffer of this column's own.
    pub fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return self.views.push(View::default());
        }
        let last = self.buffers.len().wrapping_sub(1);
        let fits = match self.buffers.last_mut() {
            Some(Buffer::Owned(owned)) => Rc::get_mut(owned).filter(|o| o.len() + bytes.len() < u32::MAX as usize),
            _ => None,
        };
        let (buffer, start) = match fits {
            Some(owned) => {
                let start = owned.len();
                owned.extend_from_slice(bytes);
                (last as u32, start as u32)
            }
            None => (self.add_buffer(Buffer::Owned(Rc::new(bytes.to_vec()))), 0),
        };
        self.views.push(View { buffer, start, len: bytes.len() as u32 });
    }

    /// Puts values in place of some views, in a buffer of this column's own.
    pub fn replace(&mut self, values: Vec<(usize, Vec<u8>)>) {
        if values.is_empty() {
            return;
        }
        let mut owned = Vec::with_capacity(values.iter().map(|(_, value)| value.len()).sum());
        let buffer = self.buffers.len() as u32;
        for (row, value) in values {
            self.views[row] = View { buffer, start: owned.len() as u32, len: value.len() as u32 };
            owned.extend_from_slice(&value);
        }
        self.buffers.push(Buffer::Owned(Rc::new(owned)));
    }

    /// Puts zeros in place of some views, of which nothing but the length is looked at.
    ///
    /// # Errors
    /// When there is no memory for as many as the longest has; the others share them.
    pub fn replace_by_zeros(&mut self, lengths: &[(usize, u32)]) -> Result<(), TreeError> {
        let Some(longest) = lengths.iter().map(|(_, len)| *len).max() else { return Ok(()) };
        let mut zeros = Vec::new();
        zeros.try_reserve_exact(longest as usize).map_err(|_| TreeReason::NoMemory { length_bytes: longest.into() })?;
        zeros.resize(longest as usize, 0);
        let buffer = self.add_buffer(Buffer::Owned(Rc::new(zeros)));
        lengths.iter().for_each(|(row, len)| self.views[*row] = View { buffer, start: 0, len: *len });
        Ok(())
    }

    /// The same buffers, the rows at `rows`.
    pub fn gather(&self, rows: &[u32]) -> Views {
        Views { buffers: self.buffers.clone(), views: rows.iter().map(|&i| self.views[i as usize]).collect() }
    }

    /// How many bytes each value has.
    pub fn lengths(&self) -> impl ExactSizeIterator<Item = u32> {
        self.views.iter().map(|view| view.len)
    }

    /// Total bytes of all values.
    pub fn value_bytes(&self) -> usize {
        self.views.iter().map(|view| view.len as usize).sum()
    }
}

/// The values of a column; slots of NULL rows hold a zero, an empty view or `Value::Null`.
#[derive(Debug, Clone)]
pub enum Data {
    /// Every row is NULL.
    Null(usize),
    Int(Vec<i64>),
    UInt(Vec<u64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Decimal(Vec<Decimal>),
    Date(Vec<Date>),
    DateTime(Vec<DateTime>),
    Time(Vec<Time>),
    /// UTF-8.
    Text(Views),
    Bytes(Views),
    /// Everything else, and columns of mixed kinds: one boxed value a row.
    Values(Vec<Value<'static>>),
}

/// A column of a batch.
#[derive(Debug, Clone)]
pub struct Vector {
    pub data: Data,
    /// Absent when no row is NULL (or all are, or `data` is `Values`, which carry their own NULLs).
    pub validity: Option<Bitmap>,
}

impl Vector {
    pub fn nulls(rows: usize) -> Vector {
        Vector { data: Data::Null(rows), validity: None }
    }

    pub fn new(data: Data) -> Vector {
        Vector { data, validity: None }
    }

    pub fn with_validity(data: Data, validity: Bitmap) -> Vector {
        let validity = if validity.all() { None } else { Some(validity) };
        Vector { data, validity }
    }

    pub fn len(&self) -> usize {
        match &self.data {
            Data::Null(rows) => *rows,
            Data::Int(v) => v.len(),
            Data::UInt(v) => v.len(),
            Data::Float(v) => v.len(),
            Data::Double(v) => v.len(),
            Data::Decimal(v) => v.len(),
            Data::Date(v) => v.len(),
            Data::DateTime(v) => v.len(),
            Data::Time(v) => v.len(),
            Data::Text(v) | Data::Bytes(v) => v.len(),
            Data::Values(v) => v.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn is_null(&self, row: usize) -> bool {
        match &self.data {
            Data::Null(_) => true,
            Data::Values(values) => matches!(values[row], Value::Null),
            _ => self.validity.as_ref().is_some_and(|validity| !validity.get(row)),
        }
    }

    pub fn has_nulls(&self) -> bool {
        match (&self.data, &self.validity) {
            (Data::Null(rows), _) => *rows > 0,
            (Data::Values(values), _) => values.iter().any(Value::is_null),
            (_, validity) => validity.as_ref().is_some_and(|validity| !validity.all()),
        }
    }

    /// The value of one row, borrowing text from its buffer.
    pub fn value(&self, row: usize) -> Value<'_> {
        if self.is_null(row) {
            return Value::Null;
        }
        match &self.data {
            Data::Null(_) => Value::Null,
            Data::Int(v) => Value::Int(v[row]),
            Data::UInt(v) => Value::UInt(v[row]),
            Data::Float(v) => Value::Float(v[row]),
            Data::Double(v) => Value::Double(v[row]),
            Data::Decimal(v) => Value::Decimal(v[row]),
            Data::Date(v) => Value::Date(v[row]),
            Data::DateTime(v) => Value::DateTime(v[row]),
            Data::Time(v) => Value::Time(v[row]),
            Data::Text(v) => Value::Text(text_of(v.get(row))),
            Data::Bytes(v) => Value::Bytes(v.get(row).into()),
            Data::Values(v) => v[row].clone(),
        }
    }

    /// Whether values may have many bytes.
    pub fn is_wide(&self) -> bool {
        matches!(self.data, Data::Text(_) | Data::Bytes(_) | Data::Values(_))
    }

    /// As [`bytes_of`] a value; that of text is not looked at, which would take as long as to read it.
    pub fn bytes_at(&self, row: usize) -> usize {
        match &self.data {
            _ if self.is_null(row) => 0,
            Data::Text(v) | Data::Bytes(v) => v.get(row).len(),
            Data::Values(v) => bytes_of(&v[row]),
            _ => 0,
        }
    }

    /// Bytes of memory that the values take, more or less; nodes that contain text are not counted.
    pub fn memory_bytes(&self) -> usize {
        match &self.data {
            Data::Null(_) => 0,
            Data::Int(_) | Data::UInt(_) | Data::Double(_) | Data::DateTime(_) | Data::Time(_) => 8 * self.len(),
            Data::Float(_) | Data::Date(_) => 4 * self.len(),
            Data::Decimal(v) => size_of::<Decimal>() * v.len(),
            Data::Text(v) | Data::Bytes(v) => size_of::<View>() * v.len() + v.value_bytes(),
            Data::Values(v) => v.iter().map(|value| size_of::<Value<'_>>() + bytes_of(value)).sum(),
        }
    }

    /// The same values without a hold on nodes of the tree.
    pub fn detached(self: &Rc<Vector>) -> Rc<Vector> {
        let data = match &self.data {
            Data::Text(views) => Data::Text(views.detached()),
            Data::Bytes(views) => Data::Bytes(views.detached()),
            _ => return self.clone(),
        };
        Rc::new(Vector { data, validity: self.validity.clone() })
    }

    /// The rows at `rows`, in that order; text keeps pointing into its node.
    pub fn gather(&self, rows: &[u32]) -> Vector {
        fn pick<T: Clone>(values: &[T], rows: &[u32]) -> Vec<T> {
            rows.iter().map(|&i| values[i as usize].clone()).collect()
        }
        let data = match &self.data {
            Data::Null(_) => Data::Null(rows.len()),
            Data::Int(v) => Data::Int(pick(v, rows)),
            Data::UInt(v) => Data::UInt(pick(v, rows)),
            Data::Float(v) => Data::Float(pick(v, rows)),
            Data::Double(v) => Data::Double(pick(v, rows)),
            Data::Decimal(v) => Data::Decimal(pick(v, rows)),
            Data::Date(v) => Data::Date(pick(v, rows)),
            Data::DateTime(v) => Data::DateTime(pick(v, rows)),
            Data::Time(v) => Data::Time(pick(v, rows)),
            Data::Text(v) => Data::Text(v.gather(rows)),
            Data::Bytes(v) => Data::Bytes(v.gather(rows)),
            Data::Values(v) => Data::Values(pick(v, rows)),
        };
        let validity = self.validity.as_ref().map(|validity| {
            let mut picked = Bitmap::with_capacity(rows.len());
            rows.iter().for_each(|&i| picked.push(validity.get(i as usize)));
            picked
        });
        Vector { data, validity }
    }

    /// `value` repeated `rows` times.
    pub fn repeat(value: &Value<'_>, rows: usize) -> Vector {
        // Rows share a text.
        let shared = |bytes: &[u8]| {
            let mut views = Views::with_capacity(rows);
            let buffer = views.add_buffer(Buffer::Owned(Rc::new(bytes.to_vec())));
            (0..rows).for_each(|_| views.push_view(View { buffer, start: 0, len: bytes.len() as u32 }));
            views
        };
        match value {
            Value::Text(text) if text.len() > SHARED_BYTES_MIN => Vector::new(Data::Text(shared(text.as_bytes()))),
            Value::Bytes(bytes) if bytes.len() > SHARED_BYTES_MIN => Vector::new(Data::Bytes(shared(bytes))),
            value => {
                let mut builder = VectorBuilder::with_capacity(rows);
                for _ in 0..rows {
                    builder.push(value.clone());
                }
                builder.finish()
            }
        }
    }
}

/// Shorter texts are copied for each row that has them.
const SHARED_BYTES_MIN: usize = 64;

/// Builds a vector from single values; starts typed by the first value and falls back to `Values` on a mix.
#[derive(Debug, Default)]
pub struct VectorBuilder {
    data: Option<Data>,
    validity: Bitmap,
    nulls: usize,
    capacity: usize,
    /// Of texts and documents.
    bytes: usize,
}

impl VectorBuilder {
    pub fn with_capacity(rows: usize) -> VectorBuilder {
        VectorBuilder { data: None, validity: Bitmap::with_capacity(rows), nulls: 0, capacity: rows, bytes: 0 }
    }

    pub fn len(&self) -> usize {
        self.validity.len()
    }

    pub fn push(&mut self, value: Value<'_>) {
        if matches!(value, Value::Null) {
            self.nulls += 1;
            self.validity.push(false);
            return match &mut self.data {
                None => {}
                Some(data) => push_zero(data),
            };
        }
        if self.data.is_none() {
            let mut data = empty_like(&value, self.capacity.max(self.validity.len() + 1));
            (0..self.validity.len()).for_each(|_| push_zero(&mut data));
            self.data = Some(data);
        }
        let data = self.data.as_mut().unwrap_or_else(|| unreachable!());
        match (&mut *data, value) {
            (Data::Int(v), Value::Int(x)) => v.push(x),
            (Data::UInt(v), Value::UInt(x)) => v.push(x),
            (Data::Float(v), Value::Float(x)) => v.push(x),
            (Data::Double(v), Value::Double(x)) => v.push(x),
            (Data::Decimal(v), Value::Decimal(x)) => v.push(x),
            (Data::Date(v), Value::Date(x)) => v.push(x),
            (Data::DateTime(v), Value::DateTime(x)) => v.push(x),
            (Data::Time(v), Value::Time(x)) => v.push(x),
            (Data::Text(v), Value::Text(x)) => {
                self.bytes += x.len();
                v.push(x.as_bytes());
            }
            (Data::Bytes(v), Value::Bytes(x)) => {
                self.bytes += x.len();
                v.push(&x);
            }
            (Data::Values(v), x) => {
                self.bytes += bytes_of(&x);
                v.push(x.into_owned());
            }
            (_, x) => {
                self.demote();
                if let Some(Data::Values(v)) = &mut self.data {
                    v.push(x.into_owned());
                }
            }
        }
        self.validity.push(true);
    }

    /// Bytes of the texts and documents, more or less.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Turns what is there into boxed values: the column has values of more than one kind.
    fn demote(&mut self) {
        if let Some(data) = self.data.take() {
            let vector = Vector { data, validity: Some(self.validity.clone()) };
            let values = (0..self.validity.len()).map(|row| vector.value(row).into_owned()).collect();
            self.data = Some(Data::Values(values));
        }
    }

    pub fn finish(self) -> Vector {
        match self.data {
            None => Vector::nulls(self.validity.len()),
            Some(data @ Data::Values(_)) => Vector::new(data),
            Some(data) if self.nulls == 0 => Vector::new(data),
            Some(data) => Vector { data, validity: Some(self.validity) },
        }
    }
}

fn empty_like(value: &Value<'_>, capacity: usize) -> Data {
    match value {
        Value::Int(_) => Data::Int(Vec::with_capacity(capacity)),
        Value::UInt(_) => Data::UInt(Vec::with_capacity(capacity)),
        Value::Float(_) => Data::Float(Vec::with_capacity(capacity)),
        Value::Double(_) => Data::Double(Vec::with_capacity(capacity)),
        Value::Decimal(_) => Data::Decimal(Vec::with_capacity(capacity)),
        Value::Date(_) => Data::Date(Vec::with_capacity(capacity)),
        Value::DateTime(_) => Data::DateTime(Vec::with_capacity(capacity)),
        Value::Time(_) => Data::Time(Vec::with_capacity(capacity)),
        Value::Text(_) => Data::Text(Views::with_capacity(capacity)),
        Value::Bytes(_) => Data::Bytes(Views::with_capacity(capacity)),
        _ => Data::Values(Vec::with_capacity(capacity)),
    }
}

/// Bytes of a damaged file that are no UTF-8 are replaced; that way looks at each byte by itself, the usual one at words of them.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    core::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Approximate memory of a value: large documents are sampled.
pub fn bytes_of(value: &Value<'_>) -> usize {
    fn sampled<'j>(parts: impl ExactSizeIterator<Item = (usize, &'j Json)>, left: &mut usize) -> usize {
        let (count, mut seen, mut bytes) = (parts.len(), 0, 0);
        for (name, part) in parts.take(SAMPLED_PARTS) {
            if *left == 0 {
                break;
            }
            *left -= 1;
            seen += 1;
            bytes += name + size_of::<Json>() + of_document(part, left);
        }
        bytes.saturating_mul(count).checked_div(seen).unwrap_or(count * size_of::<Json>())
    }
    fn of_document(json: &Json, left: &mut usize) -> usize {
        match json {
            Json::String(text) => text.len(),
            Json::Array(parts) => sampled(parts.iter().map(|part| (0, part)), left),
            Json::Object(members) => sampled(members.iter().map(|(name, part)| (name.len(), part)), left),
            _ => 0,
        }
    }
    match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) | Value::Geometry(bytes) => bytes.len(),
        Value::Json(document) => match document.text() {
            Some(text) => text.len(),
            None => of_document(document, &mut { SAMPLED_PARTS_ALL }),
        },
        _ => 0,
    }
}

/// Sampled members of a document, and of each of its arrays or objects.
const SAMPLED_PARTS_ALL: usize = 64;
const SAMPLED_PARTS: usize = 8;

/// Fills the slot of a NULL row.
fn push_zero(data: &mut Data) {
    match data {
        Data::Null(rows) => *rows += 1,
        Data::Int(v) => v.push(0),
        Data::UInt(v) => v.push(0),
        Data::Float(v) => v.push(0.0),
        Data::Double(v) => v.push(0.0),
        Data::Decimal(v) => v.push(Decimal::ZERO),
        Data::Date(v) => v.push(Date::ZERO),
        Data::DateTime(v) => v.push(DateTime::ZERO),
        Data::Time(v) => v.push(Time::ZERO),
        Data::Text(v) | Data::Bytes(v) => v.push_view(View::default()),
        Data::Values(v) => v.push(Value::Null),
    }
}
