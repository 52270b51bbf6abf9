//! Referential actions (cascades): children must have parents, and follow their changes or refuse them.

use std::rc::Rc;
use std::vec;

use value::Value;
use vcs::{ForeignKey, ReferentialAction};

use super::foreign_keys::{DEPTH_MAX, Reference, are_same, is_restricting, referred};
use super::row::Row;
use super::writer::{Stored, Writer, Written};
use crate::error::{Result, SqlError};
use crate::state::WRITE_WORK;

/// The table that a foreign key leads to from another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Parent,
    Child,
}

/// What happens to children.
#[derive(Clone, Copy)]
enum Follow<'a> {
    Delete,
    /// Their columns become those of this parent, or NULL.
    Assign(Option<&'a Row>),
}

impl Follow<'_> {
    fn is_update_cascade(self) -> bool {
        matches!(self, Follow::Assign(Some(_)))
    }
}

/// A row that was changed and has children that follow: those of one key after the other.
pub(super) struct Cascade {
    table: usize,
    old: Row,
    /// `None` for a row that was deleted.
    new: Option<Row>,
    keys: Rc<[(Reference, usize)]>,
    /// Positions in `keys` of those whose children are to follow, the last one first.
    open: Vec<usize>,
    /// The next children of the last one of them, and where those after them begin.
    rows: vec::IntoIter<Vec<u8>>,
    after: Option<Vec<u8>>,
}

impl Cascade {
    /// The key whose children follow now, and their table.
    fn key(&self) -> Option<&(Reference, usize)> {
        self.open.last().map(|at| &self.keys[*at])
    }

    fn what(&self, key: &ForeignKey) -> Follow<'_> {
        match &self.new {
            Some(new) if key.on_update == ReferentialAction::Cascade => Follow::Assign(Some(new)),
            None if key.on_delete == ReferentialAction::Cascade => Follow::Delete,
            _ => Follow::Assign(None),
        }
    }
}

impl Writer {
    /// As [`Writer::update`]; children follow in [`Writer::follow`].
    pub fn begin_update(&mut self, table: usize, old: &Stored, new: &Stored) -> Result<Written> {
        self.check_parents(table, Some(&old.row), &new.row)?;
        let children = self.children(table)?;
        let schema = self.tables[table].editor.schema().clone();
        let is_changed = |key: &Reference| match (key.parent_values(&old.row), key.parent_values(&new.row)) {
            (Some(old), Some(new)) => !are_same(&old, &new, &schema, &key.parent_columns),
            (old, new) => old.is_some() || new.is_some(),
        };
        // A change does not come back to a table that it came through.
        let is_on_path = |child: usize| child == table || self.cascades.iter().any(|above| above.table == child);
        let is_restricted = |key: &Reference, child: usize| is_restricting(key.key.on_update) || is_on_path(child);
        let mut open = Vec::new();
        for (at, (key, child)) in children.iter().enumerate().filter(|(_, (key, _))| is_changed(key)) {
            match is_restricted(key, *child) {
                true => self.refuse_if_referred(key, *child, &old.row)?,
                false => open.push(at),
            }
        }
        if let Some(duplicate) = self.tables[table].editor.duplicate(&new.row, &new.entry, Some(&old.entry))? {
            return Ok(Written::Refused(duplicate));
        }
        self.tables[table].editor.update((&old.row, &old.entry), (&new.row, &new.entry))?;
        self.begin_cascade(table, &old.row, Some(&new.row), children, open);
        Ok(Written::Done)
    }

    /// As [`Writer::delete`]; children follow in [`Writer::follow`].
    pub fn begin_delete(&mut self, table: usize, old: &Stored) -> Result<()> {
        let children = self.children(table)?;
        let mut open = Vec::new();
        for (at, (key, child)) in children.iter().enumerate() {
            match is_restricting(key.key.on_delete) {
                true => self.refuse_if_referred(key, *child, &old.row)?,
                false => open.push(at),
            }
        }
        self.tables[table].editor.delete(&old.row, &old.entry)?;
        self.begin_cascade(table, &old.row, None, children, open);
        Ok(())
    }

    fn begin_cascade(
        &mut self,
        table: usize,
        old: &Row,
        new: Option<&Row>,
        keys: Rc<[(Reference, usize)]>,
        mut open: Vec<usize>,
    ) {
        if open.is_empty() {
            return;
        }
        open.reverse();
        let (old, new, rows) = (old.clone(), new.cloned(), Vec::new().into_iter());
        self.cascades.push(Cascade { table, old, new, keys, open, rows, after: None });
    }

    /// Lets the children of the row that was changed last follow, and theirs, until `pauses` says after one of them that the rest
    /// is to wait: `false` then, and the caller comes again before it changes other rows.
    pub fn follow(&mut self, pauses: &dyn Fn() -> bool) -> Result<bool> {
        let followed = self.follow_until(pauses);
        if followed.is_err() {
            self.cascades.clear();
        }
        followed
    }

    fn follow_until(&mut self, pauses: &dyn Fn() -> bool) -> Result<bool> {
        while let Some(cascade) = self.cascades.last_mut() {
            if let Some(row) = cascade.rows.next() {
                // A row may have any number of children.
                self.session.work.spend(WRITE_WORK);
                self.session.check_interruption()?;
                self.follow_row(&row)?;
                if pauses() {
                    return Ok(false);
                }
                continue;
            }
            let Some((key, child)) = cascade.open.last().map(|at| &cascade.keys[*at]) else {
                self.cascades.pop();
                continue;
            };
            let children = match key.parent_values(&cascade.old) {
                Some(values) => key.child_lookup.rows(&self.tables[*child].editor, &values, &mut cascade.after)?,
                None => Vec::new(),
            };
            if children.is_empty() {
                cascade.open.pop();
                cascade.after = None;
            }
            cascade.rows = children.into_iter();
        }
        Ok(true)
    }

    /// Does to a child of the row that was changed what their key says.
    fn follow_row(&mut self, row: &[u8]) -> Result<()> {
        let Some(cascade) = self.cascades.last() else { return Ok(()) };
        let Some((key, child)) = cascade.key() else { return Ok(()) };
        let (child, what, depth) = (*child, cascade.what(&key.key), self.cascades.len() + 1);
        let is_last = || depth == DEPTH_MAX && !what.is_update_cascade() && self.comes_back(&key.key.parent_table);
        if depth > DEPTH_MAX || is_last() {
            return Err(SqlError::general("Foreign key cascade delete/update exceeds max depth of 15."));
        }
        let editor = &self.tables[child].editor;
        // An earlier cascade may have taken it.
        let Some(entry) = editor.get(row)? else { return Ok(()) };
        let old = Stored { row: editor.decode(&entry)?, entry };
        let Follow::Assign(to) = what else { return self.begin_delete(child, &old) };
        let mut row = old.row.clone();
        for (column, from) in key.child_columns.iter().zip(&key.parent_columns) {
            row[*column] = match to {
                Some(parent) => referred(&parent[*from], self.column_type(child, *column))?,
                None => Value::Null,
            };
        }
        let new = self.stored(child, row)?;
        match self.begin_update(child, &old, &new)? {
            Written::Refused(duplicate) => Err(self.duplicate_error(child, &duplicate, &new.row)),
            Written::Done => Ok(()),
        }
    }

    /// Whether children of a table's children, and so on, are of a table once more.
    fn comes_back(&self, table: &str) -> bool {
        let mut above = vec![table];
        let mut seen: Vec<&str> = Vec::new();
        while let Some(parent) = above.pop() {
            for key in self.keys.iter().filter(|key| key.parent_table.eq_ignore_ascii_case(parent)) {
                if key.child_table.eq_ignore_ascii_case(table) {
                    return true;
                }
                if !seen.contains(&&*key.child_table) {
                    seen.push(&key.child_table);
                    above.push(&key.child_table);
                }
            }
        }
        false
    }

    fn column_type(&self, table: usize, column: usize) -> &value::SqlType {
        &self.tables[table].editor.schema().columns[column].sql_type
    }

    pub(super) fn check_parents(&mut self, table: usize, old: Option<&Row>, new: &Row) -> Result<()> {
        let parents = self.parents(table)?;
        for (key, parent) in parents.iter() {
            let Some(values) = key.child_values(new) else { continue };
            let schema = self.tables[table].editor.schema();
            let is = |other: Option<Vec<Value<'_>>>| {
                other.is_some_and(|other| are_same(&other, &values, schema, &key.child_columns))
            };
            if old.is_some_and(|old| is(key.child_values(old))) {
                continue;
            }
            let is_own = || key.is_of_one_table() && is(key.parent_values(new));
            if !key.parent_lookup.finds(&self.tables[*parent].editor, &values)? && !is_own() {
                return Err(key.no_parent(&values));
            }
        }
        Ok(())
    }

    fn refuse_if_referred(&self, key: &Reference, child: usize, old: &Row) -> Result<()> {
        let Some(values) = key.parent_values(old) else { return Ok(()) };
        match key.child_lookup.finds(&self.tables[child].editor, &values)? {
            true => Err(key.has_children(&values)),
            false => Ok(()),
        }
    }

    fn parents(&mut self, table: usize) -> Result<Rc<[(Reference, usize)]>> {
        if let Some(known) = &self.tables[table].parents {
            return Ok(known.clone());
        }
        let name = self.tables[table].name.clone();
        let own = |key: &ForeignKey| key.child_table.eq_ignore_ascii_case(&name);
        let parents = self.references(own, End::Parent)?;
        self.tables[table].parents = Some(parents.clone());
        Ok(parents)
    }

    fn children(&mut self, table: usize) -> Result<Rc<[(Reference, usize)]>> {
        if let Some(known) = &self.tables[table].children {
            return Ok(known.clone());
        }
        let name = self.tables[table].name.clone();
        let known = self.elsewhere.iter().any(|(other, _)| other.eq_ignore_ascii_case(&name));
        let to_it = |key: &ForeignKey| !known && key.parent_table.eq_ignore_ascii_case(&name);
        let children = self.references(to_it, End::Child)?;
        self.tables[table].children = Some(children.clone());
        Ok(children)
    }

    /// The keys for which `wanted` holds, each with the table at its other end.
    fn references(&mut self, wanted: impl Fn(&ForeignKey) -> bool, end: End) -> Result<Rc<[(Reference, usize)]>> {
        if !self.checks_keys {
            return Ok(Rc::from([]));
        }
        let keys: Vec<ForeignKey> = self.keys.iter().filter(|key| wanted(key)).cloned().collect();
        let mut references = Vec::new();
        for key in keys {
            // A parent that is not there yet refuses rows; a child that is not there refers to nothing.
            let missing = |this: &Writer, name: &str| Ok::<_, SqlError>(this.root.find_table(name)?.is_none());
            let is_elsewhere = self.elsewhere(&key).is_some();
            if !is_elsewhere && missing(self, &key.parent_table)? {
                return Err(self.unresolved(&key));
            }
            if missing(self, &key.child_table)? {
                continue;
            }
            let (child, parent) = (self.open(&key.child_table)?, self.open_parent(&key)?);
            let schema = |table: usize| self.tables[table].editor.schema().clone();
            let reference =
                Reference::new(&key, &schema(child), &schema(parent)).ok_or_else(|| self.unresolved(&key))?;
            references.push((reference, if end == End::Parent { parent } else { child }));
        }
        Ok(references.into())
    }

    pub(super) fn unresolved(&self, key: &ForeignKey) -> SqlError {
        let list = |names: &[Box<str>]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(",");
        SqlError::general(format!(
            "cannot add or update a child row: a foreign key constraint fails (`{}`.`{}`, CONSTRAINT `{}` FOREIGN KEY \
             ({}) REFERENCES `{}` ({}))",
            self.place.name,
            key.child_table,
            key.name,
            list(&key.unresolved_child_columns),
            key.parent_table,
            list(&key.unresolved_parent_columns)
        ))
    }
}
