//! Computes constant expressions once.

use crate::expr::{Context, Expr, ExprKind};
use crate::plan::Plan;

/// Folds everywhere. What fails to compute is left: the error belongs to the execution, if it is reached at all.
pub fn fold(plan: &mut Plan, context: &Context) {
    plan.exprs_mut(&mut |expr| fold_expr(expr, context));
    plan.inputs_mut(&mut |input| fold(input, context));
}

fn fold_expr(expr: &mut Expr, context: &Context) {
    if matches!(expr.kind, ExprKind::Literal(_)) {
        return;
    }
    if expr.is_constant() {
        let warnings = context.session.warnings().len();
        if let Ok(value) = expr.eval_constant(context) {
            // A warning must come once for each row that is computed.
            if context.session.warnings().len() == warnings {
                expr.kind = ExprKind::Literal(value);
            } else {
                context.session.truncate_warnings(warnings);
            }
        }
        return;
    }
    expr.children_mut(|child| fold_expr(child, context));
}
