//! MIN and MAX by an index: `SELECT MIN(a), MAX(b)` over rows in index order reads the first entry of each end.

use super::sort_elimination::{Ordering, is_end};
use crate::expr::AggregateCall;
use crate::functions::Role;
use crate::plan::{Aggregate, Join, JoinKind, JoinStrategy, Plan};

pub fn take_ends(plan: &mut Plan, ordering: &mut Ordering<'_>) {
    plan.inputs_mut(&mut |input| take_ends(input, ordering));
    if let Plan::Aggregate(aggregate) = plan
        && let Some(ends) = ends(aggregate, ordering)
    {
        *plan = ends;
    }
}

/// One aggregate of one row for each call.
fn ends(aggregate: &Aggregate, ordering: &mut Ordering<'_>) -> Option<Plan> {
    // NULL, which is no value, comes first.
    let has_first = |call: &AggregateCall| call.function.role == Role::Maximum || !call.args[0].ty.nullable;
    let is_first = |call: &AggregateCall| is_end(call) && has_first(call);
    if !aggregate.groups.is_empty() || !aggregate.calls.iter().all(|(_, call)| is_first(call)) {
        return None;
    }
    let mut all: Option<Plan> = None;
    for (id, call) in &aggregate.calls {
        let mut input = aggregate.input.clone();
        let column = call.args.first()?.as_column()?;
        if !ordering.gives_order(&mut input, &[column], call.function.role == Role::Maximum, Some(1.0)) {
            return None;
        }
        let calls = vec![(*id, call.clone())];
        let input = input.limit(1);
        let end = Plan::Aggregate(Box::new(Aggregate { input, groups: Vec::new(), calls, in_order: false }));
        all = Some(match all {
            None => end,
            Some(left) => Plan::Join(Box::new(Join {
                kind: JoinKind::Inner,
                left,
                right: end,
                on: Vec::new(),
                strategy: JoinStrategy::Nested,
                straight: false,
                estimate: None,
            })),
        });
    }
    all
}
