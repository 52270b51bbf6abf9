//! UPDATE and DELETE of system tables that show rows of others: conflicts, violations, the workspace
//! (docs/format/database.md, sections 10.7 and 12).

mod conflicts;
mod workspace;

use std::rc::Rc;

use hashbrown::HashSet;
use value::Value;
use vcs::{RootValue, Table};

use super::placed::placed;
use crate::bind::BoundRows;
use crate::catalog::Place;
use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::exec::{self, Poll, Source};
use crate::expr::{Context, Expr};
use crate::optimizer;
use crate::session::Session;
use crate::system_tables;
use crate::system_tables::diff::workspace::PREFIX as WORKSPACE;
use crate::system_tables::merge::artifact_rows::{self, CONFLICTS, VIOLATIONS};
use crate::write::{Row, RowRules};

enum Change {
    /// Conflicts that are decided.
    Resolve,
    /// Values for columns of our rows, by their positions among the conflicts' and the table's.
    Ours { rules: Box<RowRules>, assignments: Vec<(usize, usize, Expr)>, shown: Vec<Option<usize>> },
    /// Violations that are dismissed.
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
    let BoundRows { plan, columns, targets, assignments, mut types, .. } = bound;
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
    let set = placed(&columns, assignments)?;
    let (prefix, change, names) = if system_tables::stored(&name).is_some_and(|stored| stored.is_written_by_users) {
        ("", Change::None, Some(0))
    } else if name.starts_with(CONFLICTS) && is_update {
        (
            CONFLICTS,
            conflicts::ours(session, &place, relation.as_ref(), set, context)?,
            position(artifact_rows::CONFLICT_ID),
        )
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
    let plan = optimizer::optimize(plan, &mut types, context)?;
    let source = exec::lower(&plan, &types)?.build(context)?;
    let running = SystemRows { source, rows: Vec::new(), table, place, change, names, is_update };
    Ok(Cursor::of_running(Box::new(running), context.clone()))
}

fn only_staged() -> SqlError {
    SqlError::general("only update of column 'staged' is allowed")
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
            Change::Stage { value, staged } => return self.set_staged(value, *staged, context),
            Change::Revert => self.revert(context)?,
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

    fn accept(&self, context: &Rc<Context>) -> Result<()> {
        let (root, name, table) = self.working()?;
        let keys: HashSet<&[u8]> = self.rows.iter().filter_map(|row| bytes(&row[self.names])).collect();
        let mut draft = table.draft();
        draft.artifacts = vcs::without_artifacts(&table, |artifact| keys.contains(&*artifact.key))?;
        context.catalog.set_root(&self.place, &root.with_table(&name, &draft.write()?)?)
    }
}

fn bytes<'v>(value: &'v Value<'_>) -> Option<&'v [u8]> {
    match value {
        Value::Bytes(bytes) => Some(bytes),
        _ => None,
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
