//! SHOW INDEX.

use parse::ast;
use value::Value;

use super::text;
use crate::bind::Found;
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
    ]);
    let Found::Relation(relation) = session.catalog().relation(table, None).map_err(|error| error.at(table.span))?
    else {
        return Ok(listing);
    };
    let Some(base) = relation.base() else { return Ok(listing) };
    let schema = base.schema();
    let mut push = |unique: bool, name: &str, columns: &[usize], comment: &str| {
        for (n, &at) in columns.iter().enumerate() {
            let column = &schema.columns[at];
            let expression = column.generated.as_ref().filter(|_| column.is_hidden);
            listing.push(vec![
                text(relation.name()),
                text(if unique { "0" } else { "1" }),
                text(name),
                text((n + 1).to_string()),
                if expression.is_some() { Value::Null } else { text(&*column.name) },
                Value::Null,
                text("0"),
                // Dolt tells prefix lengths and kinds of indexes only in information_schema and SHOW CREATE TABLE.
                Value::Null,
                Value::Null,
                text(if column.is_nullable && !column.is_primary_key { "YES" } else { "" }),
                text("BTREE"),
                text(""),
                text(comment),
                text("YES"),
                expression.map_or(Value::Null, |generated| text(&*generated.expression)),
            ]);
        }
    };
    if !schema.primary_key.is_empty() {
        push(true, "PRIMARY", &schema.primary_key, "");
    }
    for index in &schema.indexes {
        push(index.is_unique, &index.name, &index.columns, &index.comment);
    }
    Ok(listing)
}
