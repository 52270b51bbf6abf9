//! Result pages: the wire format, one writer.
//!
//! A page holds a batch in Arrow's physical layout: little endian, every buffer 8-byte aligned, offsets from the
//! page's first byte. `web/src/client/wire/page.ts` reads it.
//!
//! Header, columns, flags and numbers are in [`layout`], from which `web/src/protocol/engine_layout.ts` is made.

mod layout;
pub(crate) mod row;

use std::rc::Rc;

use value::{Date, DateTime, SqlType, Time, Value};

use crate::batch::Batch;
use crate::expr::{ExprType, to_double};
use crate::vector::{Data, Vector, Views};

pub use layout::{
    ALL_ASCII, COLUMN_BYTES, HAS_NULLS, HEADER_BYTES, IS_NULLABLE, IS_PRIMARY_KEY, IS_UNSIGNED, Kind, Layout, MAGIC,
    PageColumn, PageHeader,
};

/// A column of a result, as the header describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultColumn {
    pub name: Rc<str>,
    pub ty: SqlType,
    pub nullable: bool,
    pub primary: bool,
    /// Where the column comes from; empty for expressions.
    pub database: Rc<str>,
    pub table: Rc<str>,
    pub original: Rc<str>,
    /// As what a table or a view that is made of the query has it, if not as what the values are: [`ResultColumn::declaration`].
    pub declared: Option<Rc<ExprType>>,
    /// The default of the stored column that it is, which a table or a view that is made of the query takes over.
    pub default: Option<Rc<str>>,
}

impl ResultColumn {
    pub fn new(name: &str, ty: SqlType) -> ResultColumn {
        let empty: Rc<str> = "".into();
        ResultColumn {
            name: name.into(),
            ty,
            nullable: true,
            primary: false,
            database: empty.clone(),
            table: empty.clone(),
            original: empty,
            declared: None,
            default: None,
        }
    }

    /// The type that a column of a table or a view has which is made of this one, and whether it takes NULL.
    pub fn declaration(&self) -> (&SqlType, bool) {
        match &self.declared {
            Some(declared) => (&declared.sql, declared.nullable),
            None => (&self.ty, self.nullable),
        }
    }
}

pub fn layout_of(ty: &SqlType) -> (Layout, Kind) {
    match ty {
        SqlType::Null => (Layout::Null, Kind::Null),
        SqlType::Integer(kind) => match (kind.width, kind.unsigned) {
            (value::IntegerWidth::Big, false) => (Layout::I64, Kind::Int),
            (value::IntegerWidth::Big, true) => (Layout::U64, Kind::Int),
            (value::IntegerWidth::Int, true) => (Layout::U32, Kind::Int),
            _ => (Layout::I32, Kind::Int),
        },
        SqlType::Float => (Layout::F32, Kind::Float),
        SqlType::Double => (Layout::F64, Kind::Float),
        SqlType::Decimal { .. } => (Layout::Text, Kind::Decimal),
        SqlType::Bit(_) => (Layout::Binary, Kind::Bit),
        SqlType::Year => (Layout::I32, Kind::Year),
        SqlType::Date => (Layout::Text, Kind::Date),
        SqlType::Time => (Layout::Text, Kind::Time),
        SqlType::DateTime { .. } | SqlType::Timestamp { .. } => (Layout::Text, Kind::DateTime),
        SqlType::Char { .. } | SqlType::VarChar { .. } | SqlType::Text { .. } => (Layout::Text, Kind::Text),
        SqlType::Binary { .. } | SqlType::VarBinary { .. } | SqlType::Blob { .. } => (Layout::Binary, Kind::Binary),
        SqlType::Enum(_) => (Layout::Text, Kind::Enum),
        SqlType::Set(_) => (Layout::Text, Kind::Set),
        SqlType::Json => (Layout::Text, Kind::Json),
        SqlType::Geometry { .. } => (Layout::Binary, Kind::Geometry),
        SqlType::Vector { .. } => (Layout::Binary, Kind::Vector),
    }
}

/// Writes the header of a result: the columns, once, before the first page.
pub fn write_header(columns: &[ResultColumn], out: &mut Vec<u8>) {
    fn text(text: &str, out: &mut Vec<u8>) {
        // A name longer than 64 KiB is cut at a character.
        let mut end = text.len().min(usize::from(u16::MAX));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        out.extend_from_slice(&(end as u16).to_le_bytes());
        out.extend_from_slice(&text.as_bytes()[..end]);
    }
    out.extend_from_slice(&(columns.len() as u32).to_le_bytes());
    for column in columns {
        let (layout, kind) = layout_of(&column.ty);
        text(&column.name, out);
        text(&column.ty.to_string(), out);
        let decimals = match &column.ty {
            SqlType::Decimal { scale, .. } => *scale,
            SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => *decimals,
            SqlType::Time => 6,
            _ => 0,
        };
        let flag = |bit: u8, is_set: bool| if is_set { bit } else { 0 };
        let flags = flag(IS_NULLABLE, column.nullable)
            | flag(IS_UNSIGNED, column.ty.is_unsigned())
            | flag(IS_PRIMARY_KEY, column.primary);
        out.extend_from_slice(&[layout as u8, kind as u8, flags, decimals]);
        text(&column.database, out);
        text(&column.table, out);
        text(&column.original, out);
    }
}

/// Writes one page, replacing what `out` held.
pub fn write(batch: &Batch, columns: &[ResultColumn], out: &mut Vec<u8>) {
    out.clear();
    let header = PageHeader { magic: MAGIC, rows: batch.rows as u32, columns: columns.len() as u32, length: 0 };
    out.extend_from_slice(&header.to_bytes());
    out.resize(HEADER_BYTES + COLUMN_BYTES * columns.len(), 0);
    for (i, (vector, column)) in batch.columns.iter().zip(columns).enumerate() {
        let entry = ColumnWriter { out, rows: batch.rows }.write(vector, column);
        let at = HEADER_BYTES + COLUMN_BYTES * i;
        out[at..at + COLUMN_BYTES].copy_from_slice(&entry.to_bytes());
    }
    align(out);
    let header = PageHeader { length: out.len() as u32, ..header };
    out[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
}

fn align(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(8), 0);
}

struct ColumnWriter<'a> {
    out: &'a mut Vec<u8>,
    rows: usize,
}

impl ColumnWriter<'_> {
    fn write(mut self, vector: &Vector, column: &ResultColumn) -> PageColumn {
        let (layout, _) = layout_of(&column.ty);
        let has_nulls = vector.has_nulls();
        if matches!(vector.data, Data::Null(_)) || layout == Layout::Null {
            return PageColumn { layout: Layout::Null as u8, ..PageColumn::default() };
        }
        let mut validity = 0;
        if has_nulls {
            validity = self.begin();
            self.write_validity(vector);
        }
        let mut entry = match layout {
            Layout::Text | Layout::Binary => self.write_variable(vector, layout, &column.ty),
            _ => self.write_fixed(vector, layout),
        };
        entry.validity = validity;
        entry.flags |= if has_nulls { HAS_NULLS } else { 0 };
        entry
    }

    /// The next place that a buffer may begin at.
    fn begin(&mut self) -> u32 {
        align(self.out);
        self.out.len() as u32
    }

    fn write_validity(&mut self, vector: &Vector) {
        for start in (0..self.rows).step_by(8) {
            let bits = (start..(start + 8).min(self.rows)).filter(|&row| !vector.is_null(row));
            self.out.push(bits.fold(0, |byte, row| byte | 1 << (row - start)));
        }
    }

    fn write_fixed(&mut self, vector: &Vector, layout: Layout) -> PageColumn {
        let data = self.begin();
        let out = &mut *self.out;
        match (layout, &vector.data) {
            (Layout::I32, Data::Int(values)) => push_all(values, |v| (v as i32).to_le_bytes(), out),
            (Layout::I64, Data::Int(values)) => push_all(values, i64::to_le_bytes, out),
            (Layout::U32, Data::UInt(values)) => push_all(values, |v| (v as u32).to_le_bytes(), out),
            (Layout::U64, Data::UInt(values)) => push_all(values, u64::to_le_bytes, out),
            (Layout::F64, Data::Double(values)) => push_all(values, f64::to_le_bytes, out),
            (Layout::F32, Data::Float(values)) => push_all(values, f32::to_le_bytes, out),
            _ => (0..self.rows).for_each(|row| push_number(&vector.value(row), layout, out)),
        }
        let data_bytes = self.out.len() as u32 - data;
        PageColumn { layout: layout as u8, data, data_bytes, ..PageColumn::default() }
    }

    fn write_variable(&mut self, vector: &Vector, layout: Layout, ty: &SqlType) -> PageColumn {
        let offsets = self.begin();
        self.out.resize(self.out.len() + 4 * (self.rows + 1), 0);
        let data = self.begin();
        match &vector.data {
            Data::Text(views) | Data::Bytes(views) => self.write_views(vector, views, offsets as usize),
            Data::Values(values) => self.write_each(vector, offsets, data, |row, out| {
                push_text(&values[row], ty, layout, out);
            }),
            Data::Decimal(values) => self.write_each(vector, offsets, data, |row, out| values[row].push_text(out)),
            Data::Date(values) => self.write_each(vector, offsets, data, |row, out| push_date(values[row], out)),
            Data::DateTime(values) => {
                self.write_each(vector, offsets, data, |row, out| push_moment(values[row], ty, out));
            }
            Data::Time(values) => self.write_each(vector, offsets, data, |row, out| push_time(values[row], out)),
            _ => self.write_each(vector, offsets, data, |row, out| push_text(&vector.value(row), ty, layout, out)),
        }
        let data_bytes = self.out.len() as u32 - data;
        let mut entry = PageColumn { layout: layout as u8, offsets, data, data_bytes, ..PageColumn::default() };
        if layout == Layout::Text {
            if is_ascii(&self.out[data as usize..]) {
                entry.flags |= ALL_ASCII;
            } else {
                entry.utf16 = self.write_utf16_offsets(offsets as usize, data as usize);
            }
        }
        entry
    }

    /// Values that `push` writes, and where each ends.
    fn write_each(&mut self, vector: &Vector, offsets: u32, data: u32, push: impl Fn(usize, &mut Vec<u8>)) {
        for row in 0..self.rows {
            if !vector.is_null(row) {
                push(row, self.out);
            }
            let end = self.out.len() as u32 - data;
            let at = offsets as usize + 4 * (row + 1);
            self.out[at..at + 4].copy_from_slice(&end.to_le_bytes());
        }
    }

    /// Values that lie elsewhere, in one go.
    fn write_views(&mut self, vector: &Vector, views: &Views, offsets: usize) {
        let (mut end, has_nulls) = (0, vector.has_nulls());
        let ends = self.out[offsets + 4..].chunks_exact_mut(4);
        for (row, (place, length)) in ends.zip(views.lengths()).enumerate() {
            end += if has_nulls && vector.is_null(row) { 0 } else { length };
            place.copy_from_slice(&end.to_le_bytes());
        }
        let data = self.out.len();
        self.out.resize(data + end as usize, 0);
        let mut rest = &mut self.out[data..];
        views.for_each(|row, value| {
            if !has_nulls || !vector.is_null(row) {
                let (place, behind) = std::mem::take(&mut rest).split_at_mut(value.len());
                copy(value, place);
                rest = behind;
            }
        });
    }

    /// Where each value ends in UTF-16 units, for a client that decodes the whole column as one string.
    fn write_utf16_offsets(&mut self, offsets: usize, data: usize) -> u32 {
        let mut ends = Vec::with_capacity(4 * (self.rows + 1));
        let (mut units, mut start) = (0u32, data);
        ends.extend_from_slice(&units.to_le_bytes());
        for row in 1..=self.rows {
            let at = offsets + 4 * row;
            let end = data + u32::from_le_bytes(self.out[at..at + 4].try_into().unwrap_or_default()) as usize;
            // A lead byte is one unit, a lead byte of four bytes two.
            units +=
                self.out[start..end].iter().map(|b| u32::from(b & 0xc0 != 0x80) + u32::from(*b >= 0xf0)).sum::<u32>();
            ends.extend_from_slice(&units.to_le_bytes());
            start = end;
        }
        let at = self.begin();
        self.out.extend_from_slice(&ends);
        at
    }
}

/// Numbers of a fixed width, in one go.
fn push_all<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + N * values.len(), 0);
    let places = out[start..].as_chunks_mut().0;
    places.iter_mut().zip(values).for_each(|(place, value)| *place = bytes(*value));
}

/// Copies bytes to a place of the same length. For the lengths that most text has a call costs more than the copy.
#[inline]
fn copy(from: &[u8], to: &mut [u8]) {
    /// The first and the last bytes, which may overlap, in `N` steps of 16 bytes each.
    #[inline]
    fn ends<const N: usize>(from: &[u8], to: &mut [u8]) {
        // Written once, not at each step.
        let to = &mut to[..from.len()];
        let last = from.len() - 16;
        for step in 0..N {
            let (front, back) = (16 * step, last - 16 * step);
            to[front..front + 16].copy_from_slice(&from[front..front + 16]);
            to[back..back + 16].copy_from_slice(&from[back..back + 16]);
        }
    }
    match from.len() {
        16..32 => ends::<1>(from, to),
        32..64 => ends::<2>(from, to),
        64..128 => ends::<4>(from, to),
        _ => to.copy_from_slice(from),
    }
}

/// As the standard library's, 64 bytes at a time: that of WebAssembly looks at four.
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let (blocks, rest) = bytes.as_chunks::<64>();
    // By words: of a loop over bytes the compiler makes one.
    let bits_of = |block: &[u8; 64]| block.as_chunks().0.iter().fold(0, |bits, word| bits | u64::from_le_bytes(*word));
    blocks.iter().all(|block| bits_of(block) & HIGH_BITS == 0) && rest.is_ascii()
}

/// Two digits.
fn pair(number: u32) -> [u8; 2] {
    [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8]
}

/// `.789`: the first `digits` decimals of a second.
fn push_fraction(microsecond: u32, digits: usize, out: &mut Vec<u8>) {
    let [[a, b], [c, d], [e, f]] = [pair(microsecond / 10_000), pair(microsecond / 100), pair(microsecond)];
    out.extend_from_slice(&[b'.', a, b, c, d, e, f][..1 + digits]);
}

/// `2024-02-29`. Years below 1000 keep their zeros, which native Dolt's wire loses.
fn push_date(date: Date, out: &mut Vec<u8>) {
    let year = date.year() as u32;
    let [[a, b], [c, d]] = [pair(year / 100), pair(year)];
    let [[e, f], [g, h]] = [pair(u32::from(date.month())), pair(u32::from(date.day()))];
    out.extend_from_slice(&[a, b, c, d, b'-', e, f, b'-', g, h]);
}

/// `12:34:56`.
fn push_clock(hour: u32, minute: u8, second: u8, out: &mut Vec<u8>) {
    let [[a, b], [c, d], [e, f]] = [pair(hour), pair(u32::from(minute)), pair(u32::from(second))];
    out.extend_from_slice(&[a, b, b':', c, d, b':', e, f]);
}

/// `2024-02-29 12:34:56.789`, rounded to as many decimals as the column has; a date alone for a DATE.
fn push_moment(moment: DateTime, ty: &SqlType, out: &mut Vec<u8>) {
    let decimals = match ty {
        SqlType::Date => return push_date(moment.date(), out),
        SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => (*decimals).min(6),
        _ if moment.microsecond() == 0 => 0,
        _ => 6,
    };
    let moment = moment.round(decimals).unwrap_or(moment);
    let (microsecond, decimals) = (moment.microsecond(), usize::from(decimals));
    push_date(moment.date(), out);
    out.push(b' ');
    push_clock(u32::from(moment.hour()), moment.minute(), moment.second(), out);
    if decimals > 0 {
        push_fraction(microsecond, decimals, out);
    }
}

/// `-838:59:59.000000`: always six decimals, at least two digits of hours.
fn push_time(time: Time, out: &mut Vec<u8>) {
    if time.is_negative() {
        out.push(b'-');
    }
    let hours = u32::from(time.hours());
    if hours >= 100 {
        out.push(b'0' + (hours / 100) as u8);
    }
    push_clock(hours, time.minute(), time.second(), out);
    push_fraction(time.microsecond(), 6, out);
}

fn push_number(value: &Value<'_>, layout: Layout, out: &mut Vec<u8>) {
    let whole = match value {
        Value::Null => 0,
        Value::Int(n) => *n,
        Value::UInt(n) | Value::Bit(n) => *n as i64,
        Value::Year(year) => i64::from(*year),
        other => to_double(other) as i64,
    };
    match layout {
        Layout::F32 => {
            out.extend_from_slice(&(if value.is_null() { 0.0 } else { to_double(value) as f32 }).to_le_bytes())
        }
        Layout::F64 => out.extend_from_slice(&(if value.is_null() { 0.0 } else { to_double(value) }).to_le_bytes()),
        Layout::I64 | Layout::U64 => out.extend_from_slice(&whole.to_le_bytes()),
        _ => out.extend_from_slice(&(whole as i32).to_le_bytes()),
    }
}

fn push_text(value: &Value<'_>, ty: &SqlType, layout: Layout, out: &mut Vec<u8>) {
    match (layout, value) {
        (Layout::Binary, Value::Bit(bits) | Value::UInt(bits)) => {
            let bytes = match ty {
                SqlType::Bit(width) => usize::from(width.div_ceil(8)),
                _ => 8,
            };
            out.extend_from_slice(&bits.to_be_bytes()[8 - bytes.clamp(1, 8)..]);
        }
        (_, Value::Bytes(bytes) | Value::Geometry(bytes)) => out.extend_from_slice(bytes),
        (_, Value::Text(text)) => out.extend_from_slice(text.as_bytes()),
        (_, Value::Decimal(number)) => number.push_text(out),
        (_, Value::Date(date)) if *ty == SqlType::Date => push_date(*date, out),
        (_, Value::DateTime(moment)) => push_moment(*moment, ty, out),
        (_, Value::Time(time)) => push_time(*time, out),
        _ => out.extend_from_slice(&value::to_text(value, ty).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(push: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        push(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn moments_are_written_as_columns_show_them() {
        let moment = DateTime::from_microseconds(1_709_210_096_789_012).unwrap();
        for (decimals, wanted) in
            [(0, "2024-02-29 12:34:57"), (3, "2024-02-29 12:34:56.789"), (6, "2024-02-29 12:34:56.789012")]
        {
            assert_eq!(text(|out| push_moment(moment, &SqlType::DateTime { decimals }, out)), wanted);
        }
        assert_eq!(text(|out| push_date(Date::new(1, 2, 3).unwrap(), out)), "0001-02-03");
        assert_eq!(text(|out| push_date(Date::ZERO, out)), "0000-00-00");
    }

    #[test]
    fn times_have_six_decimals() {
        assert_eq!(text(|out| push_time(Time::from_microseconds(-1), out)), "-00:00:00.000001");
        assert_eq!(text(|out| push_time(Time::from_microseconds(3_020_399_000_000), out)), "838:59:59.000000");
    }
}
