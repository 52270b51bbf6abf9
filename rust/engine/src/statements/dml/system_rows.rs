//! UPDATE and DELETE of system tables that show rows of others: conflicts, violations, the workspace
//! (docs/format/database.md, sections 10.7 and 12).

use std::rc::Rc;

use hashbrown::HashSet;
use value::Value;
use vcs::{NamedConflicts, RootValue, Table, TableDraft, WorkingSet};

use super::update;
use crate::bind::{Assigned, BoundRows};
use crate::catalog::Place;
use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::exec::{self, Poll, Source};
use crate::expr::{Context, Expr};
use crate::rules;
use crate::session::Session;
use crate::system_tables::{self, artifact_rows, workspace};
use crate::write::{Entry, Row, RowRules, Stored, TableEditor, Writer, Written, eval_over, null_error};

const CONFLICTS: &str = "dolt_conflicts_";
const VIOLATIONS: &str = "dolt_constraint_violations_";
const WORKSPACE: &str = "dolt_workspace_";

enum Change {
    /// Conflicts that are decided.
    Resolve,
    /// Values for columns of our rows, by their positions among the conflicts' and the table's.
    Ours { rules: Box<RowRules>, assignments: Vec<(usize, usize, Expr)>, shown: Vec<Option<usize>> },
    /// Violations that nobody minds.
    Accept,
    /// Changes that go to the staged table, or come back from it; the value for the column `staged`, and where it is.
    Stage { value: Expr, staged: usize },
    /// Changes that are undone.
    Revert,
    /// There are no rows.
    None,
}

/// A running statement.
struct SystemRows {
    source: Source,
    /// Rows that the condition chose.
    rows: Vec<Row>,
    /// The table that the rows are of.
    table: Box<str>,
    place: Place,
    change: Change,
    /// Positions of the columns that name a row.
    names: usize,
    is_update: bool,
}

/// Begins an UPDATE or DELETE whose target is no stored table.
pub fn begin(session: &Session, bound: BoundRows, is_update: bool, context: &Rc<Context>) -> Result<Cursor> {
    let BoundRows { plan, columns, targets, assignments, mut types } = bound;
    let refused = || {
        let statement = if is_update { "UPDATE" } else { "DELETE FROM" };
        SqlError::general(format!("table doesn't support {statement}"))
    };
    let [target] = &targets[..] else { return Err(refused()) };
    let relation = &target.relation;
    let place = session.catalog().place(Some(relation.database()))?;
    let name = relation.name().to_lowercase();
    if name == "dolt_branches" {
        let text = "the dolt_branches table is read-only; use the dolt_branch stored procedure to edit remotes";
        return Err(SqlError::general(text));
    }
    if name == "dolt_schemas" && is_update {
        return Err(SqlError::general("the dolt_schemas table cannot be modified directly"));
    }
    let position = |wanted: &str| relation.columns().iter().position(|column| &*column.name == wanted);
    let set = update::placed(&columns, assignments)?;
    let (prefix, change, names) = if system_tables::is_written_by_users(&name) {
        ("", Change::None, Some(0))
    } else if name.starts_with(CONFLICTS) && is_update {
        (CONFLICTS, ours(session, &place, relation.as_ref(), set, context)?, position(artifact_rows::CONFLICT_ID))
    } else if name.starts_with(CONFLICTS) {
        (CONFLICTS, Change::Resolve, position(artifact_rows::CONFLICT_ID))
    } else if name.starts_with(VIOLATIONS) && !is_update {
        (VIOLATIONS, Change::Accept, position(artifact_rows::ARTIFACT))
    } else if name.starts_with(WORKSPACE) && is_update {
        let [(staged, value)] = <[_; 1]>::try_from(set).map_err(|_| only_staged())?;
        if Some(staged) != position("staged") {
            return Err(only_staged());
        }
        (WORKSPACE, Change::Stage { value, staged }, position("id"))
    } else if name.starts_with(WORKSPACE) {
        (WORKSPACE, Change::Revert, position("id"))
    } else {
        return Err(refused());
    };
    let names = names.ok_or_else(refused)?;
    let table = name[prefix.len()..].into();
    session.catalog().transaction.check_writable()?;
    let plan = rules::optimize(plan, &mut types, context)?;
    let source = exec::lower(&plan, &types)?.build(context)?;
    let running = SystemRows { source, rows: Vec::new(), table, place, change, names, is_update };
    Ok(Cursor::of_running(Box::new(running), context.clone()))
}

fn only_staged() -> SqlError {
    SqlError::general("only update of column 'staged' is allowed")
}

/// What an UPDATE of conflicts assigns: columns of others than us may be named, and keep their values.
fn ours(
    session: &Session,
    place: &Place,
    relation: &dyn crate::catalog::Relation,
    set: Vec<(usize, Expr)>,
    context: &Rc<Context>,
) -> Result<Change> {
    let table = &relation.name()[CONFLICTS.len()..];
    let catalog = session.catalog();
    let base = catalog.stored(place, &place.root()?, table)?.ok_or_else(|| SqlError::table_not_found(table))?;
    let rules = Box::new(RowRules::new(&base, context, false)?);
    let own = crate::catalog::Relation::columns(&*base);
    let assignments = set.into_iter().filter_map(|(position, value)| {
        let name = relation.columns()[position].name.strip_prefix("our_")?;
        let column = own.iter().position(|column| &*column.name == name)?;
        Some((position, column, value))
    });
    let position = |column: &crate::catalog::Column| {
        let name = format!("our_{}", column.name);
        relation.columns().iter().position(|column| *column.name == *name)
    };
    let shown = own.iter().map(position).collect();
    Ok(Change::Ours { assignments: assignments.collect(), rules, shown })
}

impl SystemRows {
    fn apply(&mut self, context: &Rc<Context>) -> Result<u64> {
        let count = self.rows.len() as u64;
        if self.rows.is_empty() {
            return Ok(0);
        }
        match &self.change {
            Change::None => return Ok(0),
            Change::Resolve => self.resolve(context)?,
            // What is assigned to other sides is not kept, and counts all the same.
            Change::Ours { assignments, .. } if assignments.is_empty() => {}
            Change::Ours { rules, assignments, shown } => return self.write_ours(rules, assignments, shown, context),
            Change::Accept => self.accept(context)?,
            Change::Stage { value, staged } => {
                let is_true = |value: &Value| value::truth(value) == Some(true);
                let (mut to_stage, mut to_unstage) = (HashSet::new(), HashSet::new());
                for row in &self.rows {
                    let stages = is_true(&eval_over(value, row, context)?);
                    if stages != is_true(&row[*staged]) {
                        if stages { &mut to_stage } else { &mut to_unstage }.insert(id(&row[self.names])?);
                    }
                }
                if to_stage.is_empty() && to_unstage.is_empty() {
                    return Ok(0);
                }
                return self.stage(&to_stage, &to_unstage, context);
            }
            Change::Revert => {
                let ids = self.rows.iter().map(|row| id(&row[self.names])).collect::<Result<HashSet<u64>>>()?;
                self.revert(&ids, context)?;
            }
        }
        Ok(count)
    }

    /// The working root and the table, with its name as it is stored.
    fn working(&self) -> Result<(RootValue, Box<str>, Table)> {
        let root = self.place.root()?;
        let missing = || SqlError::table_not_found(&self.table);
        let (name, address) = root.find_table(&self.table)?.ok_or_else(missing)?;
        let table = root.objects().table(&address)?;
        Ok((root, name, table))
    }

    fn resolve(&self, context: &Rc<Context>) -> Result<()> {
        let (root, name, table) = self.working()?;
        let Some(conflicts) = NamedConflicts::of(&root, &name)? else { return Ok(()) };
        let known = artifact_rows::conflict_keys(&table)?;
        let keys = self.rows.iter().filter_map(|row| known.get(text(&row[self.names])?));
        let keys: Vec<Box<[u8]>> = keys.map(|known| known.artifact.clone()).collect();
        context.catalog.set_root(&self.place, &conflicts.remove(&keys)?)
    }

    /// Assigns to our side of conflicts; how many of them are not what they were. A row that is gone on our side comes back.
    fn write_ours(
        &self,
        rules: &RowRules,
        assignments: &[(usize, usize, Expr)],
        shown: &[Option<usize>],
        context: &Rc<Context>,
    ) -> Result<u64> {
        let (_, name, table) = self.working()?;
        let known = artifact_rows::conflict_keys(&table)?;
        let mut writer = Writer::new(context, self.place.clone())?;
        let at = writer.open(&name)?;
        let columns: Vec<usize> = assignments.iter().map(|(_, column, _)| *column).collect();
        let mut count = 0;
        for row in &self.rows {
            let mut values = row.clone();
            for (position, column, value) in assignments {
                let value = eval_over(value, &values, context)?;
                values[*position] = rules.assign(*column, &value, context)?;
            }
            let ours = |of: &Row| -> Row {
                shown.iter().map(|position| position.map_or(Value::Null, |position| of[position].clone())).collect()
            };
            let (before, mut new) = (ours(row), ours(&values));
            if rules.are_same(&before, &new) {
                continue;
            }
            count += 1;
            let is_refused = |at: &usize| shown[*at].is_some() && new[*at].is_null() && rules.null_error(*at).is_some();
            if let Some(column) = (0..new.len()).find(is_refused) {
                return Err(null_error(&format!("our_{}", rules.column_name(column))));
            }
            let Some(key) = text(&row[self.names]).and_then(|id| known.get(id)) else { continue };
            let old = match writer.editor(at).get(&key.row)? {
                Some(entry) => Some(Stored { row: writer.editor(at).decode(&entry)?, entry }),
                None => None,
            };
            if let Some(old) = &old {
                new = old.row.clone();
                for (position, column, _) in assignments {
                    new[*column] = values[*position].clone();
                }
            }
            let before = old.as_ref().map_or(&before, |old| &old.row);
            rules.touch(before, &mut new, &columns, context)?;
            rules.complete_update(&mut new, context)?;
            if rules.are_same(before, &new) {
                continue;
            }
            let new = writer.stored(at, new)?;
            let written = match &old {
                Some(old) => writer.update(at, old, &new)?,
                None => writer.insert(at, &new)?,
            };
            if let Written::Refused(duplicate) = written {
                return Err(writer.duplicate_error(at, &duplicate, &new.row));
            }
        }
        writer.publish(&context.catalog)?;
        Ok(count)
    }

    fn accept(&self, context: &Rc<Context>) -> Result<()> {
        let (root, name, table) = self.working()?;
        let keys: HashSet<&[u8]> = self.rows.iter().filter_map(|row| bytes(&row[self.names])).collect();
        let mut draft = table.draft();
        draft.artifacts = vcs::without_artifacts(&table, |artifact| keys.contains(&*artifact.key))?;
        context.catalog.set_root(&self.place, &root.with_table(&name, &draft.write()?)?)
    }

    /// Moves changes between the staged and the working state; how many were not where they are to be.
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
    fn revert(&self, ids: &HashSet<u64>, context: &Rc<Context>) -> Result<()> {
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
                let kind = if duplicate.index.is_some() { "unique" } else { "primary" };
                let values = self.editor.key_values(duplicate.index, &row);
                return Err(SqlError::new(1062, format!("duplicate {kind} key given: {values}")));
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

fn id(value: &Value<'_>) -> Result<u64> {
    match value {
        Value::UInt(id) => Ok(*id),
        _ => Err(SqlError::internal("a change of the workspace has no number")),
    }
}

fn text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn bytes<'v>(value: &'v Value<'_>) -> Option<&'v [u8]> {
    match value {
        Value::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

/// An assignment's value; DEFAULT is NULL here.
pub fn value_of(assigned: Assigned) -> Expr {
    match assigned {
        Assigned::Value(value) => value,
        Assigned::Default => Expr::null(),
    }
}

impl Effect for SystemRows {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        loop {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            match self.source.next(context)? {
                Poll::Yield => return Ok(Progress::Yield),
                Poll::Done => break,
                Poll::Batch(batch) => {
                    context.spend(batch.rows);
                    self.rows.extend((0..batch.rows).map(|row| batch.row(row)));
                }
            }
        }
        let affected = self.apply(context)?;
        let info = format!("Rows matched: {}  Changed: {affected}  Warnings: 0", self.rows.len());
        Ok(Progress::Done(Outcome { affected, info: self.is_update.then_some(info), ..Outcome::default() }))
    }
}
