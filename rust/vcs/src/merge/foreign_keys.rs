//! The foreign keys of a merged root (docs/format/database.md, section 10.3).

use crate::ForeignKey;
use crate::error::Result;
use crate::merge::error::MergeError;
use crate::nonlocal::TableNames;
use crate::root_value::RootValue;

/// Puts the keys of both sides into the merged root. Keys whose table or column is gone go, too.
pub(crate) fn merge_foreign_keys(
    root: &RootValue,
    ours: &RootValue,
    theirs: &RootValue,
    base: &RootValue,
    names: TableNames<'_>,
) -> Result<RootValue> {
    let addresses = [ours, theirs, base].map(RootValue::foreign_keys_address);
    let merged = match addresses {
        [our, their, _] if our == their => ours.foreign_keys()?,
        [our, their, base] if our == base && their.is_none() => Vec::new(),
        _ => merge_keys(ours, theirs, base)?,
    };
    let mut kept = Vec::with_capacity(merged.len());
    for key in &merged {
        let parent = match names.table_elsewhere(root, &key.parent_table)? {
            Some(there) => has_columns(&there.root, &there.name, &key.parent_columns)?,
            None => has_columns(root, &key.parent_table, &key.parent_columns)?,
        };
        if parent && has_columns(root, &key.child_table, &key.child_columns)? {
            kept.push(key.clone());
        }
    }
    if addresses[0] == addresses[1] && kept.len() == merged.len() {
        return Ok(root.clone());
    }
    root.with_foreign_keys(&kept)
}

fn has_columns(root: &RootValue, table: &str, tags: &[u64]) -> Result<bool> {
    let Some(address) = root.table_address(table)? else { return Ok(false) };
    if tags.is_empty() {
        return Ok(true);
    }
    let table = root.objects().table(&address)?;
    Ok(tags.iter().all(|tag| table.schema().column_by_tag(*tag).is_some()))
}

fn merge_keys(ours: &RootValue, theirs: &RootValue, base: &RootValue) -> Result<Vec<ForeignKey>> {
    let (our_keys, their_keys, base_keys) = (ours.foreign_keys()?, theirs.foreign_keys()?, base.foreign_keys()?);
    // A name that is there twice is told before anything else.
    let mut is_conflict = false;
    let mut merged: Vec<ForeignKey> = Vec::new();
    for our in &our_keys {
        let Some(their) = matching(our, &their_keys, base, true)? else { continue };
        if have_equal_definitions(our, their) {
            add(&mut merged, our)?;
            continue;
        }
        let changed = match matching(our, &base_keys, base, false)? {
            Some(before) if have_equal_definitions(their, before) => our,
            Some(before) if have_equal_definitions(our, before) => their,
            _ => {
                is_conflict = true;
                continue;
            }
        };
        match by_name(&merged, changed) {
            Some(_) => is_conflict = true,
            None => add(&mut merged, changed)?,
        }
    }
    let new = |keys: &[ForeignKey]| -> Result<Vec<ForeignKey>> {
        let mut new = Vec::new();
        for key in keys {
            if matching(key, &base_keys, base, false)?.is_none() {
                new.push(key.clone());
            }
        }
        Ok(new)
    };
    let (our_new, their_new) = (new(&our_keys)?, new(&their_keys)?);
    for our in &our_new {
        let same_columns = |their: &&ForeignKey| {
            our.child_columns == their.child_columns && our.parent_columns == their.parent_columns
        };
        let differs = their_new.iter().find(same_columns).is_some_and(|their| !are_equal(our, their));
        if differs || by_name(&their_new, our).is_some_and(|their| !have_equal_definitions(our, their)) {
            is_conflict = true;
        }
    }
    for key in our_new.iter().chain(&their_new) {
        if !by_name(&merged, key).is_some_and(|known| have_equal_definitions(known, key)) {
            add(&mut merged, key)?;
        }
    }
    if is_conflict { Err(MergeError::ForeignKeys.into()) } else { Ok(merged) }
}

fn add(keys: &mut Vec<ForeignKey>, key: &ForeignKey) -> Result<()> {
    if by_name(keys, key).is_some() {
        return Err(MergeError::DuplicateForeignKey(key.name.clone()).into());
    }
    keys.push(key.clone());
    Ok(())
}

fn by_name<'a>(keys: &'a [ForeignKey], like: &ForeignKey) -> Option<&'a ForeignKey> {
    let name = like.name.to_lowercase();
    keys.iter().find(|key| !name.is_empty() && key.name.to_lowercase() == name)
}

fn have_equal_definitions(one: &ForeignKey, two: &ForeignKey) -> bool {
    one.child_columns == two.child_columns
        && one.parent_columns == two.parent_columns
        && one.name == two.name
        && one.on_update == two.on_update
        && one.on_delete == two.on_delete
}

fn are_equal(one: &ForeignKey, two: &ForeignKey) -> bool {
    have_equal_definitions(one, two)
        && one.child_table == two.child_table
        && one.parent_table == two.parent_table
        && one.child_index == two.child_index
        && one.parent_index == two.parent_index
}

/// A key is resolved when it knows its columns by tag.
fn is_resolved(key: &ForeignKey) -> bool {
    !key.child_columns.is_empty()
}

/// The key over the same columns. Those of an unresolved key are found by name: in the tables of the base for a resolved one.
fn matching<'a>(
    key: &ForeignKey,
    keys: &'a [ForeignKey],
    base: &RootValue,
    resolved_too: bool,
) -> Result<Option<&'a ForeignKey>> {
    for other in keys {
        let matches = match (is_resolved(key), is_resolved(other)) {
            (true, true) => key.child_columns == other.child_columns && key.parent_columns == other.parent_columns,
            (true, false) => {
                are_tags_of(base, &other.child_table, &other.unresolved_child_columns, &key.child_columns)?
                    && are_tags_of(base, &other.parent_table, &other.unresolved_parent_columns, &key.parent_columns)?
            }
            (false, other_is_resolved) => {
                (resolved_too || !other_is_resolved)
                    && key.child_table == other.child_table
                    && key.parent_table == other.parent_table
                    && key.unresolved_child_columns == other.unresolved_child_columns
                    && key.unresolved_parent_columns == other.unresolved_parent_columns
            }
        };
        if matches {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

fn are_tags_of(root: &RootValue, table: &str, names: &[Box<str>], tags: &[u64]) -> Result<bool> {
    let Some(address) = root.table_address(table)? else { return Ok(false) };
    let table = root.objects().table(&address)?;
    let schema = table.schema();
    let tag = |name: &str| schema.column(name).map(|at| schema.columns[at].tag);
    Ok(names.len() == tags.len() && names.iter().zip(tags).all(|(name, wanted)| tag(name) == Some(*wanted)))
}
