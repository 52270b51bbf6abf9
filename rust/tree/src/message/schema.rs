//! `DSCH`: the schema of a table (docs/format/database.md, section 8.1; docs/format/tree.md, section 2.5).

use crate::TreeError;
use crate::message::Copies;
use crate::message::build::{Builder, Offset};
use crate::message::flat::{self, FileId, Shape, Table};

pub const ID: FileId = *b"DSCH";
static SHAPE: Shape = Shape { name: "TableSchema", known_slots: 8 };
static COLUMN_SHAPE: Shape = Shape { name: "Column", known_slots: 17 };
static INDEX_SHAPE: Shape = Shape { name: "Index", known_slots: 15 };
static FULLTEXT_SHAPE: Shape = Shape { name: "FulltextInfo", known_slots: 8 };
static VECTOR_SHAPE: Shape = Shape { name: "VectorInfo", known_slots: 1 };
static CHECK_SHAPE: Shape = Shape { name: "CheckConstraint", known_slots: 4 };

/// Data bytes a row aims for before long values move out of it, when the schema does not say.
pub const TARGET_ROW_BYTES: u16 = 2048;
/// Encodings that decide per row whether a value is stored inside it.
const ADAPTIVE_ENCODINGS: [u8; 4] = [135, 136, 138, 139];

/// A schema as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// In display order; a table without primary key has two hidden ones behind the others.
    pub columns: Vec<Column>,
    pub clustered_index: ClusteredIndex,
    /// Sorted by name, bytewise.
    pub secondary_indexes: Vec<Index>,
    /// In the order of their definition.
    pub checks: Vec<Check>,
    /// MySQL's number of the default collation; 0 means 309.
    pub collation: u16,
    pub comment: Box<str>,
    pub target_row_bytes: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Column {
    pub name: Box<str>,
    /// Type text such as `varchar(20) COLLATE utf8mb4_0900_ai_ci`; empty for hidden columns.
    pub sql_type: Box<str>,
    /// Text of the default, or of the expression of a generated column; empty for none.
    pub default: Box<str>,
    pub comment: Box<str>,
    /// Position, -1 for hidden columns.
    pub display_order: i16,
    pub tag: u64,
    /// How the value is stored in a tuple (docs/format/tree.md, section 6).
    pub encoding: u8,
    pub is_primary_key: bool,
    pub is_nullable: bool,
    pub is_auto_increment: bool,
    /// Row hash or cardinality of a table without primary key.
    pub is_hidden: bool,
    pub is_generated: bool,
    /// Generated and not stored.
    pub is_virtual: bool,
    /// Text of ON UPDATE; empty for none.
    pub on_update: Box<str>,
    /// The column behind a functional index.
    pub is_hidden_system: bool,
}

/// The order of the rows. Positions refer to [`Schema::columns`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClusteredIndex {
    /// In the order of the key.
    pub key_columns: Vec<u16>,
    /// In the order of the columns, virtual ones included.
    pub value_columns: Vec<u16>,
}

/// A secondary index. Positions refer to [`Schema::columns`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Index {
    pub name: Box<str>,
    pub comment: Box<str>,
    pub index_columns: Vec<u16>,
    /// The index columns and what the primary key adds.
    pub key_columns: Vec<u16>,
    pub is_unique: bool,
    /// Created for a foreign key.
    pub is_system_defined: bool,
    /// Bytes per index column, 0 for all of it; empty when no column is cut.
    pub prefix_lengths: Vec<u16>,
    pub is_spatial: bool,
    pub fulltext: Option<Fulltext>,
    pub vector: Option<Vector>,
}

/// Tables of a full-text index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fulltext {
    pub config_table: Box<str>,
    pub position_table: Box<str>,
    pub doc_count_table: Box<str>,
    pub global_count_table: Box<str>,
    pub row_count_table: Box<str>,
    /// What names a row: 0 primary key, 1 unique key, 2 row hash.
    pub key_type: u8,
    pub key_name: Box<str>,
    pub key_positions: Vec<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Vector {
    /// 1: squared euclidean distance.
    pub distance_type: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Check {
    pub name: Box<str>,
    pub expression: Box<str>,
    pub is_enforced: bool,
    pub is_not_valid: bool,
}

impl Schema {
    pub fn decode(message: &[u8]) -> Result<Schema, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        let mut copies = Copies::of(message);
        let columns: Vec<Column> = table
            .tables(0, &COLUMN_SHAPE)?
            .map(|column| Column::decode(&column?, &mut copies))
            .collect::<Result<_, TreeError>>()?;
        let clustered = table.table(1, &INDEX_SHAPE)?.ok_or(table.wrong("has no clustered index"))?;
        let clustered_index = ClusteredIndex {
            key_columns: positions(&clustered, 3, columns.len(), &mut copies)?,
            value_columns: positions(&clustered, 4, columns.len(), &mut copies)?,
        };
        Ok(Schema {
            clustered_index,
            secondary_indexes: table
                .tables(2, &INDEX_SHAPE)?
                .map(|index| Index::decode(&index?, columns.len(), &mut copies))
                .collect::<Result<_, TreeError>>()?,
            checks: table
                .tables(3, &CHECK_SHAPE)?
                .map(|check| Check::decode(&check?, &mut copies))
                .collect::<Result<_, TreeError>>()?,
            collation: table.u16(4, 0)?,
            comment: copies.text(&table, 6)?,
            target_row_bytes: table.u16(7, TARGET_ROW_BYTES)?,
            columns,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(256 + 160 * self.columns.len());
        let columns = self.encode_columns(&mut builder);
        let clustered_index = self.clustered_index.encode(&mut builder);
        let secondary_indexes = encode_list(&mut builder, &self.secondary_indexes, Index::encode);
        let checks = encode_list(&mut builder, &self.checks, Check::encode);
        let comment = builder.string(&self.comment);
        builder.start_table();
        builder.offset(1, clustered_index);
        builder.offset(0, columns);
        builder.offset(2, secondary_indexes);
        builder.offset(3, checks);
        builder.u16(4, self.collation);
        if !self.comment.is_empty() {
            builder.offset(6, comment);
        }
        builder.u16_with_default(7, self.target_row_bytes, TARGET_ROW_BYTES);
        builder.bool(5, self.has_features_after_try_accessors());
        let table = builder.end_table();
        builder.finish(table, &ID)
    }

    /// Hidden columns of a table without primary key are made first, cardinality before row hash, and listed last.
    fn encode_columns(&self, builder: &mut Builder) -> Offset {
        let hidden_at = self.columns.iter().position(|column| column.is_hidden).unwrap_or(self.columns.len());
        let (shown, hidden) = self.columns.split_at(hidden_at);
        let mut offsets: Vec<Offset> = hidden.iter().rev().map(|column| column.encode_hidden(builder)).collect();
        offsets.extend(shown.iter().rev().map(|column| column.encode(builder)));
        offsets.reverse();
        builder.offsets(&offsets)
    }

    /// Whether a reader from before this flag would lose something.
    fn has_features_after_try_accessors(&self) -> bool {
        !self.comment.is_empty()
            || self.target_row_bytes != TARGET_ROW_BYTES
            || self.columns.iter().any(|column| !column.on_update.is_empty())
    }
}

/// Builds a vector of tables, last to first.
fn encode_list<T>(builder: &mut Builder, items: &[T], encode: impl Fn(&T, &mut Builder) -> Offset) -> Offset {
    let mut offsets: Vec<Offset> = items.iter().rev().map(|item| encode(item, builder)).collect();
    offsets.reverse();
    builder.offsets(&offsets)
}

/// Positions of columns, each below `columns`.
fn positions(table: &Table<'_>, slot: u16, columns: usize, copies: &mut Copies) -> Result<Vec<u16>, TreeError> {
    let positions = copies.u16s(table, slot)?;
    match positions.iter().all(|position| usize::from(*position) < columns) {
        true => Ok(positions),
        false => Err(table.wrong("refers to a column that is not there")),
    }
}

impl Column {
    fn decode(table: &Table<'_>, copies: &mut Copies) -> Result<Column, TreeError> {
        copies.table(table)?;
        Ok(Column {
            name: copies.text(table, 0)?,
            sql_type: copies.text(table, 1)?,
            default: copies.text(table, 2)?,
            comment: copies.text(table, 3)?,
            display_order: table.i16(4, 0)?,
            tag: table.u64(5, 0)?,
            encoding: table.u8(6, 0)?,
            is_primary_key: table.bool(7)?,
            is_nullable: table.bool(8)?,
            is_auto_increment: table.bool(9)?,
            is_hidden: table.bool(10)?,
            is_generated: table.bool(11)?,
            is_virtual: table.bool(12)?,
            on_update: copies.text(table, 13)?,
            is_hidden_system: table.bool(15)?,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let comment = builder.string(&self.comment);
        let default = builder.string(&self.default);
        // Written even when nothing refers to it.
        let on_update = builder.string(&self.on_update);
        let sql_type = builder.string(&self.sql_type);
        let name = builder.string(&self.name);
        builder.start_table();
        builder.offset(0, name);
        builder.offset(1, sql_type);
        builder.offset(2, default);
        builder.offset(3, comment);
        builder.i16(4, self.display_order);
        builder.u64(5, self.tag);
        builder.u8(6, self.encoding);
        builder.bool(7, self.is_primary_key);
        builder.bool(9, self.is_auto_increment);
        builder.bool(8, self.is_nullable);
        builder.bool(11, self.is_generated);
        builder.bool(12, self.is_virtual);
        if !self.on_update.is_empty() {
            builder.offset(13, on_update);
        }
        let is_adaptive = ADAPTIVE_ENCODINGS.contains(&self.encoding);
        builder.bool(14, is_adaptive);
        builder.bool(16, is_adaptive);
        builder.bool(10, self.is_hidden);
        builder.bool(15, self.is_hidden_system);
        builder.end_table()
    }

    fn encode_hidden(&self, builder: &mut Builder) -> Offset {
        let name = builder.string(&self.name);
        builder.start_table();
        builder.offset(0, name);
        builder.i16(4, self.display_order);
        builder.u64(5, self.tag);
        builder.u8(6, self.encoding);
        builder.bool(11, self.is_generated);
        builder.bool(10, self.is_hidden);
        builder.end_table()
    }
}

impl ClusteredIndex {
    fn encode(&self, builder: &mut Builder) -> Offset {
        let key_columns = builder.u16s(&self.key_columns);
        let value_columns = builder.u16s(&self.value_columns);
        builder.start_table();
        // Index columns and key columns are one vector.
        builder.offset(2, key_columns);
        builder.offset(3, key_columns);
        builder.offset(4, value_columns);
        builder.bool(5, true);
        builder.bool(6, true);
        builder.end_table()
    }
}

impl Index {
    fn decode(table: &Table<'_>, columns: usize, copies: &mut Copies) -> Result<Index, TreeError> {
        copies.table(table)?;
        if table.string(14)?.is_some_and(|predicate| !predicate.is_empty()) {
            return Err(table.wrong("is a partial index, so this is a Doltgres database"));
        }
        let fulltext = match (table.bool(10)?, table.table(11, &FULLTEXT_SHAPE)?) {
            (false, _) => None,
            (true, Some(fulltext)) => Some(Fulltext::decode(&fulltext, copies)?),
            (true, None) => return Err(table.wrong("is a full-text index without tables")),
        };
        let vector = match (table.bool(12)?, table.table(13, &VECTOR_SHAPE)?) {
            (false, _) => None,
            (true, Some(vector)) => Some(Vector { distance_type: vector.u8(0, 0)? }),
            (true, None) => return Err(table.wrong("is a vector index without distance")),
        };
        Ok(Index {
            name: copies.text(table, 0)?,
            comment: copies.text(table, 1)?,
            index_columns: positions(table, 2, columns, copies)?,
            key_columns: positions(table, 3, columns, copies)?,
            is_unique: table.bool(6)?,
            is_system_defined: table.bool(7)?,
            prefix_lengths: copies.u16s(table, 8)?,
            is_spatial: table.bool(9)?,
            fulltext,
            vector,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let name = builder.string(&self.name);
        let comment = builder.string(&self.comment);
        let index_columns = builder.u16s(&self.index_columns);
        let key_columns = builder.u16s(&self.key_columns);
        let prefix_lengths = builder.u16s(&self.prefix_lengths);
        let fulltext = self.fulltext.as_ref().map(|fulltext| fulltext.encode(builder));
        let vector = self.vector.map(|vector| vector.encode(builder));
        builder.start_table();
        builder.offset(0, name);
        builder.offset(1, comment);
        builder.offset(2, index_columns);
        builder.offset(3, key_columns);
        builder.bool(6, self.is_unique);
        builder.bool(7, self.is_system_defined);
        builder.offset(8, prefix_lengths);
        builder.bool(9, self.is_spatial);
        builder.bool(10, self.fulltext.is_some());
        builder.offset_if(11, fulltext);
        builder.bool(12, self.vector.is_some());
        builder.offset_if(13, vector);
        builder.end_table()
    }
}

impl Fulltext {
    fn decode(table: &Table<'_>, copies: &mut Copies) -> Result<Fulltext, TreeError> {
        Ok(Fulltext {
            config_table: copies.text(table, 0)?,
            position_table: copies.text(table, 1)?,
            doc_count_table: copies.text(table, 2)?,
            global_count_table: copies.text(table, 3)?,
            row_count_table: copies.text(table, 4)?,
            key_type: table.u8(5, 0)?,
            key_name: copies.text(table, 6)?,
            key_positions: copies.u16s(table, 7)?,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let tables = [
            &self.config_table,
            &self.position_table,
            &self.doc_count_table,
            &self.global_count_table,
            &self.row_count_table,
        ]
        .map(|table| builder.string(table));
        let key_name = builder.string(&self.key_name);
        let key_positions = builder.u16s(&self.key_positions);
        builder.start_table();
        for (slot, table) in (0..).zip(tables) {
            builder.offset(slot, table);
        }
        builder.u8(5, self.key_type);
        builder.offset(6, key_name);
        builder.offset(7, key_positions);
        builder.end_table()
    }
}

impl Vector {
    fn encode(&self, builder: &mut Builder) -> Offset {
        builder.start_table();
        builder.u8(0, self.distance_type);
        builder.end_table()
    }
}

impl Check {
    fn decode(table: &Table<'_>, copies: &mut Copies) -> Result<Check, TreeError> {
        copies.table(table)?;
        Ok(Check {
            name: copies.text(table, 0)?,
            expression: copies.text(table, 1)?,
            is_enforced: table.bool(2)?,
            is_not_valid: table.bool(3)?,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let expression = builder.string(&self.expression);
        let name = builder.string(&self.name);
        builder.start_table();
        builder.bool(2, self.is_enforced);
        builder.offset(1, expression);
        builder.offset(0, name);
        builder.bool(3, self.is_not_valid);
        builder.end_table()
    }
}
