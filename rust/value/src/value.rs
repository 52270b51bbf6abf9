//! One SQL value.

use std::borrow::Cow;
use std::rc::Rc;

use crate::decimal::Decimal;
use crate::json::{Document, Json};
use crate::members::{EnumValue, SetValue};
use crate::temporal::{Date, DateTime, Time};

/// One SQL value. It borrows from a chunk where it can; [`Value::into_owned`] frees it from there.
///
/// TINYINT to BIGINT are all [`Value::Int`] or [`Value::UInt`]: the width belongs to the type, not to the value.
/// BOOLEAN is an integer. VECTOR is [`Value::Bytes`] of little-endian `f32`.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    Null,
    Int(i64),
    UInt(u64),
    Float(f32),
    Double(f64),
    Decimal(Decimal),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Date(Date),
    /// DATETIME and TIMESTAMP.
    DateTime(DateTime),
    Time(Time),
    /// 0 or 1901 to 2155.
    Year(u16),
    Enum(EnumValue),
    Set(SetValue),
    Bit(u64),
    Json(Rc<Document>),
    /// EWKB: u32 SRID little-endian, then WKB.
    Geometry(Cow<'a, [u8]>),
}

const _: () = assert!(size_of::<Value<'static>>() <= 40);

impl<'a> Value<'a> {
    /// A value that borrows nothing.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Int(number) => Value::Int(number),
            Value::UInt(number) => Value::UInt(number),
            Value::Float(number) => Value::Float(number),
            Value::Double(number) => Value::Double(number),
            Value::Decimal(number) => Value::Decimal(number),
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Bytes(bytes) => Value::Bytes(Cow::Owned(bytes.into_owned())),
            Value::Date(date) => Value::Date(date),
            Value::DateTime(moment) => Value::DateTime(moment),
            Value::Time(time) => Value::Time(time),
            Value::Year(year) => Value::Year(year),
            Value::Enum(member) => Value::Enum(member),
            Value::Set(members) => Value::Set(members),
            Value::Bit(bits) => Value::Bit(bits),
            Value::Json(json) => Value::Json(json),
            Value::Geometry(bytes) => Value::Geometry(Cow::Owned(bytes.into_owned())),
        }
    }

    /// The same value, borrowing text and bytes from `self`.
    pub fn borrowed(&self) -> Value<'_> {
        match self {
            Value::Text(text) => Value::Text(Cow::Borrowed(text)),
            Value::Bytes(bytes) => Value::Bytes(Cow::Borrowed(bytes)),
            Value::Geometry(bytes) => Value::Geometry(Cow::Borrowed(bytes)),
            other => other.clone(),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    pub fn text(text: impl Into<Cow<'a, str>>) -> Value<'a> {
        Value::Text(text.into())
    }

    pub fn bytes(bytes: impl Into<Cow<'a, [u8]>>) -> Value<'a> {
        Value::Bytes(bytes.into())
    }

    pub fn json(json: Json) -> Value<'static> {
        Value::Json(Rc::new(json.into()))
    }

    /// 1 or 0.
    pub fn boolean(truth: bool) -> Value<'static> {
        Value::Int(i64::from(truth))
    }

    /// The name of the family, for messages.
    pub fn family(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Int(_) => "bigint",
            Value::UInt(_) => "bigint unsigned",
            Value::Float(_) => "float",
            Value::Double(_) => "double",
            Value::Decimal(_) => "decimal",
            Value::Text(_) => "text",
            Value::Bytes(_) => "blob",
            Value::Date(_) => "date",
            Value::DateTime(_) => "datetime",
            Value::Time(_) => "time",
            Value::Year(_) => "year",
            Value::Enum(_) => "enum",
            Value::Set(_) => "set",
            Value::Bit(_) => "bit",
            Value::Json(_) => "json",
            Value::Geometry(_) => "geometry",
        }
    }
}
