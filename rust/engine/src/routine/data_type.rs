//! The types of variables and parameters.

use parse::ast::DataType;
use value::{Collation, SqlType, Value};

use crate::bind::data_type::sql_type;
use crate::error::Result;

/// What a type in a declaration means.
///
/// # Errors
/// As for a column of that type.
pub fn declared(data_type: &DataType) -> Result<SqlType> {
    sql_type(data_type, &[], Collation::UTF8MB4_0900_BIN)
}

/// What a variable of a procedure holds before anything is assigned: the zero of its type, where the reference has one.
pub fn zero(ty: &SqlType) -> Value<'static> {
    match ty {
        SqlType::Integer(kind) if kind.unsigned => Value::UInt(0),
        SqlType::Integer(_) => Value::Int(0),
        SqlType::Float => Value::Float(0.0),
        SqlType::Double => Value::Double(0.0),
        SqlType::Decimal { scale, .. } => Value::Decimal(value::Decimal::new(0, *scale)),
        SqlType::Char { .. } | SqlType::VarChar { .. } | SqlType::Text { .. } => Value::text(""),
        _ => Value::Null,
    }
}
