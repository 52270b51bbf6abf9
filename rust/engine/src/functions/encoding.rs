//! What text is made of: CHARSET, COLLATION, COERCIBILITY, CONVERT … USING, base64, IS_BINARY.

use codec::base64;
use value::{Charset, Collation, SqlType, Value};

use super::argument::{bytes_in, bytes_of};
use super::{Arguments, DeclaredCall, Entry, Function, in_collation, result};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprType, coercibility};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::of_text("charset", (1, 1), result::server_text, |a| Ok(Value::text(collation(a).charset().name())))
        .handling_nulls()
        .about("text", "The character set of a text"),
    Entry::of_text("coercibility", (1, 1), result::tinyint, coercibility_of)
        .handling_nulls()
        .about("text", "How strongly a text keeps its collation; 0 is strongest"),
    Entry::of_text("collation", (1, 1), result::server_text, |a| Ok(Value::text(collation(a).name())))
        .handling_nulls()
        .about("text", "The collation of a text"),
    Entry::of_text("convert_using", (2, 2), result::text, convert_using)
        .typed_by(converted_type)
        .internal()
        .declared(declared_in_charset)
        .about("text, charset", "What `CONVERT(text USING charset)` becomes"),
    Entry::of_text("from_base64", (1, 1), result::blob, from_base64)
        .null_as_arguments()
        .about("text", "The bytes that Base64 digits name"),
    Entry::of_text("is_binary", (1, 1), result::boolean, is_binary)
        .handling_nulls()
        .about("text", "Whether the argument is bytes"),
    Entry::of_text("to_base64", (1, 1), result::text, to_base64)
        .null_as_arguments()
        .about("bytes", "The bytes in Base64 digits"),
];

fn declared_in_charset(call: &DeclaredCall<'_>) -> Option<ExprType> {
    let Some(Value::Text(charset)) = call.args.get(1)?.as_literal() else { return None };
    Some(in_collation(call.argument(0)?, Charset::from_name(charset).ok()?.default_collation()))
}

/// How many bytes of a value IS_BINARY looks at.
const SNIFFED_BYTES: usize = 8000;
/// Bytes in a line of base64: 76 digits.
const BASE64_LINE_BYTES: usize = 57;

fn collation(a: &Arguments<'_>) -> Collation {
    if a.is_null(0) {
        return Collation::BINARY;
    }
    match a.types.first() {
        Some(ExprType { sql: SqlType::Json, .. }) => Collation::UTF8MB4_0900_BIN,
        Some(ty) => ty.preferred,
        None => Collation::BINARY,
    }
}

fn coercibility_of(a: &Arguments<'_>) -> Result<Value<'static>> {
    let coercibility = match a.types.first() {
        _ if a.is_null(0) => coercibility::NULL,
        Some(ty) => ty.coercibility,
        None => coercibility::NUMERIC,
    };
    Ok(Value::Int(coercibility.into()))
}

/// Text of the set whose name stands there; CONVERT makes it binary where it must.
fn converted_type(args: &[Expr]) -> ExprType {
    let charset = match args.get(1).and_then(Expr::as_literal) {
        Some(Value::Text(name)) => Charset::from_name(name).unwrap_or(Charset::Utf8mb4),
        _ => Charset::Utf8mb4,
    };
    let collation = charset.default_collation();
    let sql = match args.first().map(|arg| &arg.ty.sql) {
        Some(SqlType::Char { length, .. }) => SqlType::Char { length: *length, collation },
        Some(SqlType::VarChar { length, .. }) => SqlType::VarChar { length: *length, collation },
        Some(SqlType::Text { size, .. }) => SqlType::Text { size: *size, collation },
        _ => SqlType::LONGTEXT,
    };
    ExprType::new(sql, true).preferring((collation, coercibility::COLUMN))
}

fn convert_using(a: &Arguments<'_>) -> Result<Value<'static>> {
    let charset = Charset::from_name(&a.text(1)?)?;
    if !charset.is_implemented() {
        return Err(SqlError::general(format!(
            "The character set `{}` has not yet been implemented, please create an issue regarding this error",
            charset.name()
        )));
    }
    Ok(match a.get(0) {
        _ if charset == Charset::Binary => Value::bytes(a.bytes(0)?.into_owned()),
        // Bytes are text of that set already.
        Value::Bytes(bytes) => charset.decode(bytes).map_or(Value::Null, Value::text),
        // What the set does not have becomes a question mark.
        _ => Value::text(charset.decode(&charset.encode(&a.text(0)?)?)?),
    })
}

fn is_binary(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bytes = bytes_of(a.get(0))?;
    Ok(Value::boolean(bytes[..bytes.len().min(SNIFFED_BYTES)].contains(&0)))
}

fn to_base64(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bytes = match a.get(0) {
        Value::Text(text) => bytes_in(text, collation(a).charset())?,
        other => bytes_of(other)?,
    };
    let lines: Vec<String> = bytes.chunks(BASE64_LINE_BYTES).map(base64::encode).collect();
    Ok(Value::text(lines.join("\n")))
}

fn from_base64(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    let invalid = |at: usize| SqlError::general(format!("illegal base64 data at input byte {at}"));
    if !digits.len().is_multiple_of(4) {
        return Err(invalid(digits.len()));
    }
    base64::decode(&digits).map(Value::bytes).map_err(invalid)
}
