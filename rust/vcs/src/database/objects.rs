//! Object reader: decodes the commits, roots, tables and tags that addresses refer to.

use std::rc::Rc;

use codec::Address;
use store::StoreError;
use tree::NodeStore;
use tree::message::{stash as stash_message, table as table_message, tag as tag_message};

use crate::commit::Commit;
use crate::commit::ancestors;
use crate::commit::log::Log;
use crate::commit::walk::Walk;
use crate::database::recent::Recent;
use crate::error::{Result, VcsError};
use crate::root_value::working_set::WorkingSet;
use crate::root_value::{RootTables, RootValue};
use crate::schema::Schema;
use crate::table::{Table, TableParts};

/// Schemas kept decoded: history reads thousands of versions of a table that have few schemas.
const SCHEMAS_MAX: usize = 512;
/// Commits kept decoded, about 2 MB: tables of history look at a commit for itself and as a parent.
const COMMITS_MAX: usize = 4_096;
/// Root values kept decoded, about 16 kB each in a database of hundreds of tables.
const ROOTS_MAX: usize = 64;
/// Tables kept decoded: those that the next statements look at again.
const TABLES_MAX: usize = 64;
/// Tables of which it is known whether they have artifacts: each commit asks all tables of a root.
const ARTIFACTS_MAX: usize = 4_096;
/// Working sets kept decoded: every statement begins with that of its branch.
const WORKING_SETS_MAX: usize = 64;

/// Reads commits, roots, tables and schemas by address. One per database, shared by all that read it. What was read is kept decoded, as
/// much of each kind as the constants above say; tags and stashes are read each time.
///
/// Whatever is read can fail in the same ways: the address is no chunk of the store, or the chunk is another message than is asked for or
/// a malformed one.
pub struct Objects {
    nodes: Rc<NodeStore>,
    commits: Recent<Rc<Commit>>,
    roots: Recent<Rc<RootTables>>,
    tables: Recent<TableParts>,
    /// Whether tables have artifacts.
    artifacts: Recent<bool>,
    working_sets: Recent<Rc<WorkingSet>>,
    schemas: Recent<Rc<Schema>>,
}

impl Objects {
    pub fn new(nodes: Rc<NodeStore>) -> Rc<Objects> {
        let (commits, roots, schemas) = (Recent::new(COMMITS_MAX), Recent::new(ROOTS_MAX), Recent::new(SCHEMAS_MAX));
        let (tables, working_sets) = (Recent::new(TABLES_MAX), Recent::new(WORKING_SETS_MAX));
        let artifacts = Recent::new(ARTIFACTS_MAX);
        Rc::new(Objects { nodes, commits, roots, tables, artifacts, working_sets, schemas })
    }

    pub fn nodes(&self) -> &Rc<NodeStore> {
        &self.nodes
    }

    /// Keeps a new chunk until a commit needs it.
    pub fn put(&self, message: &[u8]) -> Result<Address> {
        Ok(self.nodes.chunks().put(message)?)
    }

    pub fn commit(&self, address: &Address) -> Result<Rc<Commit>> {
        self.commits.get(address, || Commit::read(&self.nodes, address))
    }

    pub fn root_value(self: &Rc<Objects>, address: &Address) -> Result<RootValue> {
        let tables = self.roots.get(address, || RootTables::read(&self.nodes, address).map(Rc::new))?;
        Ok(RootValue::new(self, tables))
    }

    /// A root value that was just written.
    pub(crate) fn written_root(self: &Rc<Objects>, address: &Address, tables: RootTables) -> RootValue {
        let tables = Rc::new(tables);
        self.roots.insert(address, tables.clone());
        RootValue::new(self, tables)
    }

    pub fn table(self: &Rc<Objects>, address: &Address) -> Result<Table> {
        let parts = self.tables.get(address, || TableParts::read(self, address))?;
        Ok(Table::new(self, *address, parts))
    }

    /// A table that was just written.
    pub(crate) fn written_table(self: &Rc<Objects>, address: &Address, parts: TableParts) -> Table {
        self.tables.insert(address, parts.clone());
        Table::new(self, *address, parts)
    }

    /// Whether the table at `address` has conflicts or constraint violations; reads one chunk, once.
    pub(crate) fn has_artifacts(&self, address: &Address) -> Result<bool> {
        if let Some(table) = self.tables.known(address) {
            return Ok(table.artifacts.is_some());
        }
        self.artifacts.get(address, || {
            let chunk = self.nodes.message(address)?;
            let table = table_message::Table::decode(&chunk).map_err(|error| error.in_chunk(address))?;
            Ok(table.artifacts.is_some())
        })
    }

    /// The schema at `address`; the same `Rc` when it was read before.
    pub fn schema(&self, address: &Address) -> Result<Rc<Schema>> {
        self.schemas.get(address, || Schema::read(&self.nodes, address).map(Rc::new))
    }

    pub fn working_set(&self, address: &Address) -> Result<Rc<WorkingSet>> {
        self.working_sets.get(address, || WorkingSet::read(&self.nodes, address).map(Rc::new))
    }

    /// Takes in a working set that was just written.
    pub(crate) fn written_working_set(&self, address: &Address, set: WorkingSet) {
        self.working_sets.insert(address, Rc::new(set));
    }

    pub fn tag(&self, address: &Address) -> Result<tag_message::Tag> {
        let chunk = self.nodes.message(address)?;
        Ok(tag_message::Tag::decode(&chunk).map_err(|error| error.in_chunk(address))?)
    }

    pub fn stash(&self, address: &Address) -> Result<stash_message::Stash> {
        let chunk = self.nodes.message(address)?;
        Ok(stash_message::Stash::decode(&chunk).map_err(|error| error.in_chunk(address))?)
    }

    /// The history of the commits `from`, without that of `excluded` (`git log from ^excluded`).
    pub fn log(self: &Rc<Objects>, from: &[Address], excluded: &[Address]) -> Result<Log> {
        Log::new(self, from, excluded)
    }

    /// How many commits the history of `one` has that the history of `other` has not.
    pub fn commits_ahead(self: &Rc<Objects>, one: &Address, other: &Address) -> Result<u64> {
        self.log(&[*one], &[*other])?.try_fold(0, |count, commit| commit.map(|_| count + 1))
    }

    /// The history of `head`.
    pub fn log_of(self: &Rc<Objects>, head: Rc<Commit>) -> Log {
        Log::of(self, head)
    }

    /// The same commits depth first, the order of the tables of history.
    pub fn walk(self: &Rc<Objects>, from: &[Address]) -> Walk {
        Walk::new(self, from)
    }

    /// The best common ancestor of two commits; `None` when they are not related.
    pub fn merge_base(&self, left: &Commit, right: &Commit) -> Result<Option<Address>> {
        ancestors::merge_base(&self.nodes, left, right)
    }

    /// Whether `ancestor` is in the history of `commit`, itself included.
    pub fn has_ancestor(&self, commit: &Commit, ancestor: &Commit) -> Result<bool> {
        ancestors::has_ancestor(&self.nodes, commit, ancestor)
    }
}

/// Whether a chunk was left behind by a shallow clone.
pub(crate) fn is_ghost(error: &VcsError) -> bool {
    matches!(error.of_store(), Some(StoreError::Ghost(_)))
}
