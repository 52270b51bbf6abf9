//! SHOW INDEX.

use parse::ast;
use value::{SqlType, Value};

use super::text;
use crate::catalog::{Found, index_columns};
use crate::error::Result;
use crate::session::Session;
use crate::statements::Listing;

/// One row for each column of each index.
pub fn listing(session: &Session, table: &ast::ObjectName) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Table",
        "Non_unique",
        "Key_name",
        "Seq_in_index",
        "Column_name",
        "Collation",
        "Cardinality",
        "Sub_part",
        "Packed",
        "Null",
        "Index_type",
        "Comment",
        "Index_comment",
        "Visible",
        "Expression",
    ])
    .with(SqlType::INT, &[1, 3])
    .with(SqlType::BIGINT, &[6, 7]);
    let Found::Relation(relation) = session.catalog().relation(table, None).map_err(|error| error.at(table.span))?
    else {
        return Ok(listing);
    };
    let Some(base) = relation.base() else { return Ok(listing) };
    for column in index_columns(base.schema()) {
        listing.push(vec![
            text(&**relation.name()),
            text(if column.is_unique { "0" } else { "1" }),
            text(column.index),
            text(column.number.to_string()),
            column.name(),
            Value::Null,
            text("0"),
            // Dolt tells prefix lengths and kinds of indexes only in information_schema and SHOW CREATE TABLE.
            Value::Null,
            Value::Null,
            text(column.nullable()),
            text("BTREE"),
            // As in the reference: among the remarks, not with the comments of indexes.
            text(column.comment),
            text(""),
            text("YES"),
            column.expression(),
        ]);
    }
    Ok(listing)
}
