//! MySQL values and their rules: types, decimals, dates, collations, JSON, geometry, conversion and comparison.
//! Nothing about storage, no I/O, no panic on input.
//!
//! Third-party code behind it: `fastnum` for the integers of decimals.
#![forbid(unsafe_code)]

mod charset;
mod charset_encode;
mod charset_tables;
mod collation;
mod compare;
pub mod convert;
mod decimal;
mod error;
pub mod geometry;
pub mod json;
mod like;
mod members;
pub mod number_text;
pub mod temporal;
mod type_text;
mod types;
mod value;
pub mod vector;

pub use charset::Charset;
pub use collation::Collation;
pub use compare::{compare, hash_key, hash_text_key, hash_whole_key, sort_order};
pub use convert::{assign, cast, to_text, truth};
pub use decimal::{Decimal, ParseDecimalError, Rounding};
pub use error::{ValueError, Warning};
pub use json::Json;
pub use like::LikePattern;
pub use members::{EnumType, EnumValue, SetType, SetValue};
pub use temporal::{Date, DateTime, Time};
pub use types::{DECIMAL_PRECISION_MAX, DECIMAL_SCALE_MAX, GeometryKind, IntegerType, IntegerWidth, LobSize, SqlType};
pub use value::Value;
