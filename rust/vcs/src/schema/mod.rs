//! Schemas of tables (docs/format/database.md, section 8).

mod build;
mod column;
mod index;
mod tag;

use std::rc::Rc;

use codec::Address;
use tree::message::schema as message;
pub use tree::message::schema::{Check, Fulltext, Vector};
use tree::{Encoding, FieldType, NodeStore, TupleDescriptor};
use value::{Collation, SqlType};

pub use build::{IndexDefinition, SchemaBuilder, encoding};
pub use column::{Column, Generated, Place};
pub use index::{Index, IndexField};
pub use tag::{ExistingKinds, SYSTEM_TAGS_FROM, new_tag, tag_kind};

use crate::error::{Result, VcsError};
use crate::objects::{Decoded, Kind, Objects};

/// A table's schema, with all that reading its trees needs.
#[derive(Debug)]
pub struct Schema {
    /// Of the chunk; equal addresses mean equal schemas.
    pub address: Address,
    /// In display order, columns behind functional indexes included ([`Column::is_hidden`]).
    pub columns: Vec<Column>,
    /// Positions in `columns`, in the order of the key; empty for a table without primary key.
    pub primary_key: Vec<usize>,
    /// Sorted by name, bytewise.
    pub indexes: Vec<Index>,
    /// In the order of their definition.
    pub checks: Vec<Check>,
    /// The default of new columns.
    pub collation: Collation,
    pub comment: Box<str>,
    /// Data bytes a row aims for before long values move out of it.
    pub target_row_bytes: u16,
    /// Key tuples of the rows: the primary key, or the 16-byte row hash.
    pub key: Rc<TupleDescriptor>,
    /// Value tuples of the rows: the other stored columns, after the cardinality when there is no primary key.
    pub value: Rc<TupleDescriptor>,
}

impl Schema {
    pub(crate) fn read(nodes: &NodeStore, address: &Address) -> Result<Schema> {
        let chunk = nodes.message(address)?;
        let schema = message::Schema::decode(&chunk).map_err(|error| error.in_chunk(address))?;
        Schema::from_message(*address, schema)
    }

    /// Writes a schema, whose message is in the form that native Dolt writes.
    ///
    /// # Errors
    /// As [`Schema::from_message`]; [`store::StoreError::ReadOnly`] where nothing can be written.
    pub fn create(objects: &Objects, schema: &message::Schema) -> Result<Rc<Schema>> {
        objects.schema(&objects.put(&schema.encode()?)?)
    }

    /// The message at an address, for making the next version of a schema of it.
    pub fn message(objects: &Objects, address: &Address) -> Result<message::Schema> {
        let chunk = objects.nodes().message(address)?;
        Ok(message::Schema::decode(&chunk).map_err(|error| error.in_chunk(address))?)
    }

    /// A schema from its message, which must be one that `address` names.
    ///
    /// # Errors
    /// `VcsReason::Column` for a type or encoding that is not known, `VcsReason::Corrupt` for positions that do not fit.
    pub fn from_message(address: Address, schema: message::Schema) -> Result<Schema> {
        let shown = schema.columns.iter().take_while(|column| !column.is_hidden).count();
        let is_keyless = shown < schema.columns.len();
        if schema.columns.iter().skip(shown).any(|column| !column.is_hidden) {
            return Err(VcsError::corrupt("schema", "a hidden column stands before others"));
        }
        let primary_key: Vec<usize> = match is_keyless {
            true => Vec::new(),
            false => schema.clustered_index.key_columns.iter().map(|position| usize::from(*position)).collect(),
        };
        let mut columns: Vec<Column> =
            schema.columns.into_iter().take(shown).map(Column::from_message).collect::<Result<_>>()?;
        place_columns(&mut columns, &primary_key, is_keyless)?;
        let indexes = schema
            .secondary_indexes
            .into_iter()
            .map(|index| Index::from_message(index, &columns, &primary_key, is_keyless))
            .collect::<Result<_>>()?;
        let key = match is_keyless {
            true => vec![row_hash()],
            // Dolt's own tables have keys of TEXT, which is inline there.
            false => primary_key
                .iter()
                .map(|position| columns[*position].key_field_type(index::key_encoding(&columns[*position])))
                .collect(),
        };
        let cardinality = is_keyless.then(|| FieldType::new(Encoding::Uint64, false, SqlType::BIGINT_UNSIGNED));
        let stored = columns.iter().filter(|column| matches!(column.place, Place::Value(_))).map(Column::field_type);
        let value: Vec<FieldType> = cardinality.into_iter().chain(stored).collect();
        Ok(Schema {
            address,
            primary_key,
            indexes,
            checks: schema.checks,
            collation: collation(schema.collation)?,
            comment: schema.comment,
            target_row_bytes: schema.target_row_bytes,
            key: Rc::new(TupleDescriptor::new(key)),
            value: Rc::new(TupleDescriptor::new(value)),
            columns,
        })
    }

    /// Whether rows have no primary key and are kept by their hash with a cardinality.
    pub fn is_keyless(&self) -> bool {
        self.primary_key.is_empty()
    }

    /// Whether people see the same definition: everything but column tags and comments.
    pub fn looks_like(&self, other: &Schema) -> bool {
        let same_indexes = || {
            self.indexes.len() == other.indexes.len()
                && self.indexes.iter().zip(&other.indexes).all(|(index, other)| index.looks_like(other))
        };
        self.primary_key == other.primary_key
            && self.collation == other.collation
            && self.target_row_bytes == other.target_row_bytes
            && self.checks == other.checks
            && self.columns.len() == other.columns.len()
            && self.columns.iter().zip(&other.columns).all(|(column, other)| column.looks_like(other))
            && same_indexes()
    }

    /// Position of a column by name, in any case.
    pub fn column(&self, name: &str) -> Option<usize> {
        let folded = name.to_lowercase();
        self.columns.iter().position(|column| column.name.to_lowercase() == folded)
    }

    /// The column that a tag identifies.
    pub fn column_by_tag(&self, tag: u64) -> Option<&Column> {
        self.columns.iter().find(|column| column.tag == tag)
    }

    /// An index by name, in any case.
    pub fn index(&self, name: &str) -> Option<&Index> {
        let folded = name.to_lowercase();
        self.indexes.iter().find(|index| index.name.to_lowercase() == folded)
    }
}

/// The key of a row without primary key: the hash of its values.
fn row_hash() -> FieldType {
    FieldType::new(Encoding::Hash128, false, SqlType::Binary { length: 16 })
}

/// Computes the position of each column's field. Value tuples leave out key columns and virtual ones.
fn place_columns(columns: &mut [Column], primary_key: &[usize], is_keyless: bool) -> Result<()> {
    for (field, position) in primary_key.iter().enumerate() {
        let column = columns.get_mut(*position);
        let column =
            column.ok_or_else(|| VcsError::corrupt("schema", "the primary key names a column that is not there"))?;
        if matches!(column.place, Place::Key(_)) {
            return Err(VcsError::corrupt("schema", "the primary key names a column twice"));
        }
        column.place = Place::Key(field);
    }
    let mut field = usize::from(is_keyless);
    for column in columns {
        if column.is_virtual() {
            if column.place != Place::Virtual {
                return Err(VcsError::corrupt("schema", "a virtual column is part of the primary key"));
            }
        } else if column.place == Place::Virtual {
            column.place = Place::Value(field);
            field += 1;
        }
    }
    Ok(())
}

/// A collation by MySQL's number; 0 was written for the default.
pub(crate) fn collation(number: u16) -> Result<Collation> {
    match number {
        0 => Ok(Collation::UTF8MB4_0900_BIN),
        number => Collation::from_id(number).ok_or_else(|| VcsError::corrupt("collation", "is not known")),
    }
}

/// History reads thousands of versions of a table that have few schemas.
impl Decoded for Rc<Schema> {
    const KIND: Kind = Kind::Schema;
    const COUNT_MAX: usize = 512;
}

impl Objects {
    /// The schema at `address`; the same `Rc` when it was read before.
    pub fn schema(&self, address: &Address) -> Result<Rc<Schema>> {
        self.cache().get(address, || Schema::read(self.nodes(), address).map(Rc::new))
    }
}
