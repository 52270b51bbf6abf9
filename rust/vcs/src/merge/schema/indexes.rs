//! The indexes of a merged table, paired by the columns they are over (docs/format/database.md, section 10.4).

use crate::merge::schema::parts::{SchemaParts, TaggedIndex};
use codec::CompactSort;

/// What Dolt 2.2.0 says of indexes that cannot be merged, but for the case below: nothing.
const NO_DESCRIPTION: &str = "";

pub(crate) fn merge_indexes(
    merged: &SchemaParts,
    base: &[TaggedIndex],
    ours: &[TaggedIndex],
    theirs: &[TaggedIndex],
) -> Result<Vec<TaggedIndex>, Vec<Box<str>>> {
    let (mut indexes, mut conflicts) = (Vec::new(), Vec::new());
    let is_possible = |index: &TaggedIndex| index.tags.iter().all(|tag| merged.position(*tag).is_some());
    for our in ours.iter().filter(|index| is_possible(index)) {
        let their = match only_over(theirs, our) {
            Ok(None) => continue,
            Ok(Some(their)) => their,
            Err(conflict) => return Err(vec![conflict]),
        };
        if let Err(conflict) = only_over(ours, our) {
            return Err(vec![conflict]);
        }
        let before = base.iter().find(|index| index.tags == our.tags);
        let common = match before {
            _ if our.equals(their) => our,
            Some(before) if before.equals(their) => our,
            Some(before) if before.equals(our) => their,
            _ => {
                conflicts.push(NO_DESCRIPTION.into());
                continue;
            }
        };
        match find(&indexes, common) {
            Some(_) if !our.equals(their) => conflicts.push(NO_DESCRIPTION.into()),
            _ => put(&mut indexes, common),
        }
    }
    let added = |side: &[TaggedIndex]| -> Vec<TaggedIndex> {
        let is_new = |index: &&TaggedIndex| is_possible(index) && base.iter().all(|before| before.tags != index.tags);
        side.iter().filter(is_new).cloned().collect()
    };
    let (our_new, their_new) = (added(ours), added(theirs));
    for our in &our_new {
        if find(&their_new, our).is_some_and(|their| !our.equals(their)) {
            conflicts.push(NO_DESCRIPTION.into());
        }
    }
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    for index in our_new.iter().chain(&their_new) {
        put(&mut indexes, index);
    }
    indexes.compact_sort_by(|one, two| one.definition.name.cmp(&two.definition.name));
    Ok(indexes)
}

/// The index over the same columns; several are a conflict, for they cannot be told apart.
fn only_over<'a>(indexes: &'a [TaggedIndex], like: &TaggedIndex) -> Result<Option<&'a TaggedIndex>, Box<str>> {
    let same: Vec<&TaggedIndex> = indexes.iter().filter(|index| index.tags == like.tags).collect();
    match same[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        [one, two, ..] => Err(format!(
            "multiple indexes covering the same column set cannot be merged: '{}' and '{}'",
            one.definition.name, two.definition.name
        )
        .into()),
    }
}

fn find<'a>(indexes: &'a [TaggedIndex], like: &TaggedIndex) -> Option<&'a TaggedIndex> {
    let name = like.definition.name.to_lowercase();
    indexes.iter().find(|index| index.definition.name.to_lowercase() == name)
}

/// Adds an index; one of the same name goes.
fn put(indexes: &mut Vec<TaggedIndex>, index: &TaggedIndex) {
    let name = index.definition.name.to_lowercase();
    indexes.retain(|other| other.definition.name.to_lowercase() != name);
    indexes.push(index.clone());
}
