//! Table draft: a new version of a table under construction.

use std::collections::BTreeMap;
use std::rc::Rc;

use codec::Address;
use tree::message::table as message;
use tree::{AddressFields, AddressMap, Chunker, Kind, Node};

use crate::error::Result;
use crate::objects::Objects;
use crate::schema::Schema;
use crate::table::{Table, TableParts};

/// The parts of a table, to be changed and written as its next version.
pub struct TableDraft {
    pub(crate) objects: Rc<Objects>,
    pub schema: Rc<Schema>,
    /// The root of the rows, which is embedded.
    pub rows: Rc<Node>,
    /// Those of the version before, which `index_roots` changes.
    pub(crate) indexes: AddressMap,
    /// Trees of indexes by name; `None` drops one.
    pub index_roots: BTreeMap<Rc<str>, Option<Address>>,
    /// The value that AUTO_INCREMENT gives next; `None` and 0 both mean 1, but make different chunks.
    pub auto_increment: Option<u64>,
    /// Conflicts and constraint violations.
    pub artifacts: Option<Address>,
}

impl TableDraft {
    /// A table without rows; `schema` is written already (see [`Schema::create`]). Every index is an empty tree.
    ///
    /// # Errors
    /// [`store::StoreError::ReadOnly`] where nothing can be written.
    pub fn new(objects: &Rc<Objects>, schema: Rc<Schema>) -> Result<TableDraft> {
        let nodes = objects.nodes();
        let empty = |kind| Chunker::new(&**nodes, kind, AddressFields::default()).finish();
        let rows = nodes.embedded(&empty(Kind::Rows)?.message)?;
        let mut index_roots = BTreeMap::new();
        for index in &schema.indexes {
            index_roots.insert(index.name.clone(), Some(empty(index.tree_kind())?.address));
        }
        let indexes = AddressMap::embedded(nodes.clone(), &empty(Kind::Addresses)?.message)?;
        let objects = objects.clone();
        Ok(TableDraft { objects, schema, rows, indexes, index_roots, auto_increment: None, artifacts: None })
    }

    /// Sets the tree of an index.
    pub fn set_index(&mut self, name: &str, root: Address) {
        self.index_roots.insert(name.into(), Some(root));
    }

    /// Writes the table.
    ///
    /// # Errors
    /// As [`TableDraft::new`].
    pub fn write(self) -> Result<Table> {
        let objects = &self.objects;
        let edits = self.index_roots.iter().map(|(name, root)| (name.as_bytes(), root.as_ref()));
        let indexes = self.indexes.edited(edits)?;
        let table = message::Table {
            schema: self.schema.address,
            primary_index: self.rows.bytes(),
            secondary_indexes: indexes.message(),
            auto_increment: self.auto_increment,
            legacy_conflicts: [Address::EMPTY; 4],
            legacy_violations: Address::EMPTY,
            artifacts: self.artifacts,
        };
        let address = objects.put(&table.encode()?)?;
        let parts = TableParts {
            rows: self.rows.clone(),
            indexes,
            schema: self.schema.clone(),
            auto_increment: self.auto_increment,
            artifacts: self.artifacts,
        };
        Ok(objects.written_table(&address, parts))
    }
}
