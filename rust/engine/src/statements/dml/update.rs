//! UPDATE and DELETE.

use std::rc::Rc;

use hashbrown::HashSet;
use parse::ast::{self, TriggerEvent};
use value::Value;

use super::insert::may_be_ignored;
use crate::batch::Batch;
use crate::bind::{Assigned, Binder, BoundRows, RowsSyntax};
use crate::catalog::{Relation, Stamp};
use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::exec::{self, PointAnswer, PointKey, Poll, Source, Template};
use crate::expr::{Context, Expr, ExprKind, ExprType};
use crate::names::{SessionNames, is_about_names};
use crate::plan::ColumnId;
use crate::prepared::{Prepared, WritePlan};
use crate::routine::{TriggerRow, Triggers};
use crate::rules;
use crate::session::Session;
use crate::statements::ddl::user_space;
use crate::write::{
    Row, RowChange, RowRules, Stored, Writer, Written, base_of, definitions, differs_in_letters, eval_over, shared,
};

/// A running UPDATE or DELETE.
struct Change {
    writer: Option<Writer>,
    targets: Vec<Target>,
    source: Source,
    /// `None` for DELETE.
    assignments: Option<Rc<[Assignment]>>,
    ignore: bool,
    matched: u64,
    affected: u64,
    warnings: usize,
    /// All rows were changed.
    is_complete: bool,
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

/// An UPDATE or DELETE of stored tables that is bound and lowered: it serves until a schema changes.
pub struct ChangePlan {
    template: Template,
    /// The key of the row, where it is one by its whole key and nothing else is looked at.
    point: Option<PointKey>,
    /// The place of the tables, as it was written.
    database: Option<Box<str>>,
    targets: Rc<[PlannedTarget]>,
    /// `None` for DELETE.
    assignments: Option<Rc<[Assignment]>>,
    ignore: bool,
    is_joined: bool,
    /// What it was made for.
    parameters: Rc<[ExprType]>,
    stamp: Stamp,
}

struct PlannedTarget {
    relation: Rc<dyn Relation>,
    first: usize,
    columns: usize,
}

/// What a statement is before it is bound.
#[derive(Clone, Copy)]
struct Form {
    is_update: bool,
    ignore: bool,
    is_joined: bool,
    /// A DELETE of all rows of one table.
    takes_all: bool,
}

pub fn update(session: &Session, prepared: &Prepared, update: &ast::Update, context: Rc<Context>) -> Result<Cursor> {
    refuse_returning(&update.returning)?;
    make_target(session, &update.tables)?;
    let is_joined = is_join(&update.tables);
    let form = Form { is_update: true, ignore: update.ignore, is_joined, takes_all: false };
    change(session, prepared, form, context, |binder| binder.update(&updated_rows(update), &update.assignments))
}

pub fn delete(session: &Session, prepared: &Prepared, delete: &ast::Delete, context: Rc<Context>) -> Result<Cursor> {
    refuse_returning(&delete.returning)?;
    make_target(session, &delete.from)?;
    let is_joined = is_join(&delete.from);
    let takes_all = delete.filter.is_none() && delete.limit.is_none() && !is_joined;
    let form = Form { is_update: false, ignore: delete.ignore, is_joined, takes_all };
    change(session, prepared, form, context, |binder| binder.delete(&deleted_rows(delete), &delete.targets))
}

/// A table that Dolt reads and people write is made also by a statement that finds no rows in it.
fn make_target(session: &Session, tables: &[ast::TableExpr]) -> Result<()> {
    match tables {
        [ast::TableExpr { kind: ast::TableExprKind::Table(table), .. }]
            if vcs::is_system_table(&table.name.name.text) =>
        {
            user_space::make_where_meant(session.catalog(), &table.name)
        }
        _ => Ok(()),
    }
}

fn refuse_returning<T>(returning: &[T]) -> Result<()> {
    if returning.is_empty() { Ok(()) } else { Err(SqlError::unsupported("RETURNING")) }
}

/// Begins a statement by the plan of the last time, or by one that it makes of what `bind` gives.
fn change(
    session: &Session,
    prepared: &Prepared,
    form: Form,
    context: Rc<Context>,
    bind: impl FnOnce(Binder<'_>) -> Result<BoundRows>,
) -> Result<Cursor> {
    if let Some(cursor) = ChangePlan::again(session, prepared, &context)? {
        return Ok(cursor);
    }
    let parameters = context.parameter_types();
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let stamp = session.catalog().stamp();
    let bound = bind(Binder::new(&names, prepared.sql.clone(), &parameters))?;
    if is_system(&bound) {
        return super::system_rows::begin(session, bound, form.is_update, &context);
    }
    if form.takes_all
        && let Some(cursor) = super::truncate::instead_of_delete(&bound.targets[0], &context)?
    {
        return Ok(cursor);
    }
    let plan = ChangePlan::new(bound, form, (parameters, stamp), &context)?;
    if form.takes_all {
        // The next time a TRUNCATE may do.
        return plan.begin(session, context);
    }
    plan.run(session, prepared, &names, context)
}

/// The rows that an UPDATE finds.
pub fn updated_rows(update: &ast::Update) -> RowsSyntax<'_> {
    RowsSyntax {
        with: update.with.as_ref(),
        tables: &update.tables,
        filter: update.filter.as_ref(),
        order_by: &update.order_by,
        limit: update.limit.as_ref(),
    }
}

/// The rows that a DELETE finds.
pub fn deleted_rows(delete: &ast::Delete) -> RowsSyntax<'_> {
    RowsSyntax {
        with: delete.with.as_ref(),
        tables: &delete.from,
        filter: delete.filter.as_ref(),
        order_by: &delete.order_by,
        limit: delete.limit.as_ref(),
    }
}

/// Whether the rows are of a table that is not stored, or that other statements write.
fn is_system(bound: &BoundRows) -> bool {
    let mut relations = bound.targets.iter().map(|target| &target.relation);
    relations.any(|relation| relation.base().is_none() || definitions::are_in(relation.name()))
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

impl WritePlan for ChangePlan {
    /// It is of one row by its key: see [`Transaction::open_writer`](crate::transaction::Transaction::open_writer).
    fn changes_single_rows(&self) -> bool {
        self.point.is_some()
    }
}

impl ChangePlan {
    fn new(
        bound: BoundRows,
        form: Form,
        made_for: (Vec<ExprType>, Stamp),
        context: &Rc<Context>,
    ) -> Result<ChangePlan> {
        let (Form { is_update, ignore, is_joined, .. }, (parameters, stamp)) = (form, made_for);
        let BoundRows { plan, columns, targets: bound_targets, assignments, mut types } = bound;
        let database = bound_targets.first().and_then(|target| target.database.clone());
        let plan = rules::optimize(plan, &mut types, context)?;
        let is_plain = |(_, _, assigned): &(usize, usize, Assigned)| match assigned {
            Assigned::Default => true,
            Assigned::Value(expr) => !expr.any(&is_about_names),
        };
        let point = match &bound_targets[..] {
            [only] if only.columns == columns && assignments.iter().all(is_plain) => {
                PointKey::of(&plan).filter(|key| !key.any(&is_about_names))
            }
            _ => None,
        };
        let template = exec::lower(&plan, &types)?;
        let mut placed = Vec::with_capacity(assignments.len());
        for (target, column, mut assigned) in assignments {
            let rules = RowRules::new(base_of(&bound_targets[target].relation)?, context, ignore)?;
            if rules.is_generated(column) && !matches!(assigned, Assigned::Default) {
                return Err(rules.not_allowed(column));
            }
            if let Assigned::Value(expr) = &mut assigned {
                place_columns(&columns, expr)?;
            }
            placed.push(Assignment { target, column, assigned });
        }
        let mut targets = Vec::with_capacity(bound_targets.len());
        let mut first = 0;
        for target in bound_targets {
            let columns = target.columns.len();
            targets.push(PlannedTarget { relation: target.relation, first, columns });
            first += columns;
        }
        Ok(ChangePlan {
            template,
            point,
            database,
            targets: targets.into(),
            assignments: is_update.then(|| placed.into()),
            ignore,
            is_joined,
            parameters: parameters.into(),
            stamp,
        })
    }

    /// Begins it, and keeps it for the next time where it may serve then.
    fn run(self, session: &Session, prepared: &Prepared, names: &SessionNames, context: Rc<Context>) -> Result<Cursor> {
        let plan = Rc::new(self);
        let cursor = plan.begin(session, context)?;
        let reads = |target: &PlannedTarget| {
            let tables = plan.template.movable_tables().unwrap_or_default();
            tables.iter().any(|table| Rc::ptr_eq(table, &target.relation))
        };
        if !names.is_volatile() && !names.is_of_state() && plan.targets.iter().all(reads) {
            prepared.keep_write_plan(plan);
        }
        Ok(cursor)
    }

    /// Begins the statement by the plan of the last time, if that still serves.
    fn again(session: &Session, prepared: &Prepared, context: &Rc<Context>) -> Result<Option<Cursor>> {
        if let Some(plan) = prepared.write_plan::<ChangePlan>()
            && let Some(outcome) = plan.change_one(session, context)?
        {
            return Ok(Some(Cursor::of_outcome(outcome, context.clone())));
        }
        session.catalog().transaction.publish()?;
        let Some(plan) = ChangePlan::known(session, prepared, context)? else { return Ok(None) };
        plan.begin(session, context.clone()).map(Some)
    }

    /// Begins the statement in the general way.
    fn begin(&self, session: &Session, context: Rc<Context>) -> Result<Cursor> {
        Ok(Cursor::of_running(Box::new(Change::new(session, self, &context)?), context))
    }

    fn event(&self) -> TriggerEvent {
        if self.assignments.is_some() { TriggerEvent::Update } else { TriggerEvent::Delete }
    }

    /// Changes the one row that it is about. `None`, and nothing has happened, where it is not that simple.
    fn change_one(&self, session: &Session, context: &Rc<Context>) -> Result<Option<Outcome>> {
        let (Some(point), [planned]) = (&self.point, &self.targets[..]) else { return Ok(None) };
        if !context.has_parameters(&self.parameters) || !session.catalog().is_placed_as(&self.stamp) {
            return Ok(None);
        }
        let base = base_of(&planned.relation)?;
        let Some((writer, table)) = shared(self.database.as_deref(), base, context)? else {
            return Ok(None);
        };
        if Triggers::exist(session, &writer.borrow(), base.name(), self.event())? {
            return Ok(None);
        }
        let found = point.find(context, |key| writer.borrow_mut().editor(table).get(key))?;
        let (mut matched, mut affected) = (0, 0);
        match found {
            PointAnswer::Other => return Ok(None),
            PointAnswer::NoRow => {}
            PointAnswer::Row(entry) => {
                let rules = RowRules::new(base, context, self.ignore)?;
                let columns = planned.columns;
                let targets =
                    [Target { table, rules, first: 0, columns, seen: None, is_joined: false, triggers: None }];
                let old = Stored { row: writer.borrow_mut().editor(table).decode(&entry)?, entry };
                let done = match &self.assignments {
                    None => writer.borrow_mut().delete(table, &old).map(|()| true),
                    Some(assignments) => {
                        let row = assigned(&targets, assignments, old.row.clone(), context)?;
                        let columns: Vec<usize> = assignments.iter().map(|assignment| assignment.column).collect();
                        update_row(&mut writer.borrow_mut(), &targets[0], &old, row, &columns, context)
                    }
                };
                matched = 1;
                affected = u64::from(passed_over(done, self.ignore, context)?);
            }
        }
        session.catalog().transaction.keep_writer(writer)?;
        Ok(Some(outcome(matched, affected, context.session.warning_count(), self.assignments.is_some())))
    }

    /// The plan of the last time, over the tables of now.
    fn known(session: &Session, prepared: &Prepared, context: &Context) -> Result<Option<Rc<ChangePlan>>> {
        let Some(plan) = prepared.write_plan::<ChangePlan>() else { return Ok(None) };
        let catalog = session.catalog();
        if !context.has_parameters(&plan.parameters) {
            return Ok(None);
        }
        if catalog.is_at(&plan.stamp) {
            return Ok(Some(plan));
        }
        let tables = plan.template.movable_tables().filter(|_| catalog.is_placed_as(&plan.stamp));
        let Some(tables) = tables.map(|tables| catalog.moved(tables)).transpose()?.flatten() else { return Ok(None) };
        let ChangePlan { database, targets, assignments, ignore, is_joined, parameters, .. } = &*plan;
        let moved = Rc::new(ChangePlan {
            template: plan.template.over(tables),
            point: plan.point.as_ref().map(PointKey::again),
            database: database.clone(),
            targets: targets.clone(),
            assignments: assignments.clone(),
            ignore: *ignore,
            is_joined: *is_joined,
            parameters: parameters.clone(),
            stamp: catalog.stamp(),
        });
        prepared.keep_write_plan(moved.clone());
        Ok(Some(moved))
    }
}

impl Change {
    fn new(session: &Session, plan: &ChangePlan, context: &Rc<Context>) -> Result<Change> {
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

fn outcome(matched: u64, affected: u64, warnings: usize, is_update: bool) -> Outcome {
    let info = is_update.then(|| format!("Rows matched: {matched}  Changed: {affected}  Warnings: {warnings}"));
    Outcome { affected, info, matched: is_update.then_some(matched), ..Outcome::default() }
}

/// Whether a row was changed; with IGNORE some errors of it are warnings.
fn passed_over(done: Result<bool>, ignore: bool, context: &Context) -> Result<bool> {
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
#[inline(never)]
fn update_row(
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
            match self.source.next(context)? {
                Poll::Yield => return Ok(Progress::Yield),
                Poll::Done => self.is_complete = true,
                Poll::Batch(batch) => {
                    context.spend(batch.rows);
                    for row in 0..batch.rows {
                        self.change(&batch, row, context)?;
                    }
                }
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
