//! Writer of the tables of one root: edits of rows, which follow foreign keys from table to table.
//!
//! What a writer can take back is in [`undo`], how its edits become names in [`publish`], what group commit asks of one in [`group`], and how
//! statements share one in [`share`].

mod group;
mod publish;
mod share;
mod undo;

use std::cell::RefCell;
use std::rc::Rc;

use vcs::{ForeignKey, NonlocalTables, RootValue};

use super::branch_lists::{self, is_branch_list};
use super::cascades::Cascade;
use super::foreign_keys::Reference;
use super::full_text::Following;
use super::memtable::Entry;
use super::resolve_keys::KeyTest;
use super::row::Row;
use super::table_editor::{Duplicate, TableEditor};
use crate::catalog::{BaseTable, Catalog, Elsewhere, Place, Relation};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::state::SessionState;
pub use publish::with_edits;
pub use share::shared;

/// A writer that several statements change rows through, one after the other.
pub type SharedWriter = Rc<RefCell<Writer>>;

/// Edits of the tables of one root, which follow foreign keys from table to table. Nothing is seen by others before
/// [`Writer::publish`].
pub struct Writer {
    pub(super) place: Place,
    pub(super) session: Rc<SessionState>,
    pub(super) root: RootValue,
    pub(super) tables: Vec<Target>,
    pub(super) keys: Vec<ForeignKey>,
    /// Some of the keys are not as the root has them: they were resolved.
    pub(super) has_resolved_keys: bool,
    /// Rows that are to be looked at before any is changed.
    pub(super) key_tests: Vec<KeyTest>,
    /// `@@foreign_key_checks`.
    pub(super) checks_keys: bool,
    /// A merge of the branch is not finished.
    is_merging: bool,
    /// Whether changes can be taken back to [`Writer::mark`].
    is_marked: bool,
    /// Whether changes can be taken back to [`Writer::begin_undo_scope`].
    has_undo_scope: bool,
    is_published: bool,
    /// Whether names may mean tables of other branches.
    has_nonlocal_tables: bool,
    /// The parents of foreign keys that are not tables of the root, with where they are.
    pub(super) elsewhere: Vec<(Box<str>, Elsewhere)>,
    /// Rows whose children follow, each a child of the one before.
    pub(super) cascades: Vec<Cascade>,
}

/// In what a writer calls a table of another branch, between the database and the table: no name of a table has it.
const ELSEWHERE: char = '\0';

fn is_elsewhere(name: &str) -> bool {
    name.contains(ELSEWHERE)
}

/// The parents of foreign keys that are not tables of the root: those of other branches, and lists of branches.
fn parents_elsewhere(
    catalog: &Catalog,
    place: &Place,
    root: &RootValue,
    keys: &[ForeignKey],
    has_nonlocal_tables: bool,
) -> Result<Vec<(Box<str>, Elsewhere)>> {
    let mut found: Vec<(Box<str>, Elsewhere)> = Vec::new();
    for key in keys {
        let name = &key.parent_table;
        if found.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            continue;
        }
        let there = match has_nonlocal_tables {
            _ if is_branch_list(name) => {
                let table = branch_lists::table(catalog, place, root, name)?;
                let root = RootValue::empty(root.objects(), root.collation())?.with_table(name, &table)?;
                Some(Elsewhere { place: place.clone(), root, name: name.clone() })
            }
            true => place.table_elsewhere(root, name)?,
            false => None,
        };
        found.extend(there.map(|there| (name.clone(), there)));
    }
    Ok(found)
}

/// A table that is written to.
pub(super) struct Target {
    pub(super) name: Rc<str>,
    pub(super) editor: TableEditor,
    /// Foreign keys that it declares, with the tables that they refer to.
    pub(super) parents: Option<Rc<[(Reference, usize)]>>,
    /// Foreign keys that refer to it, with the tables that declare them.
    pub(super) children: Option<Rc<[(Reference, usize)]>>,
    /// At the end of the statement: its full-text indexes.
    following: Option<Following>,
}

/// A row as values and as tuples.
#[derive(Debug, Clone)]
pub struct Stored {
    pub row: Row,
    pub entry: Entry,
}

/// What became of a row that was to be added or changed.
pub enum Written {
    Done,
    /// Nothing: this row is in the way.
    Refused(Duplicate),
}

impl Writer {
    /// A writer to the tables that are seen at a place.
    ///
    /// # Errors
    /// 1105 for a place that is no branch, 1792 in a READ ONLY transaction.
    pub fn new(context: &Rc<Context>, place: Place) -> Result<Writer> {
        let catalog = &context.catalog;
        catalog.transaction.check_writable_in(&place.attached)?;
        catalog.transaction.will_write();
        let set = catalog.working_set(&place)?;
        let root = place.refs.objects().root_value(&set.working)?;
        let keys = root.foreign_keys()?;
        let checks_keys = context.session.variables.borrow().integer("foreign_key_checks") != 0;
        let (is_merging, tables) = (set.merge.is_some(), Vec::new());
        let has_nonlocal_tables = NonlocalTables::are_in(&root)?;
        let elsewhere = parents_elsewhere(catalog, &place, &root, &keys, has_nonlocal_tables)?;
        Ok(Writer {
            place,
            session: context.session.clone(),
            root,
            tables,
            keys,
            has_resolved_keys: false,
            key_tests: Vec::new(),
            checks_keys,
            is_merging,
            is_marked: false,
            has_undo_scope: false,
            is_published: false,
            has_nonlocal_tables,
            elsewhere,
            cascades: Vec::new(),
        })
    }

    /// # Errors
    /// When the edits were published: another statement has begun before the one that writes here has ended.
    pub fn check_open(&self) -> Result<()> {
        if self.is_published { Err(SqlError::internal("a statement that has ended goes on")) } else { Ok(()) }
    }

    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Takes in what triggers have written to other tables.
    ///
    /// # Errors
    /// When a table of this writer is among them.
    pub fn refresh(&mut self, catalog: &Catalog) -> Result<()> {
        let working = catalog.working_set(&self.place)?.working;
        if working == self.root.address() {
            return Ok(());
        }
        self.root = self.root.objects().root_value(&working)?;
        for target in self.tables.iter_mut().filter(|target| !is_elsewhere(&target.name)) {
            let found = self.root.find_table(&target.name)?;
            let (_, address) = found.ok_or_else(|| SqlError::table_not_found(&target.name))?;
            if address == target.editor.base() {
                continue;
            }
            if target.editor.is_changed() {
                let text = format!(
                    "Can't update table {} in stored function/trigger because it is already used by statement which invoked this stored function/trigger",
                    target.name
                );
                return Err(SqlError::general(text));
            }
            target.editor = TableEditor::new(self.root.objects().table(&address)?)?;
        }
        Ok(())
    }

    /// The root that the edits are of.
    pub fn root(&self) -> &RootValue {
        &self.root
    }

    /// The number by which the writer knows a table.
    pub fn open(&mut self, name: &str) -> Result<usize> {
        if let Some(known) = self.tables.iter().position(|target| target.name.eq_ignore_ascii_case(name)) {
            return Ok(known);
        }
        let (name, address) = self.root.find_table(name)?.ok_or_else(|| SqlError::table_not_found(name))?;
        let editor = TableEditor::new(self.root.objects().table(&address)?)?;
        Ok(self.add(name.into(), editor))
    }

    fn add(&mut self, name: Rc<str>, mut editor: TableEditor) -> usize {
        if self.is_marked {
            editor.mark();
        }
        if self.has_undo_scope {
            editor.begin_undo_scope();
        }
        self.tables.push(Target { name, editor, parents: None, children: None, following: None });
        self.tables.len() - 1
    }

    /// The number of the table that a foreign key refers to, which may be read alone where it is another branch's.
    pub(super) fn open_parent(&mut self, key: &ForeignKey) -> Result<usize> {
        let Some(there) = self.elsewhere(key) else { return self.open(&key.parent_table) };
        let name = format!("{}{ELSEWHERE}{}", there.place.name, there.name);
        if let Some(known) = self.tables.iter().position(|target| *target.name == *name) {
            return Ok(known);
        }
        let table = there.root.table(&there.name)?.ok_or_else(|| SqlError::table_not_found(&there.name))?;
        let editor = TableEditor::new(table)?;
        Ok(self.add(name.into(), editor))
    }

    pub(super) fn elsewhere(&self, key: &ForeignKey) -> Option<&Elsewhere> {
        let found = self.elsewhere.iter().find(|(name, _)| name.eq_ignore_ascii_case(&key.parent_table));
        found.map(|(_, there)| there)
    }

    pub fn name(&self, table: usize) -> &str {
        &self.tables[table].name
    }

    /// The editor of a table that was changed.
    pub fn changed(&self, name: &str) -> Option<&TableEditor> {
        let target = self.tables.iter().find(|target| target.name.eq_ignore_ascii_case(name))?;
        Some(&target.editor).filter(|editor| editor.is_changed())
    }

    pub fn editor(&mut self, table: usize) -> &mut TableEditor {
        &mut self.tables[table].editor
    }

    /// A row with its tuples.
    pub fn stored(&mut self, table: usize, row: Row) -> Result<Stored> {
        let entry = self.tables[table].editor.encode(&row)?;
        Ok(Stored { row, entry })
    }

    /// A row that is there, with its tuples.
    pub fn existing(&mut self, table: usize, row: Row) -> Result<Stored> {
        let entry = self.tables[table].editor.stored(&row)?;
        Ok(Stored { row, entry })
    }

    /// Adds a complete row.
    pub fn insert(&mut self, table: usize, new: &Stored) -> Result<Written> {
        self.check_parents(table, None, &new.row)?;
        if let Some(duplicate) = self.tables[table].editor.duplicate(&new.row, &new.entry, None)? {
            return Ok(Written::Refused(duplicate));
        }
        self.tables[table].editor.insert(&new.row, &new.entry)?;
        Ok(Written::Done)
    }

    /// Whether a table is at an end of foreign keys that are checked. As in native Dolt, UPDATE leaves rows of others as they are where
    /// nothing but letters differs that are the same under a collation.
    pub fn has_keys(&self, table: usize) -> bool {
        let name = &self.tables[table].name;
        let is_end = |end: &str| end.eq_ignore_ascii_case(name);
        self.checks_keys && self.keys.iter().any(|key| is_end(&key.child_table) || is_end(&key.parent_table))
    }

    /// Puts a row in place of another one.
    pub fn update(&mut self, table: usize, old: &Stored, new: &Stored) -> Result<Written> {
        let written = self.begin_update(table, old, new)?;
        self.follow(&|| false)?;
        Ok(written)
    }

    /// A row was changed to what it is: only the counter goes on.
    pub fn touch_counter(&mut self, table: usize) {
        self.tables[table].editor.touch_counter();
    }

    /// Takes a row away.
    pub fn delete(&mut self, table: usize, old: &Stored) -> Result<()> {
        self.begin_delete(table, old)?;
        self.follow(&|| false)?;
        Ok(())
    }

    /// The error of MySQL's number 1062.
    pub fn duplicate_error(&self, table: usize, duplicate: &Duplicate, row: &Row) -> SqlError {
        self.tables[table].editor.duplicate_error(duplicate, row)
    }

    /// To be called between two steps of a statement, when it can be told to wait.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again.
    pub fn make_room(&self) -> Result<()> {
        Ok(self.root.objects().nodes().chunks().make_room().map_err(tree::TreeError::from)?)
    }
}

/// The table behind a relation that is written to.
pub fn base_of(relation: &Rc<dyn Relation>) -> Result<&BaseTable> {
    relation.base().ok_or_else(|| SqlError::general(format!("{} is not updatable", relation.name())))
}
