//! Schema fragments: views, triggers and events, rows of `dolt_schemas` (docs/format/database.md, section 5.1).

use tree::{Direction, Tuple, tuple};
use value::Value;
use vcs::RootValue;

use super::{Catalog, Place};
use crate::error::{Result, SqlError};

/// One stored definition.
pub struct Fragment {
    /// `view`, `trigger` or `event`.
    pub kind: String,
    pub name: String,
    /// The CREATE statement as it was typed.
    pub text: String,
    /// Seconds since 1970; 0 for views.
    pub created_at: i64,
    pub sql_mode: String,
}

/// All definitions of a root, by kind and name.
pub fn read(catalog: &Catalog, place: &Place, root: &RootValue) -> Result<Vec<Fragment>> {
    let Some(table) = catalog.stored(place, root, "dolt_schemas")? else { return Ok(Vec::new()) };
    let schema = table.schema().clone();
    let text_of = |name: &str, key: &[u8], value: &[u8]| -> Result<String> {
        let Some(position) = schema.column(name) else { return Ok(String::new()) };
        let nodes = table.table.objects().nodes();
        let (bytes, descriptor, field) = match schema.columns[position].place {
            vcs::Place::Key(field) => (key, &schema.key, field),
            vcs::Place::Value(field) => (value, &schema.value, field),
            vcs::Place::Virtual => return Ok(String::new()),
        };
        let kind = descriptor.fields().get(field).ok_or_else(|| SqlError::internal("dolt_schemas has lost a field"))?;
        Ok(match tuple::decode(nodes, kind, Tuple::new(bytes).field(field))? {
            Value::Text(text) => text.into_owned(),
            Value::Json(json) => json.to_string(),
            _ => String::new(),
        })
    };
    let mut fragments = Vec::new();
    let mut scan = table.table.rows().scan(None, None, Direction::Forward)?;
    while let Some(span) = scan.next_span(usize::MAX)? {
        for item in span.items.clone() {
            let (key, value) = (span.leaf.key(item), span.leaf.value(item));
            let extra = text_of("extra", key, value)?;
            let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
            fragments.push(Fragment {
                kind: text_of("type", key, value)?,
                name: text_of("name", key, value)?,
                text: text_of("fragment", key, value)?,
                created_at: digits(&extra).parse().unwrap_or(0),
                sql_mode: text_of("sql_mode", key, value)?,
            });
        }
    }
    Ok(fragments)
}
