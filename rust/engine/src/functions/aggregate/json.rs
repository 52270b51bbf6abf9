//! JSON_ARRAYAGG and JSON_OBJECTAGG.

use std::rc::Rc;

use value::json::JsonObject;
use value::{Json, SqlType, Value};

use super::{Accumulator, Aggregate};
use crate::error::{Result, SqlError};
use crate::expr::{AggregateCall, Context, ExprType};
use crate::functions::argument::{json_element, text_of};
use crate::functions::{Entry, Traits, declared};
use crate::vector::Vector;

fn json(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Json, true)
}

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[
    Entry::aggregate("json_arrayagg", (1, 1), json, |call| {
        Box::new(Array { ty: type_of(call, 0), groups: Vec::new() })
    })
    .with(Traits::READS_TEXT.and(Traits::OF_DOCUMENTS))
    .declared(declared::own_never_null)
    .about("x", "The values as a JSON array"),
    Entry::aggregate("json_objectagg", (2, 2), json, |call| {
        Box::new(Object { ty: type_of(call, 1), groups: Vec::new() })
    })
    .with(Traits::READS_TEXT.and(Traits::OF_DOCUMENTS))
    .about("key, value", "The pairs as a JSON object"),
];

fn type_of(call: &AggregateCall, n: usize) -> ExprType {
    call.args.get(n).map_or_else(ExprType::null, |arg| arg.ty.clone())
}

struct Array {
    ty: ExprType,
    groups: Vec<Vec<Json>>,
}

impl Accumulator for Array {
    fn resize(&mut self, groups: usize) {
        self.groups.resize_with(groups, Vec::new);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        for (row, &group) in groups.iter().enumerate() {
            self.groups[group as usize].push(json_element(&values.value(row), &self.ty)?);
        }
        Ok(())
    }

    fn value(&mut self, group: usize, context: &Context) -> Result<Value<'static>> {
        // No rows give an empty array, not NULL.
        context.large_within_packet(Value::json(Json::Array(std::mem::take(&mut self.groups[group]))), &[])
    }
}

struct Object {
    ty: ExprType,
    groups: Vec<JsonObject>,
}

impl Accumulator for Object {
    fn resize(&mut self, groups: usize) {
        self.groups.resize_with(groups, JsonObject::new);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [keys, values, ..] = args else { return Ok(()) };
        for (row, &group) in groups.iter().enumerate() {
            if keys.is_null(row) {
                return Err(SqlError::general("JSON documents may not contain NULL member names"));
            }
            let value = json_element(&values.value(row), &self.ty)?;
            self.groups[group as usize].insert(text_of(&keys.value(row))?.into_owned(), value);
        }
        Ok(())
    }

    fn value(&mut self, group: usize, context: &Context) -> Result<Value<'static>> {
        let object = std::mem::take(&mut self.groups[group]);
        context
            .large_within_packet(if object.is_empty() { Value::Null } else { Value::json(Json::Object(object)) }, &[])
    }
}
