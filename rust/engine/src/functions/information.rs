//! Who asks and what happened last: DATABASE, USER, LAST_INSERT_ID, ROW_COUNT, VERSION and their kin.

use value::{SqlType, Value};

use super::{Arguments, Entry, Function, declared, result};
use crate::error::Result;

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("connection_id", (0, 0), result::unsigned_int, |a| Ok(Value::UInt(a.context.session.connection_id)))
        .stable()
        .not_in_checks()
        .declared(declared::own_never_null)
        .about("", "The number of the connection"),
    Entry::new("current_user", (0, 0), result::system_text, user)
        .stable()
        .not_in_checks()
        .declared(|_| declared::never_null(SqlType::LONGTEXT))
        .about("", "The user of the session")
        .also(&["user"]),
    Entry::new("database", (0, 0), result::system_text, database)
        .stable()
        .not_in_checks()
        .declared(|call| call.sql(SqlType::LONGTEXT))
        .about("", "The database of the session"),
    Entry::new("found_rows", (0, 0), result::bigint, |a| {
        Ok(Value::Int(i64::try_from(a.context.session.found_rows.get()).unwrap_or(i64::MAX)))
    })
    .stable()
    .not_in_checks()
    .about("", "The number of rows that the last query found"),
    Entry::new("icu_version", (0, 0), result::text, |_| Ok(Value::text("73.1")))
        .about("", "The version of ICU whose regular expressions are followed"),
    Entry::new("last_insert_id", (0, 1), result::unsigned, last_insert_id)
        .volatile()
        .handling_nulls()
        .not_in_checks()
        .declared(declared::own_never_null)
        .about("[n]", "The first AUTO_INCREMENT value of the last INSERT; with an argument, that value from now on"),
    // The engine writes no UUIDs of its own accord.
    Entry::new("last_insert_uuid", (0, 0), result::text, |_| Ok(Value::text("")))
        .stable()
        .about("", "The first UUID of the last INSERT")
        .adapted("always empty"),
    Entry::new("row_count", (0, 0), result::bigint, |a| Ok(Value::Int(a.context.session.row_count.get())))
        .stable()
        .not_in_checks()
        .about("", "The number of rows that the last statement changed"),
    Entry::new("schema", (0, 0), result::system_text, database)
        .stable()
        .not_in_checks()
        .about("", "The database of the session"),
    Entry::new("version", (0, 0), result::system_text, |a| {
        Ok(Value::text(a.context.session.variables.borrow().text("version")))
    })
    .stable()
    .not_in_checks()
    .declared(declared::own_never_null)
    .about("", "The version of MySQL that the server reports"),
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
