//! The columns of a merged table (docs/format/database.md, section 10.4).

use tree::message::schema::Column;
use value::SqlType;

use crate::error::merge::MergeError;
use crate::error::{Result, VcsError, VcsReason};
use crate::merge::schema::conflict::type_text;
use crate::merge::schema::parts::SchemaParts;
use crate::merge::schema::type_change::TypeChange;

/// What merged columns mean for the rows of each side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RowChanges {
    /// Rows of this side have to be written anew for the merged schema.
    pub rewrites_ours: bool,
    pub rewrites_theirs: bool,
    /// Every row of this side counts as changed, whatever its bytes.
    pub ours_is_other: bool,
    pub theirs_is_other: bool,
    pub rebuilds_indexes: bool,
}

/// One column in the three versions of a table.
struct Triple<'a> {
    base: Option<&'a Column>,
    ours: Option<&'a Column>,
    theirs: Option<&'a Column>,
}

pub(crate) enum MergedColumns {
    Merged(Vec<Column>, RowChanges),
    Conflicts(Vec<Box<str>>),
}

pub(crate) fn merge_columns(
    table: &str,
    base: &SchemaParts,
    ours: &SchemaParts,
    theirs: &SchemaParts,
) -> Result<MergedColumns> {
    let triples = pair(&base.columns, &ours.columns, &theirs.columns);
    let mut conflicts: Vec<Box<str>> = Vec::new();
    for triple in &triples {
        conflicts.extend(triple.conflict()?);
    }
    for triple in triples.iter().filter(|triple| triple.base.is_none()) {
        if let (Some(column), None) | (None, Some(column)) = (triple.ours, triple.theirs)
            && !column.is_nullable
            && (column.is_generated || column.default.is_empty())
        {
            let (table, column) = (table.into(), column.name.clone());
            return Err(MergeError::NewColumn { table, column }.into());
        }
    }
    let mut merged = Vec::new();
    let mut changes = RowChanges::default();
    for triple in &triples {
        conflicts.extend(triple.merge(&mut merged, &mut changes)?);
    }
    conflicts.extend(duplicates(&merged)?);
    Ok(if conflicts.is_empty() { MergedColumns::Merged(merged, changes) } else { MergedColumns::Conflicts(conflicts) })
}

/// Pairs columns by tag, then by name: ours in their order, then what only they have.
fn pair<'a>(base: &'a [Column], ours: &'a [Column], theirs: &'a [Column]) -> Vec<Triple<'a>> {
    let find = |columns: &'a [Column], like: &Column| {
        let by_tag = columns.iter().find(|column| column.tag == like.tag);
        by_tag.or_else(|| columns.iter().find(|column| column.name.to_lowercase() == like.name.to_lowercase()))
    };
    let mut taken = Vec::new();
    let mut triples = Vec::new();
    for column in ours {
        let their = find(theirs, column);
        taken.extend(their.map(|their| their.tag));
        triples.push(Triple { base: find(base, column), ours: Some(column), theirs: their });
    }
    for column in theirs.iter().filter(|column| !taken.contains(&column.tag)) {
        triples.push(Triple { base: find(base, column), ours: None, theirs: Some(column) });
    }
    triples
}

/// Whether two versions of a column are the same. Comments, ON UPDATE and AUTO_INCREMENT do not count.
pub(crate) fn equals(one: &Column, two: &Column) -> bool {
    one.tag == two.tag && equals_without_tag(one, two)
}

pub(crate) fn equals_without_tag(one: &Column, two: &Column) -> bool {
    let default = |column: &'_ Column| if column.is_generated { "".into() } else { column.default.clone() };
    one.name == two.name
        && one.is_primary_key == two.is_primary_key
        && one.sql_type == two.sql_type
        && one.encoding == two.encoding
        && default(one) == default(two)
        && one.is_nullable == two.is_nullable
}

fn sql_type(column: &Column) -> Result<SqlType> {
    let wrong = |error: value::ValueError| {
        VcsReason::Column { column: column.name.clone(), what: error.to_string().into() }.into()
    };
    column.sql_type.parse().map_err(wrong)
}

fn incompatible(ours: Option<&Column>, theirs: Option<&Column>) -> Result<Box<str>> {
    let text = |column: Option<&Column>| match column {
        Some(column) => Ok::<_, VcsError>(type_text(&sql_type(column)?)),
        None => Ok("%!s(<nil>)".to_owned()),
    };
    let name = ours.map_or("", |column| &*column.name);
    Ok(format!("incompatible column types for column '{name}': {} and {}", text(ours)?, text(theirs)?).into())
}

fn different(ours: &Column, theirs: &Column) -> Box<str> {
    format!("different column definitions for our column {} and their column {}", ours.name, theirs.name).into()
}

impl Triple<'_> {
    /// A definition that both changed, or one changed and the other dropped.
    fn conflict(&self) -> Result<Option<Box<str>>> {
        Ok(match (self.base, self.ours, self.theirs) {
            (_, Some(ours), Some(theirs)) if equals(ours, theirs) => None,
            (Some(base), Some(ours), None) if !equals_without_tag(base, ours) => Some(incompatible(Some(ours), None)?),
            (Some(base), None, Some(theirs)) if !equals_without_tag(base, theirs) => {
                Some(incompatible(None, Some(theirs))?)
            }
            (Some(base), Some(ours), Some(theirs)) if !equals(base, ours) && !equals(base, theirs) => {
                Some(different(ours, theirs))
            }
            (None, Some(ours), Some(theirs)) => Some(incompatible(Some(ours), Some(theirs))?),
            _ => None,
        })
    }

    /// Adds the merged column, if there is one, and notes what it means for the rows.
    fn merge(&self, merged: &mut Vec<Column>, changes: &mut RowChanges) -> Result<Option<Box<str>>> {
        match (self.base, self.ours, self.theirs) {
            (None, None, Some(theirs)) => {
                (changes.rewrites_ours, changes.theirs_is_other) = (true, true);
                merged.push(theirs.clone());
            }
            (None, Some(ours), None) => {
                (changes.rewrites_theirs, changes.ours_is_other) = (true, true);
                merged.push(ours.clone());
            }
            (Some(_), None, Some(_)) => (changes.rewrites_theirs, changes.ours_is_other) = (true, true),
            (Some(_), Some(_), None) => (changes.rewrites_ours, changes.theirs_is_other) = (true, true),
            (_, None, None) => (changes.ours_is_other, changes.theirs_is_other) = (true, true),
            (None, Some(ours), Some(theirs)) => {
                (changes.ours_is_other, changes.theirs_is_other) = (true, true);
                if equals(ours, theirs) {
                    merged.push(ours.clone());
                }
            }
            (Some(base), Some(ours), Some(theirs)) => match (equals(base, ours), equals(base, theirs)) {
                (true, true) => merged.push(ours.clone()),
                (false, false) => {
                    (changes.ours_is_other, changes.theirs_is_other) = (true, true);
                    if equals(ours, theirs) {
                        merged.push(theirs.clone());
                    }
                }
                (true, false) => {
                    let change = TypeChange::between(&sql_type(ours)?, &sql_type(theirs)?);
                    changes.rebuilds_indexes |= change.rebuilds_indexes;
                    changes.rewrites_ours |= change.rewrites_rows;
                    changes.theirs_is_other |= change.rewrites_rows;
                    if !change.is_compatible {
                        return Ok(Some(incompatible(Some(ours), Some(theirs))?));
                    }
                    merged.push(theirs.clone());
                }
                (false, true) => {
                    let change = TypeChange::between(&sql_type(theirs)?, &sql_type(ours)?);
                    changes.rebuilds_indexes |= change.rebuilds_indexes;
                    changes.rewrites_theirs = true;
                    changes.ours_is_other |= change.rewrites_rows;
                    if !change.is_compatible {
                        return Ok(Some(incompatible(Some(ours), Some(theirs))?));
                    }
                    merged.push(ours.clone());
                }
            },
        }
        Ok(None)
    }
}

/// Columns of one name or one tag, which came from different sides.
fn duplicates(merged: &[Column]) -> Result<Vec<Box<str>>> {
    let mut conflicts = Vec::new();
    for (i, column) in merged.iter().enumerate() {
        let before = &merged[..i];
        let same_name = |other: &&Column| other.name.to_lowercase() == column.name.to_lowercase();
        if let Some(other) = before.iter().rev().find(same_name) {
            conflicts.push(incompatible(Some(column), Some(other))?);
        }
        if let Some(other) = before.iter().rev().find(|other| other.tag == column.tag) {
            conflicts.push(different(column, other));
        }
    }
    Ok(conflicts)
}
