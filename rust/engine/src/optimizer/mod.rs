//! Optimizer: rewrites plans by rules. Each rule keeps the rows the same; the rules run in the order of one list.

mod access;
pub mod cost;
mod join;
mod rewrite;
mod subquery;

use std::rc::Rc;

use crate::error::Result;
use crate::exec::{self, Operator, Poll, Source};
use crate::expr::{Context, ExprKind, ExprType};
use crate::plan::{OuterSlot, Plan};
use crate::state::Rules;
use access::{
    count_by_tree, index_choice, index_only_scan, loose_index_scan, min_max, sort_elimination, top_n_push_down,
    vector_search,
};
use join::{hash_indexed_scan, join_method, join_order, lookup_join, semi_joins};
use rewrite::{
    common_conjuncts, constant_folding, contradictions, predicate_push_down, projection_merging, projection_pruning,
};
use subquery::materialized_cte::Sharing;
use subquery::{decorrelation, extraction, materialized_cte, memoization};

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
                        let physical = exec::lower(&optimization.plan, &optimization.types)?;
                        *self = Planned::Running(physical.build(context)?);
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
            Plan::MaterializedCte(_) => self.shared = true,
            _ => {}
        }
        plan.inputs_mut(&mut |input| self.add(input));
    }
}

fn needed(plan: Plan) -> Plan {
    let mut plan = join_method::turn_right_joins(plan);
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

/// Those of inner plans, which [`extraction::extract`] has seen.
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
            self.slots = lookup_join::next_slot(&mut self.plan);
            self.plan = extraction::extract(self.plan.take(), &mut self.types, &mut self.slots)?;
            self.parts = Parts::of(&mut self.plan);
        }
        let rules = context.session.rules.get();
        if self.parts.shared || self.parts.applies {
            let sharing = if rules == Rules::All { Sharing::WhatPays } else { Sharing::None };
            materialized_cte::settle(&mut self.plan, sharing);
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
        constant_folding::fold(&mut self.plan, context);
        if self.has_joins {
            // A subquery that is tested may become a join.
            self.plan = join_method::turn_right_joins(semi_joins::choose(self.plan.take(), &self.types));
            // What was a subquery is a part of the plan now.
            self.parts = Parts { applies: self.parts.applies, ..Parts::of(&mut self.plan) };
        }
        Ok(())
    }

    fn push_down(&mut self, context: &Context) -> Result<()> {
        self.work(context)?;
        if self.parts.ors {
            common_conjuncts::factor(&mut self.plan);
        }
        predicate_push_down::push_down(&mut self.plan);
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
        projection_pruning::prune(&mut self.plan);
        index_choice::choose(&mut self.plan, context);
        context.work(PLAN_WORK)
    }

    fn choose_joins(&mut self, context: &Context) -> Result<()> {
        if self.has_joins {
            self.plan = join_method::choose(join_order::choose(self.plan.take(), context), context);
            lookup_join::choose(&mut self.plan, None, &mut self.slots, context);
        }
        Ok(())
    }

    fn choose_orders(&mut self, context: &Context) -> Result<()> {
        let Optimization { plan, parts, slots, .. } = self;
        if parts.aggregates || parts.distincts {
            loose_index_scan::by_index(plan, None, &self.types, &mut sort_elimination::Ordering { slots, context });
        }
        if parts.aggregates {
            *plan = count_by_tree::count_by_tree(plan.take(), context);
            min_max::take_ends(plan, &mut sort_elimination::Ordering { slots, context });
        }
        if parts.sorts || parts.aggregates {
            sort_elimination::use_index_order(plan, slots, context);
            top_n_push_down::limit_branches(plan, &mut sort_elimination::Ordering { slots, context });
            vector_search::use_vector_indexes(plan);
        }
        if parts.aggregates && index_only_scan::read_entries(plan) && parts.sorts {
            // Groups may come in their order now.
            sort_elimination::use_index_order(plan, slots, context);
        }
        if parts.sorts || parts.applies {
            sort_elimination::sink_limits(plan);
        }
        projection_pruning::prune(plan);
        Ok(())
    }

    /// Inner plans go through the rules on their own.
    fn improve_inner(&mut self, context: &Context) -> Result<()> {
        let Optimization { plan, types, slots, .. } = self;
        if self.parts.applies {
            memoization::find_repeated(plan);
            decorrelation::add(plan);
            for_each_subplan(plan, &mut |inner| {
                let mut improved = Optimization::new(inner.take(), std::mem::take(types));
                improved.parts = Parts::of(&mut improved.plan);
                (improved.slots, improved.rules) = (*slots, ALL[INNER].iter());
                while improved.step(context)? {}
                (*inner, *types, *slots) = (improved.plan, improved.types, improved.slots);
                Ok(())
            })?;
            decorrelation::settle(plan, context);
        }
        projection_merging::merge(plan);
        Ok(())
    }

    fn keep_tables(&mut self, _: &Context) -> Result<()> {
        if self.has_joins {
            hash_indexed_scan::choose(&mut self.plan);
        }
        Ok(())
    }
}

/// Calls `visit` with the inner plans of each Apply. Inputs of operators are not inner plans.
fn for_each_subplan(plan: &mut Plan, visit: &mut dyn FnMut(&mut Plan) -> Result<()>) -> Result<()> {
    if let Plan::Apply(apply) = plan {
        visit(&mut apply.subquery.plan)?;
        apply.decorrelated.iter_mut().try_for_each(|decorrelated| visit(&mut decorrelated.plan))?;
    }
    let mut result = Ok(());
    plan.inputs_mut(&mut |input| {
        if result.is_ok() {
            result = for_each_subplan(input, visit);
        }
    });
    result
}
