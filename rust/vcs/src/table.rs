//! Tables (format: database.md, section 7).

use std::rc::Rc;

use codec::Address;
use tree::Node;
use tree::message::table as message;

use crate::error::Result;
use crate::name_map::NameMap;
use crate::objects::Objects;
use crate::schema::Schema;

/// One version of a table. Its hash (`dolt_hashof_table`) is [`Table::address`].
#[derive(Clone)]
pub struct Table {
    objects: Rc<Objects>,
    address: Address,
    schema: Rc<Schema>,
    rows: Rc<Node>,
    indexes: NameMap,
    auto_increment: u64,
    artifacts: Option<Address>,
}

impl Table {
    pub(crate) fn read(objects: &Rc<Objects>, address: &Address) -> Result<Table> {
        let chunk = objects.nodes().message(address)?;
        let table = message::Table::decode(&chunk).map_err(|error| error.in_chunk(address))?;
        Ok(Table {
            objects: objects.clone(),
            address: *address,
            schema: objects.schema(&table.schema)?,
            rows: objects.nodes().embedded(table.primary_index)?,
            indexes: NameMap::embedded(objects.nodes(), table.secondary_indexes)?,
            auto_increment: table.auto_increment.unwrap_or_default(),
            artifacts: table.artifacts,
        })
    }

    pub fn objects(&self) -> &Rc<Objects> {
        &self.objects
    }

    pub fn address(&self) -> Address {
        self.address
    }

    pub fn schema(&self) -> &Rc<Schema> {
        &self.schema
    }

    /// Root node of the rows.
    pub fn rows_root(&self) -> &Rc<Node> {
        &self.rows
    }

    /// Root node of an index by its stored name.
    pub fn index_root(&self, name: &str) -> Result<Option<Rc<Node>>> {
        let address = self.indexes.get(name)?;
        Ok(address.map(|address| self.objects.nodes().node(&address)).transpose()?)
    }

    /// The value that AUTO_INCREMENT gives next.
    pub fn auto_increment(&self) -> u64 {
        self.auto_increment.max(1)
    }

    /// Root of conflicts and constraint violations; `None` when there are none.
    pub fn artifacts(&self) -> Option<Address> {
        self.artifacts
    }
}
