//! `key_len` of EXPLAIN: the bytes that MySQL's keys have for the used columns of an index.

use value::SqlType;

use crate::catalog::Relation;

/// Of the first `parts` columns of an index of a relation; `None` for types that no such key has.
pub fn key_length(relation: &dyn Relation, columns: &[usize], parts: usize) -> Option<u64> {
    let lengths = columns.iter().take(parts).map(|&position| {
        let ty = &relation.columns()[position].ty;
        Some(length(&ty.sql)? + u64::from(ty.nullable))
    });
    lengths.sum()
}

/// Digits of a decimal number that do not fill four bytes take so many.
const BYTES_OF_DIGITS: [u64; 9] = [0, 1, 1, 2, 2, 3, 3, 4, 4];

fn length(ty: &SqlType) -> Option<u64> {
    let characters = |length: u32| {
        let width = ty.collation().map_or(1, |collation| u64::from(collation.charset().character_bytes_max()));
        u64::from(length) * width
    };
    let digits = |digits: u8| u64::from(digits / 9) * 4 + BYTES_OF_DIGITS[usize::from(digits % 9)];
    let fraction = |decimals: u8| u64::from(decimals.div_ceil(2));
    Some(match ty {
        SqlType::Integer(integer) => u64::from(integer.width.bits() / 8),
        SqlType::Float => 4,
        SqlType::Double => 8,
        SqlType::Decimal { precision, scale } => digits(precision.saturating_sub(*scale)) + digits(*scale),
        SqlType::Bit(bits) => u64::from(bits.div_ceil(8)),
        SqlType::Year => 1,
        SqlType::Date => 3,
        SqlType::Time => 3 + fraction(6),
        SqlType::DateTime { decimals } => 5 + fraction(*decimals),
        SqlType::Timestamp { decimals } => 4 + fraction(*decimals),
        SqlType::Char { length, .. } => characters(*length),
        SqlType::VarChar { length, .. } => characters(*length) + 2,
        SqlType::Binary { length } => u64::from(*length),
        SqlType::VarBinary { length } => u64::from(*length) + 2,
        SqlType::Enum(kind) => {
            if kind.members.len() < 256 {
                1
            } else {
                2
            }
        }
        SqlType::Set(kind) => match kind.members.len().div_ceil(8) as u64 {
            5.. => 8,
            bytes => bytes,
        },
        _ => return None,
    })
}
