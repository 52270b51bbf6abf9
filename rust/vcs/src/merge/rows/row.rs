//! Stored rows: key and value tuples.

use tree::tuple::{Tuple, decode};
use tree::{Item, NodeStore};
use value::Value;

use crate::error::Result;
use crate::schema::{Place, Schema};

/// The key and the value tuple of a row.
#[derive(Clone, Copy)]
pub(crate) struct Row<'r> {
    pub key: &'r [u8],
    pub value: &'r [u8],
}

impl<'r> Row<'r> {
    pub(crate) fn of(item: &'r Item) -> Row<'r> {
        Row { key: item.key(), value: item.value() }
    }

    /// One value per column of the row's schema; those of virtual columns are NULL.
    pub(crate) fn values(self, nodes: &NodeStore, schema: &Schema) -> Result<Vec<Value<'r>>> {
        let (key, value) = (Tuple::new(self.key), Tuple::new(self.value));
        let mut row = Vec::with_capacity(schema.columns.len());
        for column in &schema.columns {
            row.push(match column.place {
                Place::Key(field) => decode(nodes, &schema.key.fields()[field], key.field(field))?,
                Place::Value(field) => decode(nodes, &schema.value.fields()[field], value.field(field))?,
                Place::Virtual => Value::Null,
            });
        }
        Ok(row)
    }
}
