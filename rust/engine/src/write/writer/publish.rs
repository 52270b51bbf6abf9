//! Publishing of a writer: its edits become trees, these a root, and that a name that the transaction sees.

use vcs::RootValue;

use super::{Target, Writer};
use crate::catalog::Catalog;
use crate::error::Result;
use crate::expr::Context;
use crate::transaction::Transaction;
use crate::write::full_text::{self, Following, Working};
use crate::write::memtable::MergePoint;
use crate::write::table_editor::TableEditor;

impl Target {
    /// Updates the full-text indexes after the last edit; `false` when the fuel is used up.
    fn follow_words(&mut self, root: &RootValue, context: &Context) -> Result<bool> {
        if self.following.is_none()
            && self.editor.has_full_text()
            && let Some(table) = self.editor.finish()?
        {
            self.following = Some(Following::new(Some(self.editor.table()), &table)?);
        }
        let Some(following) = &mut self.following else { return Ok(true) };
        following.step(root, &|steps| {
            context.spend(1);
            context.work(steps)?;
            Ok(context.is_out_of_fuel())
        })
    }
}

impl Writer {
    /// At the end of a statement: tables into which it, or a failed one before it, put rows take the database's counters along.
    pub fn take_counters(&mut self, transaction: &Transaction) -> Result<()> {
        let attached = &self.place.attached;
        let takes = |target: &&mut Target| {
            target.editor.takes_counter() || transaction.has_consumed_ids(attached, &target.name)
        };
        for target in self.tables.iter_mut().filter(takes) {
            let here = target.editor.auto_increment();
            target.editor.take_counter(self.place.attached.counters.next(&self.place.refs, &target.name, here)?);
        }
        Ok(())
    }

    /// Goes on with what [`Writer::publish`] would else do in one go: see [`TableEditor::finish_step`].
    pub fn finish_step(&mut self, context: &Context) -> Result<bool> {
        if !self.each_step(|editor| editor.finish_step(context))? {
            return Ok(false);
        }
        for target in &mut self.tables {
            if !target.follow_words(&self.root, context)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Between two statements, or two steps of one: edits that wait beside trees go into them, at the end of all edits or where they have
    /// become many. `false` when the fuel is used up.
    pub fn merge(&mut self, at: MergePoint, context: &Context) -> Result<bool> {
        self.each_step(|editor| editor.merge(at, context))
    }

    fn each_step(&mut self, mut step: impl FnMut(&mut TableEditor) -> Result<bool>) -> Result<bool> {
        for target in &mut self.tables {
            if !step(&mut target.editor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the edits what the transaction sees. The writer is of no more use then.
    pub fn publish(&mut self, catalog: &Catalog) -> Result<()> {
        self.publish_while(catalog, &|_| Ok(()))
    }

    /// The same of edits of nothing but the statement that runs, which may be interrupted meanwhile.
    pub fn publish_own(&mut self, context: &Context) -> Result<()> {
        self.publish_while(&context.catalog, &|steps| context.work(steps))
    }

    fn publish_while(&mut self, catalog: &Catalog, work: &Working<'_>) -> Result<()> {
        self.check_open()?;
        self.take_counters(&catalog.transaction)?;
        self.is_published = true;
        self.refresh(catalog)?;
        let mut root = self.root.clone();
        if self.has_resolved_keys {
            root = root.with_foreign_keys(&self.keys)?;
        }
        for target in &mut self.tables {
            root = match (target.following.take(), target.editor.finish()?) {
                (Some(following), Some(table)) => following.over(root.with_table(&target.name, &table)?)?,
                _ => with_edits(root, &target.name, &mut target.editor, work)?,
            };
        }
        catalog.set_root(&self.place, &root)
    }

    /// Takes back [`Writer::publish`], whose names are forgotten: edits since [`Writer::mark`] can be taken back as before.
    pub fn reopen(&mut self) {
        self.is_published = false;
    }
}

/// A root with the edits of one of its tables, which the tables of its full-text indexes follow.
pub fn with_edits(root: RootValue, name: &str, editor: &mut TableEditor, work: &Working<'_>) -> Result<RootValue> {
    let Some(table) = editor.finish()? else { return Ok(root) };
    let before = root.table(name)?.filter(|_| full_text::has_index(&table));
    let root = root.with_table(name, &table)?;
    match before {
        Some(before) => full_text::follow(root, Some(&before), &table, work),
        None => Ok(root),
    }
}
