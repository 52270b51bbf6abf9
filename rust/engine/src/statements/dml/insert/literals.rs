//! Literal rows of INSERT: from the text of the statement to values, a row at a time.

use std::borrow::Cow;
use std::rc::Rc;

use parse::lexer::unquote_text;
use parse::{LiteralRows, Options, RawLiteral, RowReader};
use value::Value;

use super::Given;
use crate::bind::literal;
use crate::error::Result;

/// The rows that are not read yet.
pub struct Literals {
    pub sql: Rc<str>,
    options: Options,
    /// Byte behind the last row.
    at: usize,
}

impl Literals {
    pub fn new(sql: Rc<str>, rows: &LiteralRows, options: Options) -> Literals {
        Literals { at: rows.start as usize, sql, options }
    }

    /// The next row, whose values lie in `sql`, a clone of the text; `None` at the end.
    pub fn next<'a>(&mut self, sql: &'a str) -> Result<Option<Vec<Given<'a>>>> {
        let mut reader = RowReader::resume(sql, self.at, self.options);
        let mut given = Vec::new();
        let has_row = reader.next_row(|raw| given.push(value_of(raw, self.options)));
        self.at = reader.at();
        if has_row { given.into_iter().collect::<Result<Vec<_>>>().map(Some) } else { Ok(None) }
    }
}

/// What binding the literal, and computing its minus, gives.
fn value_of(raw: RawLiteral<'_>, options: Options) -> Result<Given<'_>> {
    let value = match raw {
        RawLiteral::Default => return Ok(Given::Default),
        RawLiteral::Null => Value::Null,
        RawLiteral::Text(text) => Value::Text(Cow::Borrowed(text)),
        RawLiteral::QuotedText(token) => Value::text(unquote_text(token, options)),
        RawLiteral::Hex(digits) => Value::bytes(bytes_of(digits)),
        RawLiteral::Integer(digits) => match (digits.parse::<i64>(), digits.parse::<u64>()) {
            (Ok(number), _) => Value::Int(number),
            (_, Ok(number)) => Value::UInt(number),
            _ => literal::decimal(digits)?.0,
        },
        RawLiteral::Float(text) => Value::Double(literal::float(text)?),
        RawLiteral::Decimal(text) => match text.strip_prefix('-') {
            None => literal::decimal(text)?.0,
            Some(positive) => match literal::decimal(positive)?.0 {
                Value::Decimal(number) => Value::Decimal(number.negated()),
                Value::Double(number) => Value::Double(-number),
                other => other,
            },
        },
    };
    Ok(Given::Value(value))
}

pub fn bytes_of(digits: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    digits.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
