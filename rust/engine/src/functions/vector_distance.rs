//! Vectors of 32-bit floats: text to vector and back, distances.

use value::{Json, Value};

use super::argument::text_of;
use super::{Arguments, Function, result};
use crate::error::{Result, SqlError};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("distance", (2, 3), result::double, |a| {
        let metric = if a.len() > 2 { a.text(2)?.to_ascii_lowercase() } else { "l2_squared".to_owned() };
        match &*metric {
            "l2_squared" => distance(a, squared),
            "euclidean" | "l2" => distance(a, euclidean),
            "cosine" => distance(a, cosine),
            other => Err(SqlError::general(format!("unknown distance metric: {other}"))),
        }
    }),
    Function::new("from_vector", (1, 1), result::text, to_text),
    Function::new("string_to_vector", (1, 1), result::blob, from_text),
    Function::new("to_vector", (1, 1), result::blob, from_text),
    Function::new("vec_distance", (2, 2), result::double, |a| distance(a, squared)),
    Function::new("vec_distance_cosine", (2, 2), result::double, |a| distance(a, cosine)),
    Function::new("vec_distance_euclidean", (2, 2), result::double, |a| distance(a, euclidean)),
    Function::new("vec_distance_l2_squared", (2, 2), result::double, |a| distance(a, squared)),
    Function::new("vec_fromtext", (1, 1), result::blob, from_text),
    Function::new("vec_totext", (1, 1), result::text, to_text),
    Function::new("vector_to_string", (1, 1), result::text, to_text),
];

/// The most numbers a vector has.
const DIMENSIONS_MAX: usize = 16_383;

fn vector(value: &Value<'_>) -> Result<Vec<f32>> {
    let invalid = || SqlError::general("data cannot be converted to a valid vector");
    let json = match value {
        Value::Bytes(bytes) if bytes.len().is_multiple_of(4) => {
            return Ok(bytes
                .chunks_exact(4)
                .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect());
        }
        Value::Bytes(_) => return Err(invalid()),
        Value::Json(json) => (**json).clone(),
        other => Json::parse(&text_of(other)?).map_err(|_| invalid())?,
    };
    let Json::Array(items) = json else { return Err(invalid()) };
    if items.len() > DIMENSIONS_MAX {
        return Err(invalid());
    }
    let number = |item: &Json| match item {
        Json::Int(number) => Ok(*number as f32),
        Json::UInt(number) => Ok(*number as f32),
        Json::Double(number) => Ok(*number as f32),
        Json::Decimal(number) => Ok(number.to_f64() as f32),
        _ => Err(invalid()),
    };
    items.iter().map(number).collect()
}

fn from_text(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(Value::bytes(vector(a.get(0))?.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>()))
}

fn to_text(a: &Arguments<'_>) -> Result<Value<'static>> {
    if !matches!(a.get(0), Value::Bytes(_)) {
        return Err(SqlError::general("incorrect argument to VECTOR_TO_STRING: expected a vector"));
    }
    let numbers: Vec<String> = vector(a.get(0))?.into_iter().map(value::number_text::float_digits).collect();
    Ok(Value::text(format!("[{}]", numbers.join(", "))))
}

fn distance(a: &Arguments<'_>, between: fn(&[f32], &[f32]) -> f64) -> Result<Value<'static>> {
    let (left, right) = (vector(a.get(0))?, vector(a.get(1))?);
    if left.len() != right.len() {
        return Err(SqlError::general(format!(
            "attempting to find distance between vectors of different lengths: {} vs {}",
            left.len(),
            right.len()
        )));
    }
    Ok(Value::Double(between(&left, &right)))
}

fn squared(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(l, r)| f64::from(l - r) * f64::from(l - r)).sum()
}

fn euclidean(left: &[f32], right: &[f32]) -> f64 {
    squared(left, right).sqrt()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let product = |l: &[f32], r: &[f32]| l.iter().zip(r).map(|(l, r)| f64::from(l * r)).sum::<f64>();
    let lengths = product(left, left).sqrt() * product(right, right).sqrt();
    if lengths == 0.0 { 0.0 } else { 1.0 - product(left, right) / lengths }
}
