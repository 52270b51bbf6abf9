//! Table deltas: which tables differ between two roots (docs/format/database.md, sections 5.2 and 11.1).

use std::rc::Rc;

use codec::{Address, CompactSort};
use tree::Diff;
use tree::message::foreign_keys::ForeignKey;

use crate::commit::Commit;
use crate::diff::column_map::{Comparable, comparable};
use crate::error::Result;
use crate::objects::names;
use crate::objects::{Objects, is_ghost};
use crate::root_value::RootValue;
use crate::schema::Schema;
use crate::table::Table;

/// What differs between two roots.
pub struct RootDelta {
    /// By name in `from` (none first), then by name in `to`.
    pub tables: Vec<TableDelta>,
    /// Whether the database's default collation differs.
    pub collation_changed: bool,
}

/// A table that differs. At least one side is there.
pub struct TableDelta {
    pub from: Option<NamedTable>,
    pub to: Option<NamedTable>,
    /// Whether the foreign keys that the table declares differ.
    pub foreign_keys_changed: bool,
}

#[derive(Clone)]
pub struct NamedTable {
    pub name: Box<str>,
    pub table: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeltaKind {
    Added,
    Dropped,
    Renamed,
    Modified,
}

impl TableDelta {
    pub fn kind(&self) -> DeltaKind {
        match (&self.from, &self.to) {
            (None, _) => DeltaKind::Added,
            (_, None) => DeltaKind::Dropped,
            (Some(from), Some(to)) if from.name != to.name => DeltaKind::Renamed,
            _ => DeltaKind::Modified,
        }
    }

    /// The name now; of a dropped table the one it had.
    pub fn name(&self) -> &str {
        self.to.as_ref().or(self.from.as_ref()).map_or("", |side| &side.name)
    }

    /// `from -> to` for a renamed table, else its name.
    pub fn display_name(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) if from.name != to.name => format!("{} -> {}", from.name, to.name),
            _ => self.name().to_owned(),
        }
    }

    /// Whether rows differ. A table that came or went has changed data when it has rows.
    pub fn data_changed(&self) -> bool {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => !from.table.rows_root().is_same(to.table.rows_root()),
            (Some(side), None) | (None, Some(side)) => side.table.rows_root().tree_count() > 0,
            (None, None) => false,
        }
    }

    /// Whether the definition differs. The next AUTO_INCREMENT value and foreign keys are part of it.
    pub fn schema_changed(&self) -> bool {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => {
                from.name != to.name
                    || self.foreign_keys_changed
                    || from.table.auto_increment() != to.table.auto_increment()
                    || from.table.schema().address != to.table.schema().address
            }
            _ => true,
        }
    }

    /// Whether the primary key differs, so that rows cannot be compared; diff functions leave such tables out.
    pub fn primary_key_changed(&self) -> bool {
        let (Some(from), Some(to)) = (&self.from, &self.to) else { return false };
        comparable(from.table.schema(), to.table.schema()) != Comparable::Fully
    }

    /// Whether people can see a difference: not when only column tags or recorded conflicts differ.
    pub fn is_visible(&self) -> bool {
        let (Some(from), Some(to)) = (&self.from, &self.to) else { return true };
        from.name != to.name
            || self.foreign_keys_changed
            || self.data_changed()
            || from.table.auto_increment() != to.table.auto_increment()
            || !from.table.schema().looks_like(to.table.schema())
    }
}

impl RootDelta {
    /// What changed from one root to another. Tables that both share are not read.
    pub fn between(from: &RootValue, to: &RootValue) -> Result<RootDelta> {
        let collation_changed = from.collation() != to.collation();
        if from.address() == to.address() {
            return Ok(RootDelta { tables: Vec::new(), collation_changed });
        }
        let keys = ForeignKeyChanges::between(from, to)?;
        let (mut removed, mut added, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        let mut diff = Diff::new(from.address_map().map(), to.address_map().map())?;
        let side = |root: &RootValue, item: Option<tree::Item>| -> Result<Option<NamedTable>> {
            let Some(item) = item else { return Ok(None) };
            let name = names::text(item.key().to_vec())?;
            let address = item.leaf.child_address(item.index).unwrap_or_default();
            Ok(Some(NamedTable { name, table: root.objects().table(&address)? }))
        };
        while let Some(change) = diff.next_change()? {
            match (side(from, change.from)?, side(to, change.to)?) {
                (Some(from), None) => removed.push(from),
                (None, Some(to)) => added.push(to),
                (from, to) => tables.push(TableDelta { from, to, foreign_keys_changed: false }),
            }
        }
        for name in keys.tables(from, to)? {
            if !tables.iter().any(|delta| delta.name() == &*name) {
                let table = |root: &RootValue| root.table(&name);
                if let (Some(from), Some(to)) = (table(from)?, table(to)?) {
                    let named = |table| Some(NamedTable { name: name.clone(), table });
                    tables.push(TableDelta { from: named(from), to: named(to), foreign_keys_changed: false });
                }
            }
        }
        pair_renamed(removed, added, &mut tables);
        for delta in &mut tables {
            delta.foreign_keys_changed = keys.changed(delta);
        }
        tables.compact_sort_by(|a, b| {
            let name = |side: &Option<NamedTable>| side.as_ref().map(|side| side.name.clone());
            (name(&a.from), name(&a.to)).cmp(&(name(&b.from), name(&b.to)))
        });
        Ok(RootDelta { tables, collation_changed })
    }

    /// What a commit changed against its first parent; nothing for a commit without parents.
    /// `None` when the parent was left behind by a shallow clone.
    pub fn of_commit(objects: &Rc<Objects>, commit: &Commit) -> Result<Option<RootDelta>> {
        let Some(parent) = commit.parents.first() else {
            return Ok(Some(RootDelta { tables: Vec::new(), collation_changed: false }));
        };
        let parent = match objects.commit(parent) {
            Ok(parent) => parent,
            Err(error) if is_ghost(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        RootDelta::between(&objects.root_value(&parent.root)?, &objects.root_value(&commit.root)?).map(Some)
    }
}

/// Pairs tables that went with tables that came when they share a column of the same tag and name.
fn pair_renamed(removed: Vec<NamedTable>, mut added: Vec<NamedTable>, tables: &mut Vec<TableDelta>) {
    for from in removed {
        let twin = added.iter().position(|to| shares_column(from.table.schema(), to.table.schema()));
        let to = twin.map(|at| added.remove(at));
        tables.push(TableDelta { from: Some(from), to, foreign_keys_changed: false });
    }
    let added = added.into_iter().map(|to| TableDelta { from: None, to: Some(to), foreign_keys_changed: false });
    tables.extend(added);
}

fn shares_column(from: &Schema, to: &Schema) -> bool {
    from.columns
        .iter()
        .any(|column| to.columns.iter().any(|other| column.tag == other.tag && column.name == other.name))
}

/// Foreign keys of two roots, if they differ at all.
struct ForeignKeyChanges(Option<Sides>);

struct Sides {
    from: Vec<ForeignKey>,
    to: Vec<ForeignKey>,
}

impl ForeignKeyChanges {
    fn between(from: &RootValue, to: &RootValue) -> Result<ForeignKeyChanges> {
        if from.foreign_keys_address() == to.foreign_keys_address() {
            return Ok(ForeignKeyChanges(None));
        }
        Ok(ForeignKeyChanges(Some(Sides { from: from.foreign_keys()?, to: to.foreign_keys()? })))
    }

    /// Stored names of the tables, there on both sides, whose keys differ.
    fn tables(&self, from: &RootValue, to: &RootValue) -> Result<Vec<Box<str>>> {
        let Some(sides) = &self.0 else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for key in sides.from.iter().chain(&sides.to) {
            if !self.differ(&key.child_table, &key.child_table) {
                continue;
            }
            if let (Some((name, _)), Some(_)) = (from.find_table(&key.child_table)?, to.find_table(&key.child_table)?)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn changed(&self, delta: &TableDelta) -> bool {
        match (&delta.from, &delta.to) {
            (Some(from), Some(to)) => self.differ(&from.name, &to.name),
            _ => false,
        }
    }

    /// Whether the keys that two tables declare differ; both lists are in the order of their names.
    fn differ(&self, from: &str, to: &str) -> bool {
        let Some(sides) = &self.0 else { return false };
        let declared = |keys: &'_ [ForeignKey], table: &str| -> Vec<ForeignKey> {
            let table = table.to_lowercase();
            keys.iter().filter(|key| key.child_table.to_lowercase() == table).cloned().collect()
        };
        let (from, to) = (declared(&sides.from, from), declared(&sides.to, to));
        from.len() != to.len() || from.iter().zip(&to).any(|(from, to)| !is_same_key(from, to))
    }
}

/// Whether two keys say the same. A key that is resolved and one that is not do when their columns have the same names, which stay
/// when a key is resolved.
fn is_same_key(from: &ForeignKey, to: &ForeignKey) -> bool {
    if from.is_unresolved() != to.is_unresolved() {
        return from.unresolved_child_columns == to.unresolved_child_columns
            && from.unresolved_parent_columns == to.unresolved_parent_columns;
    }
    from.child_columns == to.child_columns
        && from.parent_columns == to.parent_columns
        && from.name == to.name
        && from.child_table == to.child_table
        && from.parent_table == to.parent_table
        && from.child_index == to.child_index
        && from.parent_index == to.parent_index
        && from.on_update == to.on_update
        && from.on_delete == to.on_delete
}

/// Address of a table on one side of a comparison.
pub(crate) fn table_address(root: &RootValue, name: &str) -> Result<Option<Address>> {
    Ok(root.find_table(name)?.map(|(_, address)| address))
}
