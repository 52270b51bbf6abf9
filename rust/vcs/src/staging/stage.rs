//! Staging: moves tables from one root to another, for staging, resets and checkouts of tables (docs/format/database.md, sections 4.1 and
//! 5.2).

use codec::CompactSort;
use tree::message::foreign_keys::ForeignKey;

use crate::diff::table_deltas::{DeltaKind, RootDelta, TableDelta};
use crate::error::{Result, VcsReason};
use crate::foreign_key::is_child;
use crate::ignore::IgnorePatterns;
use crate::root_value::RootValue;
use crate::staging::status::Roots;
use crate::table::Table;

/// The prefix under which the database itself is listed among tables, for its collation.
pub const DATABASE_PREFIX: &str = "__DATABASE__";

/// Which tables of a list are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    /// Tables that `dolt_ignore` names stay where they are, also those of HEAD.
    LeftOut,
    /// Only new ones do.
    NewLeftOut,
    Included,
}

/// `to` with the tables of these names as they are in `from`; those that `from` has not are dropped. Names are as stored.
/// Foreign keys that the tables declare come along.
///
/// # Errors
/// [`VcsReason::Referenced`] for a table that goes while a foreign key of another one refers to it.
pub fn move_tables(names: &[Box<str>], from: &RootValue, to: &RootValue) -> Result<RootValue> {
    let delta = RootDelta::between(to, from)?;
    let mut keys = to.foreign_keys()?;
    let new_keys = from.foreign_keys()?;
    let wanted = wanted(names, &delta);
    for table in &wanted {
        for side in [&table.from, &table.to].into_iter().flatten() {
            keys.retain(|key| !is_child(key, &side.name));
        }
        if let Some(after) = &table.to {
            keys.extend(new_keys.iter().filter(|key| is_child(key, &after.name)).cloned());
        }
    }
    moved(&wanted, &delta, &keys, from, to)
}

/// As [`move_tables`], where `keys` are all the foreign keys that there are then.
///
/// # Errors
/// As [`move_tables`].
pub fn move_tables_with_keys(
    names: &[Box<str>],
    keys: &[ForeignKey],
    from: &RootValue,
    to: &RootValue,
) -> Result<RootValue> {
    let delta = RootDelta::between(to, from)?;
    moved(&wanted(names, &delta), &delta, keys, from, to)
}

/// The tables of a delta that have these names, and those of their full-text indexes.
fn wanted<'d>(names: &[Box<str>], delta: &'d RootDelta) -> Vec<&'d TableDelta> {
    let mut wanted: Vec<Box<str>> = names.to_vec();
    for table in &delta.tables {
        if names.iter().any(|name| **name == *table.name()) {
            let sides = [&table.from, &table.to];
            wanted.extend(sides.into_iter().flatten().flat_map(|side| full_text_tables(&side.table)));
        }
    }
    delta.tables.iter().filter(|table| wanted.iter().any(|wanted| **wanted == *table.name())).collect()
}

/// `to` with the tables that are `wanted` of the delta as they are in `from`.
fn moved(
    wanted: &[&TableDelta],
    delta: &RootDelta,
    keys: &[ForeignKey],
    from: &RootValue,
    to: &RootValue,
) -> Result<RootValue> {
    let mut edits = Vec::new();
    let mut dropped: Vec<Box<str>> = Vec::new();
    for table in wanted {
        if let Some(before) = &table.from {
            if table.kind() != DeltaKind::Modified {
                edits.push((before.name.clone(), None));
            }
            if table.to.is_none() {
                dropped.push(before.name.clone());
            }
        }
        if let Some(after) = &table.to {
            edits.push((after.name.clone(), Some(after.table.address())));
        }
    }
    check_references(keys, &dropped)?;
    if wanted.len() == delta.tables.len() && from.differs_in_tables_alone(to) {
        // Then the outcome is there already, as after most changes: nothing is written.
        return Ok(from.clone());
    }
    let moved = to.with_tables_at(&edits)?;
    if keys == to.foreign_keys()? { Ok(moved) } else { moved.with_foreign_keys(keys) }
}

/// Without tables, which may be named twice, and the foreign keys that they declare.
///
/// # Errors
/// As [`move_tables`].
pub fn remove_tables(root: &RootValue, names: &[Box<str>]) -> Result<RootValue> {
    let mut keys = root.foreign_keys()?;
    let before = keys.len();
    keys.retain(|key| !names.iter().any(|name| is_child(key, name)));
    check_references(&keys, names)?;
    let mut names = names.to_vec();
    names.compact_sort();
    names.dedup();
    let edits: Vec<_> = names.into_iter().map(|name| (name, None)).collect();
    let removed = root.with_tables_at(&edits)?;
    if keys.len() == before { Ok(removed) } else { removed.with_foreign_keys(&keys) }
}

fn check_references(keys: &[ForeignKey], dropped: &[Box<str>]) -> Result<()> {
    for key in keys {
        if let Some(table) = dropped.iter().find(|name| name.eq_ignore_ascii_case(&key.parent_table)) {
            return Err(VcsReason::Referenced { table: table.clone(), child: key.child_table.clone() }.into());
        }
    }
    Ok(())
}

/// Tables that the full-text indexes of a table keep.
fn full_text_tables(table: &Table) -> Vec<Box<str>> {
    let of_index = |fulltext: &tree::message::schema::Fulltext| {
        [
            fulltext.config_table.clone(),
            fulltext.position_table.clone(),
            fulltext.doc_count_table.clone(),
            fulltext.global_count_table.clone(),
            fulltext.row_count_table.clone(),
        ]
    };
    table.schema().indexes.iter().filter_map(|index| index.fulltext.as_ref()).flat_map(of_index).collect()
}

impl Roots {
    /// Stages tables by their stored names.
    ///
    /// # Errors
    /// [`VcsReason::NoSuchTables`] for names that neither the staged nor the working root has.
    pub fn stage(self, names: &[Box<str>], ignored: Ignored) -> Result<Roots> {
        let names = match ignored {
            Ignored::LeftOut => {
                let patterns = IgnorePatterns::read(&self.working)?;
                let mut kept = Vec::new();
                for name in names {
                    if !patterns.is_ignored(name)? {
                        kept.push(name.clone());
                    }
                }
                kept
            }
            Ignored::NewLeftOut => self.without_ignored(names)?,
            Ignored::Included => names.to_vec(),
        };
        let is_missing = |name: &str| -> Result<bool> {
            Ok(self.staged.table_address(name)?.is_none() && self.working.table_address(name)?.is_none())
        };
        let mut missing = Vec::new();
        for name in &names {
            if is_missing(name)? {
                missing.push(name.clone());
            }
        }
        if !missing.is_empty() {
            return Err(VcsReason::NoSuchTables(missing).into());
        }
        Ok(Roots { staged: move_tables(&names, &self.working, &self.staged)?, ..self })
    }

    /// Stages everything that is not ignored, and the collation of the database.
    pub fn stage_all(self, ignored: Ignored) -> Result<Roots> {
        let names = changed_names(&self.staged, &self.working)?;
        self.stage(&names, ignored)?.stage_database()
    }

    /// Stages what was changed or dropped, not what is new, nor what has another name (native Dolt leaves that to `-A`).
    pub fn stage_tracked(self) -> Result<Roots> {
        let delta = RootDelta::between(&self.staged, &self.working)?;
        let tracked =
            delta.tables.iter().filter(|table| !matches!(table.kind(), DeltaKind::Added | DeltaKind::Renamed));
        let names: Vec<Box<str>> = tracked.map(|table| table.name().into()).collect();
        self.stage(&names, Ignored::Included)?.stage_database()
    }

    /// Stages the collation of the database.
    pub fn stage_database(self) -> Result<Roots> {
        let collation = self.working.collation();
        match collation == self.staged.collation() {
            true => Ok(self),
            false => Ok(Roots { staged: self.staged.with_collation(collation)?, ..self }),
        }
    }

    /// The tables of a list that are in HEAD or that `dolt_ignore` does not name.
    pub fn without_ignored(&self, names: &[Box<str>]) -> Result<Vec<Box<str>>> {
        let patterns = IgnorePatterns::read(&self.working)?;
        let mut kept = Vec::new();
        for name in names {
            let is_tracked = self.head.table_address(name)?.is_some();
            if is_tracked || !patterns.is_ignored(name)? {
                kept.push(name.clone());
            }
        }
        Ok(kept)
    }

    /// Whether nothing differs from HEAD but new tables that are ignored.
    pub fn has_only_ignored_changes(&self) -> Result<bool> {
        if self.head.address() != self.staged.address() {
            let staged = RootDelta::between(&self.head, &self.staged)?;
            if !staged.tables.is_empty() {
                return Ok(false);
            }
        }
        let unstaged = RootDelta::between(&self.staged, &self.working)?;
        if unstaged.tables.iter().any(|table| table.kind() != DeltaKind::Added) {
            return Ok(false);
        }
        let added: Vec<Box<str>> = unstaged.tables.iter().map(|table| table.name().into()).collect();
        Ok(self.without_ignored(&added)?.is_empty())
    }

    /// Whether nothing is changed that would be in the way of a commit that is picked: a stash takes tables alone.
    pub fn is_clean(&self) -> Result<bool> {
        Ok(self.working.collation() == self.head.collation() && self.has_only_ignored_changes()?)
    }

    /// The working root with tables as they are staged, or in HEAD when they are not staged; those that are in neither go.
    pub fn restore(&self, names: &[Box<str>]) -> Result<RootValue> {
        let mut working = self.working.clone();
        let mut unknown = Vec::new();
        for name in names {
            let source = match (self.staged.table_address(name)?, self.head.table_address(name)?) {
                (Some(address), _) => Some((address, &self.staged)),
                (None, Some(address)) => Some((address, &self.head)),
                (None, None) => None,
            };
            match source {
                Some((address, root)) => {
                    working = working.with_table_at(name, &address)?;
                    if working.foreign_keys_address() != root.foreign_keys_address() {
                        working = working.with_foreign_keys(&root.foreign_keys()?)?;
                    }
                }
                None => unknown.push(name.clone()),
            }
        }
        if unknown.is_empty() { Ok(working) } else { remove_tables(&working, &unknown) }
    }
}

/// Stored names of the tables that differ between two roots.
pub fn changed_names(from: &RootValue, to: &RootValue) -> Result<Vec<Box<str>>> {
    let delta = RootDelta::between(from, to)?;
    Ok(delta.tables.iter().map(|table| table.name().into()).collect())
}
