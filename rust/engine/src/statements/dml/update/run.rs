//! A running UPDATE or DELETE: the rows that its source finds are changed one by one.

use std::rc::Rc;

use hashbrown::HashSet;
use value::Value;

use super::super::insert::{STORED_ROW_WORK, may_be_ignored};
use super::plan::ChangePlan;
use crate::batch::Batch;
use crate::bind::Assigned;
use crate::cursor::{Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::exec::{Poll, Source};
use crate::expr::Context;
use crate::routine::{TriggerRow, Triggers};
use crate::session::Session;
use crate::state::WRITE_WORK;
use crate::write::{Row, RowChange, RowRules, Stored, Writer, Written, base_of, differs_in_letters, eval_over};

/// A running UPDATE or DELETE.
pub(super) struct Change {
    writer: Option<Writer>,
    targets: Vec<Target>,
    source: Source,
    /// The batch whose rows are being changed, and how many of them were.
    held: Option<(Batch, usize)>,
    /// `None` for DELETE.
    assignments: Option<Rc<[Assignment]>>,
    ignore: bool,
    matched: u64,
    affected: u64,
    warnings: usize,
    /// All rows were changed.
    is_complete: bool,
}

pub(super) struct Target {
    pub(super) table: usize,
    pub(super) rules: RowRules,
    /// Its first column in a source row.
    pub(super) first: usize,
    pub(super) columns: usize,
    /// Keys of rows that were seen: a join may give a row several times, and it is changed once.
    pub(super) seen: Option<HashSet<Vec<u8>>>,
    pub(super) is_joined: bool,
    pub(super) triggers: Option<Triggers>,
}

/// The value of a column of a target, over the columns of a source row.
pub(super) struct Assignment {
    pub(super) target: usize,
    pub(super) column: usize,
    pub(super) assigned: Assigned,
}

impl Change {
    pub(super) fn new(session: &Session, plan: &ChangePlan, context: &Rc<Context>) -> Result<Change> {
        let place = match plan.targets.first() {
            Some(target) => session.catalog().place_of_table(target.relation.as_ref())?,
            None => session.catalog().place(None)?,
        };
        let source = plan.template.build(context)?;
        let mut writer = Writer::new(context, place)?;
        let is_update = plan.assignments.is_some();
        let mut targets = Vec::with_capacity(plan.targets.len());
        for target in plan.targets.iter() {
            let base = base_of(&target.relation)?;
            if !target.relation.database().eq_ignore_ascii_case(&writer.place().name) {
                return Err(SqlError::unsupported("changing tables of several databases at once"));
            }
            let rules = RowRules::new(base, context, plan.ignore)?;
            let triggers = Triggers::of_table(session, writer.place(), base, plan.event())?;
            writer.resolve_keys(
                target.relation.name(),
                if is_update { RowChange::Updated } else { RowChange::Deleted },
            )?;
            targets.push(Target {
                table: writer.open(target.relation.name())?,
                rules,
                first: target.first,
                columns: target.columns,
                seen: (plan.is_joined && is_update).then(HashSet::new),
                is_joined: plan.is_joined,
                triggers,
            });
        }
        Ok(Change {
            writer: Some(writer),
            targets,
            source,
            held: None,
            assignments: plan.assignments.clone(),
            ignore: plan.ignore,
            matched: 0,
            affected: 0,
            warnings: context.session.warning_count(),
            is_complete: false,
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
            context.work(STORED_ROW_WORK + 4 * (old.entry.key.len() + old.entry.value.len()))?;
            let done = match &changed {
                None => delete_row(writer, target, &old, context).map(|()| true),
                Some(changed) => {
                    let assignments = self.assignments.iter().flat_map(|assignments| assignments.iter());
                    let columns: Vec<usize> = assignments.map(|assignment| assignment.column).collect();
                    update_row(writer, target, &old, changed[own].to_vec(), &columns, context)
                }
            };
            let done = passed_over(done, self.ignore, context)?;
            // A joined row that is deleted counts once, however many tables it is deleted from.
            match &changed {
                None => is_deleted |= done,
                Some(_) => self.affected += u64::from(done),
            }
        }
        self.affected += u64::from(is_deleted);
        Ok(())
    }

    fn finish(&mut self, context: &Rc<Context>) -> Result<Outcome> {
        if let Some(mut writer) = self.writer.take() {
            writer.publish(&context.catalog)?;
        }
        let warnings = context.session.warning_count() - self.warnings;
        Ok(outcome(self.matched, self.affected, warnings, self.assignments.is_some()))
    }
}

pub(super) fn outcome(matched: u64, affected: u64, warnings: usize, is_update: bool) -> Outcome {
    let info = is_update.then(|| format!("Rows matched: {matched}  Changed: {affected}  Warnings: {warnings}"));
    Outcome { affected, info, matched: is_update.then_some(matched), ..Outcome::default() }
}

/// Whether a row was changed; with IGNORE some errors of it are warnings.
pub(super) fn passed_over(done: Result<bool>, ignore: bool, context: &Context) -> Result<bool> {
    match done {
        Err(error) if ignore && (error.errno == 1451 || may_be_ignored(&error)) => {
            context.session.note(error.errno, error.into_message());
            Ok(false)
        }
        done => done,
    }
}

/// A source row with its assignments made, one after the other.
#[inline(never)]
pub(super) fn assigned(
    targets: &[Target],
    assignments: &[Assignment],
    mut values: Row,
    context: &Rc<Context>,
) -> Result<Row> {
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
#[inline(never)]
pub(super) fn update_row(
    writer: &mut Writer,
    target: &Target,
    old: &Stored,
    mut row: Row,
    columns: &[usize],
    context: &Rc<Context>,
) -> Result<bool> {
    // Of a join the reference passes over rows that the assignments leave as they are; other rows have triggers all the same.
    if target.is_joined && target.triggers.is_some() && target.rules.are_same(&old.row, &row) {
        return Ok(false);
    }
    target.rules.touch(&old.row, &mut row, columns, context)?;
    if let Some(triggers) = &target.triggers {
        target.rules.generate(&mut row, context)?;
        triggers.before(TriggerRow::Update { old: &old.row, new: &mut row }, context)?;
        target.rules.refit(&mut row, context)?;
        writer.refresh(&context.catalog)?;
    }
    target.rules.complete_update(&mut row, context)?;
    // Other letters alone do not count.
    let is_changed = !target.rules.are_same(&old.row, &row);
    let is_written = is_changed || writer.has_keys(target.table) && differs_in_letters(&old.row, &row);
    let mut new = writer.stored(target.table, row)?;
    if is_written && let Written::Refused(duplicate) = writer.update(target.table, old, &new)? {
        return Err(writer.duplicate_error(target.table, &duplicate, &new.row));
    }
    // Rows that stay as they are count too.
    if let Some(triggers) = &target.triggers {
        triggers.after(TriggerRow::Update { old: &old.row, new: &mut new.row }, context)?;
        writer.refresh(&context.catalog)?;
    }
    Ok(is_changed)
}

#[inline(never)]
fn delete_row(writer: &mut Writer, target: &Target, old: &Stored, context: &Rc<Context>) -> Result<()> {
    let Some(triggers) = &target.triggers else { return writer.delete(target.table, old) };
    triggers.before(TriggerRow::Delete(&old.row), context)?;
    writer.refresh(&context.catalog)?;
    writer.delete(target.table, old)?;
    triggers.after(TriggerRow::Delete(&old.row), context)?;
    writer.refresh(&context.catalog)
}

impl Effect for Change {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        self.writer.as_ref().map_or(Ok(()), Writer::make_room)?;
        let done = self.work(context);
        if let (Err(error), Some(writer)) = (&done, &self.writer) {
            writer.failed(error, &context.catalog.transaction);
        }
        done
    }
}

impl Change {
    fn work(&mut self, context: &Rc<Context>) -> Result<Progress> {
        if let Some(writer) = &mut self.writer
            && !writer.merge(false, context)?
        {
            return Ok(Progress::Yield);
        }
        while !self.is_complete {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            if let Some((batch, row)) = self.held.take() {
                context.spend(1);
                context.spend_work(WRITE_WORK);
                self.change(&batch, row, context)?;
                if row + 1 < batch.rows {
                    self.held = Some((batch, row + 1));
                }
                continue;
            }
            match self.source.next(context)? {
                Poll::Yield => return Ok(Progress::Yield),
                Poll::Done => self.is_complete = true,
                Poll::Batch(batch) => self.held = Some((batch, 0)),
            }
        }
        if let Some(writer) = &mut self.writer
            && !writer.finish_step(context)?
        {
            return Ok(Progress::Yield);
        }
        Ok(Progress::Done(self.finish(context)?))
    }
}
