//! The checks of a merged table, paired by name (docs/format/database.md, section 10.4).

use tree::message::schema::Check;

use crate::error::Result;
use crate::expressions::Expressions;
use crate::merge::schema::parts::SchemaParts;

/// The merged checks, or descriptions of the conflicts.
pub(crate) fn merge_checks(
    merged: &SchemaParts,
    base: &[Check],
    ours: &[Check],
    theirs: &[Check],
    expressions: &dyn Expressions,
) -> Result<core::result::Result<Vec<Check>, Vec<Box<str>>>> {
    let mut conflicts = Vec::new();
    let mut checks = in_common(base, ours, theirs, &mut conflicts);
    let new = |side: &[Check]| -> Vec<Check> {
        side.iter().filter(|check| find(base, &check.name).is_none()).cloned().collect()
    };
    let (our_new, their_new) = (new(ours), new(theirs));
    for our in &our_new {
        if find(&their_new, &our.name).is_some_and(|their| their != our) {
            conflicts.push(same_name(our));
        }
    }
    if !conflicts.is_empty() {
        return Ok(Err(conflicts));
    }
    for our in &our_new {
        conflicts.extend(same_columns(our, &their_new, expressions)?);
    }
    if !conflicts.is_empty() {
        return Ok(Err(conflicts));
    }
    let changed_and_dropped = |changed: &[Check], dropped: &[Check]| -> Vec<Box<str>> {
        let is_changed = |check: &&Check| find(base, &check.name).is_some_and(|before| before != *check);
        let is_gone = |check: &&Check| find(dropped, &check.name).is_none();
        changed.iter().filter(is_changed).filter(is_gone).map(|check| check.name.clone()).collect()
    };
    for name in changed_and_dropped(theirs, ours) {
        conflicts.push(format!("check '{name}' was deleted in ours but modified in theirs").into());
    }
    for name in changed_and_dropped(ours, theirs) {
        conflicts.push(format!("check '{name}' was deleted in theirs but modified in ours").into());
    }
    for check in our_new.into_iter().chain(their_new) {
        if find(&checks, &check.name).is_none() {
            checks.push(check);
        }
    }
    if conflicts.is_empty() {
        for check in &checks {
            let has_column = |name: &str| merged.columns.iter().any(|column| column.name.to_lowercase() == name);
            if !expressions.columns(&check.expression)?.iter().all(|name| has_column(name)) {
                let name = &check.name;
                conflicts.push(format!("check '{name}' references a column that will be deleted after merge").into());
            }
        }
    }
    Ok(if conflicts.is_empty() { Ok(checks) } else { Err(conflicts) })
}

fn find<'a>(checks: &'a [Check], name: &str) -> Option<&'a Check> {
    checks.iter().find(|check| &*check.name == name)
}

fn same_name(check: &Check) -> Box<str> {
    format!("two checks with the name '{}' but different definitions", check.name).into()
}

/// Checks that both sides have.
fn in_common(base: &[Check], ours: &[Check], theirs: &[Check], conflicts: &mut Vec<Box<str>>) -> Vec<Check> {
    let mut common = Vec::new();
    for our in ours {
        let Some(their) = find(theirs, &our.name) else { continue };
        let before = find(base, &our.name);
        if our == their || before == Some(their) {
            common.push(our.clone());
        } else if before == Some(our) {
            common.push(their.clone());
        } else {
            conflicts.push(same_name(our));
        }
    }
    common
}

/// Their new checks over a column that our new check is over as well.
fn same_columns(our: &Check, theirs: &[Check], expressions: &dyn Expressions) -> Result<Vec<Box<str>>> {
    for column in expressions.columns(&our.expression)? {
        let mut over = Vec::new();
        for their in theirs {
            if expressions.columns(&their.expression)?.contains(&column) {
                over.push(their);
            }
        }
        if !over.is_empty() && !over.contains(&our) {
            let text = |their: &&Check| {
                let (our, their) = (&our.name, &their.name);
                format!("our check '{our}' and their check '{their}' both reference the same column(s)").into()
            };
            return Ok(over.iter().map(text).collect());
        }
    }
    Ok(Vec::new())
}
