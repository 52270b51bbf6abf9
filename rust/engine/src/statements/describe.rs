//! DESCRIBE and SHOW COLUMNS.

use std::rc::Rc;

use parse::ast;
use value::{SqlType, Value};

use super::Listing;
use crate::bind::Found;
use crate::catalog::BaseTable;
use crate::catalog::create_table::shown_type;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::{Cursor, Session};

pub fn run(session: &Session, describe: &ast::Describe, context: Rc<Context>) -> Result<Cursor> {
    if let Some(column) = &describe.column {
        return Err(SqlError::new(1064, format!("syntax error near '{column}': this dialect describes whole tables")));
    }
    let listing = columns(session, &describe.table, describe.as_of.as_ref(), false, &context)?;
    listing.into_cursor(session, "", None, context)
}

pub(super) fn columns(
    session: &Session,
    table: &ast::ObjectName,
    as_of: Option<&ast::Expr>,
    full: bool,
    context: &Rc<Context>,
) -> Result<Listing> {
    let as_of = super::show::revision(session, as_of, context)?;
    let mut listing = match full {
        false => Listing::new(&["Field", "Type", "Null", "Key", "Default", "Extra"]),
        true => {
            Listing::new(&["Field", "Type", "Collation", "Null", "Key", "Default", "Extra", "Privileges", "Comment"])
        }
    };
    let relation = match session.catalog().relation(table, as_of.as_ref()).map_err(|error| error.at(table.span))? {
        Found::Relation(relation) => relation,
        Found::View(view) => {
            let plan = session.view_columns(&view, context)?;
            for column in plan {
                let ty = Value::text(shown_type(&column.ty, value::Collation::UTF8MB4_0900_BIN));
                let nullable = if column.nullable { "YES" } else { "NO" };
                push(&mut listing, full, &column.name, ty, &column.ty, nullable, "", Value::Null, "", "");
            }
            return Ok(listing);
        }
    };
    match relation.base() {
        Some(base) => describe_base(base, full, &mut listing),
        None => {
            for column in relation.columns().iter().filter(|column| !column.hidden) {
                let ty = Value::text(shown_type(&column.ty.sql, value::Collation::UTF8MB4_0900_BIN));
                let nullable = if column.ty.nullable { "YES" } else { "NO" };
                let key = if column.primary { "PRI" } else { "" };
                push(&mut listing, full, &column.name, ty, &column.ty.sql, nullable, key, Value::Null, "", "");
            }
        }
    }
    Ok(listing)
}

fn describe_base(base: &BaseTable, full: bool, listing: &mut Listing) {
    let schema = base.schema();
    for (position, column) in schema.columns.iter().enumerate().filter(|(_, column)| !column.is_hidden) {
        let key = key_kind(schema, position);
        let extra = extra(column);
        let default = match &column.default {
            Some(default) => Value::text(default.to_string()),
            None => Value::Null,
        };
        // A collation is named unless it is the usual one, whatever the table's is.
        let ty = Value::text(shown_type(&column.sql_type, value::Collation::UTF8MB4_0900_BIN));
        let nullable = if column.is_nullable && !column.is_primary_key { "YES" } else { "NO" };
        push(listing, full, &column.name, ty, &column.sql_type, nullable, key, default, extra, &column.comment);
    }
}

/// `PRI`, `UNI` for a column with a unique index of its own, `MUL` for the first one of another index.
pub(crate) fn key_kind(schema: &vcs::Schema, position: usize) -> &'static str {
    let alone = schema.indexes.iter().any(|index| index.columns == [position] && index.is_unique);
    let first = schema.indexes.iter().any(|index| index.columns.first() == Some(&position));
    match () {
        () if schema.columns[position].is_primary_key => "PRI",
        () if alone => "UNI",
        () if first => "MUL",
        () => "",
    }
}

/// What stands in the column Extra.
pub(crate) fn extra(column: &vcs::Column) -> &'static str {
    let is_computed = |default: &str| default.starts_with('(') || default.starts_with("CURRENT_TIMESTAMP");
    match &column.default {
        _ if column.is_auto_increment => "auto_increment",
        Some(default) if is_computed(default) => "DEFAULT_GENERATED",
        _ => "",
    }
}

fn push(
    listing: &mut Listing,
    full: bool,
    name: &str,
    ty: Value<'static>,
    sql_type: &SqlType,
    nullable: &'static str,
    key: &'static str,
    default: Value<'static>,
    extra: &'static str,
    comment: &str,
) {
    let mut row = vec![Value::text(name.to_owned()), ty];
    if full {
        // As the reference does, whatever collation the column has: its type says it.
        let usual = Value::text(value::Collation::UTF8MB4_0900_BIN.name());
        row.push(if sql_type.is_text() { usual } else { Value::Null });
    }
    row.extend([Value::text(nullable), Value::text(key), default, Value::text(extra)]);
    if full {
        row.extend([Value::text(""), Value::text(comment.to_owned())]);
    }
    listing.push(row);
}
