//! The only scan of a plan.

use super::{Plan, Scan};
use crate::expr::{AggregateCall, Expr, ExprKind};

impl Plan {
    /// The scan whose rows are all that the plan gets to know of any table. `None` where it reads more: other tables, subqueries,
    /// functions that look at the database.
    pub fn scan_alone(&self) -> Option<&Scan> {
        let (input, is_alone) = match self {
            Plan::Scan(scan) => return Some(&**scan).filter(|scan| scan.filter.iter().all(is_of_row)),
            Plan::Filter(input, predicate) => (&**input, predicate.iter().all(is_of_row)),
            Plan::Project(input, columns) => (&**input, columns.iter().all(|(_, expr)| is_of_row(expr))),
            Plan::Sort(input, keys) => (&**input, keys.iter().all(|key| is_of_row(&key.expr))),
            Plan::Distinct(input) => (&**input, true),
            Plan::Limit(limit) => (&limit.input, limit.rows.iter().chain(&limit.offset).all(is_of_row)),
            Plan::Aggregate(aggregate) => {
                let groups = aggregate.groups.iter().all(|(_, expr)| is_of_row(expr));
                (&aggregate.input, groups && aggregate.calls.iter().all(|(_, call)| is_of_rows(call)))
            }
            _ => return None,
        };
        if is_alone { input.scan_alone() } else { None }
    }
}

/// Whether an expression is computed from the values of its row.
fn is_of_row(expr: &Expr) -> bool {
    !expr.any(&|expr| match &expr.kind {
        ExprKind::Subquery(_) => true,
        ExprKind::Call(call) => !call.function.is_deterministic(),
        _ => false,
    })
}

fn is_of_rows(call: &AggregateCall) -> bool {
    call.args.iter().all(is_of_row) && call.order.iter().all(|key| is_of_row(&key.expr))
}
