//! Entries of secondary indexes made from rows (docs/format/database.md, section 7).

use std::rc::Rc;

use tree::tuple::{RowWriter, Tuple, TupleBuilder, encode};
use tree::{FieldType, IndexKey, NodeStore, Source};
use value::assign;

use crate::error::{Result, VcsError};
use crate::expressions::Expressions;
use crate::merge::rows::row::Row;
use crate::schema::{Index, Place, Schema};

/// Makes the keys of one index from rows of one schema.
pub(crate) struct IndexKeys {
    schema: Rc<Schema>,
    /// Positions of virtual columns, whose values are put behind the row's own.
    computed: Vec<usize>,
    keys: IndexKey,
}

impl IndexKeys {
    /// `index` is one of a schema with the same columns, which may be at other positions.
    pub(crate) fn new(schema: &Rc<Schema>, index: &Index, index_schema: &Schema) -> Result<IndexKeys> {
        let mut computed = Vec::new();
        let mut fields = Vec::with_capacity(index.fields.len());
        for field in &index.fields {
            let (source, column) = match field.column {
                None => (Source::Key(0), schema.key.fields()[0].clone()),
                Some(position) => {
                    let wanted = &index_schema.columns[position];
                    let by_tag = schema.columns.iter().position(|column| column.tag == wanted.tag);
                    let by_name = || schema.columns.iter().position(|column| column.name == wanted.name);
                    let missing = || VcsError::corrupt("merge", "an index has a column that the rows have not");
                    let at = by_tag.or_else(by_name).ok_or_else(missing)?;
                    match schema.columns[at].place {
                        Place::Key(field) => (Source::Key(field), schema.key.fields()[field].clone()),
                        Place::Value(field) => (Source::Value(field), schema.value.fields()[field].clone()),
                        Place::Virtual => {
                            computed.push(at);
                            let column = &schema.columns[at];
                            let kind = FieldType::new(column.encoding, true, column.sql_type.clone());
                            (Source::Value(schema.value.len() + computed.len() - 1), kind)
                        }
                    }
                }
            };
            fields.push(tree::IndexField { source, column, prefix_bytes: field.prefix_bytes });
        }
        let keys = IndexKey::new(fields, index.keeps_encodings(), schema.target_row_bytes);
        Ok(IndexKeys { schema: schema.clone(), computed, keys })
    }

    /// The key of a row's entry.
    pub(crate) fn of_row(&mut self, nodes: &NodeStore, row: Row<'_>, expressions: &dyn Expressions) -> Result<Vec<u8>> {
        if self.computed.is_empty() {
            return Ok(self.keys.of_row(nodes, Tuple::new(row.key), Tuple::new(row.value), &mut &*nodes)?);
        }
        let values = row.values(nodes, &self.schema)?;
        let stored = Tuple::new(row.value);
        let mut whole = TupleBuilder::new();
        for field in 0..self.schema.value.len() {
            whole.push(stored.field(field));
        }
        for position in &self.computed {
            let column = &self.schema.columns[*position];
            let Some(expression) = column.virtual_expression() else { continue };
            let computed = expressions.value(&self.schema, expression, &values)?;
            let computed = assign(&computed, &column.sql_type).map_err(tree::TreeError::from)?;
            let kind = FieldType::new(column.encoding, true, column.sql_type.clone());
            let mut field = Vec::new();
            match column.encoding.is_adaptive() {
                // A value of an index is in its key, or is stored out of band by the index.
                true => {
                    let alone = Rc::new(tree::TupleDescriptor::new([kind]));
                    let tuple = RowWriter::new(alone, u16::MAX).write(&[computed], &mut &*nodes)?;
                    field.extend_from_slice(Tuple::new(&tuple).field(0).unwrap_or_default());
                }
                false => encode(&kind, &computed, &mut field)?,
            }
            whole.push((!field.is_empty()).then_some(&field));
        }
        let whole = whole.finish()?;
        Ok(self.keys.of_row(nodes, Tuple::new(row.key), Tuple::new(&whole), &mut &*nodes)?)
    }
}

/// Makes the key of a row from the key of an entry of one of its table's indexes.
pub(crate) struct RowKeys {
    /// Field of the entry for each field of the row's key.
    fields: Vec<usize>,
}

impl RowKeys {
    pub(crate) fn new(schema: &Schema, index: &Index) -> Result<RowKeys> {
        let missing = || VcsError::corrupt("index", "its key does not name the row");
        let at = |wanted: Option<usize>| index.fields.iter().position(|field| field.column == wanted);
        let fields: Option<Vec<usize>> = match schema.is_keyless() {
            true => at(None).map(|field| vec![field]),
            false => schema.primary_key.iter().map(|position| at(Some(*position))).collect(),
        };
        Ok(RowKeys { fields: fields.ok_or_else(missing)? })
    }

    pub(crate) fn of_entry(&self, entry: &[u8]) -> Result<Vec<u8>> {
        let entry = Tuple::new(entry);
        let mut key = TupleBuilder::new();
        for field in &self.fields {
            key.push(entry.field(*field));
        }
        Ok(key.finish()?)
    }
}
