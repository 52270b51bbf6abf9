//! Vectors of 32-bit floats, as VECTOR columns hold them.

use crate::{Json, ValueError};

/// The most numbers a vector has.
const DIMENSIONS_MAX: usize = 16_383;

/// The numbers of a stored vector, four bytes each.
///
/// # Errors
/// [`ValueError::InvalidVector`] for another number of bytes.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<f32>, ValueError> {
    match bytes.as_chunks() {
        (numbers, []) => Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()),
        _ => Err(ValueError::InvalidVector),
    }
}

/// The bytes that a vector is stored in.
pub fn to_bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The numbers of a JSON array.
///
/// # Errors
/// [`ValueError::InvalidVector`] for any other document.
pub fn from_json(document: &Json) -> Result<Vec<f32>, ValueError> {
    let number = |item: &Json| match item {
        Json::Int(number) => Ok(*number as f32),
        Json::UInt(number) => Ok(*number as f32),
        Json::Double(number) => Ok(*number as f32),
        Json::Decimal(number) => Ok(number.to_f64() as f32),
        _ => Err(ValueError::InvalidVector),
    };
    match document {
        Json::Array(items) if items.len() <= DIMENSIONS_MAX => items.iter().map(number).collect(),
        _ => Err(ValueError::InvalidVector),
    }
}

/// The square of the distance between two vectors of the same dimensions.
pub fn distance_squared(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(l, r)| f64::from(l - r) * f64::from(l - r)).sum()
}

/// # Errors
/// [`ValueError::DifferentDimensions`].
pub fn same_dimensions(left: &[f32], right: &[f32]) -> Result<(), ValueError> {
    match left.len() == right.len() {
        true => Ok(()),
        false => Err(ValueError::DifferentDimensions { left: left.len(), right: right.len() }),
    }
}
