//! The foreign keys of a merged root (docs/format/database.md, section 10.3).

use crate::ForeignKey;
use crate::error::Result;
use crate::error::merge::MergeError;
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
    let [theirs_of_ours, base_of_ours, base_of_theirs] = [
        pairs(&our_keys, &their_keys, base, true)?,
        pairs(&our_keys, &base_keys, base, false)?,
        pairs(&their_keys, &base_keys, base, false)?,
    ];
    // A duplicate name is reported before anything else.
    let mut is_conflict = false;
    let mut merged: Vec<ForeignKey> = Vec::new();
    for ((our, their), before) in our_keys.iter().zip(&theirs_of_ours).zip(&base_of_ours) {
        let Some(their) = their else { continue };
        if have_equal_definitions(our, their) {
            add(&mut merged, our)?;
            continue;
        }
        let changed = match before {
            Some(before) if have_equal_definitions(their, before) => our,
            Some(before) if have_equal_definitions(our, before) => *their,
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
    let new = |keys: &[ForeignKey], before: &[Option<&ForeignKey>]| -> Vec<ForeignKey> {
        let is_new = keys.iter().zip(before).filter(|(_, before)| before.is_none());
        is_new.map(|(key, _)| key.clone()).collect()
    };
    let (our_new, their_new) = (new(&our_keys, &base_of_ours), new(&their_keys, &base_of_theirs));
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

/// For each key the one over the same columns among others: that of the same name if there are several, and each only once.
fn pairs<'a>(
    keys: &[ForeignKey],
    others: &'a [ForeignKey],
    base: &RootValue,
    resolved_too: bool,
) -> Result<Vec<Option<&'a ForeignKey>>> {
    let mut pairs = vec![None; keys.len()];
    let mut is_taken = vec![false; others.len()];
    for by_name in [true, false] {
        for (key, pair) in keys.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
            for (at, other) in others.iter().enumerate() {
                let is_wanted = !is_taken[at] && (!by_name || key.name == other.name);
                if is_wanted && is_over_columns_of(key, other, base, resolved_too)? {
                    is_taken[at] = true;
                    *pair = Some(other);
                    break;
                }
            }
        }
    }
    Ok(pairs)
}

/// Whether two keys are over the same columns. Those of an unresolved key are found by name: in the tables of the base for a
/// resolved one.
fn is_over_columns_of(key: &ForeignKey, other: &ForeignKey, base: &RootValue, resolved_too: bool) -> Result<bool> {
    Ok(match (is_resolved(key), is_resolved(other)) {
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
    })
}

fn are_tags_of(root: &RootValue, table: &str, names: &[Box<str>], tags: &[u64]) -> Result<bool> {
    let Some(address) = root.table_address(table)? else { return Ok(false) };
    let table = root.objects().table(&address)?;
    let schema = table.schema();
    let tag = |name: &str| schema.column(name).map(|at| schema.columns[at].tag);
    Ok(names.len() == tags.len() && names.iter().zip(tags).all(|(name, wanted)| tag(name) == Some(*wanted)))
}
