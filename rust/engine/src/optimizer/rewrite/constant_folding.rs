//! Constant folding, and negation push-down to comparisons, which an index may answer.

use value::Value;

use crate::expr::{CompareOp, Context, Expr, ExprKind, IsTest, LARGE_BYTES};
use crate::plan::Plan;
use crate::vector::bytes_of;

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
pub fn is_true(term: &Expr) -> bool {
    matches!(term.as_literal(), Some(Value::Int(1..)))
}

pub fn fold_expr(expr: &mut Expr, context: &Context) {
    if matches!(expr.kind, ExprKind::Literal(_)) {
        return;
    }
    if expr.is_constant() {
        // The error belongs to the execution, too.
        if expr.lacks_weights() {
            return;
        }
        let warnings = context.session.warning_count();
        if let Ok(value) = expr.eval_constant(context) {
            // A warning must come once for each row that is computed, and plans are copied.
            if context.session.warning_count() == warnings && bytes_of(&value) < LARGE_BYTES {
                expr.kind = ExprKind::Literal(value);
            } else {
                context.session.truncate_warnings(warnings);
            }
        }
        return;
    }
    expr.children_mut(|child| fold_expr(child, context));
    if let ExprKind::Not(inner) = &mut expr.kind
        && deny(inner)
    {
        *expr = std::mem::replace(&mut **inner, Expr::null());
    }
}

/// Turns a condition into its opposite, if it has one that is NULL where it is NULL.
fn deny(condition: &mut Expr) -> bool {
    match &mut condition.kind {
        ExprKind::Compare(op, ..) => {
            *op = match op {
                CompareOp::Equal => CompareOp::NotEqual,
                CompareOp::NotEqual => CompareOp::Equal,
                CompareOp::Less => CompareOp::GreaterOrEqual,
                CompareOp::LessOrEqual => CompareOp::Greater,
                CompareOp::Greater => CompareOp::LessOrEqual,
                CompareOp::GreaterOrEqual => CompareOp::Less,
                CompareOp::NullSafeEqual => return false,
            };
        }
        ExprKind::In(list) => list.negated = !list.negated,
        ExprKind::Is(_, test) => {
            *test = match test {
                IsTest::Null => IsTest::NotNull,
                IsTest::NotNull => IsTest::Null,
                IsTest::True => IsTest::NotTrue,
                IsTest::NotTrue => IsTest::True,
                IsTest::False => IsTest::NotFalse,
                IsTest::NotFalse => IsTest::False,
            };
        }
        _ => return false,
    }
    true
}
