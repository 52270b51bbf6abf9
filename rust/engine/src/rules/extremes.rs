//! `SELECT MIN(a), MAX(b)` over rows that an index gives in the order of what is asked for: each is the first row of one end.

use super::order::Ordering;
use crate::expr::AggregateCall;
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
    if !aggregate.groups.is_empty() || !aggregate.calls.iter().all(|(_, call)| is_end(call)) {
        return None;
    }
    let mut all: Option<Plan> = None;
    for (id, call) in &aggregate.calls {
        let mut input = aggregate.input.clone();
        let column = call.args.first()?.as_column()?;
        if !ordering.gives_order(&mut input, &[column], call.function.name == "max", Some(1.0)) {
            return None;
        }
        let calls = vec![(*id, call.clone())];
        let input = input.limit(1);
        let end = Plan::Aggregate(Box::new(Aggregate { input, groups: Vec::new(), calls }));
        all = Some(match all {
            None => end,
            Some(left) => Plan::Join(Box::new(Join {
                kind: JoinKind::Inner,
                left,
                right: end,
                on: Vec::new(),
                strategy: JoinStrategy::Nested,
                straight: false,
            })),
        });
    }
    all
}

/// Whether the answer is the first value of an order. NULL, which is no value, comes first; of texts that are equal any is.
fn is_end(call: &AggregateCall) -> bool {
    let [arg] = &call.args[..] else { return false };
    let is_told_apart = !arg.ty.sql.is_text() || arg.ty.collation().is_code_point_order();
    let is_ordered = arg.ty.sql.is_number() || arg.ty.sql.is_date() || arg.ty.sql.is_text();
    let has_first = call.function.name == "max" || call.function.name == "min" && !arg.ty.nullable;
    has_first && is_ordered && is_told_apart
}
