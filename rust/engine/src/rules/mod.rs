//! What makes a plan better. Each rule keeps the rows the same; the order of the rules matters and is this.

mod alternatives;
mod applies;
mod branches;
mod by_keys;
mod contradictions;
mod counts;
mod covering;
mod equals;
pub mod estimates;
mod exclusions;
mod extremes;
mod fold;
mod groups;
mod implied;
mod index_choice;
mod index_cost;
mod index_order;
mod join_cost;
mod join_order;
mod joins;
mod key_conditions;
mod keyed;
mod lookup;
mod narrow;
mod nearest;
mod order;
mod parts;
mod projections;
mod prune;
mod push_down;
mod semi_joins;
mod shared;
mod subqueries;

use crate::error::Result;
use crate::expr::{Context, ExprKind, ExprType};
use crate::plan::{OuterSlot, Plan};
use crate::state::Rules;
use shared::Sharing;

/// Runs all rules. `types` has the type of each column by number; rules may add columns.
pub fn optimize(mut plan: Plan, types: &mut Vec<ExprType>, context: &Context) -> Result<Plan> {
    let mut slots = 0;
    let mut parts = Parts::of(&mut plan);
    if parts.joins || parts.subqueries {
        slots = lookup::next_slot(&mut plan);
        plan = subqueries::extract(plan, types, &mut slots)?;
        parts = Parts::of(&mut plan);
    }
    let rules = context.session.rules.get();
    if parts.shared || parts.applies {
        let sharing = if rules == Rules::All { Sharing::WhatPays } else { Sharing::None };
        shared::settle(&mut plan, sharing);
        parts = Parts::of(&mut plan);
    }
    match rules {
        Rules::All => {
            let restarts = parts.joins || parts.applies;
            let mut plan = improve(plan, parts, types, &mut slots, context)?;
            if restarts {
                keyed::choose(&mut plan);
            }
            Ok(plan)
        }
        Rules::Needed => Ok(needed(plan)),
    }
}

/// What there is in a plan: rules about other things do not walk through it.
#[derive(Default)]
struct Parts {
    joins: bool,
    /// In expressions.
    subqueries: bool,
    /// Subqueries that were taken out of expressions.
    applies: bool,
    aggregates: bool,
    distincts: bool,
    sorts: bool,
    /// Among conditions.
    ors: bool,
    /// Common tables.
    shared: bool,
    /// The terms of the longest condition or list.
    longest: usize,
}

impl Parts {
    fn of(plan: &mut Plan) -> Parts {
        let mut parts = Parts::default();
        parts.add(plan);
        parts
    }

    fn add(&mut self, plan: &mut Plan) {
        plan.exprs_mut(&mut |expr| {
            self.subqueries |= expr.has_subquery();
            self.ors |= matches!(expr.kind, ExprKind::Or(_));
            let mut terms = 0;
            expr.children(|_| terms += 1);
            self.longest = self.longest.max(terms);
        });
        match plan {
            Plan::Join(_) => self.joins = true,
            Plan::Apply(_) => self.applies = true,
            Plan::Aggregate(_) => self.aggregates = true,
            Plan::Distinct(_) => self.distincts = true,
            Plan::Sort(..) => self.sorts = true,
            Plan::Shared(_) => self.shared = true,
            _ => {}
        }
        plan.inputs_mut(&mut |input| self.add(input));
    }
}

fn needed(plan: Plan) -> Plan {
    let mut plan = joins::turn_right_joins(plan);
    let unchanged: Result<()> = for_each_subplan(&mut plan, &mut |inner| {
        let taken = std::mem::replace(inner, Plan::Unit);
        *inner = needed(taken);
        Ok(())
    });
    debug_assert!(unchanged.is_ok());
    plan
}

/// What the rules cost at least.
const PLAN_WORK: usize = 16 << 10;
/// What some rules do with each term of a condition.
const TERM_WORK: usize = 100;

/// The rules behind [`subqueries::extract`]; inner plans are improved on their own.
fn improve(
    mut plan: Plan,
    mut parts: Parts,
    types: &[ExprType],
    slots: &mut OuterSlot,
    context: &Context,
) -> Result<Plan> {
    let work = PLAN_WORK + TERM_WORK * parts.longest;
    context.work(work)?;
    // A subquery that is tested may become a join.
    let joins = parts.joins || parts.applies;
    fold::fold(&mut plan, context);
    if joins {
        plan = semi_joins::choose(plan, types);
        plan = joins::turn_right_joins(plan);
        // What was a subquery is a part of the plan now.
        parts = Parts { applies: parts.applies, ..Parts::of(&mut plan) };
    }
    context.work(work)?;
    if parts.ors {
        alternatives::factor(&mut plan);
    }
    push_down::push_down(&mut plan);
    context.work(work)?;
    contradictions::remove(&mut plan, types, context);
    context.work(work)?;
    // An index that has all columns that are left is a better one.
    prune::prune(&mut plan);
    index_choice::choose(&mut plan, context);
    context.work(work)?;
    if joins {
        plan = join_order::choose(plan, context);
        plan = joins::choose(plan, context);
        lookup::choose(&mut plan, None, slots, context);
    }
    if parts.aggregates || parts.distincts {
        groups::by_index(&mut plan, None, types, &mut order::Ordering { slots, context });
    }
    if parts.aggregates {
        plan = counts::count_by_tree(plan, context);
        extremes::take_ends(&mut plan, &mut order::Ordering { slots, context });
    }
    if parts.sorts || parts.aggregates {
        order::use_index_order(&mut plan, slots, context);
        branches::limit_branches(&mut plan, &mut order::Ordering { slots, context });
        nearest::use_vector_indexes(&mut plan);
    }
    if parts.aggregates && narrow::read_entries(&mut plan) && parts.sorts {
        // Groups may come in their order now.
        order::use_index_order(&mut plan, slots, context);
    }
    if parts.sorts || parts.applies {
        order::sink_limits(&mut plan);
    }
    prune::prune(&mut plan);
    if parts.applies {
        applies::find_repeated(&mut plan);
        by_keys::add(&mut plan);
        for_each_subplan(&mut plan, &mut |inner| {
            let parts = Parts::of(inner);
            *inner = improve(inner.take(), parts, types, slots, context)?;
            Ok(())
        })?;
        by_keys::settle(&mut plan, context);
    }
    projections::merge(&mut plan);
    Ok(plan)
}

/// Calls `visit` with the inner plans of each Apply. Inputs of operators are not inner plans.
fn for_each_subplan(plan: &mut Plan, visit: &mut dyn FnMut(&mut Plan) -> Result<()>) -> Result<()> {
    if let Plan::Apply(apply) = plan {
        visit(&mut apply.subquery.plan)?;
        apply.by_keys.iter_mut().try_for_each(|by_keys| visit(&mut by_keys.plan))?;
    }
    let mut result = Ok(());
    plan.inputs_mut(&mut |input| {
        if result.is_ok() {
            result = for_each_subplan(input, visit);
        }
    });
    result
}
