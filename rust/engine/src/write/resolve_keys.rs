//! Resolution of foreign keys that were made with `foreign_key_checks = 0`, without a look at what they refer to. The first statement that
//! changes rows at one of their ends does, and keeps what it found.

use tree::{Direction, Scan, Span};
use vcs::{ForeignKey, SchemaBuilder, Table};

use super::branch_lists::is_branch_list;
use super::foreign_keys::{Reference, has_effect};
use super::key_indexes::{best_index, child_has_index, parent_has_index, types_go_together};
use super::memtable::Entry;
use super::row::RowCodec;
use super::table_editor::TableEditor;
use super::writer::Writer;
use crate::error::{Result, SqlError};
use crate::expr::Context;

/// What a statement does to the rows of a table, as foreign keys see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowChange {
    Inserted,
    /// By REPLACE or ON DUPLICATE KEY UPDATE.
    Replaced,
    Updated,
    Deleted,
}

impl RowChange {
    fn puts(self) -> bool {
        self != RowChange::Deleted
    }

    fn takes(self) -> bool {
        self != RowChange::Inserted
    }

    /// What happens to children. As in native Dolt only statements that insert test the rows that are there.
    fn of_children(self) -> RowChange {
        match self {
            RowChange::Inserted | RowChange::Replaced => RowChange::Replaced,
            RowChange::Updated | RowChange::Deleted => RowChange::Updated,
        }
    }

    fn tests_rows(self) -> bool {
        matches!(self, RowChange::Inserted | RowChange::Replaced)
    }
}

fn is_end(name: &str, table: &str) -> bool {
    name.eq_ignore_ascii_case(table)
}

/// The rows that were there before a key was resolved.
pub(super) struct KeyTest {
    /// The error for one that refers to nothing.
    refused: SqlError,
    reference: Reference,
    parents: TableEditor,
    codec: RowCodec,
    scan: Scan,
    span: Option<Span>,
}

impl KeyTest {
    /// `false` when the fuel is used up.
    fn go_on(&mut self, context: &Context) -> Result<bool> {
        loop {
            let Some(span) = &mut self.span else {
                self.span = self.scan.next_span(usize::MAX)?;
                if self.span.is_none() {
                    return Ok(true);
                }
                continue;
            };
            let Some(index) = span.items.next() else {
                self.span = None;
                continue;
            };
            let entry = Entry { key: span.leaf.key(index).to_vec(), value: span.leaf.value(index).to_vec() };
            let row = self.codec.decode(&entry)?;
            if let Some(values) = self.reference.child_values(&row)
                && !self.reference.parent_lookup.finds(&self.parents, &values)?
            {
                return Err(self.refused.clone());
            }
            context.spend(1);
            if context.is_out_of_fuel() {
                return Ok(false);
            }
        }
    }
}

impl Writer {
    /// Whether a change of a table would resolve keys.
    pub(super) fn has_unresolved_keys(&self, table: &str) -> bool {
        let is_of_it = |key: &ForeignKey| is_end(&key.child_table, table) || is_end(&key.parent_table, table);
        self.checks_keys && self.keys.iter().any(|key| key.is_unresolved() && is_of_it(key))
    }

    /// Resolves the keys that a change of a table looks at, and those behind what may follow from it.
    ///
    /// # Errors
    /// A key whose parent, columns or indexes are not there. Rows that are there are looked at by [`Writer::test_keys`].
    pub fn resolve_keys(&mut self, table: &str, change: RowChange) -> Result<()> {
        if !self.checks_keys || !self.keys.iter().any(ForeignKey::is_unresolved) {
            return Ok(());
        }
        let mut waiting = vec![(Box::from(table), change)];
        let mut followed: Vec<Box<str>> = Vec::new();
        while let Some((table, change)) = waiting.pop() {
            for at in 0..self.keys.len() {
                let key = &self.keys[at];
                let is_declared = change.puts() && is_end(&key.child_table, &table);
                let refers = change.takes() && is_end(&key.parent_table, &table);
                if refers && !followed.contains(&key.child_table) {
                    followed.push(key.child_table.clone());
                    waiting.push((key.child_table.clone(), change.of_children()));
                }
                if (is_declared || refers) && self.keys[at].is_unresolved() && self.is_resolved_here(&self.keys[at]) {
                    let (resolved, test) = self.resolved(&self.keys[at], change)?;
                    self.keys[at] = resolved;
                    self.has_resolved_keys = true;
                    self.key_tests.extend(test);
                }
            }
        }
        Ok(())
    }

    /// Keys to tables of other branches stay as they are.
    fn is_resolved_here(&self, key: &ForeignKey) -> bool {
        is_branch_list(&key.parent_table) || self.elsewhere(key).is_none()
    }

    fn parent(&self, key: &ForeignKey) -> Result<Option<Table>> {
        Ok(match self.elsewhere(key) {
            Some(there) => there.root.table(&there.name)?,
            None => self.root.table(&key.parent_table)?,
        })
    }

    /// Goes on to look at the rows of keys that [`Writer::resolve_keys`] has resolved; `false` when the fuel is used up. To be called
    /// before rows are changed, until it is done.
    ///
    /// # Errors
    /// A row that does not keep its key.
    pub fn test_keys(&mut self, context: &Context) -> Result<bool> {
        while let Some(mut test) = self.key_tests.pop() {
            if !test.go_on(context)? {
                self.key_tests.push(test);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The key with what its names mean, and the rows that have to be looked at then.
    fn resolved(&self, key: &ForeignKey, change: RowChange) -> Result<(ForeignKey, Option<KeyTest>)> {
        let found = self.found(key)?.ok_or_else(|| self.unresolved(key))?;
        let child = self.root.table(&key.child_table)?.ok_or_else(|| self.unresolved(key))?;
        let parent = self.parent(key)?.ok_or_else(|| self.unresolved(key))?;
        let reference = Reference::new(&found, child.schema(), parent.schema()).ok_or_else(|| self.unresolved(key))?;
        if !change.tests_rows() {
            return Ok((found, None));
        }
        let test = KeyTest {
            refused: self.unresolved(key),
            reference,
            parents: TableEditor::new(parent)?,
            codec: RowCodec::new(child.schema(), child.objects().nodes()),
            scan: child.rows().scan(None, None, Direction::Forward)?,
            span: None,
        };
        Ok((found, Some(test)))
    }

    /// The key with the columns and indexes that its names mean.
    fn found(&self, key: &ForeignKey) -> Result<Option<ForeignKey>> {
        let schema = |table: Table| SchemaBuilder::from(&**table.schema());
        let ends = self.root.table(&key.child_table)?.map(schema).zip(self.parent(key)?.map(schema));
        let Some((child, parent)) = ends else { return Ok(None) };
        if is_branch_list(&key.parent_table) && [key.on_update, key.on_delete].into_iter().any(has_effect) {
            return Ok(None);
        }
        let columns = |schema: &SchemaBuilder, names: &[Box<str>]| -> Option<Vec<usize>> {
            names.iter().map(|name| schema.column(name)).collect()
        };
        let ends = columns(&child, &key.unresolved_child_columns).zip(columns(&parent, &key.unresolved_parent_columns));
        let Some((own, others)) = ends.filter(|(own, others)| own.len() == others.len()) else { return Ok(None) };
        let fits = |(own, other): (&usize, &usize)| {
            types_go_together(&child.columns[*own].sql_type, &parent.columns[*other].sql_type)
        };
        let tags =
            |schema: &SchemaBuilder, at: &[usize]| at.iter().map(|at| schema.columns[*at].tag).collect::<Vec<u64>>();
        let names = |schema: &SchemaBuilder, at: &[usize]| {
            at.iter().map(|at| schema.columns[*at].name.as_ref().into()).collect()
        };
        let (child_tags, parent_tags) = (tags(&child, &own), tags(&parent, &others));
        let has_indexes = child_has_index(&child, &child_tags, None) && parent_has_index(&parent, &parent_tags, None);
        if !has_indexes || !own.iter().zip(&others).all(fits) {
            return Ok(None);
        }
        let index = |schema: &SchemaBuilder, tags: &[u64]| {
            best_index(schema, tags).map_or_else(Box::default, |index| index.name.clone())
        };
        Ok(Some(ForeignKey {
            child_index: index(&child, &child_tags),
            parent_index: index(&parent, &parent_tags),
            unresolved_child_columns: names(&child, &own),
            unresolved_parent_columns: names(&parent, &others),
            child_columns: child_tags,
            parent_columns: parent_tags,
            ..key.clone()
        }))
    }
}
