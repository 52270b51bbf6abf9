//! Computes constant expressions once.

use value::Value;

use crate::expr::{Context, Expr, ExprKind};
use crate::plan::Plan;

/// Folds everywhere. What fails to compute is left: the error belongs to the execution, if it is reached at all.
pub fn fold(plan: &mut Plan, context: &Context) {
    plan.exprs_mut(&mut |expr| fold_expr(expr, context));
    match plan {
        Plan::Filter(_, terms) => terms.retain(|term| !is_true(term)),
        Plan::Join(join) => join.on.retain(|term| !is_true(term)),
        _ => {}
    }
    plan.inputs_mut(&mut |input| fold(input, context));
}

/// Whether a condition holds for every row.
fn is_true(term: &Expr) -> bool {
    matches!(term.as_literal(), Some(Value::Int(1..)))
}

fn fold_expr(expr: &mut Expr, context: &Context) {
    if matches!(expr.kind, ExprKind::Literal(_)) {
        return;
    }
    if expr.is_constant() {
        let warnings = context.session.warning_count();
        if let Ok(value) = expr.eval_constant(context) {
            // A warning must come once for each row that is computed.
            if context.session.warning_count() == warnings {
                expr.kind = ExprKind::Literal(value);
            } else {
                context.session.truncate_warnings(warnings);
            }
        }
        return;
    }
    expr.children_mut(|child| fold_expr(child, context));
}
