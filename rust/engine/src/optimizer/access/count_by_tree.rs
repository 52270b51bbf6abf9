//! COUNT(*) by the tree: `SELECT COUNT(*) FROM t WHERE id > 10` reads subtree counts and not rows, for any range of keys.

use value::{SqlType, Value};

use crate::exec;
use crate::expr::{Context, Expr, ExprType};
use crate::plan::{Aggregate, ColumnId, Plan, Values};

pub fn count_by_tree(mut plan: Plan, context: &Context) -> Plan {
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = count_by_tree(taken, context);
    });
    match &plan {
        Plan::Aggregate(aggregate) => match counted(aggregate, context) {
            Some(values) => Plan::Values(values),
            None => plan,
        },
        _ => plan,
    }
}

fn counted(aggregate: &Aggregate, context: &Context) -> Option<Values> {
    let counts_all = aggregate.calls.iter().all(|(_, call)| {
        let constant = |arg: &Expr| arg.as_literal().is_some_and(|value| !value.is_null());
        call.function.counts() && !call.distinct && call.args.iter().all(constant)
    });
    if !aggregate.groups.is_empty() || aggregate.calls.is_empty() || !counts_all {
        return None;
    }
    let rows = rows_below(&aggregate.input, context)?;
    let count = Expr::literal(Value::Int(i64::try_from(rows).ok()?), ExprType::new(SqlType::BIGINT, false));
    let columns: Vec<ColumnId> = aggregate.calls.iter().map(|(id, _)| *id).collect();
    let row = vec![count; columns.len()];
    Some(Values { columns, rows: vec![row], is_counted: true })
}

/// Rows of a plan that is a table or a range of one, where that is known without reading it.
fn rows_below(plan: &Plan, context: &Context) -> Option<u64> {
    match plan {
        Plan::Scan(scan) if !scan.filter.is_empty() => None,
        Plan::Scan(scan) if scan.access.ranges.is_none() => scan.relation.row_count(),
        // Parameters may differ the next time, so only ranges between literals are counted now.
        Plan::Scan(scan) if context.params.is_empty() && scan.relation.row_count().is_some() => {
            exec::count_ranges(scan, &scan.relation, context).map(|(rows, _)| rows)
        }
        Plan::Project(input, _) => rows_below(input, context),
        _ => None,
    }
}
