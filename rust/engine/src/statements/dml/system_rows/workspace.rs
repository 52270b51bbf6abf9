//! Changes of the workspace tables: stage, unstage and undo rows.

use std::rc::Rc;

use hashbrown::HashSet;
use value::Value;
use vcs::{RootValue, TableDraft, WorkingSet};

use super::SystemRows;
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::system_tables::diff::workspace;
use crate::write::{Entry, Stored, TableEditor, Writer, Written, eval_over};

impl SystemRows {
    /// Moves changes to where the value for their column `staged`, which is at that position, says; how many were not there.
    pub(super) fn set_staged(&self, value: &Expr, staged: usize, context: &Rc<Context>) -> Result<u64> {
        let is_true = |value: &Value| value::truth(value) == Some(true);
        let (mut to_stage, mut to_unstage) = (HashSet::new(), HashSet::new());
        for row in &self.rows {
            let stages = is_true(&eval_over(value, row, context)?);
            if stages != is_true(&row[staged]) {
                if stages { &mut to_stage } else { &mut to_unstage }.insert(id(&row[self.names])?);
            }
        }
        if to_stage.is_empty() && to_unstage.is_empty() {
            return Ok(0);
        }
        self.stage(&to_stage, &to_unstage, context)
    }

    fn stage(&self, staged: &HashSet<u64>, unstaged: &HashSet<u64>, context: &Rc<Context>) -> Result<u64> {
        let set = context.catalog.working_set(&self.place)?;
        let root = self.place.refs.objects().root_value(&set.staged)?;
        let mut changes = Vec::new();
        let mut draft = match StagedDraft::new(&root, &self.table)? {
            Some(draft) => draft,
            None => StagedDraft::of_new_table(&self.place.root()?, &self.table)?,
        };
        workspace::each_change(&self.place, &self.table, &mut |id, is_staged, from, to| {
            match is_staged {
                true if unstaged.contains(&id) => changes.push((to, from)),
                false if staged.contains(&id) => changes.push((from, to)),
                _ => {}
            }
            Ok(())
        })?;
        let count = changes.len() as u64;
        draft.put(changes)?;
        let Some(root) = draft.finish(&root)? else { return Ok(0) };
        let catalog = &context.catalog;
        catalog.set_working_set(&self.place, WorkingSet { staged: root.address(), ..set })?;
        Ok(count)
    }

    /// Undoes changes as statements of their own would: with what follows them over foreign keys, and what forbids them.
    pub(super) fn revert(&self, context: &Rc<Context>) -> Result<()> {
        let ids = self.rows.iter().map(|row| id(&row[self.names])).collect::<Result<HashSet<u64>>>()?;
        let (_, name, _) = self.working()?;
        let mut changes = Vec::new();
        workspace::each_change(&self.place, &self.table, &mut |id, is_staged, from, to| {
            match is_staged {
                _ if !ids.contains(&id) => {}
                true => return Err(SqlError::general("cannot delete staged rows from workspace")),
                false => changes.push((to, from)),
            }
            Ok(())
        })?;
        let mut writer = Writer::new(context, self.place.clone())?;
        let at = writer.open(&name)?;
        for (old, new) in changes {
            let mut stored =
                |entry: Entry| -> Result<Stored> { Ok(Stored { row: writer.editor(at).decode(&entry)?, entry }) };
            let (old, new) = (old.map(&mut stored).transpose()?, new.map(&mut stored).transpose()?);
            let written = match (&old, &new) {
                (Some(old), Some(new)) => writer.update(at, old, new)?,
                (None, Some(new)) => writer.insert(at, new)?,
                (Some(old), None) => {
                    // What another change has taken along is gone.
                    if writer.editor(at).get(&old.entry.key)?.is_some() {
                        writer.delete(at, old)?;
                    }
                    Written::Done
                }
                (None, None) => Written::Done,
            };
            if let (Written::Refused(duplicate), Some(new)) = (written, &new) {
                return Err(writer.duplicate_error(at, &duplicate, &new.row));
            }
        }
        writer.publish(&context.catalog)
    }
}

fn id(value: &Value<'_>) -> Result<u64> {
    match value {
        Value::UInt(id) => Ok(*id),
        _ => Err(SqlError::internal("a change of the workspace has no number")),
    }
}

/// A table of one state that gets rows of another one.
struct StagedDraft {
    name: Box<str>,
    editor: TableEditor,
}

impl StagedDraft {
    fn new(root: &RootValue, name: &str) -> Result<Option<StagedDraft>> {
        let Some((name, address)) = root.find_table(name)? else { return Ok(None) };
        Ok(Some(StagedDraft { name, editor: TableEditor::new(root.objects().table(&address)?)? }))
    }

    /// A table that is not staged yet: as the working one, without rows.
    fn of_new_table(working: &RootValue, name: &str) -> Result<StagedDraft> {
        let (name, address) = working.find_table(name)?.ok_or_else(|| SqlError::table_not_found(name))?;
        let table = working.objects().table(&address)?;
        let mut empty = TableDraft::new(working.objects(), table.schema().clone())?;
        empty.auto_increment = table.draft().auto_increment;
        Ok(StagedDraft { name, editor: TableEditor::new(empty.write()?)? })
    }

    /// Takes rows away and puts others in their places.
    ///
    /// # Errors
    /// 1062 for a row that has the place of one that stays.
    fn put(&mut self, changes: Vec<(Option<Entry>, Option<Entry>)>) -> Result<()> {
        let mut added = Vec::new();
        for (old, new) in changes {
            if let Some(old) = old {
                let row = self.editor.decode(&old)?;
                self.editor.delete(&row, &old)?;
            }
            added.extend(new);
        }
        for entry in added {
            let row = self.editor.decode(&entry)?;
            if let Some(duplicate) = self.editor.duplicate(&row, &entry, None)? {
                return Err(self.editor.duplicate_error(&duplicate, &row));
            }
            self.editor.insert(&row, &entry)?;
        }
        Ok(())
    }

    fn finish(mut self, root: &RootValue) -> Result<Option<RootValue>> {
        let Some(table) = self.editor.finish()? else { return Ok(None) };
        Ok(Some(root.with_table(&self.name, &table)?))
    }
}
