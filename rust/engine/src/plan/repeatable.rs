//! Repeatability: which expressions and plans give the same result wherever and however often they are evaluated.

use crate::expr::{Expr, ExprKind, Holds};
use crate::plan::Plan;

/// Whether it is the same wherever and however often it is computed.
pub fn is_movable(expr: &Expr) -> bool {
    !expr.any(&|e| match &e.kind {
        ExprKind::Call(call) => call.function.is_volatile(),
        ExprKind::UserVariable(_, holds) => *holds == Holds::Row,
        ExprKind::SetUserVariable(..) => true,
        _ => false,
    })
}

/// Whether nothing in a plan changes from one run to the next.
pub fn is_repeatable(plan: &mut Plan) -> bool {
    let mut is_same = true;
    plan.exprs_mut(&mut |expr| is_same &= is_movable(expr) && queries_repeat(expr));
    if let Plan::Apply(apply) = plan {
        is_same &= is_repeatable(&mut apply.subquery.plan);
    }
    plan.inputs_mut(&mut |input| is_same &= is_repeatable(input));
    is_same
}

/// Whether the queries of an expression give the same rows each time.
pub fn queries_repeat(expr: &mut Expr) -> bool {
    let mut is_same = true;
    expr.rewrite(&mut |part| {
        if let ExprKind::Subquery(subquery) = &mut part.kind {
            is_same &= is_repeatable(&mut subquery.plan);
        }
    });
    is_same
}
