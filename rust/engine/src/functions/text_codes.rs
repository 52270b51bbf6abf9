//! The codes of characters, and text from codes.

use value::{Charset, Collation, IntegerType, IntegerWidth, LobSize, SqlType, Value};

use super::argument::text_of;
use super::{Arguments, Entry, Form, Function, result};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprType};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::of_text("ascii", (1, 1), result::int, |a| Ok(Value::Int(a.bytes(0)?.first().copied().unwrap_or(0).into())))
        .null_as_arguments()
        .declared(|call| call.sql(SqlType::Integer(IntegerType::new(IntegerWidth::Tiny, true))))
        .about("text", "The code of the first byte"),
    Entry::of_text("char", (1, usize::MAX), result::blob, |a| Ok(Value::bytes(bytes_of_codes(a, a.len())?)))
        .handling_nulls()
        .bound_as(Form::Char)
        .declared(|call| call.sql(SqlType::VarBinary { length: 4 * call.args.len() as u32 }))
        .about("code, … [USING charset]", "The text of character codes"),
    // What CHAR(… USING charset) becomes, the set's name being the last argument.
    Entry::of_text("char_using", (2, usize::MAX), result::text, text_of_codes)
        .typed_by(coded_type)
        .handling_nulls()
        .internal()
        .about("code, …, charset", "What `CHAR(code, … USING charset)` becomes"),
    Entry::of_text("ord", (1, 1), result::bigint, |a| {
        let text = a.text(0)?;
        let first = text.chars().next().map_or(0, char::len_utf8);
        Ok(Value::Int(text.as_bytes()[..first].iter().fold(0, |code, byte| code << 8 | i64::from(*byte))))
    })
    .null_as_arguments()
    .about("text", "The code of the first character"),
];

fn bytes_of_codes(a: &Arguments<'_>, codes: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for n in (0..codes).filter(|&n| !a.is_null(n)) {
        let code = (a.integer(n)? as u32).to_be_bytes();
        let zeros = code.iter().take(3).take_while(|byte| **byte == 0).count();
        bytes.extend_from_slice(&code[zeros..]);
    }
    Ok(bytes)
}

/// Text that has the bytes of its set, and equals only itself.
fn coded_type(args: &[Expr]) -> ExprType {
    let text = result::text(&[]);
    let name = args.last().and_then(Expr::as_literal).and_then(|name| text_of(name).ok());
    match name.and_then(|name| Collation::from_name(&format!("{name}_bin")).ok()) {
        Some(collation) => ExprType { sql: SqlType::Text { size: LobSize::Long, collation }, ..text },
        None => text,
    }
}

/// Bytes that are UTF-8 are so in every set, as in native Dolt: CHAR(65 USING utf16) is `A`.
fn text_of_codes(a: &Arguments<'_>) -> Result<Value<'static>> {
    let codes = a.len() - 1;
    let bytes = bytes_of_codes(a, codes)?;
    let charset = Charset::from_name(&a.text(codes)?)?;
    if charset == Charset::Binary {
        return Ok(Value::bytes(bytes));
    }
    match String::from_utf8(bytes).map_err(|error| (charset.decode(error.as_bytes()), error)) {
        Ok(text) => Ok(Value::text(text)),
        Err((Ok(text), _)) => Ok(Value::text(text)),
        Err((Err(_), error)) => {
            let first = error.as_bytes().get(error.utf8_error().valid_up_to()).copied().unwrap_or_default();
            Err(SqlError::general(format!("Incorrect string value: '\\x{first:02X}' for column '<unknown>' at row 0")))
        }
    }
}
