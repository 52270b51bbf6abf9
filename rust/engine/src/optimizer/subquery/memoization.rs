//! Memoization of subqueries: finds correlated subqueries that run again with the same values of the outer row.

use crate::expr::{CompareOp, Expr, ExprKind};
use crate::plan::repeatable::{is_movable, is_repeatable};
use crate::plan::{Apply, ColumnSet, JoinKind, JoinStrategy, Plan, column_set};

/// Finds the subqueries that answer the same whenever they read the same of a row, so that an answer serves all such rows.
pub fn find_repeated(plan: &mut Plan) {
    if let Plan::Apply(apply) = plan {
        apply.repeats = !apply.subquery.outer.is_empty() && is_repeatable(&mut apply.subquery.plan);
    }
    plan.inputs_mut(&mut find_repeated);
}

/// Whether a subquery over a cross join is to be pushed below it: `a JOIN b ON b.id = (SELECT … WHERE … = a.id)` asks for each row
/// of `a`, and the answer finds the row of `b`.
pub fn is_sunk(apply: &mut Apply, predicate: &[Expr]) -> bool {
    let Some((own, other)) = sides(apply) else { return false };
    let Plan::Join(join) = &apply.input else { return false };
    let reads = |expr: &Expr, columns: &ColumnSet| expr.columns().iter().any(|id| columns.contains(&id));
    let is_equality = |term: &&Expr| matches!(term.kind, ExprKind::Compare(CompareOp::Equal, ..));
    let is_joined = |term: &Expr| reads(term, &own) && reads(term, &other);
    let finds = |term: &Expr| term.columns().contains(&apply.output) && reads(term, &other) && !reads(term, &own);
    predicate.iter().filter(is_equality).any(finds)
        && !join.on.iter().chain(predicate).filter(is_equality).any(is_joined)
        && apply.subquery.tested.iter().all(is_movable)
        && is_repeatable(&mut apply.subquery.plan)
}

/// The columns of the side of an inner join that a subquery over it reads, and those of the other.
fn sides(apply: &Apply) -> Option<(ColumnSet, ColumnSet)> {
    let Plan::Join(join) = &apply.input else { return None };
    if join.kind != JoinKind::Inner || !matches!(join.strategy, JoinStrategy::Nested) {
        return None;
    }
    let (left, right) = (column_set(&join.left), column_set(&join.right));
    let mut read: ColumnSet = apply.subquery.outer.iter().map(|(_, id)| *id).collect();
    apply.subquery.tested.iter().for_each(|expr| expr.collect_columns(&mut read));
    let is_of = |side: &ColumnSet| !read.is_empty() && read.iter().all(|id| side.contains(&id));
    match (is_of(&left), is_of(&right)) {
        (true, _) => Some((left, right)),
        (_, true) => Some((right, left)),
        _ => None,
    }
}

/// Puts it there.
pub fn sink(plan: &mut Plan) {
    *plan = match plan.take() {
        Plan::Apply(mut apply) => match (sides(&apply), apply.input.take()) {
            (Some((own, _)), Plan::Join(mut join)) => {
                let side = if column_set(&join.left) == own { &mut join.left } else { &mut join.right };
                apply.input = side.take();
                *side = Plan::Apply(apply);
                Plan::Join(join)
            }
            (_, input) => {
                apply.input = input;
                Plan::Apply(apply)
            }
        },
        other => other,
    };
}
