//! Three-way merges of root values (docs/format/database.md, section 10).

mod constraints;
mod options;
mod progress;
mod resolve;
mod rows;
mod schema;
mod tables;

use std::collections::BTreeMap;

use codec::{Address, CompactSort};
use value::Collation;

use crate::error::merge::MergeError;
pub use options::MergeOptions;
pub use progress::MergeProgress;
pub use resolve::{NamedConflicts, has_new_dangling_rows, without_artifacts};
pub use schema::conflict::SchemaConflict;

use crate::error::Result;
use crate::expressions::Expressions;
use crate::merge::schema::{MergedSchema, Schemas, merge_schemas};
use crate::merge::tables::TableVersions;
use crate::merge::tables::{MergedTable, merge_table, merge_versions};
use crate::nonlocal::TableNames;
use crate::root_value::RootValue;
use crate::staging::status::is_full_text_table;
use crate::table::artifacts::ArtifactCounts;
use crate::table::draft::TableDraft;
use constraints::{dangling, foreign_keys};

/// What a merge came to.
pub struct Merged {
    pub root: RootValue,
    /// Tables that are as in ours, for their schemas could not be merged.
    pub schema_conflicts: Vec<SchemaConflict>,
    /// Conflicts and violations of the tables that were merged or changed in ours and have any, also of before.
    pub artifacts: BTreeMap<Box<str>, ArtifactCounts>,
}

impl Merged {
    pub fn is_clean(&self) -> bool {
        self.schema_conflicts.is_empty() && self.artifacts.is_empty()
    }

    /// Tables with conflicting rows.
    pub fn conflicted_tables(&self) -> impl Iterator<Item = &str> {
        self.artifacts.iter().filter(|(_, counts)| counts.conflicts > 0).map(|(table, _)| &**table)
    }
}

/// Merges what `theirs` changed of `base` into `ours`. Rows in conflict stay as ours has them and are recorded, rows that violate
/// constraints are recorded.
///
/// # Errors
/// [`MergeError`] for what cannot be recorded; [`store::StoreError::ReadOnly`] where nothing can be written.
pub fn merge(ours: &RootValue, theirs: &RootValue, base: &RootValue, options: &MergeOptions<'_>) -> Result<Merged> {
    let collation = merge_collations(base.collation(), ours.collation(), theirs.collation())?;
    let mut edits: Vec<(Box<str>, Option<Address>)> = Vec::new();
    let mut schema_conflicts = Vec::new();
    let mut visited = Vec::new();
    for name in tables_to_merge(ours, theirs, base)? {
        let merged = merge_table(&name, ours, theirs, base, options)?;
        if is_full_text_table(&name) && !matches!(merged, MergedTable::Added(_) | MergedTable::Unchanged) {
            continue;
        }
        match merged {
            MergedTable::Unchanged => {}
            MergedTable::Added(table) | MergedTable::Changed(table) => {
                visited.push(name.clone());
                edits.push((name, Some(table)));
            }
            MergedTable::Removed => edits.push((name, None)),
            MergedTable::Conflict(conflict) if options.keeps_schema_conflicts => schema_conflicts.push(conflict),
            MergedTable::Conflict(conflict) => {
                let text = match conflict.is_deletion {
                    true => "\n\ttable was modified in one branch and deleted in the other".to_owned(),
                    false => conflict.descriptions.iter().map(|text| format!("\n\t{text}")).collect(),
                };
                return Err(MergeError::Schema { table: name, text: text.into() }.into());
            }
        }
    }
    let mut root = ours.with_tables_at(&edits)?;
    if collation != root.collation() {
        root = root.with_collation(collation)?;
    }
    if options.records_violations {
        root = foreign_keys::merge_foreign_keys(&root, ours, theirs, base, options.names)?;
        root = dangling::record_dangling_rows(&root, base, options, None)?;
    }
    let mut artifacts = BTreeMap::new();
    for name in visited.into_iter().chain(changed_tables(ours, &root)?) {
        let Some(address) = root.table_address(&name)? else { continue };
        if root.objects().has_artifacts(&address)? {
            artifacts.insert(name, root.objects().table(&address)?.artifact_counts()?);
        }
    }
    Ok(Merged { root, schema_conflicts, artifacts })
}

/// Records the rows of `working` that violate constraints by what changed since `base`; `tables` limits it to some of them.
pub fn verify(
    working: &RootValue,
    base: &RootValue,
    options: &MergeOptions<'_>,
    tables: Option<&[Box<str>]>,
) -> Result<RootValue> {
    let mut edits = Vec::new();
    for name in changed_tables(base, working)? {
        let Some(table) = working.table(&name)? else { continue };
        let is_wanted = tables.is_none_or(|tables| tables.contains(&name));
        if !is_wanted || is_full_text_table(&name) {
            continue;
        }
        let before = match base.table(&name)? {
            Some(before) => before,
            None => TableDraft::new(working.objects(), table.schema().clone())?.write()?,
        };
        let versions = TableVersions { base: &before, ours: &before, theirs: &table };
        if let MergedTable::Changed(merged) = merge_versions(&name, &versions, options)? {
            // A merge takes out rows with NULL in a column that is NOT NULL; here they are reported and stay.
            let verified = working.objects().table(&merged)?;
            let address = match verified.rows().root.bytes() == table.rows().root.bytes() {
                true => merged,
                false => {
                    let mut draft = table.draft();
                    draft.artifacts = verified.artifacts_address();
                    draft.write()?.address()
                }
            };
            edits.push((name, Some(address)));
        }
    }
    let verified = working.with_tables_at(&edits)?;
    dangling::record_dangling_rows(&verified, base, options, tables)
}

/// What three versions of a table's schema disagree about; `None` when they can be merged, and when one side has no table.
pub fn schema_conflict(
    table: &str,
    ours: &RootValue,
    theirs: &RootValue,
    base: &RootValue,
    expressions: &dyn Expressions,
) -> Result<Option<SchemaConflict>> {
    let (Some(our), Some(their)) = (ours.table(table)?, theirs.table(table)?) else { return Ok(None) };
    let before = match base.table(table)? {
        Some(before) => before,
        None => our.clone(),
    };
    let schemas = Schemas { base: before.schema(), ours: our.schema(), theirs: their.schema() };
    match merge_schemas(ours.objects(), table, &schemas, expressions)? {
        MergedSchema::Merged(..) => Ok(None),
        MergedSchema::Conflicts(descriptions) => {
            Ok(Some(SchemaConflict { table: table.into(), descriptions, is_deletion: false }))
        }
    }
}

/// Merges the root of a transaction that began at `base` with what others committed meanwhile. Both get into one root only
/// if [`Merged::is_clean`]; otherwise the transaction has to be given up.
///
/// # Errors
/// As [`merge`]; schemas that cannot be merged are [`MergeError::Schema`].
pub fn merge_working(
    base: &RootValue,
    committed: &RootValue,
    transaction: &RootValue,
    expressions: &dyn Expressions,
    names: TableNames<'_>,
) -> Result<Merged> {
    let options = MergeOptions {
        their_source: transaction.address(),
        base_source: base.address(),
        expressions,
        names,
        merges_json: true,
        keeps_schema_conflicts: false,
        is_cherry_pick: false,
        records_violations: true,
        progress: None,
    };
    merge(committed, transaction, base, &options)
}

/// Names of the tables that are not the same everywhere, in order: those of ours, then what only theirs has.
fn tables_to_merge(ours: &RootValue, theirs: &RootValue, base: &RootValue) -> Result<Vec<Box<str>>> {
    let mut names = Vec::new();
    for (one, two) in [(base, ours), (base, theirs), (ours, theirs)] {
        names.extend(changed_tables(one, two)?);
    }
    names.compact_sort();
    names.dedup();
    let (of_ours, others): (Vec<_>, Vec<_>) = names
        .into_iter()
        .map(|name| Ok((ours.table_address(&name)?.is_some(), name)))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .partition(|(is_ours, _)| *is_ours);
    Ok(of_ours.into_iter().chain(others).map(|(_, name)| name).collect())
}

/// Names of the tables whose addresses differ between two roots, in order.
pub fn changed_tables(one: &RootValue, two: &RootValue) -> Result<Vec<Box<str>>> {
    let mut names = Vec::new();
    let mut diff = tree::Diff::new(one.address_map().map(), two.address_map().map())?.by_bytes();
    while let Some(change) = diff.next_change()? {
        let item = change.from.as_ref().or(change.to.as_ref());
        let name = item.map(|item| item.key().to_vec()).unwrap_or_default();
        names.push(crate::objects::names::text(name)?);
    }
    Ok(names)
}

fn merge_collations(base: Collation, ours: Collation, theirs: Collation) -> Result<Collation> {
    if ours != theirs && ours != base && theirs != base {
        return Err(MergeError::DatabaseCollation { ours: ours.name(), theirs: theirs.name() }.into());
    }
    Ok(if ours == base { theirs } else { ours })
}
