//! Root value: all tables of a database at one moment (docs/format/database.md, section 5). An edit gives another root value, whose chunks
//! are pending until a commit needs them.

use std::rc::Rc;

use codec::{Address, CompactSort};
use tree::message::foreign_keys::{self, ForeignKey};
use tree::message::root_value as message;
use tree::{AddressMap, Chunker, Kind, NodeStore};
use value::Collation;

use crate::error::{Result, VcsReason};
use crate::objects::names::Names;
use crate::objects::{self, Decoded, Objects};
use crate::schema;
use crate::table::Table;

/// What Dolt 2.2.0 writes and reads; a root with a larger number is refused.
pub const FEATURE_VERSION: i64 = 7;

/// A root value. Its hash (`dolt_hashof_db`) is [`RootValue::address`]. Cheap to clone.
#[derive(Clone)]
pub struct RootValue {
    objects: Rc<Objects>,
    content: Rc<RootTables>,
}

/// What a root value holds.
pub(crate) struct RootTables {
    address: Address,
    tables: AddressMap,
    foreign_keys: Option<Address>,
    collation: Collation,
    /// Whether this version of Dolt wrote it, or would write it so.
    is_of_this_version: bool,
}

impl RootTables {
    pub(crate) fn read(nodes: &Rc<NodeStore>, address: &Address) -> Result<RootTables> {
        let chunk = nodes.message(address)?;
        let root = message::RootValue::decode(&chunk).map_err(|error| error.in_chunk(address))?;
        if root.feature_version > FEATURE_VERSION {
            return Err(VcsReason::FeatureVersion { found: root.feature_version, known: FEATURE_VERSION }.into());
        }
        Ok(RootTables {
            address: *address,
            tables: AddressMap::embedded(nodes.clone(), root.tables)?,
            foreign_keys: root.foreign_keys,
            collation: schema::collation(root.collation)?,
            is_of_this_version: root.feature_version == FEATURE_VERSION,
        })
    }
}

impl RootValue {
    pub(crate) fn new(objects: &Rc<Objects>, content: Rc<RootTables>) -> RootValue {
        RootValue { objects: objects.clone(), content }
    }

    /// A database without tables.
    ///
    /// # Errors
    /// As all edits: [`store::StoreError::ReadOnly`] where nothing can be written.
    pub fn empty(objects: &Rc<Objects>, collation: Collation) -> Result<RootValue> {
        let tables = Chunker::new(&**objects.nodes(), Kind::Addresses, tree::AddressFields::default()).finish()?;
        let tables = AddressMap::embedded(objects.nodes().clone(), &tables.message)?;
        RootValue::write(objects, tables, None, collation)
    }

    fn write(
        objects: &Rc<Objects>,
        tables: AddressMap,
        foreign_keys: Option<Address>,
        collation: Collation,
    ) -> Result<RootValue> {
        let feature_version = FEATURE_VERSION;
        let collation_id = collation.id();
        let root =
            message::RootValue { feature_version, tables: tables.message(), foreign_keys, collation: collation_id };
        let address = objects.put(&root.encode()?)?;
        Ok(objects
            .written_root(&address, RootTables { address, tables, foreign_keys, collation, is_of_this_version: true }))
    }

    fn with_tables(&self, tables: AddressMap) -> Result<RootValue> {
        RootValue::write(&self.objects, tables, self.content.foreign_keys, self.content.collation)
    }

    /// With a table of exactly this name, over one that is there.
    pub fn with_table(&self, name: &str, table: &Table) -> Result<RootValue> {
        self.with_table_at(name, &table.address())
    }

    /// As [`RootValue::with_table`], by the table's address.
    pub fn with_table_at(&self, name: &str, table: &Address) -> Result<RootValue> {
        self.with_tables(self.content.tables.edited([(name.as_bytes(), Some(table))])?)
    }

    /// With many tables at once, each name once: their addresses, or `None` to leave one out.
    pub fn with_tables_at(&self, tables: &[(Box<str>, Option<Address>)]) -> Result<RootValue> {
        let mut edits: Vec<_> = tables.iter().map(|(name, address)| (name.as_bytes(), address.as_ref())).collect();
        if edits.is_empty() {
            return Ok(self.clone());
        }
        edits.compact_sort_by_key(|(name, _)| *name);
        self.with_tables(self.content.tables.edited(edits)?)
    }

    /// Without the table of exactly this name.
    pub fn without_table(&self, name: &str) -> Result<RootValue> {
        self.with_tables(self.content.tables.edited([(name.as_bytes(), None)])?)
    }

    /// With these foreign keys instead of those it has, in any order.
    pub fn with_foreign_keys(&self, keys: &[ForeignKey]) -> Result<RootValue> {
        let mut keys = keys.to_vec();
        keys.compact_sort_by(|a, b| a.name.cmp(&b.name));
        let address = if keys.is_empty() { None } else { Some(self.objects.put(&foreign_keys::encode(&keys)?)?) };
        RootValue::write(&self.objects, self.content.tables.clone(), address, self.content.collation)
    }

    /// With another default of new tables.
    pub fn with_collation(&self, collation: Collation) -> Result<RootValue> {
        RootValue::write(&self.objects, self.content.tables.clone(), self.content.foreign_keys, collation)
    }

    pub fn objects(&self) -> &Rc<Objects> {
        &self.objects
    }

    pub fn address(&self) -> Address {
        self.content.address
    }

    /// The default of new tables.
    pub fn collation(&self) -> Collation {
        self.content.collation
    }

    /// Address of the foreign keys' chunk; equal addresses mean equal keys.
    pub fn foreign_keys_address(&self) -> Option<Address> {
        self.content.foreign_keys
    }

    /// All foreign keys, sorted by name.
    pub fn foreign_keys(&self) -> Result<Vec<ForeignKey>> {
        let Some(address) = &self.content.foreign_keys else { return Ok(Vec::new()) };
        let chunk = self.objects.nodes().message(address)?;
        Ok(foreign_keys::decode(&chunk).map_err(|error| error.in_chunk(address))?)
    }

    /// Whether a root with the tables of this one would differ from it in nothing: all but the tables is the same in `other`, and it
    /// would be written with the same feature version.
    pub(crate) fn differs_in_tables_alone(&self, other: &RootValue) -> bool {
        self.content.is_of_this_version
            && self.content.foreign_keys == other.content.foreign_keys
            && self.content.collation == other.content.collation
    }

    pub(crate) fn address_map(&self) -> &AddressMap {
        &self.content.tables
    }

    /// Names and addresses of all tables, system tables that are stored (`dolt_schemas` …) included, in bytewise order.
    pub fn tables(&self) -> Names {
        Names::from(&self.content.tables, "")
    }

    /// The address of the table of exactly this name.
    pub fn table_address(&self, name: &str) -> Result<Option<Address>> {
        Ok(self.content.tables.get(name.as_bytes())?)
    }

    /// A table's stored name and address: written exactly so, else the first one that differs only in case.
    pub fn find_table(&self, name: &str) -> Result<Option<(Box<str>, Address)>> {
        if let Some(address) = self.content.tables.get(name.as_bytes())? {
            return Ok(Some((name.into(), address)));
        }
        let folded = name.to_lowercase();
        for entry in self.tables() {
            let (stored, address) = entry?;
            if stored.to_lowercase() == folded {
                return Ok(Some((stored, address)));
            }
        }
        Ok(None)
    }

    /// A table by name, found as [`RootValue::find_table`] does.
    pub fn table(&self, name: &str) -> Result<Option<Table>> {
        self.find_table(name)?.map(|(_, address)| self.objects.table(&address)).transpose()
    }
}

/// Whether a name is reserved for Dolt, in any case.
pub fn is_system_table(name: &str) -> bool {
    name.get(..5).is_some_and(|prefix| prefix.eq_ignore_ascii_case("dolt_"))
}

/// About 16 kB each in a database of hundreds of tables.
impl Decoded for Rc<RootTables> {
    const KIND: objects::Kind = objects::Kind::RootTables;
    const COUNT_MAX: usize = 64;
}

impl Objects {
    pub fn root_value(self: &Rc<Objects>, address: &Address) -> Result<RootValue> {
        let tables = self.cache().get(address, || RootTables::read(self.nodes(), address).map(Rc::new))?;
        Ok(RootValue::new(self, tables))
    }

    /// A root value that was just written.
    fn written_root(self: &Rc<Objects>, address: &Address, tables: RootTables) -> RootValue {
        let tables = Rc::new(tables);
        self.cache().insert(address, tables.clone());
        RootValue::new(self, tables)
    }
}
