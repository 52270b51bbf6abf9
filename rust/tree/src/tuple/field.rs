//! Decodes fields to SQL values (docs/format/tree.md, section 6).

use std::borrow::Cow;
use std::rc::Rc;

use value::json::{Document, JsonParts};
use value::{Date, DateTime, Decimal, EnumValue, Json, SetValue, SqlType, Time, Value};

use crate::tuple::payload::{bytes, text};
use crate::tuple::{Encoding, FieldType, Stored};
use crate::{NodeStore, TreeError, TreeReason};

/// The number of a field, with as many digits after the point as its column has: native Dolt stores some without the noughts at
/// their end.
///
/// # Errors
/// [`TreeReason::Corrupt`] when it is none.
pub fn decode_decimal(kind: &FieldType, field: &[u8]) -> Result<Decimal, TreeError> {
    let number = Decimal::decode(field).ok_or_else(|| TreeError::corrupt("field", "is no decimal", 0))?;
    Ok(match kind.sql_type {
        SqlType::Decimal { scale, .. } if number.scale() < scale.into() => number.rescale(scale).unwrap_or(number),
        _ => number,
    })
}

/// The value of a field; NULL for `None`. Text and bytes in the tuple are borrowed, out-of-band ones are read now: use
/// [`Stored::of`] to put that off.
///
/// # Errors
/// [`TreeReason::Corrupt`] when the field has not the form of its encoding or its column's type;
/// [`TreeReason::UnsupportedEncoding`] for those of Doltgres; what is wrong with a blob.
pub fn decode<'a>(nodes: &NodeStore, kind: &FieldType, field: Option<&'a [u8]>) -> Result<Value<'a>, TreeError> {
    let Some(field) = field else { return Ok(Value::Null) };
    let corrupt = |what| TreeError::corrupt("field", what, 0);
    Ok(match kind.encoding {
        Encoding::Int8 => Value::Int(i8::from_le_bytes(bytes(field)?).into()),
        Encoding::Int16 => Value::Int(i16::from_le_bytes(bytes(field)?).into()),
        Encoding::Int32 => Value::Int(i32::from_le_bytes(bytes(field)?).into()),
        Encoding::Int64 => Value::Int(i64::from_le_bytes(bytes(field)?)),
        Encoding::Uint8 => Value::UInt(u8::from_le_bytes(bytes(field)?).into()),
        Encoding::Uint16 => Value::UInt(u16::from_le_bytes(bytes(field)?).into()),
        Encoding::Uint32 => Value::UInt(u32::from_le_bytes(bytes(field)?).into()),
        Encoding::Uint64 | Encoding::Bit64 => {
            let number = u64::from_le_bytes(bytes(field)?);
            match kind.sql_type {
                SqlType::Bit(_) => Value::Bit(number),
                _ => Value::UInt(number),
            }
        }
        Encoding::Float32 => Value::Float(f32::from_le_bytes(bytes(field)?)),
        Encoding::Float64 => Value::Double(f64::from_le_bytes(bytes(field)?)),
        Encoding::Decimal => Value::Decimal(decode_decimal(kind, field)?),
        Encoding::Year => match bytes(field)? {
            [255] => Value::Year(0),
            [since_1901] => Value::Year(1901 + u16::from(since_1901)),
        },
        Encoding::Date => {
            let packed = u32::from_le_bytes(bytes(field)?);
            Value::Date(Date::from_packed(packed).ok_or(corrupt("is no date"))?)
        }
        Encoding::Time => Value::Time(Time::from_microseconds(i64::from_le_bytes(bytes(field)?))),
        Encoding::Datetime => {
            let microseconds = i64::from_le_bytes(bytes(field)?);
            Value::DateTime(DateTime::from_microseconds(microseconds).ok_or(corrupt("is no date and time"))?)
        }
        Encoding::Enum => {
            let SqlType::Enum(members) = &kind.sql_type else { return Err(corrupt("its column is no ENUM")) };
            Value::Enum(EnumValue { index: u16::from_le_bytes(bytes(field)?), kind: members.clone() })
        }
        Encoding::Set => {
            let SqlType::Set(members) = &kind.sql_type else { return Err(corrupt("its column is no SET")) };
            Value::Set(SetValue { bits: u64::from_le_bytes(bytes(field)?), kind: members.clone() })
        }
        Encoding::Hash128 | Encoding::CommitAddr | Encoding::Cell => Value::Bytes(Cow::Borrowed(field)),
        Encoding::String | Encoding::StringAdaptive | Encoding::StringAddr => {
            Value::Text(text(Stored::of(kind.encoding, field)?.read(nodes)?)?)
        }
        Encoding::Bytes | Encoding::BytesAdaptive | Encoding::BytesAddr => {
            Value::Bytes(Stored::of(kind.encoding, field)?.read(nodes)?)
        }
        Encoding::Geometry | Encoding::GeomAdaptive | Encoding::GeomAddr => {
            Value::Geometry(Stored::of(kind.encoding, field)?.read(nodes)?)
        }
        Encoding::Json | Encoding::JsonAdaptive | Encoding::JsonAddr => {
            Value::Json(Rc::new(Document::of_stored(&document_text(nodes, kind, field)?)?))
        }
        Encoding::Null | Encoding::ExtendedAddr | Encoding::Extended | Encoding::ExtendedAdaptive => {
            return Err(TreeReason::UnsupportedEncoding { encoding: kind.encoding.id() }.into());
        }
    })
}

/// As [`decode`], of a document of which only some members are looked at.
///
/// # Errors
/// As [`decode`].
pub fn decode_parts(nodes: &NodeStore, kind: &FieldType, field: &[u8], parts: &JsonParts) -> Result<Json, TreeError> {
    Ok(Json::parse_parts(&document_text(nodes, kind, field)?, parts)?)
}

fn document_text<'a>(nodes: &NodeStore, kind: &FieldType, field: &'a [u8]) -> Result<Cow<'a, str>, TreeError> {
    text(Stored::of(kind.encoding, field)?.read(nodes)?)
}
