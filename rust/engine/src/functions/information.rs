//! Who asks and what happened last: DATABASE, USER, LAST_INSERT_ID, ROW_COUNT, VERSION and their kin.

use value::Value;

use super::{Arguments, Function, result};
use crate::error::Result;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("connection_id", (0, 0), result::unsigned_int, |a| Ok(Value::UInt(a.context.session.connection_id)))
        .stable(),
    Function::new("current_user", (0, 0), result::system_text, user).stable(),
    Function::new("database", (0, 0), result::system_text, database).stable(),
    Function::new("found_rows", (0, 0), result::bigint, |a| {
        Ok(Value::Int(i64::try_from(a.context.session.found_rows.get()).unwrap_or(i64::MAX)))
    })
    .stable(),
    Function::new("icu_version", (0, 0), result::text, |_| Ok(Value::text("73.1"))),
    Function::new("last_insert_id", (0, 1), result::unsigned, last_insert_id).volatile().handling_nulls(),
    // The engine writes no UUIDs of its own accord.
    Function::new("last_insert_uuid", (0, 0), result::text, |_| Ok(Value::text(""))).stable(),
    Function::new("row_count", (0, 0), result::bigint, |a| Ok(Value::Int(a.context.session.row_count.get()))).stable(),
    Function::new("schema", (0, 0), result::system_text, database).stable(),
    Function::new("user", (0, 0), result::system_text, user).stable(),
    Function::new("version", (0, 0), result::system_text, |a| {
        Ok(Value::text(a.context.session.variables.borrow().text("version")))
    })
    .stable(),
];

fn user(_: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(Value::text("root@localhost"))
}

fn database(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(a.context.session.database().map_or(Value::Null, |name| Value::text(name.to_string())))
}

/// LAST_INSERT_ID(n) remembers n.
fn last_insert_id(a: &Arguments<'_>) -> Result<Value<'static>> {
    let session = &a.context.session;
    if !a.is_empty() {
        let id = if a.is_null(0) { 0 } else { a.unsigned(0)? };
        session.last_insert_id.set(id);
    }
    Ok(Value::UInt(session.last_insert_id.get()))
}
