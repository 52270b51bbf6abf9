//! CHECK, CHECKSUM, OPTIMIZE and REPAIR TABLE, DROP FUNCTION and DO: statements of upgrade scripts with little to do.

use std::rc::Rc;

use parse::ast::{self, Maintenance};
use value::{SqlType, Value};

use super::listing::Listing;
use crate::catalog::Found;
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::value_alone;
use crate::session::Session;

/// What MySQL answers for tables of InnoDB.
// The deferred module finds its functions by name (xtask/bindgen/src/split.rs).
#[inline(never)]
pub fn run(
    session: &Session,
    sql: &str,
    maintenance: Maintenance,
    tables: &[ast::ObjectName],
    context: Rc<Context>,
) -> Result<Cursor> {
    let mut listing = match maintenance {
        Maintenance::Checksum => Listing::new(&["Table", "Checksum"]).with(SqlType::BIGINT_UNSIGNED, &[1]),
        _ => Listing::new(&["Table", "Op", "Msg_type", "Msg_text"]),
    };
    let used = session.state().database().ok_or_else(SqlError::no_database);
    for table in tables {
        let database = table.database.as_ref().map_or_else(|| used.clone(), |name| Ok((*name.text).into()))?;
        let name = Value::text(format!("{database}.{}", table.name.text));
        let found = match session.catalog().relation(table, None) {
            Ok(found) => Some(found),
            Err(error) if error.errno == 1146 => None,
            Err(error) => return Err(error.at(table.span)),
        };
        let (operation, messages): (&str, &[[&str; 2]]) = match maintenance {
            Maintenance::Checksum => {
                listing.push(vec![name, found.map_or(Value::Null, |found| checksum(&found))]);
                continue;
            }
            Maintenance::Check => ("check", &[["status", "OK"]]),
            Maintenance::Optimize => (
                "optimize",
                &[["note", "Table does not support optimize, doing recreate + analyze instead"], ["status", "OK"]],
            ),
            Maintenance::Repair => ("repair", &[["note", "The storage engine for the table doesn't support repair"]]),
        };
        let missing = format!("Table '{database}.{}' doesn't exist", table.name.text);
        let missing = [["Error", &*missing], ["status", "Operation failed"]];
        for message in if found.is_some() { messages } else { &missing } {
            listing.push(
                [name.clone()]
                    .into_iter()
                    .chain([operation, message[0], message[1]].map(|text| Value::text(text.to_owned())))
                    .collect(),
            );
        }
    }
    listing.into_cursor(session, sql, None, context)
}

/// A number that is another one when the table is: the beginning of its hash.
fn checksum(found: &Found) -> Value<'static> {
    let base = match found {
        Found::Relation(relation) => relation.base(),
        Found::View(_) => None,
    };
    match base.map(|base| base.table.address()) {
        Some(address) => {
            let [a, b, c, d, ..] = *address.as_bytes();
            Value::UInt(u32::from_be_bytes([a, b, c, d]).into())
        }
        None => Value::Null,
    }
}

/// DO: the values are of no interest.
pub fn evaluate(sql: &str, exprs: &[ast::Expr], context: Rc<Context>) -> Result<Cursor> {
    for expr in exprs {
        value_alone(sql, expr, &context)?;
    }
    Ok(Cursor::of_effect(0, context))
}

/// DROP FUNCTION: there is none.
pub fn drop_functions(session: &Session, drop: &ast::DropObjects, context: Rc<Context>) -> Result<Cursor> {
    for name in &drop.names {
        let text = format!("FUNCTION {} does not exist", name.name.text);
        if !drop.if_exists {
            return Err(SqlError::new(1305, text).at(name.span));
        }
        session.state().note(1305, text);
    }
    Ok(Cursor::of_effect(0, context))
}
