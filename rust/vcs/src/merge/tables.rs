//! Three-way merge of one table (docs/format/database.md, section 10.3).

use codec::Address;

use crate::error::Result;
use crate::error::merge::MergeError;
use crate::merge::options::MergeOptions;
use crate::merge::rows::merge_rows::merge_rows;
use crate::merge::schema::conflict::SchemaConflict;
use crate::merge::schema::parts::SchemaParts;
use crate::merge::schema::{MergedSchema, Schemas, are_equal, merge_schemas};
use crate::root_value::RootValue;
use crate::staging::status::is_full_text_table;
use crate::table::Table;
use crate::table::draft::TableDraft;

/// Three versions of a table.
pub(crate) struct TableVersions<'a> {
    pub base: &'a Table,
    pub ours: &'a Table,
    pub theirs: &'a Table,
}

impl TableVersions<'_> {
    pub(crate) fn schemas(&self) -> Schemas<'_> {
        Schemas { base: self.base.schema(), ours: self.ours.schema(), theirs: self.theirs.schema() }
    }
}

/// What becomes of a table of ours.
pub(crate) enum MergedTable {
    Unchanged,
    Added(Address),
    Changed(Address),
    Removed,
    Conflict(SchemaConflict),
}

pub(crate) fn merge_table(
    name: &str,
    ours: &RootValue,
    theirs: &RootValue,
    base: &RootValue,
    options: &MergeOptions<'_>,
) -> Result<MergedTable> {
    let objects = ours.objects();
    let (base, our, their) = (base.table_address(name)?, ours.table_address(name)?, theirs.table_address(name)?);
    match (base, our, their) {
        (_, None, None) => Ok(MergedTable::Unchanged),
        (None, Some(_), None) => Ok(MergedTable::Unchanged),
        (None, None, Some(their)) => Ok(MergedTable::Added(their)),
        (Some(base), Some(our), None) if base == our => Ok(MergedTable::Removed),
        (Some(base), None, Some(their)) if base == their => Ok(MergedTable::Unchanged),
        (Some(base), Some(changed), None) | (Some(base), None, Some(changed)) => {
            if is_full_text_table(name) {
                return Ok(MergedTable::Unchanged);
            }
            let same_schema = objects.table(&base)?.schema().address == objects.table(&changed)?.schema().address;
            let kind = if same_schema { "data" } else { "schema" };
            let text = format!("cannot merge a table deletion with {kind} modification");
            Ok(MergedTable::Conflict(SchemaConflict {
                table: name.into(),
                descriptions: vec![text.into()],
                is_deletion: true,
            }))
        }
        (base, Some(our), Some(their)) => {
            let ours = objects.table(&our)?;
            if our == their && (!ours.schema().is_keyless() || base == Some(our)) {
                return Ok(MergedTable::Unchanged);
            }
            if base == Some(their) {
                return Ok(MergedTable::Unchanged);
            }
            if base == Some(our) && !options.is_cherry_pick {
                return Ok(MergedTable::Changed(their));
            }
            let theirs = objects.table(&their)?;
            let (base, theirs) = match base {
                Some(base) => (objects.table(&base)?, theirs),
                None => {
                    let theirs = with_tags_of(&ours, theirs)?;
                    (empty_base(name, &ours, &theirs)?, theirs)
                }
            };
            merge_versions(name, &TableVersions { base: &base, ours: &ours, theirs: &theirs }, options)
        }
    }
}

fn parts(table: &Table) -> Result<SchemaParts> {
    SchemaParts::of(table.objects(), table.schema())
}

/// Both added the table, with schemas that only tell their columns apart by other tags: rows lie alike under both.
fn with_tags_of(ours: &Table, theirs: Table) -> Result<Table> {
    let (our, mut their) = (parts(ours)?, parts(&theirs)?);
    if !their.take_tags_of(&our) || !are_equal(&our, &their) {
        return Ok(theirs);
    }
    let mut draft = theirs.draft();
    draft.schema = ours.schema().clone();
    draft.write()
}

/// Both added the table: they must agree about its schema.
fn empty_base(name: &str, ours: &Table, theirs: &Table) -> Result<Table> {
    match are_equal(&parts(ours)?, &parts(theirs)?) {
        true => TableDraft::new(ours.objects(), ours.schema().clone())?.write(),
        false => Err(MergeError::SameTableAdded(name.into()).into()),
    }
}

pub(crate) fn merge_versions(
    name: &str,
    versions: &TableVersions<'_>,
    options: &MergeOptions<'_>,
) -> Result<MergedTable> {
    let objects = versions.ours.objects();
    match merge_schemas(objects, name, &versions.schemas(), options.expressions)? {
        MergedSchema::Merged(schema, changes) => {
            Ok(MergedTable::Changed(merge_rows(name, versions, &schema, changes, options)?))
        }
        MergedSchema::Conflicts(descriptions) => {
            Ok(MergedTable::Conflict(SchemaConflict { table: name.into(), descriptions, is_deletion: false }))
        }
    }
}
