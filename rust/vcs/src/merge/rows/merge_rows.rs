//! Row merge: the rows of a table that both sides changed (docs/format/database.md, section 10.5).
//!
//! The changes of both sides are walked in key order and those of theirs are made to ours, so that nothing is read but what
//! one of the sides changed; unless the schema changed in a way that makes every row another one.

use std::rc::Rc;

use codec::Address;
use tree::tuple::Tuple;
use tree::{EveryRow, Item, Map, NodeStore, ThreeWayDiff};

use crate::error::merge::MergeError;
use crate::error::{Result, VcsReason};
use crate::merge::constraints::artifact_draft::{ArtifactDraft, address_of, artifacts_of, json_string, json_strings};
use crate::merge::constraints::unique::{UniqueIndex, unique_info};
use crate::merge::options::MergeOptions;
use crate::merge::resolve::refuse_other_conflicts;
use crate::merge::rows::cells::{CellMerger, MergedRow};
use crate::merge::rows::index_draft::{IndexDraft, build_index};
use crate::merge::rows::index_keys::RowKeys;
use crate::merge::rows::map_edits::MapEdits;
use crate::merge::rows::row::Row;
use crate::merge::rows::row_map::{RowMap, stored_columns};
use crate::merge::schema::Schemas;
use crate::merge::schema::columns::RowChanges;
use crate::merge::tables::TableVersions;
use crate::schema::{Check, Index, Place, Schema};
use crate::table::Table;
use crate::table::artifacts::ArtifactKind;

/// Merges the rows of three versions of a table into `merged`, the schema of their merge.
pub(crate) fn merge_rows(
    name: &str,
    versions: &TableVersions<'_>,
    merged: &Rc<Schema>,
    changes: RowChanges,
    options: &MergeOptions<'_>,
) -> Result<Address> {
    let of = [versions.base, versions.ours, versions.theirs].map(Table::address);
    let begun = match options.progress.and_then(|progress| progress.rows(name, &of)) {
        Some(MergedRows::Done(table)) => return Ok(table),
        Some(MergedRows::Paused(begun)) => begun,
        None => {
            let schemas = versions.schemas();
            refuse_other_conflicts(name, versions)?;
            let mut artifacts = ArtifactDraft::new(versions.ours.objects(), merged, versions.ours.artifacts_address())?;
            artifacts.merge(name, &artifacts_of(versions.base)?, &artifacts_of(versions.theirs)?)?;
            Box::new(RowMerge::new(versions, &schemas, merged, changes, options, artifacts)?)
        }
    };
    let done = begun.run(versions, options)?;
    let table = if let MergedRows::Done(table) = &done { Some(*table) } else { None };
    if let Some(progress) = options.progress {
        progress.keep_rows(name, of, done);
    }
    table.ok_or_else(|| VcsReason::Interrupted.into())
}

/// How far the rows of a table are merged.
pub(crate) enum MergedRows {
    Paused(Box<RowMerge>),
    Done(Address),
}

/// A merge of rows that is under way.
pub(crate) struct RowMerge {
    nodes: Rc<NodeStore>,
    merged: Rc<Schema>,
    rewrites_ours: bool,
    rewrites_theirs: bool,
    rebuilds_indexes: bool,
    walk: ThreeWayDiff,
    cells: CellMerger,
    base_map: RowMap,
    our_map: RowMap,
    their_map: RowMap,
    /// Computes generated columns of a merged row; `None` when there are none that are stored.
    generated: Option<RowMap>,
    /// Stored columns that are NOT NULL: their places among the stored columns, and their names.
    not_null: Vec<NotNull>,
    checks: Vec<Check>,
    unique: Vec<UniqueIndex>,
    indexes: Vec<IndexDraft>,
    artifacts: ArtifactDraft,
    /// Edits of the rows in key order.
    edits: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// The parts of the merged table that are being written: rows, an index, artifacts.
    row_edits: Option<MapEdits>,
    index_edits: Option<(Rc<str>, MapEdits)>,
    artifact_edits: Option<MapEdits>,
    /// Indexes that are written.
    roots: Vec<(Rc<str>, Address)>,
}

/// A column that must not be NULL.
struct NotNull {
    stored: usize,
    name: Rc<str>,
    has_default: bool,
}

/// One key and the rows that it has, as value tuples.
struct Rows<'r> {
    key: &'r [u8],
    base: Option<&'r [u8]>,
    ours: Option<&'r [u8]>,
    theirs: Option<&'r [u8]>,
}

impl<'r> Rows<'r> {
    /// The key with one of its values.
    fn row(&self, value: &'r [u8]) -> Row<'r> {
        Row { key: self.key, value }
    }
}

/// What the two sides did to a key.
enum Event {
    OursOnly,
    TheirsOnly,
    Same,
    Merged(Vec<u8>),
    /// One side deleted what the other left as it was.
    Deleted,
    Conflict,
}

impl RowMerge {
    fn new(
        versions: &TableVersions<'_>,
        schemas: &Schemas<'_>,
        merged: &Rc<Schema>,
        changes: RowChanges,
        options: &MergeOptions<'_>,
        artifacts: ArtifactDraft,
    ) -> Result<RowMerge> {
        let (our_map, their_map) = (RowMap::new(schemas.ours, merged), RowMap::new(schemas.theirs, merged));
        let is_keyless = merged.is_keyless();
        let needs_rewrite = |map: &RowMap| if is_keyless { !map.is_identity() } else { !map.is_same() };
        let has_generated = stored_columns(merged).iter().any(|column| column.generated.is_some());
        let not_null = stored_columns(merged).into_iter().enumerate().filter(|(_, column)| !column.is_nullable);
        let mut row_merge = RowMerge {
            nodes: versions.ours.objects().nodes().clone(),
            merged: merged.clone(),
            rewrites_ours: changes.rewrites_ours || needs_rewrite(&our_map),
            rewrites_theirs: changes.rewrites_theirs || needs_rewrite(&their_map),
            rebuilds_indexes: changes.rebuilds_indexes,
            walk: ThreeWayDiff::new(
                &versions.base.rows(),
                &versions.ours.rows(),
                &versions.theirs.rows(),
                EveryRow { of_ours: changes.ours_is_other, of_theirs: changes.theirs_is_other },
            )?,
            cells: CellMerger::new(schemas, merged, options.merges_json),
            base_map: RowMap::new(schemas.base, merged),
            our_map,
            their_map,
            generated: (has_generated && !is_keyless).then(|| RowMap::new(merged, merged)),
            not_null: not_null
                .map(|(stored, column)| NotNull {
                    stored,
                    name: column.name.clone(),
                    has_default: column.default.is_some(),
                })
                .collect(),
            checks: merged.checks.iter().filter(|check| check.is_enforced).cloned().collect(),
            unique: Vec::new(),
            indexes: Vec::new(),
            artifacts,
            edits: Vec::new(),
            row_edits: None,
            index_edits: None,
            artifact_edits: None,
            roots: Vec::new(),
        };
        for index in merged.indexes.iter().filter(|index| is_as_in(index, merged, schemas.ours)) {
            // Over a column that is stored otherwise on one side it is built anew, and looked through then.
            if index.is_unique && !row_merge.is_rewritten(index) {
                row_merge.unique.push(UniqueIndex::new(versions.ours, merged, index)?);
            }
            if !row_merge.rebuilds_indexes && index.vector.is_none() {
                row_merge.indexes.push(IndexDraft::new(versions.ours, merged, index)?);
            }
        }
        Ok(row_merge)
    }

    /// Whether a row of one side has other bytes in a column of an index.
    fn is_rewritten(&self, index: &Index) -> bool {
        let first = usize::from(self.merged.is_keyless());
        let keeps_bytes = |field: usize| {
            let stored = field - first;
            self.our_map.keeps_bytes_of(stored) && self.their_map.keeps_bytes_of(stored)
        };
        index.columns.iter().any(|&at| match self.merged.columns[at].place {
            Place::Value(field) => !keeps_bytes(field),
            _ => false,
        })
    }

    fn run(mut self: Box<Self>, versions: &TableVersions<'_>, options: &MergeOptions<'_>) -> Result<MergedRows> {
        while let Some(changes) = self.walk.next_changes()? {
            options.expressions.worked(1)?;
            let value = |item: &'_ Option<Item>| item.as_ref().map(|item| item.value().to_vec());
            let any = changes.ours.as_ref().or(changes.theirs.as_ref());
            let base = any.and_then(|change| value(&change.from));
            let our = changes.ours.as_ref().and_then(|change| value(&change.to));
            let their = changes.theirs.as_ref().and_then(|change| value(&change.to));
            let rows =
                Rows { key: changes.key(), base: base.as_deref(), ours: our.as_deref(), theirs: their.as_deref() };
            let event = match (&changes.ours, &changes.theirs) {
                (Some(_), None) => Event::OursOnly,
                (None, _) => Event::TheirsOnly,
                _ if our == their => Event::Same,
                _ => match self.cells.merge(&self.nodes, rows.base, rows.ours, rows.theirs)? {
                    MergedRow::Row(row) => Event::Merged(row),
                    MergedRow::Deleted => Event::Deleted,
                    MergedRow::Conflict => Event::Conflict,
                },
            };
            self.merge_row(&rows, event, options)?;
            if options.pauses() {
                return Ok(MergedRows::Paused(self));
            }
        }
        self.write(versions, options)
    }

    /// A row without key is found by its bytes, so that none can be written in another form.
    fn refuse_other_form(&self, rows: &Rows<'_>, event: &Event) -> Result<()> {
        let map = match (event, rows.ours, rows.theirs) {
            (Event::TheirsOnly, _, Some(_)) => &self.their_map,
            (Event::OursOnly, Some(_), _) => &self.our_map,
            _ => return Ok(()),
        };
        if map.keeps_bytes() { Ok(()) } else { Err(MergeError::KeylessTypes.into()) }
    }

    fn merge_row(&mut self, rows: &Rows<'_>, event: Event, options: &MergeOptions<'_>) -> Result<()> {
        if self.merged.is_keyless() {
            self.refuse_other_form(rows, &event)?;
        }
        self.check_unique(rows, &event, options)?;
        if self.is_null_violation(rows, &event, options)? {
            return Ok(());
        }
        self.check_checks(rows, &event, options)?;
        match event {
            Event::OursOnly => self.rewrite_ours(rows, options),
            Event::Conflict => {
                self.artifacts.add_conflict(rows.key, &options.their_source, &options.base_source)?;
                if rows.ours.is_none() && self.rewrites_ours {
                    self.put(rows.key, None);
                }
                self.rewrite_ours(rows, options)
            }
            Event::TheirsOnly => match rows.theirs {
                Some(theirs) => self.take_theirs(rows, theirs, options),
                None => {
                    self.put(rows.key, None);
                    self.change_indexes(rows.key, rows.base, None, options)
                }
            },
            Event::Deleted => {
                self.put(rows.key, None);
                if rows.theirs.is_none() { self.change_indexes(rows.key, rows.ours, None, options) } else { Ok(()) }
            }
            Event::Merged(merged) => {
                let row = match &mut self.generated {
                    Some(map) => map.map(&self.nodes, rows.row(&merged), options.expressions)?,
                    None => merged.clone(),
                };
                self.put(rows.key, Some(row));
                self.change_indexes(rows.key, rows.ours, Some(&merged), options)
            }
            // The same rows added or taken away twice: it is unknown whether that was meant once.
            Event::Same if self.merged.is_keyless() => {
                self.artifacts.add_conflict(rows.key, &options.their_source, &options.base_source)
            }
            Event::Same => Ok(()),
        }
    }

    fn put(&mut self, key: &[u8], value: Option<Vec<u8>>) {
        self.edits.push((key.to_vec(), value));
    }

    fn rewrite_ours(&mut self, rows: &Rows<'_>, options: &MergeOptions<'_>) -> Result<()> {
        let Some(ours) = rows.ours.filter(|_| self.rewrites_ours) else { return Ok(()) };
        if self.merged.is_keyless() {
            return if self.our_map.is_identity() { Ok(()) } else { Err(MergeError::KeylessColumns.into()) };
        }
        let row = self.our_map.map(&self.nodes, rows.row(ours), options.expressions)?;
        self.put(rows.key, Some(row));
        Ok(())
    }

    fn take_theirs(&mut self, rows: &Rows<'_>, theirs: &[u8], options: &MergeOptions<'_>) -> Result<()> {
        if self.merged.is_keyless() && !self.their_map.is_identity() {
            return Err(MergeError::KeylessColumns.into());
        }
        if self.merged.is_keyless() || !self.rewrites_theirs {
            self.put(rows.key, Some(theirs.to_vec()));
            return self.change_indexes(rows.key, rows.base, Some(theirs), options);
        }
        let row = self.their_map.map(&self.nodes, rows.row(theirs), options.expressions)?;
        let base = match rows.base {
            Some(base) if !self.indexes.is_empty() => {
                Some(self.base_map.map(&self.nodes, rows.row(base), options.expressions)?)
            }
            _ => None,
        };
        self.change_indexes(rows.key, base.as_deref(), Some(&row), options)?;
        self.put(rows.key, Some(row));
        Ok(())
    }

    fn change_indexes(
        &mut self,
        key: &[u8],
        from: Option<&[u8]>,
        to: Option<&[u8]>,
        options: &MergeOptions<'_>,
    ) -> Result<()> {
        for index in &mut self.indexes {
            index.change(key, from, to, options.expressions)?;
        }
        Ok(())
    }

    /// Follows the row in the unique indexes and records rows of equal values.
    fn check_unique(&mut self, rows: &Rows<'_>, event: &Event, options: &MergeOptions<'_>) -> Result<()> {
        let is_keyless = self.merged.is_keyless();
        let reordered = |map: &RowMap, value: &[u8]| match is_keyless || map.is_identity() {
            true => Ok(value.to_vec()),
            false => map.reorder(value),
        };
        let value = match (event, rows.ours, rows.theirs) {
            (Event::OursOnly, Some(ours), _) => reordered(&self.our_map, ours)?,
            (Event::TheirsOnly, _, Some(theirs)) => reordered(&self.their_map, theirs)?,
            (Event::Merged(merged), ..) => merged.clone(),
            (Event::TheirsOnly, _, None) => {
                let Some(base) = rows.base else { return Ok(()) };
                return self.remove_unique(rows.row(base), options);
            }
            _ => return Ok(()),
        };
        let (source, expressions) = (options.their_source, options.expressions);
        if options.records_violations {
            for index in &mut self.unique {
                index.check(rows.row(&value), &source, &mut self.artifacts, expressions)?;
            }
        }
        for index in &mut self.unique {
            index.insert(rows.row(&value), expressions)?;
        }
        Ok(())
    }

    /// A row went: its violation is gone, and that of a row that only had this one against it.
    fn remove_unique(&mut self, row: Row<'_>, options: &MergeOptions<'_>) -> Result<()> {
        for index in &mut self.unique {
            index.remove(row, options.expressions)?;
        }
        if self.artifacts.remove_violations(row.key, ArtifactKind::UniqueViolation)? > 0 {
            for index in &mut self.unique {
                let mut others = index.rows_like(row, options.expressions)?;
                if !others.is_empty() {
                    others.push(row.key.to_vec());
                }
                for other in others {
                    self.artifacts.remove_violations(&other, ArtifactKind::UniqueViolation)?;
                }
            }
        }
        Ok(())
    }

    /// A row with NULL in a column that is NOT NULL by now is recorded and taken out.
    fn is_null_violation(&mut self, rows: &Rows<'_>, event: &Event, options: &MergeOptions<'_>) -> Result<bool> {
        let value = match (event, rows.ours, rows.theirs) {
            (Event::OursOnly, Some(ours), _) => ours,
            (Event::TheirsOnly, _, Some(theirs)) => theirs,
            (Event::Merged(merged), ..) => merged,
            _ => return Ok(false),
        };
        let tuple = Tuple::new(value);
        let is_merged = matches!(event, Event::Merged(_));
        let fields = if matches!(event, Event::TheirsOnly) { &self.their_map.fields } else { &self.our_map.fields };
        let is_null = |column: &&NotNull| match fields[column.stored] {
            _ if is_merged => tuple.field(column.stored).is_none(),
            Some(field) => tuple.field(field).is_none(),
            None => !column.has_default,
        };
        let columns: Vec<&str> = self.not_null.iter().filter(is_null).map(|column| &*column.name).collect();
        if columns.is_empty() {
            return Ok(false);
        }
        let info = format!("{{\"Columns\":{}}}", json_strings(columns));
        let source = options.their_source;
        self.artifacts.add_violation(rows.row(value), &source, ArtifactKind::NotNullViolation, &info)?;
        if !matches!(event, Event::TheirsOnly) {
            self.put(rows.key, None);
            self.change_indexes(rows.key, rows.ours, None, options)?;
        }
        Ok(true)
    }

    /// Records rows for which a check is false.
    fn check_checks(&mut self, rows: &Rows<'_>, event: &Event, options: &MergeOptions<'_>) -> Result<()> {
        if self.checks.is_empty() {
            return Ok(());
        }
        let (nodes, expressions) = (self.nodes.clone(), options.expressions);
        let is_keyless = self.merged.is_keyless();
        let mapped = |map: &mut RowMap, value: &[u8]| match is_keyless || map.is_same() {
            true => Ok(value.to_vec()),
            false => map.map(&nodes, rows.row(value), expressions),
        };
        let value = match (event, rows.ours, rows.theirs) {
            (Event::OursOnly, Some(ours), _) => mapped(&mut self.our_map, ours)?,
            (Event::TheirsOnly, _, Some(theirs)) => mapped(&mut self.their_map, theirs)?,
            (Event::Merged(merged), ..) => merged.clone(),
            (Event::Same, Some(ours), _) => ours.to_vec(),
            _ => return Ok(()),
        };
        let row = rows.row(&value).values(&nodes, &self.merged)?;
        for check in &self.checks {
            let result = expressions.value(&self.merged, &check.expression, &row)?;
            if value::truth(&result) != Some(false) || !options.records_violations {
                continue;
            }
            let (name, expression) = (json_string(&check.name), json_string(&check.expression));
            let info = format!("{{\"Name\":{name},\"Expression\":{expression}}}");
            let source = options.their_source;
            self.artifacts.add_violation(rows.row(&value), &source, ArtifactKind::CheckViolation, &info)?;
        }
        Ok(())
    }

    /// Writes rows, indexes and artifacts in steps, between which it may pause.
    fn write(mut self: Box<Self>, versions: &TableVersions<'_>, options: &MergeOptions<'_>) -> Result<MergedRows> {
        let edits = self.row_edits.get_or_insert_with(|| {
            let before = versions.ours.rows();
            let before = Map::new(before.nodes, before.root, self.merged.key.clone(), self.merged.value.clone());
            MapEdits::new(before, core::mem::take(&mut self.edits))
        });
        let Some(rows) = edits.write(options)?.cloned() else { return Ok(MergedRows::Paused(self)) };
        loop {
            if let Some((name, edits)) = &mut self.index_edits {
                let Some(entries) = edits.write(options)? else { return Ok(MergedRows::Paused(self)) };
                self.roots.push((name.clone(), entries.put_root()?));
            }
            let Some(index) = self.indexes.pop() else { break };
            self.index_edits = Some((index.name.clone(), index.into_edits()?));
        }
        self.index_edits = None;
        let merged = self.merged.clone();
        for index in &merged.indexes {
            if self.roots.iter().any(|(name, _)| *name == index.name) {
                continue;
            }
            if options.pauses() {
                return Ok(MergedRows::Paused(self));
            }
            let root = self.build(&rows, index, options)?;
            self.roots.push((index.name.clone(), root));
        }
        if self.artifact_edits.is_none() {
            self.artifact_edits = Some(self.artifacts.take_edits()?);
        }
        let artifacts = match self.artifact_edits.as_mut().map(|edits| edits.write(options)).transpose()?.flatten() {
            Some(artifacts) => address_of(artifacts)?,
            None => return Ok(MergedRows::Paused(self)),
        };
        let mut draft = versions.ours.draft();
        draft.rows = rows.root.clone();
        // Native Dolt lists the trees anew: those that an ALTER TABLE left behind go, too.
        for entry in draft.indexes.entries()? {
            let (name, _) = entry?;
            if !merged.indexes.iter().any(|merged| merged.name.as_bytes() == &*name) {
                draft.index_roots.insert(String::from_utf8_lossy(&name).into(), None);
            }
        }
        for (name, root) in &self.roots {
            draft.set_index(name, *root);
        }
        draft.schema = merged;
        draft.artifacts = artifacts;
        if versions.ours.schema().columns.iter().any(|column| column.is_auto_increment) {
            let next = versions.ours.auto_increment().max(versions.theirs.auto_increment());
            if next != versions.ours.auto_increment() {
                draft.auto_increment = Some(next);
            }
        }
        Ok(MergedRows::Done(draft.write()?.address()))
    }

    /// Builds an index that ours has not, or not so.
    fn build(&mut self, rows: &Map, index: &Index, options: &MergeOptions<'_>) -> Result<Address> {
        let row_keys = RowKeys::new(&self.merged, index)?;
        let info = unique_info(&self.merged, index);
        let (artifacts, source) = (&mut self.artifacts, options.their_source);
        build_index(rows, &self.merged, index, options.expressions, &mut |one, two| {
            for entry in [one, two] {
                let key = row_keys.of_entry(entry)?;
                let value = rows.get(&key)?.map(|item| item.value().to_vec()).unwrap_or_default();
                artifacts.add_violation(
                    Row { key: &key, value: &value },
                    &source,
                    ArtifactKind::UniqueViolation,
                    &info,
                )?;
            }
            Ok(())
        })
    }
}

/// Whether a schema has the same index.
fn is_as_in(index: &Index, own: &Schema, other: &Schema) -> bool {
    let tags = |schema: &Schema, index: &Index| -> Vec<u64> {
        index.columns.iter().map(|position| schema.columns[*position].tag).collect()
    };
    other.indexes.iter().any(|there| {
        there.name == index.name
            && tags(other, there) == tags(own, index)
            && there.is_unique == index.is_unique
            && there.is_spatial == index.is_spatial
            && there.vector == index.vector
            && there.comment == index.comment
            && there.prefix_lengths().eq(index.prefix_lengths())
    })
}
