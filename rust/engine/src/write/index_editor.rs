//! Index editor: edits of a secondary index, which follow those of the rows.

use std::rc::Rc;

use tree::{IndexField, IndexKey, NodeStore, Part, RowWriter, Source, Tuple, TupleBuilder, tuple};
use value::Value;
use vcs::{Index, Place, Schema, Table};

use super::memtable::{Entry, Memtable};
use super::row::Row;
use crate::error::{Result, SqlError};

/// An index that is ordered by its columns, or by cells of geometry.
pub struct IndexEditor {
    pub index: Index,
    pub entries: Memtable,
    maker: Maker,
    nodes: Rc<NodeStore>,
    /// For each field of the rows' keys, its field in the index.
    row_key: Vec<Option<usize>>,
}

enum Maker {
    /// From the tuples of a row.
    Tuples(IndexKey),
    /// From the values of a row: some are in no tuple.
    Values(RowWriter),
}

impl IndexEditor {
    /// See `Memtable::new`.
    pub fn new(table: &Table, index: &Index, edit_bytes_max: usize) -> Result<IndexEditor> {
        let schema = table.schema();
        let fields: Option<Vec<IndexField>> = index.fields.iter().map(|field| source(schema, field)).collect();
        let target_bytes = schema.target_row_bytes;
        let maker = match fields {
            Some(fields) => Maker::Tuples(IndexKey::new(fields, index.keeps_encodings(), target_bytes)),
            None => Maker::Values(RowWriter::new(index.key.clone(), target_bytes)),
        };
        let find = |column: Option<usize>| {
            index.fields.iter().position(|field| field.column == column && field.prefix_bytes == 0)
        };
        let row_key = match schema.is_keyless() {
            true => vec![find(None)],
            false => schema.primary_key.iter().map(|column| find(Some(*column))).collect(),
        };
        let entries = Memtable::new(table.index(index)?, edit_bytes_max);
        Ok(IndexEditor { index: index.clone(), entries, maker, nodes: table.objects().nodes().clone(), row_key })
    }

    /// The index key of a row.
    pub fn key_of(&mut self, row: &[Value<'static>], entry: &Entry) -> Result<Vec<u8>> {
        let mut sink = &*self.nodes;
        match &mut self.maker {
            Maker::Tuples(maker) => {
                Ok(maker.of_row(&self.nodes, Tuple::new(&entry.key), Tuple::new(&entry.value), &mut sink)?)
            }
            Maker::Values(writer) => {
                let hash = Value::bytes(Tuple::new(&entry.key).field(0).unwrap_or_default().to_vec());
                let kinds = writer.descriptor().clone();
                let mut parts = Vec::with_capacity(kinds.len());
                for (field, kind) in self.index.fields.iter().zip(kinds.fields()) {
                    let value = field.column.map_or(&hash, |column| &row[column]);
                    parts.push(cut(Part::of(kind, value)?, field.prefix_bytes));
                }
                Ok(writer.pack(&parts, &mut sink)?)
            }
        }
    }

    /// Whether some column of the index is NULL in a key: such rows are never duplicates.
    pub fn has_null(&self, key: &[u8]) -> bool {
        let key = Tuple::new(key);
        (0..self.index.columns.len()).any(|field| key.field(field).is_none())
    }

    pub fn put(&mut self, key: &[u8]) -> Result<()> {
        self.entries.put(key, tuple::EMPTY)
    }

    pub fn delete(&mut self, key: &[u8]) -> Result<()> {
        self.entries.delete(key)
    }

    /// The key of the first row, other than `except`, that has the same values in all columns of the index.
    pub fn duplicate(&self, key: &[u8], except: Option<&[u8]>) -> Result<Option<Vec<u8>>> {
        let fields = self.index.columns.len();
        let mut after: Option<Entry> = None;
        while let Some(entry) = self.entries.first_with_prefix(key, fields, after.as_ref().map(|e| &*e.key))? {
            let row = self.row_key(&entry.key)?;
            if except != Some(&row[..]) {
                return Ok(Some(row));
            }
            after = Some(entry);
        }
        Ok(None)
    }

    /// The key that a row has in its table, from its key in the index.
    pub fn row_key(&self, key: &[u8]) -> Result<Vec<u8>> {
        let key = Tuple::new(key);
        let mut builder = TupleBuilder::new();
        for field in &self.row_key {
            let field = field.ok_or_else(|| SqlError::internal("an index does not name its rows"))?;
            builder.push(key.field(field));
        }
        Ok(builder.finish()?)
    }
}

fn source(schema: &Schema, field: &vcs::IndexField) -> Option<IndexField> {
    let (source, descriptor, at) = match field.column.map(|column| schema.columns[column].place) {
        None => (Source::Key(0), &schema.key, 0),
        Some(Place::Key(at)) => (Source::Key(at), &schema.key, at),
        Some(Place::Value(at)) => (Source::Value(at), &schema.value, at),
        Some(Place::Virtual) => return None,
    };
    Some(IndexField { source, column: descriptor.fields()[at].clone(), prefix_bytes: field.prefix_bytes })
}

fn cut(part: Part<'_>, prefix_bytes: u16) -> Part<'_> {
    let prefix_bytes = usize::from(prefix_bytes);
    match part {
        Part::Payload(payload) if prefix_bytes > 0 && payload.len() > prefix_bytes => {
            Part::Payload(payload[..prefix_bytes].to_vec().into())
        }
        other => other,
    }
}

/// What an index holds of a row before and after it changes.
pub type Change<'a> = (Option<(&'a Row, &'a Entry)>, Option<(&'a Row, &'a Entry)>);

impl IndexEditor {
    /// Takes over a change of a row.
    pub fn change(&mut self, (before, after): Change<'_>) -> Result<()> {
        // The words are in tables of their own, which follow when all rows are known. The entries here are never read: native
        // Dolt makes them when the index is defined and then leaves them as they are.
        if self.index.fulltext.is_some() {
            return Ok(());
        }
        let before = before.map(|(row, entry)| self.key_of(row, entry)).transpose()?;
        let after = after.map(|(row, entry)| self.key_of(row, entry)).transpose()?;
        if before == after {
            return Ok(());
        }
        if let Some(before) = before {
            self.delete(&before)?;
        }
        after.map_or(Ok(()), |after| self.put(&after))
    }
}
