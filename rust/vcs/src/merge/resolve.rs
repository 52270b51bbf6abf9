//! Conflict resolution: removes the conflicts of a table (docs/format/database.md, section 10.7).

use codec::{Address, CompactSort};
use tree::{Edit, Map, Tuple, TupleBuilder};

use crate::error::Result;
use crate::error::merge::MergeError;
use crate::expressions::Expressions;
use crate::merge::constraints::artifact_draft::ArtifactDraft;
use crate::merge::constraints::dangling::find_dangling_rows;
use crate::merge::rows::index_draft::IndexDraft;
use crate::merge::schema::columns::{equals, equals_without_tag};
use crate::merge::schema::parts::SchemaParts;
use crate::merge::tables::TableVersions;
use crate::nonlocal::TableNames;
use crate::objects::Objects;
use crate::root_value::RootValue;
use crate::table::Table;
use crate::table::artifacts::{Artifact, ArtifactKind};

/// The conflicts of one table of a root.
pub struct NamedConflicts {
    root: RootValue,
    name: Box<str>,
    table: Table,
    conflicts: Vec<Artifact>,
}

impl NamedConflicts {
    /// The conflicts of a table by its stored name; `None` when it has none.
    pub fn of(root: &RootValue, name: &str) -> Result<Option<NamedConflicts>> {
        let Some(address) = root.table_address(name)? else { return Ok(None) };
        let table = root.objects().table(&address)?;
        let mut conflicts = Vec::new();
        table.each_artifact(&mut |artifact| {
            if artifact.kind == ArtifactKind::Conflict {
                conflicts.push(artifact);
            }
            Ok(())
        })?;
        if conflicts.is_empty() {
            return Ok(None);
        }
        Ok(Some(NamedConflicts { root: root.clone(), name: name.into(), table, conflicts }))
    }

    /// Our rows stay; the conflicts are gone.
    pub fn take_ours(&self) -> Result<RootValue> {
        self.put(self.table.draft())
    }

    /// Their rows come in the place of ours; the conflicts are gone.
    ///
    /// # Errors
    /// [`MergeError::ConflictSchemas`] when the table has other columns than theirs.
    pub fn take_theirs(&self, expressions: &dyn Expressions) -> Result<RootValue> {
        let ours = self.table.rows();
        let schema = self.table.schema();
        let fields = schema.key.len();
        let mut indexes = Vec::new();
        for index in &schema.indexes {
            indexes.push(IndexDraft::new(&self.table, schema, index)?);
        }
        let mut edits = Vec::new();
        let mut theirs: Option<(Address, Option<Map>)> = None;
        for conflict in &self.conflicts {
            let known = theirs.as_ref().is_some_and(|(source, _)| *source == conflict.source);
            if !known {
                theirs = Some((conflict.source, self.their_rows(&conflict.source)?));
            }
            let key = row_key(&conflict.key, fields)?;
            let our = ours.get(&key)?.map(|item| item.value().to_vec());
            let rows = theirs.as_ref().and_then(|(_, rows)| rows.as_ref());
            let their = match rows {
                Some(rows) => rows.get(&key)?.map(|item| item.value().to_vec()),
                None => None,
            };
            for index in &mut indexes {
                index.change(&key, our.as_deref(), their.as_deref(), expressions)?;
            }
            edits.push((key, their));
        }
        edits.try_compact_sort_by(|one, two| ours.order.compare(&ours.nodes, &one.0, &two.0))?;
        edits.dedup_by(|later, first| later.0 == first.0);
        let mut draft = self.table.draft();
        let edits = edits.iter().map(|(key, value)| Edit { key, value: value.as_deref() });
        draft.rows = ours.edited(edits)?.root;
        for index in indexes {
            let name = index.name.clone();
            draft.set_index(&name, index.write()?);
        }
        self.put(draft)
    }

    /// Takes away single conflicts by the keys of their artifacts; rows stay as they are.
    pub fn remove(&self, keys: &[Box<[u8]>]) -> Result<RootValue> {
        self.put_without(self.table.draft(), |artifact| keys.contains(&artifact.key))
    }

    fn put(&self, draft: crate::TableDraft) -> Result<RootValue> {
        self.put_without(draft, |artifact| artifact.kind == ArtifactKind::Conflict)
    }

    fn put_without(
        &self,
        mut draft: crate::TableDraft,
        is_resolved: impl FnMut(&Artifact) -> bool,
    ) -> Result<RootValue> {
        draft.artifacts = without_artifacts(&self.table, is_resolved)?;
        self.root.with_table(&self.name, &draft.write()?)
    }

    /// The rows of the table in their version.
    fn their_rows(&self, source: &Address) -> Result<Option<Map>> {
        let objects = self.table.objects();
        let Some(theirs) = root_of(objects, source)?.table(&self.name)? else { return Ok(None) };
        let parts = |table: &Table| SchemaParts::of(objects, table.schema());
        let (one, two) = (parts(&self.table)?, parts(&theirs)?);
        let same = one.columns.len() == two.columns.len()
            && one.columns.iter().zip(&two.columns).all(|(one, two)| equals(one, two));
        if same { Ok(Some(theirs.rows())) } else { Err(MergeError::ConflictSchemas.into()) }
    }
}

/// All conflicts of a table are of the same columns: a merge of others has to wait until those that are there are resolved.
///
/// # Errors
/// [`MergeError::OtherConflicts`].
pub(crate) fn refuse_other_conflicts(name: &str, versions: &TableVersions<'_>) -> Result<()> {
    let TableVersions { base, ours, theirs } = versions;
    let mut first: Option<Artifact> = None;
    ours.each_artifact(&mut |artifact| {
        if first.is_none() && artifact.kind == ArtifactKind::Conflict {
            first = Some(artifact);
        }
        Ok(())
    })?;
    let Some(conflict) = first else { return Ok(()) };
    let objects = ours.objects();
    let is_alike = |source: &Address, now: &Table| -> Result<bool> {
        let Some(then) = root_of(objects, source)?.table(name)? else { return Ok(true) };
        let parts = |table: &Table| SchemaParts::of(objects, table.schema());
        let (then, now) = (parts(&then)?, parts(now)?);
        let columns = then.columns.iter().zip(&now.columns);
        Ok(then.columns.len() == now.columns.len()
            && columns.into_iter().all(|(then, now)| equals_without_tag(then, now)))
    };
    let base_was = conflict.base_commit().map_or(Ok(true), |commit| is_alike(&commit, base))?;
    if base_was && is_alike(&conflict.source, theirs)? { Ok(()) } else { Err(MergeError::OtherConflicts.into()) }
}

/// The artifacts of a table without some of them.
pub fn without_artifacts(table: &Table, is_resolved: impl FnMut(&Artifact) -> bool) -> Result<Option<Address>> {
    let mut artifacts = ArtifactDraft::new(table.objects(), table.schema(), table.artifacts_address())?;
    artifacts.remove(is_resolved)?;
    artifacts.write()
}

/// The root that a commit has, or that an address is.
pub(crate) fn root_of(objects: &std::rc::Rc<Objects>, source: &Address) -> Result<RootValue> {
    match objects.commit(source) {
        Ok(commit) => objects.root_value(&commit.root),
        Err(_) => objects.root_value(source),
    }
}

/// The key of the row that an artifact is about.
fn row_key(key: &[u8], fields: usize) -> Result<Vec<u8>> {
    let key = Tuple::new(key);
    let mut row_key = TupleBuilder::new();
    for field in 0..fields {
        row_key.push(key.field(field));
    }
    Ok(row_key.finish()?)
}

/// Whether what changed from `before` to `after` leaves rows whose foreign keys refer to nothing.
pub fn has_new_dangling_rows(
    before: &RootValue,
    after: &RootValue,
    names: TableNames<'_>,
    expressions: &dyn Expressions,
) -> Result<bool> {
    Ok(!find_dangling_rows(after, before, names, expressions, None, None)?.is_empty())
}
