//! Literals and their types.

use parse::ast::Literal;
use value::{Charset, Collation, Decimal, LobSize, SqlType, Value};

use super::Binder;
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprType, types};

impl Binder<'_> {
    /// How text that is written down compares: as the connection says.
    pub(super) fn literal_collation(&self) -> Collation {
        self.names.context().session.variables.borrow().literal_collation()
    }

    pub(super) fn literal(&self, literal: &Literal) -> Result<Expr> {
        let (value, sql) = match literal {
            Literal::Null => return Ok(Expr::null()),
            Literal::Bool(truth) => (Value::boolean(*truth), SqlType::BOOLEAN),
            Literal::Integer(n) => {
                let value = i64::try_from(*n).map_or(Value::UInt(*n), Value::Int);
                (value, types::integer_literal(i128::from(*n)))
            }
            Literal::Decimal(text) => decimal(text)?,
            Literal::Float(text) => (Value::Double(float(text)?), SqlType::Double),
            Literal::Text(text) if text.charset.as_deref() == Some("binary") => {
                (Value::bytes(text.value.as_bytes().to_vec()), SqlType::LONGBLOB)
            }
            Literal::Text(text) if let Some(charset) = &text.charset => introduced(charset, text.value.as_bytes())?,
            Literal::Text(text) => {
                let collation = self.literal_collation();
                (Value::text(text.value.to_string()), SqlType::Text { size: LobSize::Long, collation })
            }
            Literal::Hex(bytes) | Literal::Bit(bytes)
                if let Some(charset) = bytes.charset.as_deref().filter(|charset| *charset != "binary") =>
            {
                introduced(charset, &bytes.bytes)?
            }
            Literal::Hex(bytes) => (Value::bytes(bytes.bytes.to_vec()), SqlType::LONGBLOB),
            // As in the reference a number, not a binary string.
            Literal::Bit(bytes) if bytes.bytes.len() <= 8 => {
                let number = bytes.bytes.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
                let value = i64::try_from(number).map_or(Value::UInt(number), Value::Int);
                (value, types::integer_literal(i128::from(number)))
            }
            Literal::Bit(bytes) => (Value::bytes(bytes.bytes.to_vec()), SqlType::LONGBLOB),
            // As in the reference the text, whatever it says.
            Literal::Date(text) | Literal::Time(text) | Literal::Timestamp(text) => {
                (Value::text(text.to_string()), SqlType::LONGTEXT)
            }
        };
        Ok(Expr::literal(value, ExprType::new(sql, false)))
    }
}

/// Bytes that are text of the set that an introducer names; they compare as its text does.
fn introduced(charset: &str, bytes: &[u8]) -> Result<(Value<'static>, SqlType)> {
    let charset = Charset::from_name(charset)?;
    if !charset.is_implemented() {
        let text = format!("unsupported feature: unsupported character set: {}", charset.name());
        return Err(SqlError::general(text));
    }
    let invalid = |_| {
        let text = String::from_utf8_lossy(bytes);
        SqlError::general(format!("invalid string for character set `{}`: \"{text}\"", charset.name()))
    };
    let text = charset.decode(bytes).map_err(invalid)?;
    Ok((Value::text(text), SqlType::Text { size: LobSize::Long, collation: charset.default_collation() }))
}

pub fn float(text: &str) -> Result<f64> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        Ok(_) => Err(SqlError::general(format!("strconv.ParseFloat: parsing \"{text}\": value out of range"))),
        Err(_) => Err(SqlError::general(format!("invalid number {text}"))),
    }
}

/// Digits with a point, or more than an integer has.
pub fn decimal(text: &str) -> Result<(Value<'static>, SqlType)> {
    let Ok(number) = text.parse::<Decimal>() else {
        // More digits than a DECIMAL holds: as MySQL, a double.
        return Ok((Value::Double(float(text)?), SqlType::Double));
    };
    let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let whole = text.split_once('.').map_or(text.len(), |(whole, _)| whole.trim_start_matches('0').len());
    Ok((Value::Decimal(number), types::decimal(whole.min(65) as u8, scale.min(30) as u8)))
}

/// A literal of text that is not in the statement.
pub(super) fn text_literal(text: &str) -> Expr {
    Expr::literal(Value::text(text.to_owned()), ExprType::new(SqlType::LONGTEXT, false))
}
