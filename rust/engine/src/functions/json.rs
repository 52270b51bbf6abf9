//! JSON documents. What a document is and how paths walk through it lives in `value::json`.

use crate::expr::ExprType;
use std::rc::Rc;

use value::json::{Document, Edit, Index, JsonObject, JsonPath, Leg, quote, search_result};
use value::{Collation, Json, LikePattern, SqlType, Value};

use super::argument::{json_element, text_of};
use super::{Arguments, DeclaredCall, Entry, Form, Function, Reads, Traits, declared, result};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::of_text("json_array", (0, usize::MAX), result::json, array)
        .handling_nulls()
        .with(Traits::OF_DOCUMENTS)
        .null_as_arguments()
        .common()
        .about("value, …", "A JSON array of the values"),
    Entry::of_text("json_array_append", (3, usize::MAX), result::json, |a| edit(a, Edit::ArrayAppend))
        .handling_nulls()
        .in_pairs()
        .with(Traits::OF_DOCUMENTS)
        .about("document, path, value, …", "The document with values appended to arrays"),
    Entry::of_text("json_array_insert", (3, usize::MAX), result::json, |a| edit(a, Edit::ArrayInsert))
        .handling_nulls()
        .in_pairs()
        .with(Traits::OF_DOCUMENTS)
        .about("document, path, value, …", "The document with values inserted into arrays"),
    Entry::of_text("json_contains", (2, 3), result::boolean, contains)
        .handling_nulls()
        .with(Traits::OF_DOCUMENTS)
        .null_as_arguments()
        .reading(Reads::Candidate)
        .about("document, candidate[, path]", "Whether a document contains another"),
    Entry::of_text("json_contains_path", (3, usize::MAX), result::boolean, contains_path)
        .handling_nulls()
        .with(Traits::OF_DOCUMENTS)
        .reading(Reads::Paths { first: 2, most: u8::MAX })
        .about("document, 'one' or 'all', path, …", "Whether a document has one or all of the paths"),
    Entry::of_text("json_depth", (1, 1), result::bigint, |a| {
        Ok(Value::Int(a.document(0, "json_depth")?.depth() as i64))
    })
    .with(Traits::OF_DOCUMENTS)
    .about("document", "How deep a document is nested"),
    Entry::of_text("json_extract", (2, usize::MAX), result::json, extract)
        .handling_nulls()
        .with(Traits::OF_DOCUMENTS)
        .null_as_arguments()
        .common()
        .reading(Reads::Paths { first: 1, most: u8::MAX })
        .about("document, path, …", "The part of a document at a path"),
    Entry::of_text("json_insert", (3, usize::MAX), result::json, |a| edit(a, Edit::Insert))
        .handling_nulls()
        .in_pairs()
        .with(Traits::OF_DOCUMENTS)
        .about("document, path, value, …", "The document with values where there were none"),
    Entry::of_text("json_keys", (1, 2), result::json, |a| {
        let document = a.document(0, "json_keys")?;
        let found =
            if a.len() > 1 { look_up(a, &document, 1)?.and_then(|found| found.keys()) } else { document.keys() };
        Ok(found.map_or(Value::Null, Value::json))
    })
    .with(Traits::OF_DOCUMENTS)
    .null_as_arguments()
    .reading(Reads::Paths { first: 1, most: 1 })
    .about("document[, path]", "The keys of an object"),
    Entry::of_text("json_length", (1, 2), result::bigint, |a| {
        let document = a.document(0, "json_length")?;
        let length =
            if a.len() > 1 { look_up(a, &document, 1)?.map(|found| found.length()) } else { Some(document.length()) };
        Ok(length.map_or(Value::Null, |length| Value::Int(length as i64)))
    })
    .with(Traits::OF_DOCUMENTS)
    .null_as_arguments()
    .reading(Reads::Paths { first: 1, most: 1 })
    .about("document[, path]", "The number of members"),
    Entry::of_text("json_merge", (2, usize::MAX), result::json, |a| {
        merge(a, "json_merge_preserve", Json::merge_preserve)
    })
    .with(Traits::OF_DOCUMENTS)
    .about("document, document, …", "The documents merged; values of equal keys become arrays")
    .also(&["json_merge_preserve"]),
    Entry::of_text("json_merge_patch", (2, usize::MAX), result::json, |a| {
        merge(a, "json_merge_patch", Json::merge_patch)
    })
    .with(Traits::OF_DOCUMENTS)
    .null_as_arguments()
    .about("document, document, …", "The documents merged; the later value of equal keys wins"),
    Entry::of_text("json_object", (0, usize::MAX), result::json, object)
        .handling_nulls()
        .in_pairs()
        .with(Traits::OF_DOCUMENTS)
        .null_as_arguments()
        .common()
        .about("key, value, …", "A JSON object of the pairs"),
    Entry::of_text("json_overlaps", (2, 2), result::boolean, |a| {
        let (left, right) = (a.document(0, "json_overlaps")?, a.document(1, "json_overlaps")?);
        Ok(Value::boolean(left.overlaps(&right)))
    })
    .with(Traits::OF_DOCUMENTS)
    .about("document, document", "Whether two documents have a member in common"),
    Entry::of_text("json_pretty", (1, 1), result::text, |a| Ok(Value::text(a.document(0, "json_pretty")?.pretty())))
        .with(Traits::OF_DOCUMENTS)
        .about("document", "A document as text, one member a line"),
    Entry::of_text("json_quote", (1, 1), result::text, |a| match a.get(0) {
        text @ (Value::Text(_) | Value::Bytes(_)) => Ok(Value::text(quote(&text_of(text)?))),
        _ => Err(SqlError::general(format!("invalid type: {}", a.types[0].sql))),
    })
    .null_as_arguments()
    .about("text", "A text as a JSON string, with quotes"),
    Entry::of_text("json_remove", (2, usize::MAX), result::json, remove)
        .with(Traits::OF_DOCUMENTS)
        .about("document, path, …", "The document without what is at the paths"),
    Entry::of_text("json_replace", (3, usize::MAX), result::json, |a| edit(a, Edit::Replace))
        .handling_nulls()
        .in_pairs()
        .with(Traits::OF_DOCUMENTS)
        .about("document, path, value, …", "The document with other values where there were some"),
    Entry::of_text("json_search", (3, usize::MAX), result::json, search)
        .handling_nulls()
        .with(Traits::OF_DOCUMENTS)
        .null_as_arguments()
        .about("document, 'one' or 'all', text[, escape[, path, …]]", "The paths at which a text is found"),
    Entry::of_text("json_set", (3, usize::MAX), result::json, |a| edit(a, Edit::Set))
        .handling_nulls()
        .in_pairs()
        .with(Traits::OF_DOCUMENTS)
        .null_as_arguments()
        .about("document, path, value, …", "The document with values inserted or replaced"),
    Entry::of_text("json_type", (1, 1), result::text, |a| {
        Ok(Value::text(match a.get(0) {
            Value::Null => "NULL",
            Value::Date(_) if a.types[0].sql == SqlType::Json => "DATE",
            Value::DateTime(_) if a.types[0].sql == SqlType::Json => "DATETIME",
            _ => a.document(0, "json_type")?.type_name(),
        }))
    })
    .handling_nulls()
    .with(Traits::OF_DOCUMENTS)
    .null_as_arguments()
    .bound_as(Form::JsonType)
    .declared(declared::regular_text)
    .about("document", "The type of a JSON value"),
    Entry::of_text("json_unquote", (1, 1), result::text, |a| match a.get(0) {
        Value::Json(json) if let Json::String(text) = &***json => Ok(Value::text(text.to_string())),
        Value::Text(_) | Value::Bytes(_) | Value::Json(_) => Ok(Value::text(unquote(&text_of(a.get(0))?))),
        _ => Err(SqlError::general(format!("invalid type: {}", a.types[0].sql))),
    })
    .null_as_arguments()
    .common()
    .about("value", "The text of a JSON string, without quotes"),
    Entry::of_text("json_valid", (1, 1), result::boolean, |a| match a.document(0, "json_valid") {
        Err(error) if error.is_interruption() => Err(error),
        document => Ok(Value::boolean(document.is_ok())),
    })
    .with(Traits::OF_DOCUMENTS)
    .null_as_arguments()
    .about("value", "Whether the argument is a JSON document"),
    Entry::of_text("json_value", (1, 3), result::text, |a| {
        let found = match &**a.document(0, "json_value")? {
            Json::Null => None,
            document if a.len() > 1 => look_up(a, document, 1)?,
            document => Some(document.clone()),
        };
        // The binder says what the third argument names.
        Ok(match found {
            None => Value::Null,
            Some(Json::Array(items)) if items.is_empty() => Value::Null,
            Some(found) if a.result.sql.is_text() => Value::text(found.to_string()),
            Some(found) if a.result.sql == SqlType::Json => Value::json(found),
            Some(Json::Null) => value::assign(&Value::Int(0), &a.result.sql)?,
            Some(Json::String(text)) => value::assign(&Value::text(text.to_string()), &a.result.sql)?,
            Some(found @ (Json::Array(_) | Json::Object(_))) => {
                let ty = &a.result.sql;
                return Err(SqlError::general(format!("error: '{found}' is not a valid value type for '{ty}'")));
            }
            Some(found) => a.context.cast(&Value::json(found), &a.result.sql)?,
        })
    })
    .with(Traits::OF_DOCUMENTS)
    .null_as_arguments()
    .bound_as(Form::JsonValue)
    .reading(Reads::Paths { first: 1, most: 1 })
    .declared(declared_value)
    .about("document[, path[, type]]", "The part of a document at a path, as text or as another type"),
    Entry::refused("json_schema_valid", (2, 2)).about("schema, document", "Whether a document fits a JSON schema"),
    Entry::refused("json_schema_validation_report", (2, 2))
        .about("schema, document", "How a document fits a JSON schema"),
    Entry::refused("json_storage_free", (1, 1)).about("document", "The bytes that a partial update has freed"),
    Entry::refused("json_storage_size", (1, 1)).about("document", "The bytes that a document takes"),
];

fn declared_value(call: &DeclaredCall<'_>) -> Option<ExprType> {
    let sql = SqlType::VarChar { length: 512, collation: Collation::UTF8MB4_0900_BIN };
    if call.ty.sql == SqlType::LONGTEXT { call.sql(sql) } else { None }
}

impl Arguments<'_> {
    /// The n-th argument as a document: JSON as it is, text read as JSON. NULL is JSON's null.
    ///
    /// # Errors
    /// 3141 for text that is no JSON, 1105 for other values.
    fn document(&self, n: usize, function: &str) -> Result<Rc<Document>> {
        match self.get(n) {
            Value::Json(json) => Ok(json.clone()),
            Value::Null => Ok(Rc::new(Json::Null.into())),
            text @ (Value::Text(_) | Value::Bytes(_)) => {
                let text = text_of(text)?;
                self.context.needs_document(&text)?;
                let invalid = || {
                    SqlError::new(
                        3141,
                        format!("Invalid JSON text in argument {} to function {function}: \"{text}\"", n + 1),
                    )
                };
                Ok(Rc::new(Json::parse(&text).map_err(|_| invalid())?.into()))
            }
            _ => Err(SqlError::general(format!(
                "invalid data type for JSON data in argument {} to function {function}; a JSON string or JSON type is required",
                n + 1
            ))),
        }
    }
}

fn array(a: &Arguments<'_>) -> Result<Value<'static>> {
    let items = a.values.iter().zip(a.types).map(|(value, ty)| json_element(value, ty)).collect::<Result<Vec<_>>>()?;
    Ok(Value::json(Json::Array(items).within_depth()?))
}

fn object(a: &Arguments<'_>) -> Result<Value<'static>> {
    let mut members = JsonObject::new();
    for n in (0..a.len()).step_by(2) {
        let (Some(value), Some(ty)) = (a.values.get(n + 1), a.types.get(n + 1)) else { break };
        // A NULL name is the empty one.
        members.insert(a.text(n)?.into_owned(), json_element(value, ty)?);
    }
    Ok(Value::json(Json::Object(members).within_depth()?))
}

/// What the n-th argument, a path, leads to in a document. The reference reads no `last`, no ranges there, and finds nothing with
/// `**`.
fn look_up(a: &Arguments<'_>, document: &Json, n: usize) -> Result<Option<Json>> {
    let path = a.text(n)?;
    let parsed = a.context.json_path(&path)?;
    if matches!(document, Json::Null) && !parsed.is_root() {
        return Ok(None);
    }
    let plain = |leg: &Leg| matches!(leg, Leg::Range(..) | Leg::Cell(Index::FromEnd(_)));
    if parsed.legs().iter().any(plain) {
        return Err(SqlError::general(format!("Invalid JSON path expression '{path}': an index must be a number")));
    }
    if parsed.legs().contains(&Leg::Descendants) {
        return Ok(None);
    }
    Ok(document.extract(std::slice::from_ref(&*parsed)))
}

fn extract(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    // The document counts before a path that is NULL.
    let document = a.document(0, "json_extract")?;
    if (1..a.len()).any(|n| a.is_null(n)) {
        return Ok(Value::Null);
    }
    if a.len() == 2 {
        return Ok(look_up(a, &document, 1)?.map_or(Value::Null, Value::json));
    }
    let mut found = Vec::new();
    for n in 1..a.len() {
        found.extend(look_up(a, &document, n)?);
    }
    Ok(if found.is_empty() { Value::Null } else { Value::json(Json::Array(found)) })
}

fn contains(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let document = a.document(0, "json_contains")?;
    if a.is_null(1) {
        return Ok(Value::Null);
    }
    let candidate = a.document(1, "json_contains")?;
    if a.len() > 2 && a.is_null(2) {
        return Ok(Value::Null);
    }
    if a.len() < 3 {
        return Ok(Value::boolean(document.contains(&candidate)));
    }
    let found = look_up(a, &document, 2)?;
    Ok(found.map_or(Value::Null, |found| Value::boolean(found.contains(&candidate))))
}

/// `one` or `all`: whether all are wanted.
fn wants_all(a: &Arguments<'_>, n: usize, function: &str) -> Result<bool> {
    match a.text(n)?.to_ascii_lowercase().as_str() {
        "one" => Ok(false),
        "all" => Ok(true),
        _ => {
            let article = if function == "json_search" { "the" } else { "The" };
            Err(SqlError::general(format!(
                "{article} oneOrAll argument to {function} may take these values: 'one' or 'all'"
            )))
        }
    }
}

fn contains_path(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) || a.is_null(1) {
        return Ok(Value::Null);
    }
    let document = a.document(0, "json_contains_path")?;
    let all = wants_all(a, 1, "json_contains_path")?;
    for n in 2..a.len() {
        // A NULL path counts only when the search comes to it.
        if a.is_null(n) {
            return Ok(Value::Null);
        }
        let found = look_up(a, &document, n)?.is_some();
        if found != all {
            return Ok(Value::boolean(found));
        }
    }
    Ok(Value::boolean(all))
}

/// JSON_SET and its kin: pairs of path and value, applied from left to right.
fn edit(a: &Arguments<'_>, edit: Edit) -> Result<Value<'static>> {
    let name = match edit {
        Edit::Set => "json_set",
        Edit::Insert => "json_insert",
        Edit::Replace => "json_replace",
        Edit::ArrayAppend => "json_array_append",
        Edit::ArrayInsert => "json_array_insert",
    };
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let mut document = Json::clone(&*a.document(0, name)?);
    for n in (1..a.len()).step_by(2) {
        if a.is_null(n) {
            return Ok(Value::Null);
        }
        let (Some(value), Some(ty)) = (a.values.get(n + 1), a.types.get(n + 1)) else { break };
        document.edit(&a.text(n)?.parse()?, json_element(value, ty)?, edit)?;
    }
    Ok(Value::json(document))
}

fn remove(a: &Arguments<'_>) -> Result<Value<'static>> {
    let mut document = Json::clone(&*a.document(0, "json_remove")?);
    for n in 1..a.len() {
        document.remove(&a.text(n)?.parse()?)?;
    }
    Ok(Value::json(document))
}

fn merge(a: &Arguments<'_>, name: &str, merge: fn(Json, Json) -> Json) -> Result<Value<'static>> {
    let mut merged = a.document(0, name)?.into_value();
    for n in 1..a.len() {
        merged = merge(merged, a.document(n, name)?.into_value()).within_depth()?;
    }
    Ok(Value::json(merged))
}

fn search(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let document = a.document(0, "json_search")?;
    if a.is_null(1) {
        return Ok(Value::Null);
    }
    let all = wants_all(a, 1, "json_search")?;
    if a.is_null(2) || (4..a.len()).any(|n| a.is_null(n)) {
        return Ok(Value::Null);
    }
    let escape = if a.is_null(3) { "\\".into() } else { a.text(3)? };
    if escape.chars().count() > 1 {
        return Err(SqlError::general("incorrect arguments to ESCAPE"));
    }
    let escape = Some(escape.chars().next().unwrap_or('\\'));
    let Some(pattern) = LikePattern::new(&a.text(2)?, escape, a.collation) else { return Ok(Value::Null) };
    let paths = (4..a.len()).map(|n| Ok(a.text(n)?.parse()?)).collect::<Result<Vec<JsonPath>>>()?;
    let found = document.search(&paths, !all, &mut |text| pattern.matches(text.as_bytes()));
    Ok(search_result(found).map_or(Value::Null, Value::json))
}

/// JSON_UNQUOTE as the reference does it: escapes are resolved wherever they stand, then quotes at both ends go.
fn unquote(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next() {
            Some('b') => plain.push('\u{8}'),
            Some('f') => plain.push('\u{c}'),
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('t') => plain.push('\t'),
            Some('u') => {
                let digits: String = rest.clone().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
                match code.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)) {
                    Some(c) => {
                        plain.push(c);
                        rest.nth(3);
                    }
                    None => plain.push('u'),
                }
            }
            Some(c) => plain.push(c),
            None => plain.push('\\'),
        }
    }
    match plain.strip_prefix('"').and_then(|plain| plain.strip_suffix('"')) {
        Some(inside) if text.len() > 1 => inside.to_owned(),
        _ => plain,
    }
}
