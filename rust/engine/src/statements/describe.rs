//! DESCRIBE and SHOW COLUMNS.

use std::rc::Rc;

use parse::ast;
use value::{SqlType, Value};

use super::listing::Listing;
use crate::catalog::Found;
use crate::catalog::column_notes::{extra, full_extra, is_computed, key_kind};
use crate::catalog::create_table::{shown_expression, shown_type};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;

const USUAL: [&str; 6] = ["Field", "Type", "Null", "Key", "Default", "Extra"];
const FULL: [&str; 9] = ["Field", "Type", "Collation", "Null", "Key", "Default", "Extra", "Privileges", "Comment"];

pub fn run(session: &Session, describe: &ast::Describe, context: Rc<Context>) -> Result<Cursor> {
    if let Some(column) = &describe.column {
        return Err(SqlError::new(1064, format!("syntax error near '{column}': this dialect describes whole tables")));
    }
    let listing = columns(session, &describe.table, describe.as_of.as_ref(), Extent::default(), &context)?;
    listing.into_cursor(session, "", None, context)
}

/// How much a listing of columns tells.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    /// Of collations and comments, too.
    pub is_full: bool,
    /// Of columns that hold the values of an index's expressions, too.
    pub is_extended: bool,
}

/// The columns of a table or view.
pub(super) fn columns(
    session: &Session,
    table: &ast::ObjectName,
    as_of: Option<&ast::Expr>,
    extent: Extent,
    context: &Rc<Context>,
) -> Result<Listing> {
    let as_of = crate::names::revision(as_of, context)?;
    let mut listing = if extent.is_full { Listing::new(&FULL) } else { Listing::new(&USUAL) };
    let extra = if extent.is_full { full_extra } else { extra };
    let mut push = |column: Described<'_>| listing.push(column.row(extent.is_full));
    match session.catalog().relation(table, as_of.as_ref()).map_err(|error| error.at(table.span))? {
        Found::View(view) => {
            for column in session.view_columns(&view, context)? {
                let (ty, is_nullable) = column.declaration();
                let default = column.default.as_deref();
                let extra = if default.is_some_and(is_computed) { "DEFAULT_GENERATED" } else { "" };
                push(Described { default, extra, ..Described::new(&column.name, ty, is_nullable) });
            }
        }
        Found::Relation(relation) => match relation.base() {
            Some(base) => {
                let schema = base.schema();
                let is_told = |column: &vcs::Column| !column.is_hidden || extent.is_extended;
                for (position, column) in schema.columns.iter().enumerate().filter(|(_, column)| is_told(column)) {
                    let is_nullable = column.is_nullable && !column.is_primary_key;
                    push(Described {
                        key: key_kind(schema, position),
                        default: column.default.as_deref(),
                        extra: extra(column),
                        comment: &column.comment,
                        ..Described::new(&column.name, &column.sql_type, is_nullable)
                    });
                }
            }
            None => {
                for (position, column) in relation.columns().iter().enumerate().filter(|(_, column)| !column.hidden) {
                    let mut described = Described::new(&column.name, &column.ty.sql, column.ty.nullable);
                    described.key = relation.key_kind(position);
                    if let Some(stored) = &column.shows {
                        described.default = stored.default.as_deref();
                        described.extra = extra(stored);
                        described.comment = &stored.comment;
                    }
                    push(described);
                }
            }
        },
    }
    Ok(listing)
}

/// The row of one column.
struct Described<'a> {
    name: &'a str,
    ty: &'a SqlType,
    is_nullable: bool,
    /// `PRI`, `UNI`, `MUL` or nothing.
    key: &'static str,
    default: Option<&'a str>,
    extra: &'static str,
    comment: &'a str,
}

impl<'a> Described<'a> {
    fn new(name: &'a str, ty: &'a SqlType, is_nullable: bool) -> Described<'a> {
        Described { name, ty, is_nullable, key: "", default: None, extra: "", comment: "" }
    }

    fn row(&self, full: bool) -> Vec<Value<'static>> {
        let text = |text: &str| Value::text(text.to_owned());
        // A collation is named unless it is the usual one, whatever the table's is; in a column of its own as in MySQL.
        let own = if full { self.ty.collation() } else { None };
        let usual = own.unwrap_or(value::Collation::UTF8MB4_0900_BIN);
        let mut row = vec![text(self.name), Value::text(shown_type(self.ty, usual))];
        if full {
            row.push(own.map_or(Value::Null, |collation| Value::text(collation.name())));
        }
        let nullable = if self.is_nullable { "YES" } else { "NO" };
        let default = self.default.map_or(Value::Null, |default| {
            let shown = shown_expression(default);
            match shown.strip_prefix('\'').and_then(|literal| literal.strip_suffix('\'')) {
                Some(literal) if full => Value::text(literal.replace("''", "'")),
                _ => text(&shown),
            }
        });
        row.extend([Value::text(nullable), Value::text(self.key), default, Value::text(self.extra)]);
        if full {
            row.extend([Value::text(""), text(self.comment)]);
        }
        row
    }
}
