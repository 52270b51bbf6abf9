//! Rows that share the value of a unique index after a merge (docs/format/database.md, section 10.5).

use hashbrown::HashMap;
use std::rc::Rc;

use codec::Address;
use tree::tuple::{Tuple, decode};
use tree::{Direction, Map};
use value::{Collation, hash_key};

use crate::error::Result;
use crate::expressions::Expressions;
use crate::merge::constraints::artifact_draft::{ArtifactDraft, json_string, json_strings};
use crate::merge::rows::index_draft::has_null;
use crate::merge::rows::index_keys::{IndexKeys, RowKeys};
use crate::merge::rows::row::Row;
use crate::schema::{Index, Schema};
use crate::table::Table;
use crate::table::artifacts::ArtifactKind;

/// A unique index of ours, followed through the merge row by row.
///
/// As in Dolt 2.2.0, values that a row had before stay in it: a row that takes such a value later is reported, too.
pub(crate) struct UniqueIndex {
    index: Index,
    info: String,
    entries: Map,
    rows: Map,
    keys: IndexKeys,
    row_keys: RowKeys,
    /// Entries that came (true) and went, by the values of the index's columns.
    edits: HashMap<Vec<u8>, Vec<(Vec<u8>, bool)>>,
    /// Rows that changed, by key.
    changed: HashMap<Box<[u8]>, Option<Vec<u8>>>,
}

/// What a violation says about a unique index.
pub(crate) fn unique_info(schema: &Schema, index: &Index) -> String {
    let columns = index.columns.iter().map(|position| &*schema.columns[*position].name);
    format!("{{\"Columns\":{},\"Name\":{}}}", json_strings(columns), json_string(&index.name))
}

impl UniqueIndex {
    pub(crate) fn new(ours: &Table, merged: &Rc<Schema>, index: &Index) -> Result<UniqueIndex> {
        Ok(UniqueIndex {
            info: unique_info(merged, index),
            entries: ours.index(index)?,
            rows: ours.rows(),
            keys: IndexKeys::new(merged, index, merged)?,
            row_keys: RowKeys::new(merged, index)?,
            index: index.clone(),
            edits: HashMap::new(),
            changed: HashMap::new(),
        })
    }

    /// Records the rows that have the same value as this one.
    pub(crate) fn check(
        &mut self,
        row: Row<'_>,
        source: &Address,
        artifacts: &mut ArtifactDraft,
        expressions: &dyn Expressions,
    ) -> Result<()> {
        let mut found = false;
        for other in self.rows_like(row, expressions)? {
            let Some(other_value) = self.row(&other)? else { continue };
            let other = Row { key: &other, value: &other_value };
            artifacts.add_violation(other, source, ArtifactKind::UniqueViolation, &self.info)?;
            found = true;
        }
        if found {
            artifacts.add_violation(row, source, ArtifactKind::UniqueViolation, &self.info)?;
        }
        Ok(())
    }

    /// The row is there from now on.
    pub(crate) fn insert(&mut self, row: Row<'_>, expressions: &dyn Expressions) -> Result<()> {
        let entry = self.keys.of_row(&self.rows.nodes, row, expressions)?;
        let values = self.values_of(&entry)?;
        self.edits.entry(values).or_default().push((entry, true));
        self.changed.insert(row.key.into(), Some(row.value.to_vec()));
        Ok(())
    }

    /// The row is not there any more.
    pub(crate) fn remove(&mut self, row: Row<'_>, expressions: &dyn Expressions) -> Result<()> {
        let entry = self.keys.of_row(&self.rows.nodes, row, expressions)?;
        let values = self.values_of(&entry)?;
        self.edits.entry(values).or_default().push((entry, false));
        self.changed.insert(row.key.into(), None);
        Ok(())
    }

    /// Keys of the other rows with this value; none when a part of it is NULL.
    pub(crate) fn rows_like(&mut self, row: Row<'_>, expressions: &dyn Expressions) -> Result<Vec<Vec<u8>>> {
        let nodes = self.rows.nodes.clone();
        let own = self.index.columns.len();
        let entry = self.keys.of_row(&nodes, row, expressions)?;
        if has_null(&entry, own) {
            return Ok(Vec::new());
        }
        let mut like: Vec<Vec<u8>> = Vec::new();
        let mut scan = self.entries.scan_prefix(&entry, own, Direction::Forward)?;
        while let Some(span) = scan.next_span(usize::MAX)? {
            like.extend(span.items.clone().map(|at| span.leaf.key(at).to_vec()));
        }
        for (other, is_put) in self.edits.get(&self.values_of(&entry)?).into_iter().flatten() {
            like.retain(|known| known != other);
            if *is_put {
                like.push(other.clone());
            }
        }
        let mut keys = Vec::new();
        for other in like {
            let row_key = self.row_keys.of_entry(&other)?;
            if row_key != row.key {
                keys.push(row_key);
            }
        }
        Ok(keys)
    }

    /// The values of the index's columns in a form that is equal for equal ones.
    fn values_of(&self, entry: &[u8]) -> Result<Vec<u8>> {
        let entry = Tuple::new(entry);
        let mut values = Vec::new();
        for (at, kind) in self.index.key.fields().iter().enumerate().take(self.index.columns.len()) {
            let value = decode(&self.rows.nodes, kind, entry.field(at))?;
            hash_key(&value, kind.sql_type.collation().unwrap_or(Collation::BINARY), &mut values);
        }
        Ok(values)
    }

    /// The value tuple of a row as it is by now.
    fn row(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        if let Some(changed) = self.changed.get(key) {
            return Ok(changed.clone());
        }
        Ok(self.rows.get(key)?.map(|item| item.value().to_vec()))
    }
}
