//! Materialized CTEs: a common table that is referenced several times is computed once, unless each reference needs other rows.

use std::rc::Rc;

use crate::expr::ExprKind;
use crate::plan::repeatable::is_repeatable;
use crate::plan::{ColumnSet, JoinStrategy, OuterSlot, Plan};

/// Which common tables stay shared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    None,
    WhatPays,
}

/// Inlines a common table that is referenced once, or is no more than a scan of a table.
pub fn settle(plan: &mut Plan, sharing: Sharing) {
    let mut names = Vec::new();
    collect(plan, &mut names);
    if !names.is_empty() {
        settle_below(plan, sharing, &names);
    }
}

fn collect(plan: &Plan, names: &mut Vec<Rc<str>>) {
    match plan {
        Plan::MaterializedCte(cte) => names.push(cte.name.clone()),
        Plan::Apply(apply) => collect(&apply.subquery.plan, names),
        _ => {}
    }
    plan.inputs(&mut |input| collect(input, names));
}

fn settle_below(plan: &mut Plan, sharing: Sharing, names: &[Rc<str>]) {
    if let Plan::Apply(apply) = plan {
        settle_below(&mut apply.subquery.plan, sharing, names);
    }
    plan.inputs_mut(&mut |input| settle_below(input, sharing, names));
    if let Plan::MaterializedCte(cte) = plan {
        let places = names.iter().filter(|name| Rc::ptr_eq(name, &cte.name)).count();
        let is_kept = sharing == Sharing::WhatPays && places > 1 && is_work(&cte.plan);
        if !is_kept || !is_independent(&mut cte.plan) || !is_repeatable(&mut cte.plan) {
            *plan = cte.plan.take();
        }
    }
}

/// Whether more is done than to read a table.
fn is_work(plan: &Plan) -> bool {
    let mut is_more = matches!(
        plan,
        Plan::Join(_)
            | Plan::Aggregate(_)
            | Plan::Window(_)
            | Plan::Distinct(_)
            | Plan::SetOperation(_)
            | Plan::Limit(_)
            | Plan::Apply(_)
            | Plan::Recursive(_)
            | Plan::Staged(_)
    );
    plan.inputs(&mut |input| is_more |= is_work(input));
    is_more
}

/// Whether a plan is uncorrelated.
fn is_independent(plan: &mut Plan) -> bool {
    let mut slots = Slots::default();
    slots.add(plan);
    slots.read.iter().all(|slot| slots.own.contains(slot))
        && slots.rounds.iter().all(|id| slots.recursions.contains(id))
        && slots.stage_rows.iter().all(|name| slots.stages.iter().any(|own| Rc::ptr_eq(name, own)))
}

#[derive(Default)]
struct Slots {
    read: Vec<OuterSlot>,
    own: Vec<OuterSlot>,
    rounds: Vec<u32>,
    recursions: Vec<u32>,
    stages: Vec<Rc<str>>,
    stage_rows: Vec<Rc<str>>,
}

impl Slots {
    fn add(&mut self, plan: &mut Plan) {
        plan.exprs_mut(&mut |expr| {
            expr.rewrite(&mut |part| {
                if let ExprKind::Outer(slot) = part.kind {
                    self.read.push(slot);
                }
            });
        });
        match plan {
            Plan::Apply(apply) => {
                self.own.extend(apply.subquery.outer.iter().map(|(slot, _)| *slot));
                self.add(&mut apply.subquery.plan);
            }
            Plan::Join(join) => {
                if let JoinStrategy::Lookup { outer } = &join.strategy {
                    self.own.extend(outer.iter().map(|(slot, _)| *slot));
                }
            }
            Plan::Recursive(recursive) => self.recursions.push(recursive.id),
            Plan::RecursiveRows(id, _) => self.rounds.push(*id),
            Plan::Staged(staged) => self.stages.extend(staged.stages.iter().map(|stage| stage.name.clone())),
            Plan::StageRows(name, _) => self.stage_rows.push(name.clone()),
            _ => {}
        }
        plan.inputs_mut(&mut |input| self.add(input));
    }
}

/// Whether a condition on these columns saves work when it is pushed down.
pub fn reaches(plan: &Plan, columns: &ColumnSet) -> bool {
    match plan {
        Plan::Scan(_) | Plan::Join(_) | Plan::SetOperation(_) => true,
        Plan::Project(input, projected) => {
            let mut below = ColumnSet::default();
            let read = projected.iter().filter(|(output, _)| columns.contains(output));
            read.for_each(|(_, expr)| expr.collect_columns(&mut below));
            reaches(input, &below)
        }
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => reaches(input, columns),
        Plan::MaterializedCte(cte) => reaches(&cte.plan, columns),
        Plan::Apply(apply) => !columns.contains(&apply.output) && reaches(&apply.input, columns),
        Plan::Aggregate(aggregate) => columns.iter().all(|id| aggregate.groups.iter().any(|(group, _)| *group == id)),
        Plan::Window(window) => {
            let divides = |id| {
                let is_of =
                    |call: &crate::plan::WindowCall| call.partition.iter().any(|expr| expr.as_column() == Some(id));
                window.calls.iter().all(|(_, call)| is_of(call))
            };
            columns.iter().all(divides)
        }
        _ => false,
    }
}
