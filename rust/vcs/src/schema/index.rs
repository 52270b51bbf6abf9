//! Secondary indexes (docs/format/tree.md, sections 6.2 and 8).

use std::rc::Rc;

use tree::message::schema as message;
use tree::message::schema::{Fulltext, Vector};
use tree::{Encoding, FieldType, Kind, TupleDescriptor};
use value::SqlType;

use crate::error::{Result, VcsError};
use crate::schema::{Column, row_hash};

#[derive(Debug, Clone)]
pub struct Index {
    pub name: Rc<str>,
    pub comment: Box<str>,
    /// Positions of the columns it was made of, in order.
    pub columns: Vec<usize>,
    /// All fields of its key tuples: those of `columns`, then what names the row.
    pub fields: Vec<IndexField>,
    /// Equal values of all columns, none of them NULL, belong to one row at most.
    pub is_unique: bool,
    /// Made for a foreign key.
    pub is_system_defined: bool,
    pub is_spatial: bool,
    /// Its words are in tables of their own; its tree is not read.
    pub fulltext: Option<Fulltext>,
    /// Its tree is ordered by distance, not by key.
    pub vector: Option<Vector>,
    /// Its key tuples; values are empty.
    pub key: Rc<TupleDescriptor>,
}

/// A field of an index's key tuples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexField {
    /// Position of the column; `None` is the row hash of a table without primary key.
    pub column: Option<usize>,
    /// The field's encoding in the tuple, which may differ from the rows'.
    pub encoding: Encoding,
    /// Bytes to which values are cut, 0 for none.
    pub prefix_bytes: u16,
}

impl Index {
    /// The keys are those of the index's columns, then what of the primary key is not among them, in the order of that key. The
    /// message lists the same columns, but not always in this order (see [`crate::SchemaBuilder::is_changed_in_place`]).
    pub(crate) fn from_message(
        index: message::Index,
        columns: &[Column],
        primary_key: &[usize],
        is_keyless: bool,
    ) -> Result<Index> {
        let positions = |positions: &[u16]| -> Result<Vec<usize>> {
            let positions: Vec<usize> = positions.iter().map(|position| usize::from(*position)).collect();
            match positions.iter().all(|position| *position < columns.len()) {
                true => Ok(positions),
                false => Err(VcsError::corrupt("index", "names a hidden column")),
            }
        };
        let own = positions(&index.index_columns)?;
        if !positions(&index.key_columns)?.starts_with(&own) {
            return Err(VcsError::corrupt("index", "its key does not begin with its columns"));
        }
        let appended = primary_key.iter().filter(|position| !own.contains(position));
        let key_columns: Vec<usize> = own.iter().chain(appended).copied().collect();
        let mut fields: Vec<IndexField> = Vec::with_capacity(key_columns.len() + 1);
        for (i, position) in key_columns.iter().enumerate() {
            let prefix_bytes = index.prefix_lengths.get(i).copied().unwrap_or_default();
            let keeps_encoding = (index.is_unique || index.vector.is_some()) && prefix_bytes == 0;
            let column = &columns[*position];
            let encoding = if keeps_encoding { column.encoding } else { key_encoding(column) };
            fields.push(IndexField { column: Some(*position), encoding, prefix_bytes });
        }
        if is_keyless {
            fields.push(IndexField { column: None, encoding: Encoding::Hash128, prefix_bytes: 0 });
        }
        let types: Vec<FieldType> = fields
            .iter()
            .map(|field| match field.column {
                Some(position) => columns[position].key_field_type(field.encoding),
                None => row_hash(),
            })
            .collect();
        Ok(Index {
            name: index.name.into(),
            comment: index.comment,
            columns: own,
            fields,
            is_unique: index.is_unique,
            is_system_defined: index.is_system_defined,
            is_spatial: index.is_spatial,
            fulltext: index.fulltext,
            vector: index.vector,
            key: Rc::new(TupleDescriptor::new(types)),
        })
    }

    /// Whether people see the same index.
    pub(crate) fn looks_like(&self, other: &Index) -> bool {
        self.name == other.name
            && self.columns == other.columns
            && self.is_unique == other.is_unique
            && self.is_spatial == other.is_spatial
            && self.fulltext == other.fulltext
            && self.vector == other.vector
            && self.prefix_lengths().eq(other.prefix_lengths())
    }

    /// Whether its tree is ordered by its columns' values, so that it can be used for ranges and for ORDER BY.
    pub fn is_ordered(&self) -> bool {
        !self.is_spatial && self.fulltext.is_none() && self.vector.is_none()
    }

    /// What the nodes of its tree are.
    pub(crate) fn tree_kind(&self) -> Kind {
        if self.vector.is_some() { Kind::Vectors } else { Kind::Rows }
    }

    /// Whether its keys have long values as the rows have them: whole, and out of band. Native Dolt takes the texts of a full-text
    /// index as they lie in the rows, too, and orders them as what they are elsewhere in keys.
    pub fn keeps_encodings(&self) -> bool {
        self.is_unique || self.vector.is_some() || self.fulltext.is_some()
    }

    /// Whether values of its columns are cut, so that the rows have to be looked at as well.
    pub fn has_prefixes(&self) -> bool {
        self.fields.iter().any(|field| field.prefix_bytes > 0)
    }

    /// Prefix lengths, one per column of the index, 0 for none.
    pub fn prefix_lengths(&self) -> impl Iterator<Item = u16> + '_ {
        self.fields.iter().take(self.columns.len()).map(|field| field.prefix_bytes)
    }
}

/// Out-of-line encodings hold the value itself in keys; geometry becomes the cell of its bounding box.
pub(crate) fn key_encoding(column: &Column) -> Encoding {
    match column.encoding {
        // Native Dolt does not know it for bytes.
        encoding if matches!(column.sql_type, SqlType::Vector { .. }) => encoding,
        Encoding::StringAdaptive | Encoding::StringAddr => Encoding::String,
        Encoding::BytesAdaptive | Encoding::BytesAddr => Encoding::Bytes,
        Encoding::GeomAdaptive | Encoding::GeomAddr | Encoding::Geometry => Encoding::Cell,
        encoding => encoding,
    }
}
