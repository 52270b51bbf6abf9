//! Schemas as parts for a merge: columns are referred to by tag, not by position.

use codec::CompactSort;
use tree::message::schema as message;

use crate::error::{Result, VcsError};
use crate::objects::Objects;
use crate::schema::Schema;

/// Tags of the two columns that tables without primary key hide.
const ROW_HASH_TAG: u64 = 2_251_799_813_690_248;
const CARDINALITY_TAG: u64 = 2_251_799_813_690_249;

/// A schema whose parts do not depend on each other's places.
pub(crate) struct SchemaParts {
    /// Those that are shown.
    pub columns: Vec<message::Column>,
    /// Tags in the order of the key; empty for a table without one.
    pub primary_key: Vec<u64>,
    /// Sorted by name.
    pub indexes: Vec<TaggedIndex>,
    pub checks: Vec<message::Check>,
    pub collation: u16,
    pub comment: Box<str>,
    pub target_row_bytes: u16,
    hidden: Vec<message::Column>,
}

impl SchemaParts {
    /// Gives columns the tags that those of another schema with the same names have; tells whether one got another. Indexes keep the
    /// tags that they have: as in native Dolt a schema with one over such a column stays another.
    pub(crate) fn take_tags_of(&mut self, other: &SchemaParts) -> bool {
        let tag_of = |name: &str| {
            let mut columns = other.columns.iter().chain(&other.hidden);
            columns.find(|column| *column.name == *name).map(|column| column.tag)
        };
        let mut renewed = Vec::new();
        for column in self.columns.iter_mut().chain(&mut self.hidden) {
            if let Some(tag) = tag_of(&column.name).filter(|tag| *tag != column.tag) {
                renewed.push((column.tag, tag));
                column.tag = tag;
            }
        }
        let renew = |tag: &mut u64| {
            if let Some((_, new)) = renewed.iter().find(|(old, _)| old == tag) {
                *tag = *new;
            }
        };
        self.primary_key.iter_mut().for_each(renew);
        !renewed.is_empty()
    }
}

/// An index with its columns by tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaggedIndex {
    /// Its positions mean nothing.
    pub definition: message::Index,
    pub tags: Vec<u64>,
}

impl TaggedIndex {
    /// Whether both index the same columns in the same way under the same name.
    pub(crate) fn equals(&self, other: &TaggedIndex) -> bool {
        let (one, two) = (&self.definition, &other.definition);
        self.tags == other.tags
            && one.is_unique == two.is_unique
            && one.is_spatial == two.is_spatial
            && one.prefix_lengths == two.prefix_lengths
            && one.comment == two.comment
            && one.name == two.name
    }
}

impl SchemaParts {
    pub(crate) fn of(objects: &Objects, schema: &Schema) -> Result<SchemaParts> {
        let chunk = objects.nodes().message(&schema.address)?;
        let whole = message::Schema::decode(&chunk).map_err(|error| error.in_chunk(&schema.address))?;
        let (hidden, columns): (Vec<_>, Vec<_>) = whole.columns.into_iter().partition(|column| column.is_hidden);
        let tag = |position: &u16| columns.get(usize::from(*position)).map(|column: &message::Column| column.tag);
        let tags = |positions: &[u16]| -> Result<Vec<u64>> {
            let tags: Option<Vec<u64>> = positions.iter().map(tag).collect();
            tags.ok_or_else(|| VcsError::corrupt("index", "names a column that is not there"))
        };
        let primary_key = if hidden.is_empty() { tags(&whole.clustered_index.key_columns)? } else { Vec::new() };
        let indexes = whole
            .secondary_indexes
            .into_iter()
            .map(|index| Ok(TaggedIndex { tags: tags(&index.index_columns)?, definition: index }))
            .collect::<Result<_>>()?;
        Ok(SchemaParts {
            columns,
            primary_key,
            indexes,
            checks: whole.checks,
            collation: whole.collation,
            comment: whole.comment,
            target_row_bytes: whole.target_row_bytes,
            hidden,
        })
    }

    /// Without columns: what a merge starts from.
    pub(crate) fn like(other: &SchemaParts) -> SchemaParts {
        SchemaParts {
            columns: Vec::new(),
            primary_key: other.primary_key.clone(),
            indexes: Vec::new(),
            checks: Vec::new(),
            collation: other.collation,
            comment: other.comment.clone(),
            target_row_bytes: other.target_row_bytes,
            hidden: other.hidden.clone(),
        }
    }

    pub(crate) fn is_keyless(&self) -> bool {
        self.primary_key.is_empty()
    }

    pub(crate) fn position(&self, tag: u64) -> Option<usize> {
        self.columns.iter().position(|column| column.tag == tag)
    }

    /// The message of the whole.
    pub(crate) fn into_message(mut self) -> Result<message::Schema> {
        let positions = |tags: &[u64]| -> Result<Vec<u16>> {
            let positions: Option<Vec<u16>> = tags.iter().map(|tag| Some(self.position(*tag)? as u16)).collect();
            positions.ok_or_else(|| VcsError::corrupt("merge", "a key or an index has a column that the table has not"))
        };
        let shown = self.columns.len() as u16;
        let key_columns = positions(&self.primary_key)?;
        let clustered_index = match self.is_keyless() {
            true => {
                let (hash, cardinality) = self.hidden_positions(shown);
                message::ClusteredIndex {
                    key_columns: vec![hash],
                    value_columns: core::iter::once(cardinality).chain(0..shown).collect(),
                }
            }
            false => {
                let value_columns = (0..shown).filter(|position| !key_columns.contains(position)).collect();
                message::ClusteredIndex { key_columns, value_columns }
            }
        };
        let mut secondary_indexes = Vec::with_capacity(self.indexes.len());
        for index in &self.indexes {
            let missing = self.primary_key.iter().copied().filter(|tag| !index.tags.contains(tag));
            let key_tags: Vec<u64> = index.tags.iter().copied().chain(missing).collect();
            let index_columns = positions(&index.tags)?;
            let key_columns = positions(&key_tags)?;
            secondary_indexes.push(message::Index { index_columns, key_columns, ..index.definition.clone() });
        }
        secondary_indexes.compact_sort_by(|one, two| one.name.cmp(&two.name));
        for (position, column) in self.columns.iter_mut().enumerate() {
            column.display_order = position as i16;
        }
        self.columns.append(&mut self.hidden);
        Ok(message::Schema {
            columns: self.columns,
            clustered_index,
            secondary_indexes,
            checks: self.checks,
            collation: self.collation,
            comment: self.comment,
            target_row_bytes: self.target_row_bytes,
        })
    }

    /// Positions of the row hash and the cardinality, behind `shown` columns.
    fn hidden_positions(&self, shown: u16) -> (u16, u16) {
        let at = |tag| self.hidden.iter().position(|column| column.tag == tag).unwrap_or_default() as u16 + shown;
        (at(ROW_HASH_TAG), at(CARDINALITY_TAG))
    }
}
