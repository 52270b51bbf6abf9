//! Three-way merge of schemas (docs/format/database.md, section 10.4).

pub mod checks;
pub mod columns;
pub mod conflict;
pub mod indexes;
pub mod parts;
pub mod type_change;

use std::rc::Rc;

use crate::error::Result;
use crate::error::merge::MergeError;
use crate::expressions::Expressions;
use crate::merge::schema::checks::merge_checks;
use crate::merge::schema::columns::{MergedColumns, RowChanges, equals, merge_columns};
use crate::merge::schema::indexes::merge_indexes;
use crate::merge::schema::parts::SchemaParts;
use crate::objects::Objects;
use crate::schema::Schema;

pub(crate) enum MergedSchema {
    Merged(Rc<Schema>, RowChanges),
    /// Descriptions of what the sides disagree about.
    Conflicts(Vec<Box<str>>),
}

/// The three versions of a table's schema.
pub(crate) struct Schemas<'a> {
    pub base: &'a Rc<Schema>,
    pub ours: &'a Rc<Schema>,
    pub theirs: &'a Rc<Schema>,
}

pub(crate) fn merge_schemas(
    objects: &Rc<Objects>,
    table: &str,
    schemas: &Schemas<'_>,
    expressions: &dyn Expressions,
) -> Result<MergedSchema> {
    let parts = |schema: &Schema| SchemaParts::of(objects, schema);
    let (base, ours, theirs) = (parts(schemas.base)?, parts(schemas.ours)?, parts(schemas.theirs)?);
    if are_equal(&base, &ours) && are_equal(&base, &theirs) {
        // Written anew: an index that was changed in place lists its key columns in another order until then.
        let schema = Schema::create(objects, &ours.into_message()?)?;
        return Ok(MergedSchema::Merged(schema, RowChanges::default()));
    }
    if !have_same_key(&ours, &theirs) {
        return Err(MergeError::PrimaryKeys(table.into()).into());
    }
    if !have_same_key(&ours, &base) {
        return Err(MergeError::PrimaryKeysOfBase(table.into()).into());
    }
    let mut merged = SchemaParts::like(&ours);
    let changes = match merge_columns(table, &base, &ours, &theirs)? {
        MergedColumns::Merged(columns, changes) => {
            merged.columns = columns;
            changes
        }
        MergedColumns::Conflicts(conflicts) => return Ok(MergedSchema::Conflicts(conflicts)),
    };
    merged.indexes = match merge_indexes(&merged, &base.indexes, &ours.indexes, &theirs.indexes) {
        Ok(indexes) => indexes,
        Err(conflicts) => return Ok(MergedSchema::Conflicts(conflicts)),
    };
    let (we_changed, they_changed) = (base.collation != ours.collation, base.collation != theirs.collation);
    if we_changed && they_changed && ours.collation != theirs.collation {
        return Err(MergeError::TableCollation(table.into()).into());
    }
    if they_changed {
        merged.collation = theirs.collation;
    }
    if ours.comment == base.comment {
        // Native Dolt leaves the comment out of the merged schema.
        merged.comment = theirs.comment.clone();
    }
    merged.checks = match merge_checks(&merged, &base.checks, &ours.checks, &theirs.checks, expressions)? {
        Ok(checks) => checks,
        Err(conflicts) => return Ok(MergedSchema::Conflicts(conflicts)),
    };
    let schema = Schema::create(objects, &merged.into_message()?)?;
    Ok(MergedSchema::Merged(schema, changes))
}

/// Whether merges take two schemas for the same one. Comments of the table and of columns do not count.
pub(crate) fn are_equal(one: &SchemaParts, two: &SchemaParts) -> bool {
    let same_columns = || {
        let columns = one.columns.iter().zip(&two.columns);
        one.columns.len() == two.columns.len() && columns.into_iter().all(|(one, two)| equals(one, two))
    };
    let same_indexes = || {
        let has_equal = |index| two.indexes.iter().any(|other| other.equals(index));
        one.indexes.len() == two.indexes.len() && one.indexes.iter().all(has_equal)
    };
    same_columns()
        && one.primary_key == two.primary_key
        && one.collation == two.collation
        && one.target_row_bytes == two.target_row_bytes
        && one.checks == two.checks
        && same_indexes()
}

/// Whether rows of both are named by the same columns of the same types.
fn have_same_key(one: &SchemaParts, two: &SchemaParts) -> bool {
    let kind = |parts: &SchemaParts, tag: u64| parts.position(tag).map(|at| parts.columns[at].sql_type.clone());
    one.primary_key == two.primary_key && one.primary_key.iter().all(|tag| kind(one, *tag) == kind(two, *tag))
}
