//! Comparison of two fields (docs/format/tree.md, sections 5.4 and 6).

use core::cmp::Ordering;

use value::{Collation, Decimal, Json};

use crate::tuple::payload::{bytes, text};
use crate::tuple::{Encoding, Stored};
use crate::{NodeStore, TreeError, TreeReason};

/// Compares fields of one encoding: NULL first, then by encoding; text by `collation`, by its bytes when `None`.
pub(crate) fn compare_fields(
    nodes: &NodeStore,
    encoding: Encoding,
    collation: Option<Collation>,
    left: Option<&[u8]>,
    right: Option<&[u8]>,
) -> Result<Ordering, TreeError> {
    match (left, right) {
        (None, None) => Ok(Ordering::Equal),
        (None, Some(_)) => Ok(Ordering::Less),
        (Some(_), None) => Ok(Ordering::Greater),
        (Some(left), Some(right)) if left == right => Ok(Ordering::Equal),
        (Some(left), Some(right)) => compare_values(nodes, encoding, collation, left, right),
    }
}

/// Reads a fixed number of bytes as a number and compares.
macro_rules! compare_as {
    ($left:ident, $right:ident, $ty:ty) => {
        Ok(<$ty>::from_le_bytes(bytes($left)?).cmp(&<$ty>::from_le_bytes(bytes($right)?)))
    };
}

fn compare_values(
    nodes: &NodeStore,
    encoding: Encoding,
    collation: Option<Collation>,
    left: &[u8],
    right: &[u8],
) -> Result<Ordering, TreeError> {
    match encoding {
        Encoding::Int8 => compare_as!(left, right, i8),
        Encoding::Uint8 => compare_as!(left, right, u8),
        Encoding::Int16 => compare_as!(left, right, i16),
        Encoding::Uint16 | Encoding::Enum => compare_as!(left, right, u16),
        Encoding::Int32 => compare_as!(left, right, i32),
        Encoding::Uint32 | Encoding::Date => compare_as!(left, right, u32),
        Encoding::Int64 | Encoding::Time | Encoding::Datetime => compare_as!(left, right, i64),
        Encoding::Uint64 | Encoding::Bit64 | Encoding::Set => compare_as!(left, right, u64),
        Encoding::Float32 => {
            Ok(compare_floats(f32::from_le_bytes(bytes(left)?).into(), f32::from_le_bytes(bytes(right)?).into()))
        }
        Encoding::Float64 => Ok(compare_floats(f64::from_le_bytes(bytes(left)?), f64::from_le_bytes(bytes(right)?))),
        // 255 is the year 0, the others count from 1901.
        Encoding::Year => {
            let [left] = bytes(left)?;
            let [right] = bytes(right)?;
            Ok(left.wrapping_add(1).cmp(&right.wrapping_add(1)))
        }
        Encoding::Null
        | Encoding::Hash128
        | Encoding::BytesAddr
        | Encoding::CommitAddr
        | Encoding::StringAddr
        | Encoding::JsonAddr
        | Encoding::Cell
        | Encoding::GeomAddr
        | Encoding::Json => Ok(left.cmp(right)),
        Encoding::String => Ok(compare_texts(without_last(left), without_last(right), collation)),
        Encoding::Bytes
        | Encoding::Geometry
        | Encoding::StringAdaptive
        | Encoding::BytesAdaptive
        | Encoding::GeomAdaptive => {
            let left = Stored::of(encoding, left)?.read(nodes)?;
            let right = Stored::of(encoding, right)?.read(nodes)?;
            Ok(compare_texts(&left, &right, collation))
        }
        Encoding::JsonAdaptive => {
            let parse = |field| Ok::<_, TreeError>(Json::parse(&text(Stored::of(encoding, field)?.read(nodes)?)?)?);
            Ok(parse(left)?.compare(&parse(right)?))
        }
        Encoding::Decimal => Ok(decimal(left)?.cmp(&decimal(right)?)),
        encoding => Err(TreeReason::UnsupportedEncoding { encoding: encoding.id() }.into()),
    }
}

/// A text without its terminator. In the tree of a full-text index texts lie as in the rows, without one: native Dolt takes their last
/// byte for it.
pub(crate) fn without_last(field: &[u8]) -> &[u8] {
    field.split_last().map_or(field, |(_, text)| text)
}

fn compare_texts(left: &[u8], right: &[u8], collation: Option<Collation>) -> Ordering {
    match collation {
        Some(collation) => collation.compare(left, right),
        None => left.cmp(right),
    }
}

/// Numeric order, −0 = +0; NaN, which SQL never stores, sorts by its bits.
fn compare_floats(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| left.total_cmp(&right))
}

fn decimal(field: &[u8]) -> Result<Decimal, TreeError> {
    Decimal::decode(field).ok_or_else(|| TreeError::corrupt("field", "is no decimal", 0))
}
