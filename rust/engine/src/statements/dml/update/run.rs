//! A running UPDATE or DELETE: the rows that its source finds are changed one by one.

use std::ops::Range;
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
use crate::write::{
    MergePoint, Row, RowChange, RowRules, Stored, Writer, Written, base_of, differs_in_letters, eval_over,
};

/// A running UPDATE or DELETE.
pub(super) struct Change {
    writer: Option<Writer>,
    targets: Vec<Target>,
    source: Source,
    /// The batch whose rows are being changed, and how many of them were.
    held: Option<(Batch, usize)>,
    /// The row that is being changed, where it took longer than a call.
    changing: Option<ChangingRow>,
    /// `None` for DELETE.
    assignments: Option<Rc<[Assignment]>>,
    ignore: bool,
    matched: u64,
    affected: u64,
    warnings: usize,
    /// All rows were changed.
    is_complete: bool,
}

/// A row of the source while it is changed in one target after the other.
struct ChangingRow {
    values: Row,
    /// The same with the assignments of an UPDATE made.
    assigned: Option<Row>,
    /// The next target.
    target: usize,
    /// That target's row, where its children still follow.
    begun: Option<BegunRow>,
    /// Whether it was deleted from a target.
    is_deleted: bool,
}

/// A row of a target that was changed, but for its children and the triggers after that.
struct BegunRow {
    old: Stored,
    /// `None` for a row that was deleted.
    new: Option<Stored>,
    /// Whether the change counts.
    counts: bool,
}

/// The row of a target in a source row.
enum Found {
    New(Stored),
    Seen,
    /// An outer join has found nothing.
    None,
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
        let source = plan.physical.build(context)?;
        let mut writer = Writer::new(context, place)?;
        let is_update = plan.assignments.is_some();
        let mut targets = Vec::with_capacity(plan.targets.len());
        for target in plan.targets.iter() {
            let base = base_of(&target.relation)?;
            if !target.relation.database().eq_ignore_ascii_case(&writer.place().name) {
                return Err(SqlError::unsupported("changing tables of several databases at once"));
            }
            let rules = RowRules::new(base, context, plan.ignore)?.with_view_checks(&plan.checks);
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
                // In the reference the triggers of a DELETE fire for each joined row.
                seen: (plan.is_joined && (is_update || triggers.is_none())).then(HashSet::new),
                is_joined: plan.is_joined,
                triggers,
            });
        }
        Ok(Change {
            writer: Some(writer),
            targets,
            source,
            held: None,
            changing: None,
            assignments: plan.assignments.clone(),
            ignore: plan.ignore,
            matched: 0,
            affected: 0,
            warnings: context.session.warning_count(),
            is_complete: false,
        })
    }

    fn changing(&self, values: Row, context: &Rc<Context>) -> Result<ChangingRow> {
        let assigned = match &self.assignments {
            Some(assignments) => Some(assigned(&self.targets, assignments, values.clone(), context)?),
            None => None,
        };
        Ok(ChangingRow { values, assigned, target: 0, begun: None, is_deleted: false })
    }

    /// Changes a row; keeps it where the call is over before all of its children have followed.
    fn change(&mut self, mut row: ChangingRow, context: &Rc<Context>) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Err(SqlError::internal("a change that has ended goes on")) };
        let pauses = || {
            context.spend(1);
            context.is_out_of_fuel()
        };
        while let Some(target) = self.targets.get_mut(row.target) {
            let begun = match row.begun.take() {
                Some(begun) => Ok(Some(begun)),
                None => {
                    let old = match target.found(writer, &row.values)? {
                        Found::New(old) => old,
                        found => {
                            row.is_deleted |= row.assigned.is_none() && matches!(found, Found::Seen);
                            row.target += 1;
                            continue;
                        }
                    };
                    self.matched += 1;
                    context.work(STORED_ROW_WORK + 4 * (old.entry.key.len() + old.entry.value.len()))?;
                    match &row.assigned {
                        None => begin_delete(writer, target, old, context).map(Some),
                        Some(assigned) => {
                            let assignments = self.assignments.iter().flat_map(|assignments| assignments.iter());
                            let columns: Vec<usize> = assignments.map(|assignment| assignment.column).collect();
                            begin_update(writer, target, old, assigned[target.own()].to_vec(), &columns, context)
                        }
                    }
                }
            };
            let done = begun.and_then(|begun| match begun {
                Some(begun) if !writer.follow(&pauses)? => {
                    row.begun = Some(begun);
                    Ok(None)
                }
                begun => end_row(writer, target, begun, context).map(Some),
            });
            let Some(done) = done.transpose() else {
                self.changing = Some(row);
                return Ok(());
            };
            let done = passed_over(done, self.ignore, context)?;
            // A joined row that is deleted counts once, however many tables it is deleted from.
            match &row.assigned {
                None => row.is_deleted |= done,
                Some(_) => self.affected += u64::from(done),
            }
            row.target += 1;
        }
        self.affected += u64::from(row.is_deleted);
        Ok(())
    }

    fn finish(&mut self, context: &Rc<Context>) -> Result<Outcome> {
        if let Some(mut writer) = self.writer.take() {
            writer.publish_own(context)?;
        }
        let warnings = context.session.warning_count() - self.warnings;
        Ok(outcome(self.matched, self.affected, warnings, self.assignments.is_some()))
    }
}

impl Target {
    /// Its columns in a source row.
    fn own(&self) -> Range<usize> {
        self.first..self.first + self.columns
    }

    /// Its row in a source row.
    fn found(&mut self, writer: &mut Writer, values: &Row) -> Result<Found> {
        let row: Row = values[self.own()].to_vec();
        if self.is_joined && row.iter().all(Value::is_null) {
            return Ok(Found::None);
        }
        let stored = writer.existing(self.table, row)?;
        let is_new = self.seen.as_mut().is_none_or(|seen| seen.insert(stored.entry.key.clone()));
        Ok(if is_new { Found::New(stored) } else { Found::Seen })
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
pub(super) fn update_row(
    writer: &mut Writer,
    target: &Target,
    old: Stored,
    row: Row,
    columns: &[usize],
    context: &Rc<Context>,
) -> Result<bool> {
    let begun = begin_update(writer, target, old, row, columns, context)?;
    writer.follow(&|| false)?;
    end_row(writer, target, begun, context)
}

/// As [`update_row`], but for what follows. `None` where nothing is to be done.
#[inline(never)]
fn begin_update(
    writer: &mut Writer,
    target: &Target,
    old: Stored,
    mut row: Row,
    columns: &[usize],
    context: &Rc<Context>,
) -> Result<Option<BegunRow>> {
    // Of a join the reference passes over rows that the assignments leave as they are; other rows have triggers all the same.
    if target.is_joined && target.triggers.is_some() && target.rules.are_same(&old.row, &row) {
        return Ok(None);
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
    let counts = !target.rules.are_same(&old.row, &row);
    let is_written = counts || writer.has_keys(target.table) && differs_in_letters(&old.row, &row);
    let new = writer.stored(target.table, row)?;
    if is_written && let Written::Refused(duplicate) = writer.begin_update(target.table, &old, &new)? {
        return Err(writer.duplicate_error(target.table, &duplicate, &new.row));
    }
    Ok(Some(BegunRow { old, new: Some(new), counts }))
}

#[inline(never)]
fn begin_delete(writer: &mut Writer, target: &Target, old: Stored, context: &Rc<Context>) -> Result<BegunRow> {
    if let Some(triggers) = &target.triggers {
        triggers.before(TriggerRow::Delete(&old.row), context)?;
        writer.refresh(&context.catalog)?;
    }
    writer.begin_delete(target.table, &old)?;
    Ok(BegunRow { old, new: None, counts: true })
}

/// The children of a row have followed: whether its change counts.
fn end_row(writer: &mut Writer, target: &Target, begun: Option<BegunRow>, context: &Rc<Context>) -> Result<bool> {
    let Some(BegunRow { old, new, counts }) = begun else { return Ok(false) };
    // Rows that stay as they are count too.
    if let Some(triggers) = &target.triggers {
        let old = &old.row;
        match new {
            Some(mut new) => triggers.after(TriggerRow::Update { old, new: &mut new.row }, context)?,
            None => triggers.after(TriggerRow::Delete(old), context)?,
        }
        writer.refresh(&context.catalog)?;
    }
    Ok(counts)
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
            && !writer.merge(MergePoint::Between, context)?
        {
            return Ok(Progress::Yield);
        }
        while !self.is_complete {
            if context.is_out_of_fuel() {
                return Ok(Progress::Yield);
            }
            if let Some(row) = self.changing.take() {
                self.change(row, context)?;
                continue;
            }
            if let Some((batch, row)) = self.held.take() {
                context.spend(1);
                context.spend_work(WRITE_WORK);
                self.change(self.changing(batch.row(row), context)?, context)?;
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
