//! UPDATE and DELETE.

use std::rc::Rc;

use hashbrown::HashSet;
use parse::ast::{self, TriggerEvent};
use value::Value;

use super::row::Row;
use super::rules::{RowRules, eval_over};
use super::writer::{Stored, Writer, Written, base_of};
use crate::batch::Batch;
use crate::bind::{Assigned, Binder, BoundRows, RowsSyntax};
use crate::error::{Result, SqlError};
use crate::exec::{self, Poll, Source};
use crate::expr::{Context, Expr, ExprKind};
use crate::plan::{ColumnId, rules};
use crate::routine::{TriggerRow, Triggers};
use crate::session::{Cursor, Effect, Outcome, Progress, Session, SessionNames};

/// A running UPDATE or DELETE.
struct Change {
    writer: Option<Writer>,
    targets: Vec<Target>,
    source: Source,
    /// `None` for DELETE.
    assignments: Option<Vec<Assignment>>,
    ignore: bool,
    matched: u64,
    affected: u64,
    warnings: usize,
}

struct Target {
    table: usize,
    rules: RowRules,
    /// Its first column in a source row.
    first: usize,
    columns: usize,
    /// Keys of rows that were seen: a join may give a row several times, and it is changed once.
    seen: Option<HashSet<Vec<u8>>>,
    is_joined: bool,
    triggers: Option<Triggers>,
}

/// The value of a column of a target, over the columns of a source row.
struct Assignment {
    target: usize,
    column: usize,
    assigned: Assigned,
}

pub fn update(session: &Session, sql: &str, update: &ast::Update, context: Rc<Context>) -> Result<Cursor> {
    if !update.returning.is_empty() {
        return Err(SqlError::unsupported("RETURNING"));
    }
    let syntax = RowsSyntax {
        with: update.with.as_ref(),
        tables: &update.tables,
        filter: update.filter.as_ref(),
        order_by: &update.order_by,
        limit: update.limit.as_ref(),
    };
    let parameters = context.parameter_types();
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let bound = Binder::new(&names, sql, &parameters).update(&syntax, &update.assignments)?;
    if is_system(&bound) {
        return super::system_rows::begin(session, bound, true, &context);
    }
    let change = Change::new(session, bound, true, update.ignore, is_join(&update.tables), &context)?;
    Ok(Cursor::of_running(Box::new(change), context))
}

pub fn delete(session: &Session, sql: &str, delete: &ast::Delete, context: Rc<Context>) -> Result<Cursor> {
    if !delete.returning.is_empty() {
        return Err(SqlError::unsupported("RETURNING"));
    }
    let syntax = RowsSyntax {
        with: delete.with.as_ref(),
        tables: &delete.from,
        filter: delete.filter.as_ref(),
        order_by: &delete.order_by,
        limit: delete.limit.as_ref(),
    };
    let parameters = context.parameter_types();
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let bound = Binder::new(&names, sql, &parameters).delete(&syntax, &delete.targets)?;
    if is_system(&bound) {
        return super::system_rows::begin(session, bound, false, &context);
    }
    let takes_all = delete.filter.is_none() && delete.limit.is_none() && !is_join(&delete.from);
    if takes_all && let Some(cursor) = super::truncate::instead_of_delete(&bound.targets[0], &context)? {
        return Ok(cursor);
    }
    let change = Change::new(session, bound, false, delete.ignore, is_join(&delete.from), &context)?;
    Ok(Cursor::of_running(Box::new(change), context))
}

/// Whether the rows are of a table that is not stored.
fn is_system(bound: &BoundRows) -> bool {
    bound.targets.iter().any(|target| target.relation.base().is_none())
}

/// Assignments to the columns of the first target, as expressions over rows of these columns.
pub fn placed(columns: &[ColumnId], assignments: Vec<(usize, usize, Assigned)>) -> Result<Vec<(usize, Expr)>> {
    let placed = assignments.into_iter().map(|(_, column, assigned)| {
        let mut value = super::system_rows::value_of(assigned);
        place_columns(columns, &mut value)?;
        Ok((column, value))
    });
    placed.collect()
}

/// Makes an expression read rows of these columns.
fn place_columns(columns: &[ColumnId], expr: &mut Expr) -> Result<()> {
    let mut missing = false;
    expr.rewrite(&mut |expr| {
        if let ExprKind::Column(id) = &mut expr.kind {
            match columns.iter().position(|known| known == id) {
                Some(position) => *id = position as u32,
                None => missing = true,
            }
        }
    });
    match missing {
        true => Err(SqlError::internal("an assignment reads a column that its rows do not have")),
        false => Ok(()),
    }
}

fn is_join(tables: &[ast::TableExpr]) -> bool {
    !matches!(tables, [ast::TableExpr { kind: ast::TableExprKind::Table(_), .. }])
}

impl Change {
    fn new(
        session: &Session,
        bound: BoundRows,
        is_update: bool,
        ignore: bool,
        is_join: bool,
        context: &Rc<Context>,
    ) -> Result<Change> {
        let BoundRows { plan, columns, targets: bound_targets, assignments, mut types } = bound;
        let place = match bound_targets.first() {
            Some(target) => session.catalog().place_of(target.database.as_deref(), target.relation.name())?,
            None => session.catalog().place(None)?,
        };
        let plan = rules::optimize(plan, &mut types, context)?;
        let source = exec::lower(&plan, &types)?.build(context)?;
        let mut writer = Writer::new(context, place)?;
        let mut targets = Vec::new();
        let mut first = 0;
        for target in &bound_targets {
            let base = base_of(&target.relation)?;
            if !target.relation.database().eq_ignore_ascii_case(&writer.place().name) {
                return Err(SqlError::unsupported("changing tables of several databases at once"));
            }
            let rules = RowRules::new(base, context, ignore)?;
            let event = if is_update { TriggerEvent::Update } else { TriggerEvent::Delete };
            let (name, columns) = (target.relation.name(), target.relation.columns());
            let triggers = Triggers::of_table(session, writer.place(), name, columns, event)?;
            targets.push(Target {
                table: writer.open(target.relation.name())?,
                rules,
                first,
                columns: target.columns.len(),
                seen: (is_join && is_update).then(HashSet::new),
                is_joined: is_join,
                triggers,
            });
            first += target.columns.len();
        }
        let mut placed = Vec::with_capacity(assignments.len());
        for (target, column, mut assigned) in assignments {
            if targets[target].rules.is_generated(column) && !matches!(assigned, Assigned::Default) {
                return Err(targets[target].rules.not_allowed(column));
            }
            if let Assigned::Value(expr) = &mut assigned {
                place_columns(&columns, expr)?;
            }
            placed.push(Assignment { target, column, assigned });
        }
        Ok(Change {
            writer: Some(writer),
            targets,
            source,
            assignments: is_update.then_some(placed),
            ignore,
            matched: 0,
            affected: 0,
            warnings: context.session.warning_count(),
        })
    }

    fn change(&mut self, batch: &Batch, row: usize, context: &Rc<Context>) -> Result<()> {
        let values = batch.row(row);
        let changed = match &self.assignments {
            Some(assignments) => Some(assigned(&self.targets, assignments, values.clone(), context)?),
            None => None,
        };
        let Some(writer) = &mut self.writer else { return Err(SqlError::internal("a change that has ended goes on")) };
        let mut is_deleted = false;
        for target in &mut self.targets {
            let own = target.first..target.first + target.columns;
            let row: Row = values[own.clone()].to_vec();
            // The side of an outer join that found nothing.
            if target.is_joined && row.iter().all(Value::is_null) {
                continue;
            }
            let old = writer.existing(target.table, row)?;
            if let Some(seen) = &mut target.seen
                && !seen.insert(old.entry.key.clone())
            {
                continue;
            }
            self.matched += 1;
            let done = match &changed {
                None => delete_row(writer, target, &old, context).map(|()| true),
                Some(changed) => {
                    let columns: Vec<usize> =
                        self.assignments.iter().flatten().map(|assignment| assignment.column).collect();
                    update_row(writer, target, &old, changed[own].to_vec(), &columns, context)
                }
            };
            match done {
                // A joined row that is deleted counts once, however many tables it is deleted from.
                Ok(done) if changed.is_none() => is_deleted |= done,
                Ok(done) => self.affected += u64::from(done),
                Err(error) if self.ignore && matches!(error.errno, 1062 | 1451 | 1452 | 1048) => {
                    context.session.warn(error.errno, error.message);
                }
                Err(error) => return Err(error),
            }
        }
        self.affected += u64::from(is_deleted);
        Ok(())
    }

    fn finish(&mut self, context: &Rc<Context>) -> Result<Outcome> {
        if let Some(writer) = self.writer.take() {
            writer.publish()?;
        }
        let warnings = context.session.warning_count() - self.warnings;
        let info = format!("Rows matched: {}  Changed: {}  Warnings: {warnings}", self.matched, self.affected);
        let info = self.assignments.is_some().then_some(info);
        Ok(Outcome { affected: self.affected, info, ..Outcome::default() })
    }
}

/// A source row with its assignments made, one after the other.
fn assigned(targets: &[Target], assignments: &[Assignment], mut values: Row, context: &Rc<Context>) -> Result<Row> {
    for Assignment { target, column, assigned } in assignments {
        let target = &targets[*target];
        let value = match assigned {
            Assigned::Default if target.rules.is_generated(*column) => continue,
            Assigned::Default => {
                let row = values[target.first..target.first + target.columns].to_vec();
                target.rules.default(*column, &row, context)?
            }
            Assigned::Value(expr) => eval_over(expr, &values, context)?,
        };
        values[target.first + *column] = target.rules.assign_changed(*column, &value, context)?;
    }
    Ok(values)
}

/// Puts a row in place of another; `false` when they are the same.
fn update_row(
    writer: &mut Writer,
    target: &Target,
    old: &Stored,
    mut row: Row,
    columns: &[usize],
    context: &Rc<Context>,
) -> Result<bool> {
    if let Some(triggers) = &target.triggers {
        target.rules.generate(&mut row, context)?;
        triggers.before(TriggerRow::Update { old: &old.row, new: &mut row }, context)?;
        target.rules.refit(&mut row, context)?;
        writer.refresh()?;
    }
    target.rules.complete_update(&old.row, &mut row, columns, context)?;
    let is_changed = !target.rules.are_same(&old.row, &row);
    let mut new = writer.stored(target.table, row)?;
    if is_changed && let Written::Refused(duplicate) = writer.update(target.table, old, &new)? {
        return Err(writer.duplicate_error(target.table, &duplicate, &new.row));
    }
    // Rows that stay as they are count too.
    if let Some(triggers) = &target.triggers {
        triggers.after(TriggerRow::Update { old: &old.row, new: &mut new.row }, context)?;
        writer.refresh()?;
    }
    Ok(is_changed)
}

fn delete_row(writer: &mut Writer, target: &Target, old: &Stored, context: &Rc<Context>) -> Result<()> {
    let Some(triggers) = &target.triggers else { return writer.delete(target.table, old) };
    triggers.before(TriggerRow::Delete(&old.row), context)?;
    writer.refresh()?;
    writer.delete(target.table, old)?;
    triggers.after(TriggerRow::Delete(&old.row), context)?;
    writer.refresh()
}

impl Effect for Change {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        loop {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            match self.source.next(context)? {
                Poll::Yield => return Ok(Progress::Yield),
                Poll::Done => return Ok(Progress::Done(self.finish(context)?)),
                Poll::Batch(batch) => {
                    context.spend(batch.rows);
                    for row in 0..batch.rows {
                        self.change(&batch, row, context)?;
                    }
                }
            }
        }
    }
}
