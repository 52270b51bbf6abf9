//! JSON values as MySQL and Dolt understand them.

mod object;

pub use object::JsonObject;

use crate::decimal::Decimal;
use crate::temporal::{Date, DateTime, Time};

/// A JSON value. Numbers read from text are [`Json::Double`] as in Dolt; SQL functions also make exact ones.
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

/// Deepest nesting that is read: a document that goes deeper is refused, so that no walk over a value can exhaust the stack.
pub const DEPTH_MAX: usize = 100;
