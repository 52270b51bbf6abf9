//! SHOW INDEX.

use parse::ast;
use value::{SqlType, Value};

use super::text;
use crate::catalog::{Found, Relation, ToldIndex, index_columns};
use crate::error::Result;
use crate::session::Session;
use crate::statements::listing::Listing;

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
    let Some(base) = relation.base() else {
        relation.told_indexes().iter().for_each(|index| tell(&*relation, index, &mut listing));
        return Ok(listing);
    };
    let place = session.catalog().place_of_table(&*relation)?;
    let counted = place.branch().and_then(|branch| place.attached.statistics.of(branch, base.name()));
    for column in index_columns(base.schema()) {
        listing.push(vec![
            text(&**relation.name()),
            text(if column.is_unique { "0" } else { "1" }),
            text(column.index),
            text(column.number.to_string()),
            column.name(),
            Value::Null,
            text(column.cardinality(counted.as_deref()).to_string()),
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

/// An index of a relation that is not stored.
fn tell(relation: &dyn Relation, index: &ToldIndex, listing: &mut Listing) {
    for (number, &position) in index.columns.iter().enumerate() {
        let column = &relation.columns()[position];
        let mut row = vec![text(&**relation.name()), text(if index.is_unique { "0" } else { "1" })];
        row.extend([text(&*index.name), text((number + 1).to_string()), text(&*column.name)]);
        row.extend([Value::Null, text("0"), Value::Null, Value::Null]);
        row.extend([text(if column.ty.nullable { "YES" } else { "" }), text("BTREE"), text(""), text("")]);
        row.extend([text("YES"), Value::Null]);
        listing.push(row);
    }
}
