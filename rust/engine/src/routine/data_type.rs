//! The types of variables and parameters.

use parse::ast::DataType;
use value::{SqlType, Value};

use crate::error::{Result, SqlError};

/// What a type in a declaration means.
///
/// # Errors
/// 1105 for a type that there is not.
pub fn declared(sql: &str, data_type: &DataType) -> Result<SqlType> {
    let text = data_type.span.text(sql);
    text.parse().map_err(|_| SqlError::general(format!("unknown column type: {text}")).at(data_type.span))
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
