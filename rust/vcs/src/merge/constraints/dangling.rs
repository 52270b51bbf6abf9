//! Rows whose foreign keys refer to nothing after a merge (docs/format/database.md, sections 9.1 and 10.5).
//!
//! Only what changed since the base is looked at: rows that left a parent, and rows that came into a child.

use std::collections::BTreeMap;
use std::rc::Rc;

use codec::Address;
use tree::tuple::{Part, RowWriter, Stored, Tuple, TupleDescriptor, decode};
use tree::{Diff, Direction, Item, Map, NodeStore};
use value::assign;

use crate::ForeignKey;
use crate::ReferentialAction;
use crate::error::{Result, VcsError, VcsReason};
use crate::expressions::Expressions;
use crate::merge::constraints::artifact_draft::{ArtifactDraft, json_string, json_strings};
use crate::merge::options::MergeOptions;
use crate::merge::progress::MergeProgress;
use crate::merge::rows::index_draft::has_null;
use crate::merge::rows::index_keys::RowKeys;
use crate::merge::rows::row::Row;
use crate::nonlocal::TableNames;
use crate::root_value::{RootValue, is_system_table};
use crate::schema::{Index, Place, Schema};
use crate::table::Table;
use crate::table::artifacts::ArtifactKind;

/// Rows of a child table that violate a foreign key.
pub(crate) struct DanglingRows {
    child: Box<str>,
    table: Table,
    /// Keys and values.
    rows: FoundRows,
    /// What the violations say.
    info: String,
}

/// Records the rows of child tables that violate a foreign key by what changed from `base` to `root`; `tables` limits it to
/// some child tables.
pub(crate) fn record_dangling_rows(
    root: &RootValue,
    base: &RootValue,
    options: &MergeOptions<'_>,
    tables: Option<&[Box<str>]>,
) -> Result<RootValue> {
    let mut drafts: BTreeMap<Box<str>, (Table, ArtifactDraft)> = BTreeMap::new();
    for DanglingRows { child, table, rows, info } in
        find_dangling_rows(root, base, options.names, options.expressions, tables, options.progress)?
    {
        if !drafts.contains_key(&child) {
            let draft = ArtifactDraft::new(table.objects(), table.schema(), table.artifacts_address())?;
            drafts.insert(child.clone(), (table, draft));
        }
        if let Some((_, draft)) = drafts.get_mut(&child) {
            for (key, value) in rows {
                draft.add_violation(
                    Row { key: &key, value: &value },
                    &options.their_source,
                    ArtifactKind::ForeignKeyViolation,
                    &info,
                )?;
            }
        }
    }
    let mut edits = Vec::new();
    for (name, (table, artifacts)) in drafts {
        let mut draft = table.draft();
        draft.artifacts = artifacts.write()?;
        edits.push((name, Some(draft.write()?.address())));
    }
    if edits.is_empty() { Ok(root.clone()) } else { root.with_tables_at(&edits) }
}

/// Finds the rows that [`record_dangling_rows`] records, key by key.
pub(crate) fn find_dangling_rows(
    root: &RootValue,
    base: &RootValue,
    names: TableNames<'_>,
    expressions: &dyn Expressions,
    tables: Option<&[Box<str>]>,
    progress: Option<&MergeProgress>,
) -> Result<Vec<DanglingRows>> {
    let mut search = match progress.and_then(|progress| progress.search(root, base)) {
        Some(search) => search,
        None => DanglingSearch { keys: key_checks(root, base, names, tables)?, checked: 0 },
    };
    while let Some(check) = search.keys.get_mut(search.checked) {
        if !check.run(expressions, progress)? {
            if let Some(progress) = progress {
                progress.keep_search(root, base, search);
            }
            return Err(VcsReason::Interrupted.into());
        }
        search.checked += 1;
    }
    let found = search.keys.into_iter().filter(|check| !check.found.is_empty());
    let rows = |KeyCheck { key, parent, child, child_name, found, .. }: KeyCheck| {
        let info = info(&key, child.table.schema(), parent.table.schema())?;
        Ok(DanglingRows { child: child_name, table: child.table, rows: found, info })
    };
    found.map(rows).collect()
}

/// A search that is under way: `checked` of its keys are done.
pub(crate) struct DanglingSearch {
    keys: Vec<KeyCheck>,
    checked: usize,
}

fn key_checks(
    root: &RootValue,
    base: &RootValue,
    names: TableNames<'_>,
    tables: Option<&[Box<str>]>,
) -> Result<Vec<KeyCheck>> {
    let mut checks = Vec::new();
    for key in root.foreign_keys()? {
        let is_wanted = |names: &[Box<str>]| names.iter().any(|name| name.eq_ignore_ascii_case(&key.child_table));
        if key.child_columns.is_empty() || !tables.is_none_or(is_wanted) {
            continue;
        }
        let addresses = |name: &str| Ok::<_, VcsError>((base.find_table(name)?, root.find_table(name)?));
        let parent = names.find_table(root, &key.parent_table)?;
        if parent.is_none() && is_system_table(&key.parent_table) {
            // A list of branches: what it holds is no matter of roots.
            continue;
        }
        let parent_before = names.find_table(base, &key.parent_table)?;
        let (child_before, child) = addresses(&key.child_table)?;
        let at = |found: &Option<(Box<str>, Address)>| found.as_ref().map(|(_, address)| *address);
        if at(&parent_before) == at(&parent) && at(&child_before) == at(&child) {
            continue;
        }
        let missing = |table: &str, index: &str| {
            let name = &key.name;
            let text = format!("foreign key {name} should have index {index} on table {table} but it cannot be found");
            crate::MergeError::Expression(text.into())
        };
        let side = |found: &Option<(Box<str>, Address)>, index: &str| -> Result<Option<Side>> {
            found.as_ref().map(|(_, address)| Side::new(root.objects().table(address)?, index)).transpose()
        };
        let parent_after = side(&parent, &key.parent_index)?.filter(|side| side.entries.is_some());
        let parent_after = parent_after.ok_or_else(|| missing(&key.parent_table, &key.parent_index))?;
        let child_after = side(&child, &key.child_index)?.filter(|side| side.entries.is_some());
        let child_after = child_after.ok_or_else(|| missing(&key.child_table, &key.child_index))?;
        let Some((child_name, _)) = child else { continue };
        let parent_before = side(&parent_before, &key.parent_index)?;
        let child_before = side(&child_before, &key.child_index)?;
        checks.push(KeyCheck::new(
            key,
            child_name,
            parent_after,
            child_after,
            parent_before.as_ref(),
            child_before.as_ref(),
        )?);
    }
    Ok(checks)
}

/// A table and the index of it that a foreign key uses.
struct Side {
    table: Table,
    index: Option<Index>,
    /// The primary key counts as an index; `None` when the index is not there.
    entries: Option<Map>,
    /// What the entries' keys hold.
    entry: Rc<TupleDescriptor>,
}

impl Side {
    fn new(table: Table, index: &str) -> Result<Side> {
        if index.is_empty() {
            let (rows, entry) = (table.rows(), table.schema().key.clone());
            return Ok(Side { table, index: None, entries: Some(rows), entry });
        }
        let index = table.schema().index(index).cloned();
        let entries = index.as_ref().map(|index| table.index(index)).transpose()?;
        let entry = index.as_ref().map_or_else(|| table.schema().key.clone(), |index| index.key.clone());
        Ok(Side { table, index, entries, entry })
    }

    fn entries(&self) -> Result<&Map> {
        self.entries.as_ref().ok_or_else(|| VcsError::corrupt("foreign key", "its index is not there"))
    }

    fn nodes(&self) -> &Rc<NodeStore> {
        self.table.objects().nodes()
    }

    fn has_prefix(&self, prefix: &[u8], fields: usize) -> Result<bool> {
        Ok(self.entries()?.scan_prefix(prefix, fields, Direction::Forward)?.next_span(1)?.is_some())
    }

    /// The key of the row that an entry belongs to.
    fn row_key(&self, entry: &[u8]) -> Result<Vec<u8>> {
        match &self.index {
            Some(index) => RowKeys::new(self.table.schema(), index)?.of_entry(entry),
            None => Ok(entry.to_vec()),
        }
    }

    /// Whether changes are found by the primary rows: there is no index, or it does not name rows by a primary key.
    fn goes_by_rows(&self) -> bool {
        self.entries.is_none() || self.table.schema().is_keyless()
    }
}

type FoundRows = Vec<(Vec<u8>, Vec<u8>)>;

/// The check of one key.
struct KeyCheck {
    key: ForeignKey,
    child_name: Box<str>,
    parent: Side,
    child: Side,
    /// What changed and is still to be looked at, the last first.
    walks: Vec<Walk>,
    found: FoundRows,
}

/// Changes that may leave children without parents.
struct Walk {
    diff: Diff,
    /// Of rows, not of entries of the key's index.
    by_rows: bool,
    /// The schema from which rows left the parent; `None` where the rows came into the child.
    left: Option<Rc<Schema>>,
}

impl KeyCheck {
    fn new(
        key: ForeignKey,
        child_name: Box<str>,
        parent: Side,
        child: Side,
        parent_before: Option<&Side>,
        child_before: Option<&Side>,
    ) -> Result<KeyCheck> {
        let by_rows = child.table.schema().is_keyless() || child_before.is_some_and(Side::goes_by_rows);
        let to = if by_rows { child.table.rows() } else { child.entries()?.clone() };
        let from = match child_before {
            Some(before) if by_rows => before.table.rows(),
            Some(before) => before.entries()?.clone(),
            None => to.with_root(&empty_rows(&to)?)?,
        };
        let mut walks = vec![Walk { diff: Diff::new(&from, &to)?.by_bytes(), by_rows, left: None }];
        if let Some(before) = parent_before {
            let by_rows = before.goes_by_rows() || parent.table.schema().is_keyless();
            let (from, to) = match by_rows {
                true => (before.table.rows(), parent.table.rows()),
                false => (before.entries()?.clone(), parent.entries()?.clone()),
            };
            let left = Some(before.table.schema().clone());
            walks.push(Walk { diff: Diff::new(&from, &to)?.by_bytes(), by_rows, left });
        }
        Ok(KeyCheck { key, child_name, parent, child, walks, found: FoundRows::new() })
    }

    /// Goes on with the check; `false` when it is to pause.
    fn run(&mut self, expressions: &dyn Expressions, progress: Option<&MergeProgress>) -> Result<bool> {
        while let Some(mut walk) = self.walks.pop() {
            while let Some(change) = walk.diff.next_change()? {
                expressions.worked(1)?;
                match (&walk.left, &change.from, &change.to) {
                    (Some(schema), Some(row), _) => self.row_left_the_parent(row, schema, walk.by_rows, expressions)?,
                    (None, _, Some(row)) => self.row_came_into_the_child(row, walk.by_rows)?,
                    _ => {}
                }
                if progress.is_some_and(MergeProgress::pauses) {
                    self.walks.push(walk);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn fields(&self) -> usize {
        self.key.child_columns.len()
    }

    fn row_left_the_parent(
        &mut self,
        row: &Item,
        schema: &Schema,
        by_rows: bool,
        expressions: &dyn Expressions,
    ) -> Result<()> {
        let prefix = match by_rows {
            true => match self.of_row(&self.parent, schema, &self.key.parent_columns, Row::of(row))? {
                Some(prefix) => prefix,
                None => return Ok(()),
            },
            false => row.key().to_vec(),
        };
        if has_null(&prefix, self.fields()) || self.parent.has_prefix(&prefix, self.fields())? {
            return Ok(());
        }
        let prefix = self.as_entry(&prefix, &self.parent, &self.child)?;
        let mut scan = self.child.entries()?.scan_prefix(&prefix, self.fields(), Direction::Forward)?;
        while let Some(span) = scan.next_span(usize::MAX)? {
            expressions.worked(span.items.len())?;
            for at in span.items.clone() {
                self.record(span.leaf.key(at))?;
            }
        }
        Ok(())
    }

    fn row_came_into_the_child(&mut self, row: &Item, by_rows: bool) -> Result<()> {
        if by_rows {
            let (tags, schema) = (&self.key.child_columns, self.child.table.schema());
            let Some(prefix) = self.of_row(&self.child, schema, tags, Row::of(row))? else { return Ok(()) };
            let prefix = self.as_entry(&prefix, &self.child, &self.parent)?;
            if !self.parent.has_prefix(&prefix, self.fields())? {
                self.found.push((row.key().to_vec(), row.value().to_vec()));
            }
            return Ok(());
        }
        let entry = row.key();
        if has_null(entry, Tuple::new(entry).stored_fields().max(self.fields())) {
            return Ok(());
        }
        let prefix = self.as_entry(entry, &self.child, &self.parent)?;
        if !self.parent.has_prefix(&prefix, self.fields())? {
            self.record(entry)?;
        }
        Ok(())
    }

    /// Adds the row that an entry of the child's index belongs to.
    fn record(&mut self, entry: &[u8]) -> Result<()> {
        let key = self.child.row_key(entry)?;
        let row = self.child.table.rows().get(&key)?;
        let row = row.ok_or_else(|| VcsError::corrupt("index", "has an entry of a row that is not there"))?;
        self.found.push((key, row.value().to_vec()));
        Ok(())
    }

    /// The first fields of an entry made from a row; `None` when one is NULL.
    fn of_row(&self, side: &Side, schema: &Schema, tags: &[u64], row: Row<'_>) -> Result<Option<Vec<u8>>> {
        let (key, value) = (Tuple::new(row.key), Tuple::new(row.value));
        let mut parts = Vec::new();
        for (tag, kind) in tags.iter().zip(side.entry.fields()) {
            let column = schema.column_by_tag(*tag);
            let (from, field) = match column.map(|column| column.place) {
                Some(Place::Key(field)) => (&schema.key.fields()[field], key.field(field)),
                Some(Place::Value(field)) => (&schema.value.fields()[field], value.field(field)),
                _ => return Ok(None),
            };
            let Some(field) = field else { return Ok(None) };
            parts.push(entry_part(side.nodes(), from, kind, field)?);
        }
        let fields = side.entry.fields()[..parts.len()].to_vec();
        let mut writer = RowWriter::new(Rc::new(TupleDescriptor::new(fields)), side.table.schema().target_row_bytes);
        Ok(Some(writer.pack(&parts, &mut &**side.nodes())?))
    }

    /// The first fields of an entry of one index as those of an entry of the other one.
    fn as_entry(&self, entry: &[u8], from: &Side, to: &Side) -> Result<Vec<u8>> {
        let tuple = Tuple::new(entry);
        let mut parts = Vec::new();
        for (at, (from_kind, kind)) in from.entry.fields().iter().zip(to.entry.fields()).enumerate().take(self.fields())
        {
            parts.push(match tuple.field(at) {
                Some(field) => entry_part(from.nodes(), from_kind, kind, field)?,
                None => Part::Null,
            });
        }
        let fields = to.entry.fields()[..parts.len()].to_vec();
        let mut writer = RowWriter::new(Rc::new(TupleDescriptor::new(fields)), to.table.schema().target_row_bytes);
        Ok(writer.pack(&parts, &mut &**to.nodes())?)
    }
}

/// A field as it is stored in another tuple.
fn entry_part<'a>(
    nodes: &NodeStore,
    from: &tree::FieldType,
    to: &tree::FieldType,
    field: &'a [u8],
) -> Result<Part<'a>> {
    let is_long = |kind: &tree::FieldType| kind.encoding.is_adaptive() || kind.encoding.is_address();
    if from.encoding == to.encoding && !is_long(from) && from.sql_type == to.sql_type {
        return Ok(Part::Field(field.into()));
    }
    if is_long(from) {
        let payload = Stored::of(from.encoding, field)?.read(nodes)?;
        return Ok(Part::Payload(payload.into_owned().into()));
    }
    let value = decode(nodes, from, Some(field))?;
    let value = if from.sql_type == to.sql_type {
        value.into_owned()
    } else {
        match assign(&value, &to.sql_type) {
            Ok(value) => value,
            // What does not fit the other type equals nothing in it; unconverted it is not found either.
            Err(_) => return Ok(Part::Field(field.into())),
        }
    };
    Ok(match Part::of(to, &value)? {
        Part::Null => Part::Null,
        Part::Field(bytes) => Part::Field(bytes.into_owned().into()),
        Part::Payload(bytes) => Part::Payload(bytes.into_owned().into()),
    })
}

fn empty_rows(like: &Map) -> Result<tree::Root> {
    let nodes = &like.nodes;
    Ok(tree::Chunker::new(&**nodes, tree::Kind::Rows, tree::AddressFields::default()).finish()?)
}

/// What a violation says about a foreign key.
fn info(key: &ForeignKey, child: &Schema, parent: &Schema) -> Result<String> {
    let names = |schema: &Schema, tags: &[u64]| -> Result<String> {
        let names: Option<Vec<&str>> =
            tags.iter().map(|tag| schema.column_by_tag(*tag).map(|column| &*column.name)).collect();
        Ok(json_strings(names.ok_or_else(|| VcsError::corrupt("foreign key", "has a column that its table has not"))?))
    };
    let action = |action: ReferentialAction| match action {
        ReferentialAction::Cascade => "CASCADE",
        ReferentialAction::SetNull => "SET NULL",
        _ => "RESTRICT",
    };
    Ok(format!(
        "{{\"Columns\":{},\"ForeignKey\":{},\"Index\":{},\"OnDelete\":\"{}\",\"OnUpdate\":\"{}\",\"ReferencedColumns\":{},\
         \"ReferencedIndex\":{},\"ReferencedTable\":{},\"Table\":{}}}",
        names(child, &key.child_columns)?,
        json_string(&key.name),
        json_string(&key.child_index),
        action(key.on_delete),
        action(key.on_update),
        names(parent, &key.parent_columns)?,
        json_string(&key.parent_index),
        json_string(&key.parent_table),
        json_string(&key.child_table),
    ))
}
