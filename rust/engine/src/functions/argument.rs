//! Arguments as the kinds of values that functions work on.

use std::borrow::Cow;
use std::str::FromStr;

use value::{Charset, Decimal, IntegerType, Json, SqlType, Value};

use super::Arguments;
use crate::error::{Result, SqlError};
use crate::expr::{Context, ExprType};

/// The text of a value where text is wanted. A TIME has none, in the reference neither: that is an error.
pub fn text_of<'v>(value: &'v Value<'_>) -> Result<Cow<'v, str>> {
    Ok(match value {
        Value::Text(text) => Cow::Borrowed(text),
        Value::Geometry(bytes) => String::from_utf8_lossy(bytes),
        Value::Null => Cow::Borrowed(""),
        other => value::convert::to_string(other)?,
    })
}

/// The bytes of a value where bytes are wanted.
pub fn bytes_of<'v>(value: &'v Value<'_>) -> Result<Cow<'v, [u8]>> {
    Ok(match value {
        Value::Text(text) => Cow::Borrowed(text.as_bytes()),
        Value::Bytes(bytes) | Value::Geometry(bytes) => Cow::Borrowed(bytes),
        other => match text_of(other)? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    })
}

/// Text in the bytes of its character set.
pub fn bytes_in(text: &str, charset: Charset) -> Result<Cow<'_, [u8]>> {
    Ok(match charset {
        Charset::Utf8mb4 | Charset::Utf8mb3 | Charset::Binary => Cow::Borrowed(text.as_bytes()),
        other => Cow::Owned(other.encode(text)?),
    })
}

/// An element of a JSON array or object; an argument of boolean type is a boolean.
pub fn json_element(value: &Value<'_>, ty: &ExprType) -> Result<Json> {
    match (value, &ty.sql) {
        (Value::Int(number), SqlType::Integer(IntegerType { boolean: true, .. })) => Ok(Json::Bool(*number != 0)),
        (Value::Time(time), _) => Ok(Json::Time(*time)),
        _ => Ok(Json::from_scalar(value)?),
    }
}

/// A value as one of another type; text is what clients see.
pub fn converted(value: &Value<'_>, ty: &SqlType, context: &Context) -> Result<Value<'static>> {
    match (value, ty) {
        (Value::Null, _) => Ok(Value::Null),
        (value, SqlType::Text { .. }) => Ok(Value::text(text_of(value)?.into_owned())),
        (value, ty) => context.cast(value, ty),
    }
}

impl Arguments<'_> {
    /// The n-th argument as text.
    pub fn text(&self, n: usize) -> Result<Cow<'_, str>> {
        text_of(self.get(n))
    }

    pub fn bytes(&self, n: usize) -> Result<Cow<'_, [u8]>> {
        bytes_of(self.get(n))
    }

    /// The n-th argument as a double; text that is no number leaves a warning and is zero.
    pub fn double(&self, n: usize) -> Result<f64> {
        self.check_scalar(n, "double")?;
        Ok(self.context.to_double(self.get(n)))
    }

    /// The n-th argument as a whole number, where text must be one from end to end.
    pub fn count(&self, n: usize) -> Result<i64> {
        self.check_whole::<i64>(n, "bigint")?;
        self.integer(n)
    }

    /// The n-th argument as 64 bits, where text must be a whole number from end to end.
    pub fn bits(&self, n: usize) -> Result<u64> {
        self.check_whole::<i128>(n, "bigint unsigned")?;
        self.unsigned(n)
    }

    /// The n-th argument as a number, where text must be one from end to end.
    pub fn strict_double(&self, n: usize) -> Result<f64> {
        self.check_whole::<f64>(n, "double")?;
        self.double(n)
    }

    /// Text must be a number of type `T` from end to end; the empty one passes, as in the reference.
    fn check_whole<T: FromStr>(&self, n: usize, kind: &str) -> Result<()> {
        self.check_scalar(n, kind)?;
        match self.get(n) {
            Value::Text(text) if !text.is_empty() && text.trim().parse::<T>().is_err() => {
                Err(SqlError::general(format!("Truncated incorrect {kind} value: {text}")))
            }
            _ => Ok(()),
        }
    }

    /// A TIME and a JSON array or object are no numbers.
    fn check_scalar(&self, n: usize, kind: &str) -> Result<()> {
        match self.get(n) {
            Value::Time(_) => Err(SqlError::general(format!("error: 'time' is not a valid value type for '{kind}'"))),
            Value::Json(json) if matches!(***json, Json::Array(_) | Json::Object(_)) => {
                Err(SqlError::general(format!("error: 'json' is not a valid value type for '{kind}'")))
            }
            _ => Ok(()),
        }
    }

    /// The n-th argument as a whole number: numbers are rounded, text is cut.
    pub fn integer(&self, n: usize) -> Result<i64> {
        Ok(match self.get(n) {
            Value::Int(number) => *number,
            other => match self.context.cast(other, &SqlType::BIGINT)? {
                Value::Int(number) => number,
                _ => 0,
            },
        })
    }

    /// The n-th argument as 64 bits: negative numbers in two's complement.
    pub fn unsigned(&self, n: usize) -> Result<u64> {
        Ok(match self.get(n) {
            Value::Int(number) => *number as u64,
            Value::UInt(number) | Value::Bit(number) => *number,
            other => match self.context.cast(other, &SqlType::BIGINT_UNSIGNED)? {
                Value::UInt(number) => number,
                _ => 0,
            },
        })
    }

    pub fn decimal(&self, n: usize) -> Decimal {
        crate::expr::to_decimal(self.get(n))
    }
}
