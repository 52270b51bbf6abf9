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

use std::rc::Rc;

use crate::error::Result;
use crate::exec::{self, Operator, Poll, Source};
use crate::expr::{Context, ExprKind, ExprType};
use crate::plan::{OuterSlot, Plan};
use crate::state::Rules;
use shared::Sharing;

/// Runs all rules. `types` has the type of each column by number; rules may add columns.
pub fn optimize(plan: Plan, types: &mut Vec<ExprType>, context: &Context) -> Result<Plan> {
    let mut optimization = Optimization::new(plan, std::mem::take(types));
    while optimization.step(context)? {}
    *types = optimization.types;
    Ok(optimization.plan)
}

/// The operators of a plan, which goes through the rules in as many calls as that takes when they are first asked for rows.
pub fn in_turns(plan: Plan, types: Vec<ExprType>) -> Source {
    Box::new(Planned::Optimizing(Optimization::new(plan, types)))
}

/// Operator: plans its query, then gives its rows.
enum Planned {
    Optimizing(Optimization),
    Running(Source),
}

impl Operator for Planned {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            match self {
                Planned::Running(source) => return source.next(context),
                Planned::Optimizing(optimization) => {
                    if !optimization.step(context)? {
                        let template = exec::lower(&optimization.plan, &optimization.types)?;
                        *self = Planned::Running(template.build(context)?);
                    }
                }
            }
            // A rule may take long whatever the work that it accounts for.
            context.session.check_at_once()?;
            if context.session.is_call_over() {
                return Ok(Poll::Yield);
            }
        }
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

/// A plan on its way through the rules. It can stop between any two.
struct Optimization {
    plan: Plan,
    types: Vec<ExprType>,
    parts: Parts,
    slots: OuterSlot,
    /// Whether there were joins or subqueries, of which some may be joins now.
    has_joins: bool,
    /// The rules to come.
    rules: std::slice::Iter<'static, Rule>,
}

type Rule = fn(&mut Optimization, &Context) -> Result<()>;

/// All rules in their order.
const ALL: &[Rule] = &[
    Optimization::extract,
    Optimization::fold,
    Optimization::push_down,
    Optimization::remove_contradictions,
    Optimization::choose_indexes,
    Optimization::choose_joins,
    Optimization::choose_orders,
    Optimization::improve_inner,
    Optimization::keep_tables,
];

/// Those of inner plans, which [`subqueries::extract`] has seen.
const INNER: std::ops::Range<usize> = 1..8;

impl Optimization {
    fn new(plan: Plan, types: Vec<ExprType>) -> Optimization {
        Optimization { plan, types, parts: Parts::default(), slots: 0, has_joins: false, rules: ALL.iter() }
    }

    /// Runs the next rule; `false` after the last.
    fn step(&mut self, context: &Context) -> Result<bool> {
        match self.rules.next() {
            Some(rule) => rule(self, context).map(|()| true),
            None => Ok(false),
        }
    }

    fn extract(&mut self, context: &Context) -> Result<()> {
        self.parts = Parts::of(&mut self.plan);
        if self.parts.joins || self.parts.subqueries {
            self.slots = lookup::next_slot(&mut self.plan);
            self.plan = subqueries::extract(self.plan.take(), &mut self.types, &mut self.slots)?;
            self.parts = Parts::of(&mut self.plan);
        }
        let rules = context.session.rules.get();
        if self.parts.shared || self.parts.applies {
            let sharing = if rules == Rules::All { Sharing::WhatPays } else { Sharing::None };
            shared::settle(&mut self.plan, sharing);
            self.parts = Parts::of(&mut self.plan);
        }
        if rules == Rules::Needed {
            self.plan = needed(self.plan.take());
            self.rules = [].iter();
        }
        Ok(())
    }

    /// Accounts for a rule about conditions.
    fn work(&self, context: &Context) -> Result<()> {
        context.work(PLAN_WORK + TERM_WORK * self.parts.longest)
    }

    fn fold(&mut self, context: &Context) -> Result<()> {
        self.work(context)?;
        self.has_joins = self.parts.joins || self.parts.applies;
        fold::fold(&mut self.plan, context);
        if self.has_joins {
            // A subquery that is tested may become a join.
            self.plan = joins::turn_right_joins(semi_joins::choose(self.plan.take(), &self.types));
            // What was a subquery is a part of the plan now.
            self.parts = Parts { applies: self.parts.applies, ..Parts::of(&mut self.plan) };
        }
        Ok(())
    }

    fn push_down(&mut self, context: &Context) -> Result<()> {
        self.work(context)?;
        if self.parts.ors {
            alternatives::factor(&mut self.plan);
        }
        push_down::push_down(&mut self.plan);
        Ok(())
    }

    fn remove_contradictions(&mut self, context: &Context) -> Result<()> {
        self.work(context)?;
        contradictions::remove(&mut self.plan, &self.types, context);
        Ok(())
    }

    fn choose_indexes(&mut self, context: &Context) -> Result<()> {
        self.work(context)?;
        // An index that has all columns that are left is a better one.
        prune::prune(&mut self.plan);
        index_choice::choose(&mut self.plan, context);
        context.work(PLAN_WORK)
    }

    fn choose_joins(&mut self, context: &Context) -> Result<()> {
        if self.has_joins {
            self.plan = joins::choose(join_order::choose(self.plan.take(), context), context);
            lookup::choose(&mut self.plan, None, &mut self.slots, context);
        }
        Ok(())
    }

    fn choose_orders(&mut self, context: &Context) -> Result<()> {
        let Optimization { plan, parts, slots, .. } = self;
        if parts.aggregates || parts.distincts {
            groups::by_index(plan, None, &self.types, &mut order::Ordering { slots, context });
        }
        if parts.aggregates {
            *plan = counts::count_by_tree(plan.take(), context);
            extremes::take_ends(plan, &mut order::Ordering { slots, context });
        }
        if parts.sorts || parts.aggregates {
            order::use_index_order(plan, slots, context);
            branches::limit_branches(plan, &mut order::Ordering { slots, context });
            nearest::use_vector_indexes(plan);
        }
        if parts.aggregates && narrow::read_entries(plan) && parts.sorts {
            // Groups may come in their order now.
            order::use_index_order(plan, slots, context);
        }
        if parts.sorts || parts.applies {
            order::sink_limits(plan);
        }
        prune::prune(plan);
        Ok(())
    }

    /// Inner plans go through the rules on their own.
    fn improve_inner(&mut self, context: &Context) -> Result<()> {
        let Optimization { plan, types, slots, .. } = self;
        if self.parts.applies {
            applies::find_repeated(plan);
            by_keys::add(plan);
            for_each_subplan(plan, &mut |inner| {
                let mut improved = Optimization::new(inner.take(), std::mem::take(types));
                improved.parts = Parts::of(&mut improved.plan);
                (improved.slots, improved.rules) = (*slots, ALL[INNER].iter());
                while improved.step(context)? {}
                (*inner, *types, *slots) = (improved.plan, improved.types, improved.slots);
                Ok(())
            })?;
            by_keys::settle(plan, context);
        }
        projections::merge(plan);
        Ok(())
    }

    fn keep_tables(&mut self, _: &Context) -> Result<()> {
        if self.has_joins {
            keyed::choose(&mut self.plan);
        }
        Ok(())
    }
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
