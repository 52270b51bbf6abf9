//! JSON values as MySQL and Dolt understand them: reading, writing, paths, order, and the work behind the SQL functions.

mod digits;
mod document;
mod edit;
mod merge;
mod object;
mod order;
mod parse;
mod parts;
mod path;
mod reader;
mod search;
mod text;
mod transcode;
mod transcoded;

pub use document::Document;
pub use edit::Edit;
pub use object::JsonObject;
pub use parts::JsonParts;
pub use path::{Index, JsonPath, Leg};
pub use search::search_result;
pub use text::{quote, unquote};

use crate::decimal::Decimal;
use crate::error::ValueError;
use crate::temporal::{Date, DateTime, Time};
use crate::value::Value;

/// A JSON value. Numbers read from text are [`Json::Double`] as in Dolt, but whole ones that no double holds; SQL functions
/// also make exact ones.
#[derive(Debug, Clone)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    Decimal(Decimal),
    String(Box<str>),
    Array(Vec<Json>),
    Object(JsonObject),
    Date(Date),
    DateTime(DateTime),
    Time(Time),
}

/// Deepest nesting that is read or made: a document that goes deeper is refused, so that no walk over a value can exhaust the
/// stack.
pub const DEPTH_MAX: usize = 100;

impl Json {
    pub fn string(text: impl Into<Box<str>>) -> Json {
        Json::String(text.into())
    }

    /// What JSON_ARRAY and JSON_OBJECT make of an argument: text is a JSON string, an ENUM its index, a DATE a moment. An argument
    /// whose type is BOOLEAN the caller makes [`Json::Bool`]; the value alone is only a number.
    ///
    /// # Errors
    /// [`ValueError::NoConversion`] for TIME and geometry, [`ValueError::IncorrectString`] for bytes that are not UTF-8.
    pub fn from_scalar(value: &Value<'_>) -> Result<Json, ValueError> {
        Ok(match value {
            Value::Null => Json::Null,
            Value::Int(number) => Json::Int(*number),
            Value::UInt(number) | Value::Bit(number) => Json::UInt(*number),
            Value::Float(number) => {
                Json::Double(crate::number_text::float_text(*number).parse().unwrap_or(f64::from(*number)))
            }
            Value::Double(number) => Json::Double(*number),
            Value::Decimal(number) => Json::Decimal(*number),
            Value::Text(_) | Value::Bytes(_) => Json::String(crate::convert::to_string(value)?.into()),
            Value::Date(date) => Json::DateTime(DateTime::from(*date)),
            Value::DateTime(moment) => Json::DateTime(*moment),
            Value::Year(year) => Json::Int(i64::from(*year)),
            Value::Enum(member) => Json::UInt(u64::from(member.index)),
            Value::Set(members) => Json::UInt(members.bits),
            Value::Json(json) => (***json).clone(),
            Value::Time(_) | Value::Geometry(_) => {
                return Err(ValueError::NoConversion { from: value.family(), to: "json".to_owned() });
            }
        })
    }

    /// What CAST AS JSON and a JSON column make of a value: text and bytes are read as JSON, dates become RFC 3339 text, a TIME its
    /// microseconds, the rest is as in [`Json::from_scalar`].
    ///
    /// # Errors
    /// As [`Json::parse`] and [`Json::from_scalar`].
    pub fn from_value(value: &Value<'_>) -> Result<Json, ValueError> {
        match value {
            Value::Text(text) => Json::parse(text),
            Value::Bytes(_) => Json::parse(&crate::convert::to_string(value)?),
            Value::Date(date) => Ok(Json::string(format!("{date}T00:00:00Z"))),
            Value::DateTime(moment) => {
                let text = crate::convert::to_string(value)?;
                let date = moment.date().to_string();
                Ok(Json::string(format!("{date}T{}Z", &text[date.len() + 1..])))
            }
            // Its microseconds.
            Value::Time(time) => Ok(Json::Int(time.microseconds())),
            Value::Float(number) => Ok(Json::Double(f64::from(*number))),
            Value::Enum(member) => Ok(Json::string(member.text())),
            Value::Set(members) => Ok(Json::string(members.text())),
            other => Json::from_scalar(other),
        }
    }

    /// JSON_TYPE's word.
    pub fn type_name(&self) -> &'static str {
        match self {
            Json::Null => "NULL",
            Json::Bool(_) => "BOOLEAN",
            Json::Int(_) => "INTEGER",
            Json::UInt(_) => "UNSIGNED INTEGER",
            Json::Double(number) if number.fract() != 0.0 || !number.is_finite() => "DOUBLE",
            // Whole numbers that are read are doubles inside, and named by what they look like.
            Json::Double(number) if *number <= f64::from(u32::MAX) => "INTEGER",
            Json::Double(_) => "UNSIGNED INTEGER",
            Json::Decimal(_) => "DECIMAL",
            Json::String(_) => "STRING",
            Json::Array(_) => "ARRAY",
            Json::Object(_) => "OBJECT",
            Json::Date(_) => "DATE",
            Json::DateTime(_) => "DATETIME",
            Json::Time(_) => "TIME",
        }
    }

    /// JSON_LENGTH: elements of an array, members of an object, 1 for a scalar.
    pub fn length(&self) -> usize {
        match self {
            Json::Array(items) => items.len(),
            Json::Object(members) => members.len(),
            _ => 1,
        }
    }

    /// JSON_DEPTH: 1 for scalars and empty arrays and objects.
    pub fn depth(&self) -> usize {
        let deepest = match self {
            Json::Array(items) => items.iter().map(Json::depth).max(),
            Json::Object(members) => members.iter().map(|(_, value)| value.depth()).max(),
            _ => None,
        };
        1 + deepest.unwrap_or(0)
    }

    /// Whether the value is an array or object.
    pub fn is_container(&self) -> bool {
        matches!(self, Json::Array(_) | Json::Object(_))
    }

    /// The value itself if it is not nested deeper than [`DEPTH_MAX`]: what makers of values return.
    ///
    /// # Errors
    /// [`ValueError::JsonTooDeep`].
    pub fn within_depth(self) -> Result<Json, ValueError> {
        if self.depth() > DEPTH_MAX { Err(ValueError::JsonTooDeep(DEPTH_MAX)) } else { Ok(self) }
    }
}
