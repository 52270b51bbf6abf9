//! Row codec: rows as values and as tuples.

use std::rc::Rc;

use tree::{NodeStore, RowWriter, Tuple, keyless, tuple};
use value::Value;
use vcs::{Place, Schema};

use super::memtable::Entry;
use crate::error::Result;

/// One value for each column of a table, virtual ones included.
pub type Row = Vec<Value<'static>>;

/// Packs and unpacks the rows of one schema.
pub struct RowCodec {
    schema: Rc<Schema>,
    nodes: Rc<NodeStore>,
    key: RowWriter,
    value: RowWriter,
    /// Positions of the columns that the value tuple holds, in its order.
    value_columns: Vec<usize>,
}

impl RowCodec {
    pub fn new(schema: &Rc<Schema>, nodes: &Rc<NodeStore>) -> RowCodec {
        let stored = schema.columns.iter().enumerate();
        let value_columns =
            stored.filter(|(_, column)| matches!(column.place, Place::Value(_))).map(|(at, _)| at).collect();
        RowCodec {
            key: RowWriter::new(schema.key.clone(), schema.target_row_bytes),
            value: RowWriter::new(schema.value.clone(), schema.target_row_bytes),
            schema: schema.clone(),
            nodes: nodes.clone(),
            value_columns,
        }
    }

    /// Key and value tuple of a row, whose values have the types of their columns. Long values become chunks.
    pub fn encode(&mut self, row: &[Value<'static>]) -> Result<Entry> {
        let mut sink = &*self.nodes;
        let once = Value::UInt(1);
        let cardinality = self.schema.is_keyless().then_some(&once);
        let values = cardinality.into_iter().chain(self.value_columns.iter().map(|at| &row[*at]));
        let value = self.value.write(values, &mut sink)?;
        if self.schema.is_keyless() {
            return Ok(Entry { key: keyless::key(&value)?.to_vec(), value });
        }
        Ok(Entry { key: self.encode_key(row)?, value })
    }

    /// The key tuple of a row of a table with a primary key.
    pub fn encode_key(&mut self, row: &[Value<'static>]) -> Result<Vec<u8>> {
        Ok(self.key.write(self.schema.primary_key.iter().map(|at| &row[*at]), &mut &*self.nodes)?)
    }

    /// The values of a row; those of virtual columns are NULL.
    pub fn decode(&self, entry: &Entry) -> Result<Row> {
        let (key, value) = (Tuple::new(&entry.key), Tuple::new(&entry.value));
        let column = |column: &vcs::Column| {
            let (field, kind) = match column.place {
                Place::Key(at) => (key.field(at), &self.schema.key.fields()[at]),
                Place::Value(at) => (value.field(at), &self.schema.value.fields()[at]),
                Place::Virtual => return Ok(Value::Null),
            };
            Ok(tuple::decode(&self.nodes, kind, field)?.into_owned())
        };
        self.schema.columns.iter().map(column).collect()
    }
}
