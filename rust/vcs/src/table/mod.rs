//! Tables (docs/format/database.md, section 7).

pub mod artifacts;
pub mod draft;

use std::collections::BTreeMap;
use std::rc::Rc;

use codec::Address;
use tree::message::table as message;
use tree::{AddressMap, Direction, Kind, Map, Node, Tuple, TupleDescriptor};

use crate::error::{Result, VcsError};
use crate::objects::{self, Decoded, Objects};
use crate::schema::{Index, Schema};
use crate::table::draft::TableDraft;

/// One version of a table. Its hash (`dolt_hashof_table`) is [`Table::address`].
#[derive(Clone)]
pub struct Table {
    objects: Rc<Objects>,
    address: Address,
    parts: TableParts,
}

/// What a table holds.
#[derive(Clone)]
pub(crate) struct TableParts {
    pub(crate) schema: Rc<Schema>,
    pub(crate) rows: Rc<Node>,
    pub(crate) indexes: AddressMap,
    pub(crate) auto_increment: Option<u64>,
    pub(crate) artifacts: Option<Address>,
}

impl TableParts {
    pub(crate) fn read(objects: &Rc<Objects>, address: &Address) -> Result<TableParts> {
        let chunk = objects.nodes().message(address)?;
        let table = message::Table::decode(&chunk).map_err(|error| error.in_chunk(address))?;
        Ok(TableParts {
            schema: objects.schema(&table.schema)?,
            rows: rows_root(objects, table.primary_index)?,
            indexes: AddressMap::embedded(objects.nodes().clone(), table.secondary_indexes)?,
            auto_increment: table.auto_increment,
            artifacts: table.artifacts,
        })
    }
}

impl Table {
    pub(crate) fn new(objects: &Rc<Objects>, address: Address, parts: TableParts) -> Table {
        Table { objects: objects.clone(), address, parts }
    }

    /// A draft of the next version, which has everything of this one.
    pub fn draft(&self) -> TableDraft {
        TableDraft {
            objects: self.objects.clone(),
            schema: self.parts.schema.clone(),
            rows: self.parts.rows.clone(),
            indexes: self.parts.indexes.clone(),
            index_roots: BTreeMap::new(),
            auto_increment: self.parts.auto_increment,
            artifacts: self.parts.artifacts,
        }
    }

    pub fn objects(&self) -> &Rc<Objects> {
        &self.objects
    }

    pub fn address(&self) -> Address {
        self.address
    }

    pub fn schema(&self) -> &Rc<Schema> {
        &self.parts.schema
    }

    /// Root node of the rows.
    pub fn rows_root(&self) -> &Rc<Node> {
        &self.parts.rows
    }

    /// The rows in key order.
    pub fn rows(&self) -> Map {
        let (key, value) = (self.parts.schema.key.clone(), self.parts.schema.value.clone());
        Map::new(self.objects.nodes().clone(), self.parts.rows.clone(), key, value)
    }

    /// The table for those who read no other rows than these, which lie in memory alone. Its address, indexes and all else are still those of
    /// this one: it must not be changed, or compared by its address.
    pub fn with_overlay(&self, rows: &Map) -> Table {
        let parts = TableParts { rows: rows.root.clone(), ..self.parts.clone() };
        Table { parts, ..self.clone() }
    }

    /// How many rows there are. Reads nothing for a table with a primary key; otherwise adds up the cardinalities.
    pub fn row_count(&self) -> Result<u64> {
        if !self.parts.schema.is_keyless() {
            return Ok(self.parts.rows.tree_count());
        }
        let mut scan = self.rows().scan(None, None, Direction::Forward)?;
        let mut rows = 0u64;
        while let Some(span) = scan.next_span(usize::MAX)? {
            for index in span.items.clone() {
                rows = rows.saturating_add(cardinality(span.leaf.value(index))?);
            }
        }
        Ok(rows)
    }

    /// Root node of an index of the schema.
    ///
    /// # Errors
    /// `VcsReason::Corrupt` when the table has no such index.
    pub fn index_root(&self, index: &Index) -> Result<Rc<Node>> {
        let address = self.parts.indexes.get(index.name.as_bytes())?;
        let address = address.ok_or_else(|| VcsError::corrupt("table", "an index of its schema is not there"))?;
        Ok(self.objects.nodes().node(&address)?)
    }

    /// The entries of an index; values are empty. In key order for indexes with [`Index::is_ordered`] and spatial ones, by distance for
    /// vector indexes, which can only be edited and asked for what is nearest.
    ///
    /// # Errors
    /// As [`Table::index_root`]; `VcsReason::Corrupt` for a tree of another kind.
    pub fn index(&self, index: &Index) -> Result<Map> {
        let root = self.index_root(index)?;
        if root.kind() != index.tree_kind() {
            return Err(VcsError::corrupt("index", "its tree is of another kind"));
        }
        let none = Rc::new(TupleDescriptor::new([]));
        Ok(Map::new(self.objects.nodes().clone(), root, index.key.clone(), none))
    }

    /// The value that AUTO_INCREMENT gives next.
    pub fn auto_increment(&self) -> u64 {
        self.parts.auto_increment.unwrap_or_default().max(1)
    }

    /// Root of conflicts and constraint violations; `None` when there are none.
    pub fn artifacts_address(&self) -> Option<Address> {
        self.parts.artifacts
    }
}

fn rows_root(objects: &Objects, message: &[u8]) -> Result<Rc<Node>> {
    let root = objects.nodes().embedded(message)?;
    match root.kind() {
        Kind::Rows => Ok(root),
        _ => Err(VcsError::corrupt("table", "the root of its rows is of another kind")),
    }
}

/// How often a row of a table without primary key is there: the first field of its value tuple.
pub fn cardinality(value: &[u8]) -> Result<u64> {
    let field = Tuple::new(value).field(0).and_then(|field| field.first_chunk());
    field.map(|bytes| u64::from_le_bytes(*bytes)).ok_or_else(|| VcsError::corrupt("row", "has no cardinality"))
}

/// Tables that the next statements read again.
impl Decoded for TableParts {
    const KIND: objects::Kind = objects::Kind::TableParts;
    const COUNT_MAX: usize = 64;
}

/// Whether a table has artifacts: each commit checks all tables of a root.
#[derive(Clone)]
struct HasArtifacts(bool);

impl Decoded for HasArtifacts {
    const KIND: objects::Kind = objects::Kind::HasArtifacts;
    const COUNT_MAX: usize = 4_096;
}

impl Objects {
    pub fn table(self: &Rc<Objects>, address: &Address) -> Result<Table> {
        let parts = self.cache().get(address, || TableParts::read(self, address))?;
        Ok(Table::new(self, *address, parts))
    }

    /// A table that was just written.
    pub(crate) fn written_table(self: &Rc<Objects>, address: &Address, parts: TableParts) -> Table {
        self.cache().insert(address, parts.clone());
        Table::new(self, *address, parts)
    }

    /// Whether the table at `address` has conflicts or constraint violations; reads one chunk, once.
    pub(crate) fn has_artifacts(&self, address: &Address) -> Result<bool> {
        if let Some(table) = self.cache::<TableParts>().known(address) {
            return Ok(table.artifacts.is_some());
        }
        let found = self.cache().get(address, || {
            let chunk = self.nodes().message(address)?;
            let table = message::Table::decode(&chunk).map_err(|error| error.in_chunk(address))?;
            Ok::<_, VcsError>(HasArtifacts(table.artifacts.is_some()))
        });
        found.map(|found| found.0)
    }
}
