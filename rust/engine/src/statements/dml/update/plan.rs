//! Cached plan of an UPDATE or DELETE: bound and lowered, with the row's key where it changes one row.

use std::rc::Rc;

use parse::ast::TriggerEvent;

use super::super::placed::place_columns;
use super::Form;
use super::run::{Assignment, Change, Target, assigned, outcome, passed_over, update_row};
use crate::bind::{Assigned, BoundRows};
use crate::catalog::{CatalogVersion, Relation};
use crate::cursor::{Cursor, Outcome};
use crate::error::Result;
use crate::exec::{self, PhysicalPlan, PointAnswer, PointKey};
use crate::expr::{Context, ExprType};
use crate::names::{SessionNames, is_about_names};
use crate::optimizer;
use crate::prepared::{Prepared, WritePlan};
use crate::routine::Triggers;
use crate::session::Session;
use crate::write::{RowRules, Stored, ViewCheck, base_of, shared};

/// An UPDATE or DELETE of stored tables that is bound and lowered: it serves until a schema changes.
pub(super) struct ChangePlan {
    pub(super) physical: PhysicalPlan,
    /// The key of the row, where it is one by its whole key and nothing else is looked at.
    point: Option<PointKey>,
    /// The place of the tables, as it was written.
    database: Option<Box<str>>,
    pub(super) targets: Rc<[PlannedTarget]>,
    /// `None` for DELETE.
    pub(super) assignments: Option<Rc<[Assignment]>>,
    pub(super) ignore: bool,
    pub(super) is_joined: bool,
    /// What changed rows have to meet.
    pub(super) checks: Rc<[ViewCheck]>,
    /// What it was made for.
    parameters: Rc<[ExprType]>,
    version: CatalogVersion,
}

pub(super) struct PlannedTarget {
    pub(super) relation: Rc<dyn Relation>,
    pub(super) first: usize,
    pub(super) columns: usize,
}

impl WritePlan for ChangePlan {
    /// It is of one row by its key: see [`Transaction::open_writer`](crate::transaction::Transaction::open_writer).
    fn changes_single_rows(&self) -> bool {
        self.point.is_some()
    }
}

impl ChangePlan {
    pub(super) fn new(
        bound: BoundRows,
        form: Form,
        made_for: (Vec<ExprType>, CatalogVersion),
        in_turns: bool,
        context: &Rc<Context>,
    ) -> Result<ChangePlan> {
        let (Form { is_update, ignore, is_joined, .. }, (parameters, version)) = (form, made_for);
        let BoundRows { plan, columns, targets: bound_targets, assignments, checks, mut types } = bound;
        let database = bound_targets.first().and_then(|target| target.database.clone());
        let (physical, point) = if in_turns {
            (PhysicalPlan::once(optimizer::in_turns(plan, types)), None)
        } else {
            let plan = optimizer::optimize(plan, &mut types, context)?;
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
            (exec::lower(&plan, &types)?, point)
        };
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
            physical,
            point,
            database,
            targets: targets.into(),
            assignments: is_update.then(|| placed.into()),
            ignore,
            is_joined,
            checks: checks.into(),
            parameters: parameters.into(),
            version,
        })
    }

    /// Begins it, and keeps it for the next time where it may serve then.
    pub(super) fn run(
        self,
        session: &Session,
        prepared: &Prepared,
        names: &SessionNames,
        context: Rc<Context>,
    ) -> Result<Cursor> {
        let plan = Rc::new(self);
        let cursor = plan.begin(session, context)?;
        let reads = |target: &PlannedTarget| {
            let tables = plan.physical.movable_tables().unwrap_or_default();
            tables.iter().any(|table| Rc::ptr_eq(table, &target.relation))
        };
        if !names.is_volatile() && !names.is_of_state() && plan.targets.iter().all(reads) {
            prepared.keep_write_plan(plan);
        }
        Ok(cursor)
    }

    /// Begins the statement by the plan of the last time, if that still serves.
    pub(super) fn again(session: &Session, prepared: &Prepared, context: &Rc<Context>) -> Result<Option<Cursor>> {
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
    pub(super) fn begin(&self, session: &Session, context: Rc<Context>) -> Result<Cursor> {
        Ok(Cursor::of_running(Box::new(Change::new(session, self, &context)?), context))
    }

    pub(super) fn event(&self) -> TriggerEvent {
        if self.assignments.is_some() { TriggerEvent::Update } else { TriggerEvent::Delete }
    }

    /// Changes the one row that it is about. `None`, and nothing has happened, where it is not that simple.
    fn change_one(&self, session: &Session, context: &Rc<Context>) -> Result<Option<Outcome>> {
        let (Some(point), [planned]) = (&self.point, &self.targets[..]) else { return Ok(None) };
        if !context.has_parameters(&self.parameters) || !session.catalog().is_placed_as(&self.version) {
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
                let rules = RowRules::new(base, context, self.ignore)?.with_view_checks(&self.checks);
                let columns = planned.columns;
                let targets =
                    [Target { table, rules, first: 0, columns, seen: None, is_joined: false, triggers: None }];
                let old = Stored { row: writer.borrow_mut().editor(table).decode(&entry)?, entry };
                let done = match &self.assignments {
                    None => writer.borrow_mut().delete(table, &old).map(|()| true),
                    Some(assignments) => {
                        let row = assigned(&targets, assignments, old.row.clone(), context)?;
                        let columns: Vec<usize> = assignments.iter().map(|assignment| assignment.column).collect();
                        update_row(&mut writer.borrow_mut(), &targets[0], old, row, &columns, context)
                    }
                };
                matched = 1;
                affected = u64::from(passed_over(done, self.ignore, context)?);
            }
        }
        session.catalog().transaction.keep_writer(writer)?;
        Ok(Some(outcome(matched, affected, context.session.warning_count(), self.assignments.is_some())))
    }

    /// The cached plan, over the current tables.
    fn known(session: &Session, prepared: &Prepared, context: &Context) -> Result<Option<Rc<ChangePlan>>> {
        let Some(plan) = prepared.write_plan::<ChangePlan>() else { return Ok(None) };
        let catalog = session.catalog();
        if !context.has_parameters(&plan.parameters) {
            return Ok(None);
        }
        if catalog.is_at(&plan.version) {
            return Ok(Some(plan));
        }
        let tables = plan.physical.movable_tables().filter(|_| catalog.is_placed_as(&plan.version));
        let Some(tables) = tables.map(|tables| catalog.moved(tables)).transpose()?.flatten() else { return Ok(None) };
        let ChangePlan { database, targets, assignments, ignore, is_joined, checks, parameters, .. } = &*plan;
        let moved = Rc::new(ChangePlan {
            physical: plan.physical.over(tables),
            point: plan.point.as_ref().map(PointKey::again),
            database: database.clone(),
            targets: targets.clone(),
            assignments: assignments.clone(),
            ignore: *ignore,
            is_joined: *is_joined,
            checks: checks.clone(),
            parameters: parameters.clone(),
            version: catalog.version(),
        });
        prepared.keep_write_plan(moved.clone());
        Ok(Some(moved))
    }
}
