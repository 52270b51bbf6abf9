//! Spill format: batches as bytes in temporary files, written and read by one process, so nothing is checked twice.

use codec::{Corrupt, Reader};
use value::{Date, DateTime, Decimal, Time, Value};

use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::vector::{Bitmap, Data, Vector, Views};

const NULL: u8 = 0;
const INT: u8 = 1;
const UINT: u8 = 2;
const FLOAT: u8 = 3;
const DOUBLE: u8 = 4;
const DECIMAL: u8 = 5;
const DATE: u8 = 6;
const DATE_TIME: u8 = 7;
const TIME: u8 = 8;
const TEXT: u8 = 9;
const BYTES: u8 = 10;
const VALUES: u8 = 11;
const YEAR: u8 = 12;
const BIT: u8 = 13;
const GEOMETRY: u8 = 14;
/// A value that stays in memory: members of ENUM and SET, which share their type, and documents.
const KEPT: u8 = 15;

/// Appends a batch. Values without an encoding go to `kept`.
pub fn write(batch: &Batch, kept: &mut Vec<Value<'static>>, out: &mut Vec<u8>) {
    out.extend_from_slice(&(batch.rows as u32).to_le_bytes());
    batch.columns.iter().for_each(|column| write_vector(column, kept, out));
}

fn write_vector(vector: &Vector, kept: &mut Vec<Value<'static>>, out: &mut Vec<u8>) {
    match &vector.data {
        Data::Null(_) => return out.push(NULL),
        Data::Int(values) => write_fixed(INT, values, i64::to_le_bytes, out),
        Data::UInt(values) => write_fixed(UINT, values, u64::to_le_bytes, out),
        Data::Float(values) => write_fixed(FLOAT, values, f32::to_le_bytes, out),
        Data::Double(values) => write_fixed(DOUBLE, values, f64::to_le_bytes, out),
        Data::Date(values) => write_fixed(DATE, values, |value| value.packed().to_le_bytes(), out),
        Data::DateTime(values) => write_fixed(DATE_TIME, values, |value| value.microseconds().to_le_bytes(), out),
        Data::Time(values) => write_fixed(TIME, values, |value| value.microseconds().to_le_bytes(), out),
        Data::Decimal(values) => {
            out.push(DECIMAL);
            values.iter().for_each(|value| write_decimal(value, out));
        }
        Data::Text(views) => write_views(TEXT, views, out),
        Data::Bytes(views) => write_views(BYTES, views, out),
        Data::Values(values) => {
            out.push(VALUES);
            return values.iter().for_each(|value| write_value(value, kept, out));
        }
    }
    let Some(validity) = &vector.validity else { return out.push(0) };
    out.push(1);
    validity.words().iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}

/// Values whose `bytes` are as many for each.
fn write_fixed<T: Copy, const BYTES: usize>(
    tag: u8,
    values: &[T],
    bytes: impl Fn(T) -> [u8; BYTES],
    out: &mut Vec<u8>,
) {
    out.push(tag);
    let start = out.len();
    out.resize(start + values.len() * BYTES, 0);
    let (places, _) = out[start..].as_chunks_mut();
    places.iter_mut().zip(values).for_each(|(place, value)| *place = bytes(*value));
}

fn write_views(tag: u8, views: &Views, out: &mut Vec<u8>) {
    out.push(tag);
    for row in 0..views.len() {
        out.extend_from_slice(&(views.get(row).len() as u32).to_le_bytes());
    }
    (0..views.len()).for_each(|row| out.extend_from_slice(views.get(row)));
}

fn write_decimal(value: &Decimal, out: &mut Vec<u8>) {
    let start = out.len();
    out.push(0);
    value.encode(out);
    // A decimal has 65 digits at most, which are far fewer than 255 bytes.
    out[start] = (out.len() - start - 1) as u8;
}

fn write_bytes(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn write_value(value: &Value<'_>, kept: &mut Vec<Value<'static>>, out: &mut Vec<u8>) {
    let mut number = |tag: u8, bytes: &[u8]| {
        out.push(tag);
        out.extend_from_slice(bytes);
    };
    match value {
        Value::Null => out.push(NULL),
        Value::Int(n) => number(INT, &n.to_le_bytes()),
        Value::UInt(n) => number(UINT, &n.to_le_bytes()),
        Value::Float(n) => number(FLOAT, &n.to_le_bytes()),
        Value::Double(n) => number(DOUBLE, &n.to_le_bytes()),
        Value::Date(date) => number(DATE, &date.packed().to_le_bytes()),
        Value::DateTime(moment) => number(DATE_TIME, &moment.microseconds().to_le_bytes()),
        Value::Time(time) => number(TIME, &time.microseconds().to_le_bytes()),
        Value::Year(year) => number(YEAR, &year.to_le_bytes()),
        Value::Bit(bits) => number(BIT, &bits.to_le_bytes()),
        Value::Decimal(decimal) => {
            out.push(DECIMAL);
            write_decimal(decimal, out);
        }
        Value::Text(text) => write_bytes(TEXT, text.as_bytes(), out),
        Value::Bytes(bytes) => write_bytes(BYTES, bytes, out),
        Value::Geometry(bytes) => write_bytes(GEOMETRY, bytes, out),
        Value::Enum(_) | Value::Set(_) | Value::Json(_) => {
            number(KEPT, &(kept.len() as u32).to_le_bytes());
            kept.push(value.clone().into_owned());
        }
    }
}

/// Reads a batch of `columns` columns.
pub fn read(bytes: &[u8], columns: usize, kept: &[Value<'static>]) -> Result<Batch> {
    let unreadable = |_: Corrupt| SqlError::internal("a temporary file cannot be read");
    let mut reader = Reader::new(bytes);
    let rows = u32::from_le_bytes(reader.array().map_err(unreadable)?) as usize;
    let columns = (0..columns).map(|_| Ok(read_vector(&mut reader, rows, kept).map_err(unreadable)?.into()));
    Ok(Batch { rows, columns: columns.collect::<Result<_>>()? })
}

fn read_vector(reader: &mut Reader<'_>, rows: usize, kept: &[Value<'static>]) -> core::result::Result<Vector, Corrupt> {
    macro_rules! fixed {
        ($number:ty, $value:expr) => {{
            let mut values = Vec::with_capacity(rows);
            for _ in 0..rows {
                values.push($value(<$number>::from_le_bytes(reader.array()?)));
            }
            values
        }};
    }
    let data = match reader.u8()? {
        NULL => return Ok(Vector::nulls(rows)),
        INT => Data::Int(fixed!(i64, |n| n)),
        UINT => Data::UInt(fixed!(u64, |n| n)),
        FLOAT => Data::Float(fixed!(f32, |n| n)),
        DOUBLE => Data::Double(fixed!(f64, |n| n)),
        DATE => Data::Date(fixed!(u32, date)),
        DATE_TIME => Data::DateTime(fixed!(i64, moment)),
        TIME => Data::Time(fixed!(i64, Time::from_microseconds)),
        DECIMAL => {
            let mut values = Vec::with_capacity(rows);
            for _ in 0..rows {
                values.push(read_decimal(reader)?);
            }
            Data::Decimal(values)
        }
        TEXT => Data::Text(read_views(reader, rows)?),
        BYTES => Data::Bytes(read_views(reader, rows)?),
        _ => {
            let mut values = Vec::with_capacity(rows);
            for _ in 0..rows {
                values.push(read_value(reader, kept)?);
            }
            return Ok(Vector::new(Data::Values(values)));
        }
    };
    if reader.u8()? == 0 {
        return Ok(Vector::new(data));
    }
    let mut validity = Bitmap::with_capacity(rows);
    for start in (0..rows).step_by(64) {
        let word = u64::from_le_bytes(reader.array()?);
        (start..(start + 64).min(rows)).for_each(|row| validity.push(word >> (row - start) & 1 == 1));
    }
    Ok(Vector { data, validity: Some(validity) })
}

fn read_views(reader: &mut Reader<'_>, rows: usize) -> core::result::Result<Views, Corrupt> {
    let mut lengths = Vec::with_capacity(rows);
    for _ in 0..rows {
        lengths.push(u32::from_le_bytes(reader.array()?));
    }
    let total = lengths.iter().map(|length| *length as usize).sum();
    Ok(Views::of_owned(reader.take(total)?.to_vec(), &lengths))
}

fn read_decimal(reader: &mut Reader<'_>) -> core::result::Result<Decimal, Corrupt> {
    let length = reader.u8()?;
    Ok(Decimal::decode(reader.take(usize::from(length))?).unwrap_or(Decimal::ZERO))
}

fn date(packed: u32) -> Date {
    Date::from_packed(packed).unwrap_or(Date::ZERO)
}

fn moment(microseconds: i64) -> DateTime {
    DateTime::from_microseconds(microseconds).unwrap_or(DateTime::ZERO)
}

fn read_value(reader: &mut Reader<'_>, kept: &[Value<'static>]) -> core::result::Result<Value<'static>, Corrupt> {
    fn counted(reader: &mut Reader<'_>) -> core::result::Result<Vec<u8>, Corrupt> {
        let length = u32::from_le_bytes(reader.array()?);
        Ok(reader.take(length as usize)?.to_vec())
    }
    Ok(match reader.u8()? {
        INT => Value::Int(i64::from_le_bytes(reader.array()?)),
        UINT => Value::UInt(u64::from_le_bytes(reader.array()?)),
        FLOAT => Value::Float(f32::from_le_bytes(reader.array()?)),
        DOUBLE => Value::Double(f64::from_le_bytes(reader.array()?)),
        DATE => Value::Date(date(u32::from_le_bytes(reader.array()?))),
        DATE_TIME => Value::DateTime(moment(i64::from_le_bytes(reader.array()?))),
        TIME => Value::Time(Time::from_microseconds(i64::from_le_bytes(reader.array()?))),
        YEAR => Value::Year(u16::from_le_bytes(reader.array()?)),
        BIT => Value::Bit(u64::from_le_bytes(reader.array()?)),
        DECIMAL => Value::Decimal(read_decimal(reader)?),
        TEXT => Value::text(String::from_utf8_lossy(&counted(reader)?).into_owned()),
        BYTES => Value::bytes(counted(reader)?),
        GEOMETRY => Value::Geometry(counted(reader)?.into()),
        KEPT => {
            let at = u32::from_le_bytes(reader.array()?) as usize;
            kept.get(at).cloned().unwrap_or(Value::Null)
        }
        _ => Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::vector::VectorBuilder;

    fn column(values: &[Value<'static>]) -> Rc<Vector> {
        let mut builder = VectorBuilder::default();
        values.iter().for_each(|value| builder.push(value.clone()));
        Rc::new(builder.finish())
    }

    #[test]
    fn batches_read_back_as_they_were_written() {
        let values = [
            [Value::Int(-5), Value::Null, Value::Int(i64::MAX)],
            [Value::UInt(u64::MAX), Value::UInt(0), Value::UInt(7)],
            [Value::Null, Value::Null, Value::Null],
            [Value::Double(-0.5), Value::Double(f64::MAX), Value::Null],
            [Value::Float(1.5), Value::Float(0.0), Value::Float(-2.0)],
            [Value::text("häh"), Value::text(""), Value::Null],
            [Value::bytes(vec![0, 255]), Value::Null, Value::bytes(vec![])],
            [Value::Decimal(Decimal::new(-12345, 2)), Value::Null, Value::Decimal(Decimal::ZERO)],
            [Value::Date(Date::new(2024, 2, 29).unwrap()), Value::Date(Date::ZERO), Value::Null],
            [Value::DateTime(DateTime::from_microseconds(1_700_000_000_000_001).unwrap()), Value::Null, Value::Null],
            [Value::Time(Time::from_microseconds(-1)), Value::Null, Value::Time(Time::ZERO)],
            [Value::Year(2024), Value::Null, Value::Year(0)],
            [Value::Bit(5), Value::text("mixed"), Value::Int(1)],
        ];
        let batch = Batch::new(3, values.iter().map(|values| column(values)).collect());
        let (mut kept, mut bytes) = (Vec::new(), Vec::new());
        write(&batch, &mut kept, &mut bytes);
        let back = read(&bytes, values.len(), &kept).unwrap();
        for row in 0..3 {
            assert_eq!(format!("{:?}", back.row(row)), format!("{:?}", batch.row(row)));
        }
        for cut in 0..bytes.len() {
            let _ = read(&bytes[..cut], values.len(), &kept);
        }
    }
}
