//! Type attributes of `information_schema`.

use value::{SqlType, Value};

/// The name of a type without its parameters.
pub fn data_type(ty: &SqlType) -> String {
    let text = ty.to_string();
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}

/// The longest value in characters and in bytes; NULL for types without length.
pub fn lengths(ty: &SqlType) -> (Value<'static>, Value<'static>) {
    let pair = |characters: u64, bytes: u64| (Value::Int(characters as i64), Value::Int(bytes as i64));
    let width = ty.collation().map_or(1, |collation| u64::from(collation.charset().character_bytes_max()));
    match ty {
        SqlType::Char { length, .. } | SqlType::VarChar { length, .. } => {
            pair(u64::from(*length), u64::from(*length) * width)
        }
        SqlType::Text { size, .. } => pair(size.bytes_max() / width, size.bytes_max()),
        SqlType::Binary { length } | SqlType::VarBinary { length } => pair(u64::from(*length), u64::from(*length)),
        SqlType::Blob { size } => pair(size.bytes_max(), size.bytes_max()),
        SqlType::Enum(kind) => {
            let longest = kind.members.iter().map(|member| member.chars().count()).max().unwrap_or(0) as u64;
            pair(longest, longest * width)
        }
        SqlType::Set(kind) => {
            // All members at once, with commas between them.
            let all: usize = kind.members.iter().map(|member| member.chars().count()).sum();
            let all = (all + kind.members.len().saturating_sub(1)) as u64;
            pair(all, all * width)
        }
        _ => (Value::Null, Value::Null),
    }
}

/// Digits, digits behind the point, and digits of a second.
pub fn numbers(ty: &SqlType) -> [Value<'static>; 3] {
    let precision =
        |digits: u64, scale: Option<u64>| [Value::UInt(digits), scale.map_or(Value::Null, Value::UInt), Value::Null];
    match ty {
        SqlType::Integer(integer) => {
            let digits = match (integer.width.bits(), integer.unsigned) {
                (8, _) => 3,
                (16, _) => 5,
                (24, _) => 7,
                (32, _) => 10,
                (_, false) => 19,
                (_, true) => 20,
            };
            precision(digits, Some(0))
        }
        SqlType::Decimal { precision: digits, scale } => precision(u64::from(*digits), Some(u64::from(*scale))),
        SqlType::Float => precision(12, None),
        SqlType::Double => precision(22, None),
        SqlType::Bit(bits) => precision(u64::from(*bits), None),
        SqlType::Date => [Value::Null, Value::Null, Value::UInt(0)],
        SqlType::Time => [Value::Null, Value::Null, Value::UInt(6)],
        SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => {
            [Value::Null, Value::Null, Value::UInt(u64::from(*decimals))]
        }
        _ => [Value::Null, Value::Null, Value::Null],
    }
}
