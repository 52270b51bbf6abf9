//! JSON_TABLE operator: a document becomes rows, its nested paths rows beside them.

use std::rc::Rc;

use value::json::Document;
use value::json::JsonPath;
use value::{Json, SqlType, Value};

use crate::batch::{BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::exec::operator::{Operator, Poll};
use crate::expr::{Context, Expr};
use crate::plan::{JsonColumn, JsonFallback, JsonRows};
use crate::vector::VectorBuilder;

pub struct JsonTable {
    pub document: Expr,
    pub rows: Rc<JsonRows>,
    pub state: Option<State>,
}

/// The elements of the document's path, and how many are done.
pub struct State {
    elements: Vec<Json>,
    done: usize,
}

type Row = Vec<Value<'static>>;

/// What it costs to find an element, and to make a row of it.
const ELEMENT_WORK: usize = 512;

impl Operator for JsonTable {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let state = match &mut self.state {
            Some(state) => state,
            none => {
                let document = document(self.document.eval_constant(context)?, context)?;
                let elements = document.map_or_else(Vec::new, |document| elements(&document, &self.rows.path));
                context.spend_work(ELEMENT_WORK * elements.len());
                none.insert(State { elements, done: 0 })
            }
        };
        let mut rows: Vec<Row> = Vec::new();
        while rows.len() < BATCH_ROWS && state.done < state.elements.len() {
            if context.is_out_of_fuel() {
                match rows.is_empty() {
                    true => return Ok(Poll::Yield),
                    false => break,
                }
            }
            let element = &state.elements[state.done];
            state.done += 1;
            let before = rows.len();
            expand(&self.rows, element, state.done as u64, &mut rows)?;
            context.spend(rows.len() - before);
            context.spend_work(ELEMENT_WORK * (rows.len() - before));
        }
        if rows.is_empty() {
            return Ok(Poll::Done);
        }
        let mut columns: Vec<_> = (0..self.rows.width()).map(|_| VectorBuilder::with_capacity(rows.len())).collect();
        let count = rows.len();
        for row in rows {
            row.into_iter().zip(&mut columns).for_each(|(value, column)| column.push(value));
        }
        Ok(Poll::Batch(Batch::new(count, columns.into_iter().map(|column| Rc::new(column.finish())).collect())))
    }
}

/// `None` for NULL.
fn document(value: Value<'static>, context: &Context) -> Result<Option<Rc<Document>>> {
    match value {
        Value::Null => Ok(None),
        Value::Json(json) => Ok(Some(json)),
        other => {
            let invalid = || SqlError::new(3141, "Invalid JSON text in argument 1 to function json_table");
            let text = match &other {
                Value::Text(text) => text,
                _ => return Err(invalid()),
            };
            context.needs_document(text)?;
            Ok(Some(Rc::new(Json::parse(text).map_err(|_| invalid())?.into())))
        }
    }
}

/// What a path finds, one by one. An array that a plain path leads to counts by its elements, as in the reference.
fn elements(document: &Json, path: &JsonPath) -> Vec<Json> {
    let mut found = Vec::new();
    path.each(document, &mut |value| {
        found.push(value.clone());
        true
    });
    match (path.has_wildcards(), &mut found[..]) {
        (false, [Json::Array(items)]) => std::mem::take(items),
        _ => found,
    }
}

/// Adds the rows that one element gives.
fn expand(rows: &JsonRows, element: &Json, number: u64, into: &mut Vec<Row>) -> Result<()> {
    let mut plain = Vec::with_capacity(rows.width());
    // Where the columns of each nested path begin, and its rows.
    let mut nested: Vec<(usize, Vec<Row>)> = Vec::new();
    for column in &rows.columns {
        match column {
            JsonColumn::Ordinality => plain.push(Value::UInt(number)),
            JsonColumn::Exists { path, ty } => {
                let exists = Value::Int(i64::from(path.first(element).is_some()));
                plain.push(value::assign(&exists, ty)?);
            }
            JsonColumn::Value { name, path, ty, on_empty, on_error } => {
                plain.push(cell(path.first(element), name, ty, on_empty, on_error)?);
            }
            JsonColumn::Nested(inner) => {
                let mut found = Vec::new();
                for (at, element) in elements(element, &inner.path).iter().enumerate() {
                    expand(inner, element, at as u64 + 1, &mut found)?;
                }
                nested.push((plain.len(), found));
                plain.extend(std::iter::repeat_n(Value::Null, inner.width()));
            }
        }
    }
    let before = into.len();
    for (at, found) in nested {
        for values in found {
            let mut row = plain.clone();
            values.into_iter().zip(&mut row[at..]).for_each(|(value, cell)| *cell = value);
            into.push(row);
        }
    }
    if into.len() == before {
        into.push(plain);
    }
    Ok(())
}

fn cell(
    found: Option<&Json>,
    name: &str,
    ty: &SqlType,
    on_empty: &JsonFallback,
    on_error: &JsonFallback,
) -> Result<Value<'static>> {
    let converted = match (found, on_empty) {
        (Some(json), _) => convert(json, ty),
        (None, JsonFallback::Value(value)) => value::assign(value, ty).ok(),
        (None, JsonFallback::Error) => {
            return Err(SqlError::general(format!("missing value for JSON_TABLE column '{name}'")));
        }
    };
    match (converted, on_error) {
        (Some(value), _) => Ok(value),
        (None, JsonFallback::Value(value)) => Ok(value::assign(value, ty)?),
        (None, JsonFallback::Error) => {
            Err(SqlError::new(3141, "Invalid JSON text in argument 1 to function JSON_TABLE: \"Invalid value.\""))
        }
    }
}

/// `None` where the value does not fit the column.
fn convert(json: &Json, ty: &SqlType) -> Option<Value<'static>> {
    let value = match json {
        json if *ty == SqlType::Json => return Some(Value::json(json.clone())),
        Json::Null => Value::Null,
        Json::String(text) => Value::text(text.to_string()),
        Json::Array(_) | Json::Object(_) => return None,
        // As in the reference.
        Json::Bool(truth) if ty.is_text() => Value::text(if *truth { "1" } else { "0" }),
        scalar => Value::json(scalar.clone()),
    };
    value::assign(&value, ty).ok()
}
