//! Schema builder: a new schema from CREATE TABLE, or a changed one from ALTER TABLE (docs/format/database.md, section 8).

use codec::CompactSort;
use tree::Encoding;
use tree::message::schema as message;
use tree::message::schema::{Check, Fulltext, TARGET_ROW_BYTES, Vector};
use value::{Collation, IntegerWidth, SqlType};

use crate::schema::{Column, Place, Schema};

/// Tag of the row hash of tables without primary key.
const ROW_HASH_TAG: u64 = 2_251_799_813_690_248;
const CARDINALITY_TAG: u64 = 2_251_799_813_690_249;

/// A schema that can be changed. Columns refer to each other by tag, so that they may be moved and renamed.
#[derive(Debug, Clone)]
pub struct SchemaBuilder {
    /// In display order. [`Column::place`] does not count.
    pub columns: Vec<Column>,
    /// Tags of the primary key's columns, in the order of the key.
    pub primary_key: Vec<u64>,
    /// In any order.
    pub indexes: Vec<IndexDefinition>,
    /// In the order of their definition.
    pub checks: Vec<Check>,
    pub collation: Collation,
    pub comment: Box<str>,
    pub target_row_bytes: u16,
    /// One column was changed and no row with it. Native Dolt then lists what the primary key adds to an index in the order of the
    /// columns, whatever the order of the key is; the trees keep the order of the key, and the next change lists it again.
    pub is_changed_in_place: bool,
    /// The only column of the primary key was dropped. Native Dolt then lists the first column in its place in the indexes that
    /// stay; the trees have the row hash there, and the next change does not list it again.
    pub is_key_dropped: bool,
}

/// A secondary index.
#[derive(Debug, Clone, Default)]
pub struct IndexDefinition {
    pub name: Box<str>,
    pub comment: Box<str>,
    /// Tags, in the order of the key.
    pub columns: Vec<u64>,
    /// One per column, 0 for all of it; may be empty.
    pub prefix_lengths: Vec<u16>,
    pub is_unique: bool,
    /// Made for a foreign key.
    pub is_system_defined: bool,
    pub is_spatial: bool,
    pub fulltext: Option<Fulltext>,
    pub vector: Option<Vector>,
}

impl Column {
    /// A new column that may be NULL and has nothing special.
    pub fn new(name: &str, sql_type: SqlType, tag: u64) -> Column {
        Column {
            name: name.into(),
            type_text: sql_type.to_string().into(),
            encoding: encoding(&sql_type),
            sql_type,
            place: Place::Virtual,
            tag,
            is_nullable: true,
            is_primary_key: false,
            is_auto_increment: false,
            default: None,
            generated: None,
            on_update: None,
            comment: "".into(),
            is_hidden: false,
        }
    }

    fn message(&self, position: usize, is_primary_key: bool) -> message::Column {
        let expression = self.generated.as_ref().map(|generated| &generated.expression).or(self.default.as_ref());
        message::Column {
            name: (*self.name).into(),
            sql_type: self.type_text.clone(),
            default: expression.cloned().unwrap_or_default(),
            comment: self.comment.clone(),
            display_order: position as i16,
            tag: self.tag,
            encoding: self.encoding.id(),
            is_primary_key,
            is_nullable: self.is_nullable && !is_primary_key,
            is_auto_increment: self.is_auto_increment,
            is_hidden: false,
            is_generated: self.generated.is_some(),
            is_virtual: self.is_virtual(),
            on_update: self.on_update.clone().unwrap_or_default(),
            is_hidden_system: self.is_hidden,
        }
    }
}

/// How fields of a new column lie in tuples (docs/format/database.md, section 8.2).
pub fn encoding(sql_type: &SqlType) -> Encoding {
    match sql_type {
        SqlType::Null => Encoding::Null,
        SqlType::Integer(integer) => match (integer.width, integer.unsigned) {
            (IntegerWidth::Tiny, false) => Encoding::Int8,
            (IntegerWidth::Tiny, true) => Encoding::Uint8,
            (IntegerWidth::Small, false) => Encoding::Int16,
            (IntegerWidth::Small, true) => Encoding::Uint16,
            (IntegerWidth::Medium | IntegerWidth::Int, false) => Encoding::Int32,
            (IntegerWidth::Medium | IntegerWidth::Int, true) => Encoding::Uint32,
            (IntegerWidth::Big, false) => Encoding::Int64,
            (IntegerWidth::Big, true) => Encoding::Uint64,
        },
        SqlType::Float => Encoding::Float32,
        SqlType::Double => Encoding::Float64,
        SqlType::Decimal { .. } => Encoding::Decimal,
        SqlType::Bit(_) => Encoding::Uint64,
        SqlType::Year => Encoding::Year,
        SqlType::Date => Encoding::Date,
        SqlType::Time => Encoding::Time,
        SqlType::DateTime { .. } | SqlType::Timestamp { .. } => Encoding::Datetime,
        SqlType::Char { .. } | SqlType::VarChar { .. } => Encoding::String,
        SqlType::Binary { .. } | SqlType::VarBinary { .. } => Encoding::Bytes,
        SqlType::Text { .. } => Encoding::StringAdaptive,
        SqlType::Blob { .. } | SqlType::Vector { .. } => Encoding::BytesAdaptive,
        SqlType::Enum(_) => Encoding::Enum,
        SqlType::Set(_) => Encoding::Set,
        SqlType::Json => Encoding::JsonAdaptive,
        SqlType::Geometry { .. } => Encoding::GeomAdaptive,
    }
}

impl SchemaBuilder {
    /// A schema without columns.
    pub fn new(collation: Collation) -> SchemaBuilder {
        SchemaBuilder {
            columns: Vec::new(),
            primary_key: Vec::new(),
            indexes: Vec::new(),
            checks: Vec::new(),
            collation,
            comment: "".into(),
            target_row_bytes: TARGET_ROW_BYTES,
            is_changed_in_place: false,
            is_key_dropped: false,
        }
    }

    /// A column by name, in any case.
    pub fn column(&self, name: &str) -> Option<usize> {
        let folded = name.to_lowercase();
        self.columns.iter().position(|column| column.name.to_lowercase() == folded)
    }

    pub fn column_by_tag(&self, tag: u64) -> Option<&Column> {
        self.columns.iter().find(|column| column.tag == tag)
    }

    /// Gives a column another tag, wherever the schema knows the column by it.
    pub fn replace_tag(&mut self, from: u64, to: u64) {
        let columns = self.columns.iter_mut().map(|column| &mut column.tag);
        let indexes = self.indexes.iter_mut().flat_map(|index| &mut index.columns);
        columns.chain(&mut self.primary_key).chain(indexes).filter(|tag| **tag == from).for_each(|tag| *tag = to);
    }

    /// An index by name, in any case.
    pub fn index(&self, name: &str) -> Option<usize> {
        let folded = name.to_lowercase();
        self.indexes.iter().position(|index| index.name.to_lowercase() == folded)
    }

    /// Names of the columns with these tags.
    pub fn names(&self, tags: &[u64]) -> Vec<&str> {
        tags.iter().filter_map(|tag| Some(&*self.column_by_tag(*tag)?.name)).collect()
    }

    /// The schema as it is stored.
    pub fn message(&self) -> message::Schema {
        let shown = self.columns.len();
        let position = |tag: &u64| self.columns.iter().position(|column| column.tag == *tag).unwrap_or(shown) as u16;
        let is_key = |column: &Column| self.primary_key.contains(&column.tag);
        let mut columns: Vec<message::Column> =
            self.columns.iter().enumerate().map(|(at, column)| column.message(at, is_key(column))).collect();
        let clustered_index = match self.primary_key.is_empty() {
            true => {
                columns.push(hidden("keyless_hash_id", ROW_HASH_TAG, Encoding::Hash128));
                columns.push(hidden("keyless_cardinality", CARDINALITY_TAG, Encoding::Uint64));
                let shown = shown as u16;
                let value_columns = core::iter::once(shown + 1).chain(0..shown).collect();
                message::ClusteredIndex { key_columns: vec![shown], value_columns }
            }
            false => message::ClusteredIndex {
                key_columns: self.primary_key.iter().map(position).collect(),
                value_columns: (0..)
                    .zip(&self.columns)
                    .filter(|(_, column)| !is_key(column))
                    .map(|(at, _)| at)
                    .collect(),
            },
        };
        let mut secondary_indexes: Vec<message::Index> =
            self.indexes.iter().map(|index| self.index_message(index)).collect();
        secondary_indexes.compact_sort_by(|a, b| a.name.cmp(&b.name));
        message::Schema {
            columns,
            clustered_index,
            secondary_indexes,
            checks: self.checks.clone(),
            collation: self.collation.id(),
            comment: self.comment.clone(),
            target_row_bytes: self.target_row_bytes,
        }
    }

    fn index_message(&self, index: &IndexDefinition) -> message::Index {
        let position = |tag: &u64| self.columns.iter().position(|column| column.tag == *tag).unwrap_or_default() as u16;
        let mut appended: Vec<u16> =
            self.primary_key.iter().filter(|tag| !index.columns.contains(tag)).map(position).collect();
        if self.is_changed_in_place {
            appended.compact_sort();
        }
        if self.is_key_dropped {
            appended.push(0);
        }
        let has_prefix = index.prefix_lengths.iter().any(|length| *length > 0);
        message::Index {
            name: index.name.clone(),
            comment: index.comment.clone(),
            index_columns: index.columns.iter().map(position).collect(),
            key_columns: index.columns.iter().map(position).chain(appended).collect(),
            is_unique: index.is_unique,
            is_system_defined: index.is_system_defined,
            prefix_lengths: if has_prefix { index.prefix_lengths.clone() } else { Vec::new() },
            is_spatial: index.is_spatial,
            fulltext: index.fulltext.clone(),
            vector: index.vector,
        }
    }
}

fn hidden(name: &str, tag: u64, encoding: Encoding) -> message::Column {
    message::Column {
        name: name.into(),
        display_order: -1,
        tag,
        encoding: encoding.id(),
        is_hidden: true,
        is_generated: true,
        ..message::Column::default()
    }
}

impl From<&Schema> for SchemaBuilder {
    fn from(schema: &Schema) -> SchemaBuilder {
        let tags = |positions: &[usize]| positions.iter().filter_map(|at| Some(schema.columns.get(*at)?.tag)).collect();
        let indexes = schema.indexes.iter().map(|index| IndexDefinition {
            name: (*index.name).into(),
            comment: index.comment.clone(),
            columns: tags(&index.columns),
            prefix_lengths: index.prefix_lengths().collect(),
            is_unique: index.is_unique,
            is_system_defined: index.is_system_defined,
            is_spatial: index.is_spatial,
            fulltext: index.fulltext.clone(),
            vector: index.vector,
        });
        SchemaBuilder {
            columns: schema.columns.clone(),
            primary_key: tags(&schema.primary_key),
            indexes: indexes.collect(),
            checks: schema.checks.clone(),
            collation: schema.collation,
            comment: schema.comment.clone(),
            target_row_bytes: schema.target_row_bytes,
            is_changed_in_place: false,
            is_key_dropped: false,
        }
    }
}
