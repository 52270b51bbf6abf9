//! Encodes SQL values as fields; the inverse of `field.rs` (docs/format/tree.md, section 6).

use value::Value;

use crate::tuple::{Encoding, FieldType};
use crate::{TreeError, TreeReason};

/// Appends the bytes of a field that holds `value`; appends nothing for NULL. The value must already have the field's type
/// (`value::assign`). Text, binary and geometry in adaptive encodings are written inline.
///
/// # Errors
/// [`TreeReason::UnsupportedEncoding`] for encodings that hold an address, JSON and those of Doltgres;
/// [`TreeReason::Corrupt`] for a value of another type.
pub fn encode(kind: &FieldType, value: &Value<'_>, into: &mut Vec<u8>) -> Result<(), TreeError> {
    let unsupported = || TreeReason::UnsupportedEncoding { encoding: kind.encoding.id() }.into();
    let whole = |value: &Value<'_>| match value {
        Value::Int(number) => Some(*number as u64),
        Value::UInt(number) | Value::Bit(number) => Some(*number),
        _ => None,
    };
    let mismatch = || TreeError::corrupt("value", "is not of the field's type", 0);
    match (kind.encoding, value) {
        (_, Value::Null) => {}
        (Encoding::Int8 | Encoding::Uint8, value) => into.push(whole(value).ok_or_else(mismatch)? as u8),
        (Encoding::Int16 | Encoding::Uint16, value) => {
            into.extend_from_slice(&(whole(value).ok_or_else(mismatch)? as u16).to_le_bytes());
        }
        (Encoding::Int32 | Encoding::Uint32, value) => {
            into.extend_from_slice(&(whole(value).ok_or_else(mismatch)? as u32).to_le_bytes());
        }
        (Encoding::Int64 | Encoding::Uint64 | Encoding::Bit64, value) => {
            into.extend_from_slice(&whole(value).ok_or_else(mismatch)?.to_le_bytes());
        }
        (Encoding::Float32, Value::Float(number)) => into.extend_from_slice(&number.to_le_bytes()),
        (Encoding::Float64, Value::Double(number)) => into.extend_from_slice(&number.to_le_bytes()),
        (Encoding::Decimal, Value::Decimal(number)) => number.encode(into),
        (Encoding::Year, Value::Year(0)) => into.push(255),
        (Encoding::Year, Value::Year(year)) => into.push((year - 1901) as u8),
        (Encoding::Date, Value::Date(date)) => into.extend_from_slice(&date.packed().to_le_bytes()),
        (Encoding::Time, Value::Time(time)) => into.extend_from_slice(&time.microseconds().to_le_bytes()),
        (Encoding::Datetime, Value::DateTime(moment)) => into.extend_from_slice(&moment.microseconds().to_le_bytes()),
        (Encoding::Enum, Value::Enum(member)) => into.extend_from_slice(&member.index.to_le_bytes()),
        (Encoding::Set, Value::Set(members)) => into.extend_from_slice(&members.bits.to_le_bytes()),
        (Encoding::Hash128 | Encoding::CommitAddr | Encoding::Cell, Value::Bytes(bytes)) => {
            into.extend_from_slice(bytes)
        }
        (Encoding::String, Value::Text(text)) => terminated(text.as_bytes(), into),
        (Encoding::Bytes, Value::Bytes(bytes)) | (Encoding::Geometry, Value::Geometry(bytes)) => {
            terminated(bytes, into)
        }
        (Encoding::StringAdaptive, Value::Text(text)) => inline(text.as_bytes(), into),
        (Encoding::BytesAdaptive, Value::Bytes(bytes)) | (Encoding::GeomAdaptive, Value::Geometry(bytes)) => {
            inline(bytes, into);
        }
        (encoding, _) if encoding.is_address() => return Err(unsupported()),
        (Encoding::Json | Encoding::JsonAdaptive | Encoding::Null, _) => return Err(unsupported()),
        (Encoding::Extended | Encoding::ExtendedAddr | Encoding::ExtendedAdaptive, _) => return Err(unsupported()),
        _ => return Err(mismatch()),
    }
    Ok(())
}

fn terminated(payload: &[u8], into: &mut Vec<u8>) {
    into.extend_from_slice(payload);
    into.push(0);
}

fn inline(payload: &[u8], into: &mut Vec<u8>) {
    into.push(0);
    into.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use value::{Date, Decimal, SqlType};

    use super::*;

    #[test]
    fn fields_read_back_as_they_were_written() {
        let nodes = crate::NodeStore::new(std::rc::Rc::new(store::MemoryChunks::default()), crate::Options::default());
        let cases: [(Encoding, &str, Value<'static>); 8] = [
            (Encoding::Int8, "tinyint", Value::Int(-128)),
            (Encoding::Uint32, "int unsigned", Value::UInt(u64::from(u32::MAX))),
            (Encoding::Int64, "bigint", Value::Int(i64::MIN)),
            (Encoding::Decimal, "decimal(10,2)", Value::Decimal(Decimal::new(-12345, 2))),
            (Encoding::Date, "date", Value::Date(Date::new(2024, 2, 29).unwrap())),
            (Encoding::Year, "year", Value::Year(2024)),
            (Encoding::String, "varchar(10)", Value::text("häh")),
            (Encoding::BytesAdaptive, "blob", Value::bytes(vec![0, 1, 2])),
        ];
        for (encoding, text, value) in cases {
            let kind = FieldType::new(encoding, true, text.parse::<SqlType>().unwrap());
            let mut field = Vec::new();
            encode(&kind, &value, &mut field).unwrap();
            let read = crate::tuple::decode(&nodes, &kind, Some(&field)).unwrap();
            assert_eq!(format!("{read:?}"), format!("{value:?}"));
        }
        let kind = FieldType::new(Encoding::Int8, true, SqlType::INT);
        assert!(encode(&kind, &Value::text("x"), &mut Vec::new()).is_err());
    }
}
