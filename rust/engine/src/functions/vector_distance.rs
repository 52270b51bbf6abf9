//! Vectors of 32-bit floats: text to vector and back, distances.

use value::vector::{self, distance_squared};
use value::{Json, Value, ValueError};

use super::argument::text_of;
use super::{Arguments, Entry, Function, Traits, result};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("distance", (3, 3), result::double, |a| match &*a.text(2)?.to_ascii_lowercase() {
        "l2_squared" => distance(a, distance_squared),
        "euclidean" | "l2" => distance(a, euclidean),
        "cosine" => distance(a, cosine),
        other => Err(SqlError::general(format!("unknown distance metric: {other}"))),
    })
    .about("vector, vector, metric", "The distance of two vectors by a metric"),
    Entry::new("from_vector", (1, 1), result::text, to_text)
        .about("vector", "The text of a vector")
        .also(&["vec_totext", "vector_to_string"]),
    Entry::new("to_vector", (1, 1), result::blob, from_text)
        .about("text", "The vector that a text names")
        .also(&["string_to_vector", "vec_fromtext"]),
    Entry::new("vec_distance", (2, 2), result::double, |a| distance(a, distance_squared))
        .with(Traits::SQUARED_DISTANCE)
        .about("vector, vector", "The squared Euclidean distance")
        .also(&["vec_distance_l2_squared"]),
    Entry::new("vec_distance_cosine", (2, 2), result::double, |a| distance(a, cosine))
        .about("vector, vector", "The cosine distance"),
    Entry::new("vec_distance_euclidean", (2, 2), result::double, |a| distance(a, euclidean))
        .about("vector, vector", "The Euclidean distance"),
];

/// The numbers of a vector: stored, as JSON, or as text.
///
/// # Errors
/// What is none.
pub fn numbers_of_vector(value: &Value<'_>) -> Result<Vec<f32>> {
    Ok(match value {
        Value::Bytes(bytes) => vector::from_bytes(bytes)?,
        Value::Json(document) => vector::from_json(document)?,
        other => {
            let document = Json::parse(&text_of(other)?).map_err(|_| ValueError::InvalidVector)?;
            vector::from_json(&document)?
        }
    })
}

fn from_text(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(Value::bytes(vector::to_bytes(&numbers_of_vector(a.get(0))?)))
}

fn to_text(a: &Arguments<'_>) -> Result<Value<'static>> {
    if !matches!(a.get(0), Value::Bytes(_)) {
        return Err(SqlError::general("incorrect argument to VECTOR_TO_STRING: expected a vector"));
    }
    let numbers: Vec<String> = numbers_of_vector(a.get(0))?.into_iter().map(value::number_text::float_digits).collect();
    Ok(Value::text(format!("[{}]", numbers.join(", "))))
}

/// Distance of two vectors of the same number of dimensions.
fn distance(a: &Arguments<'_>, between: fn(&[f32], &[f32]) -> f64) -> Result<Value<'static>> {
    let (left, right) = (numbers_of_vector(a.get(0))?, numbers_of_vector(a.get(1))?);
    vector::same_dimensions(&left, &right)?;
    Ok(Value::Double(between(&left, &right)))
}

fn euclidean(left: &[f32], right: &[f32]) -> f64 {
    distance_squared(left, right).sqrt()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let product = |l: &[f32], r: &[f32]| l.iter().zip(r).map(|(l, r)| f64::from(l * r)).sum::<f64>();
    let lengths = product(left, left).sqrt() * product(right, right).sqrt();
    if lengths == 0.0 { 0.0 } else { 1.0 - product(left, right) / lengths }
}
