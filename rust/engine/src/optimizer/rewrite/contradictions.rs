//! Contradictions: removes inputs whose condition is never true, as `WHERE 1 = 0`, or a condition on a constant of another branch of a
//! UNION.

use value::Value;

use super::constant_folding::{fold_expr, is_true};
use crate::expr::{Context, Expr, ExprType};
use crate::plan::{Join, JoinKind, Plan, SetKind, SetOperation, columns_of};

/// Leaves out what gives no rows; conditions are where they go.
pub fn remove(plan: &mut Plan, types: &[ExprType], context: &Context) {
    plan.inputs_mut(&mut |input| remove(input, types, context));
    let has_none = match plan {
        Plan::Filter(input, predicate) => is_empty(input) || contradicts(predicate, context),
        Plan::Scan(scan) => contradicts(&mut scan.filter, context),
        Plan::Project(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => is_empty(input),
        Plan::Aggregate(aggregate) => is_empty(&aggregate.input) && !aggregate.groups.is_empty(),
        Plan::Window(window) => is_empty(&window.input),
        Plan::Limit(limit) => is_empty(&limit.input),
        Plan::Apply(apply) => is_empty(&apply.input),
        Plan::Join(join) => pairs_nothing(join, context),
        Plan::SetOperation(operation) => {
            match (operation.kind, is_empty(&operation.left), is_empty(&operation.right)) {
                (SetKind::Union, left, right) => left && right,
                (SetKind::Intersect, left, right) => left || right,
                (SetKind::Except, left, _) => left,
            }
        }
        _ => false,
    };
    if has_none {
        *plan = Plan::Empty(columns_of(plan));
        return;
    }
    match plan {
        // Nothing is left to be tested.
        Plan::Filter(input, predicate) if predicate.is_empty() => *plan = input.take(),
        Plan::SetOperation(operation) if operation.kind == SetKind::Union => {
            if let Some(only) = only_side(operation, types) {
                *plan = only;
            }
        }
        _ => {}
    }
}

fn is_empty(plan: &Plan) -> bool {
    matches!(plan, Plan::Empty(_))
}

/// Whether conditions hold for no row, whichever it is; those that hold for each are left out.
fn contradicts(predicate: &mut Vec<Expr>, context: &Context) -> bool {
    if !predicate.iter().any(Expr::is_constant) {
        return false;
    }
    predicate.iter_mut().for_each(|term| fold_expr(term, context));
    predicate.retain(|term| !is_true(term));
    predicate.iter().any(|term| matches!(term.as_literal(), Some(Value::Int(0) | Value::Null)))
}

fn pairs_nothing(join: &mut Join, context: &Context) -> bool {
    let (left, right) = (is_empty(&join.left), is_empty(&join.right));
    match join.kind {
        JoinKind::Inner | JoinKind::Semi => left || right || contradicts(&mut join.on, context),
        JoinKind::Left | JoinKind::Anti => left,
        JoinKind::Right => right,
        JoinKind::Full => left && right,
    }
}

/// The side of a union that has rows, where the other has none.
fn only_side(operation: &mut SetOperation, types: &[ExprType]) -> Option<Plan> {
    let side = match (is_empty(&operation.left), is_empty(&operation.right)) {
        (true, false) => operation.right.take(),
        (false, true) => operation.left.take(),
        _ => return None,
    };
    let columns = operation.columns.iter().zip(columns_of(&side));
    let columns = columns.map(|(id, of_side)| (*id, Expr::column(of_side, types[of_side as usize].clone()))).collect();
    let side = side.project(columns);
    Some(if operation.all { side } else { Plan::Distinct(Box::new(side)) })
}
