//! Join method: hash join for equal keys, index lookup for an indexed right side, else nested loops.

use value::SqlType;

use crate::expr::{CastKind, CompareOp, Comparison, Context, Expr, ExprKind, ExprType};
use crate::optimizer::cost::cardinality::rows_of;
use crate::plan::{ColumnSet, Join, JoinKind, JoinStrategy, Plan, columns_of};

/// Makes left joins of right joins.
pub fn turn_right_joins(mut plan: Plan) -> Plan {
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = turn_right_joins(taken);
    });
    if let Plan::Join(join) = &mut plan
        && join.kind == JoinKind::Right
    {
        std::mem::swap(&mut join.left, &mut join.right);
        join.kind = JoinKind::Left;
    }
    plan
}

/// Gives every join that has equal keys a hash table.
pub fn choose(mut plan: Plan, context: &Context) -> Plan {
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = choose(taken, context);
    });
    if let Plan::Join(join) = &mut plan
        && matches!(join.strategy, JoinStrategy::Nested)
    {
        by_hash(join, context);
    }
    plan
}

/// A side of an equality as a key: text beside moments is the one that it has to be.
pub fn key(side: &Expr, comparison: Comparison) -> Expr {
    if comparison != Comparison::Moment || !side.ty.sql.is_text() {
        return side.clone();
    }
    let ty = ExprType::new(SqlType::DateTime { decimals: 6 }, true);
    Expr::new(ExprKind::Cast(Box::new(side.clone()), CastKind::Assigned), ty)
}

fn by_hash(join: &mut Join, context: &Context) {
    let set = |plan: &Plan| -> ColumnSet { columns_of(plan).into_iter().collect() };
    let (left_columns, right_columns) = (set(&join.left), set(&join.right));
    let reads = |expr: &Expr, columns: &ColumnSet| {
        let used = expr.columns();
        !used.is_empty() && used.iter().all(|id| columns.contains(&id))
    };
    let (mut left, mut right, mut comparisons, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for term in std::mem::take(&mut join.on) {
        let keys = match &term.kind {
            ExprKind::Compare(CompareOp::Equal, comparison, sides) => {
                let [a, b] = &**sides;
                comparison.hashed(&a.ty, &b.ty).map(|comparison| (comparison, a, b))
            }
            _ => None,
        };
        match keys {
            Some((comparison, a, b)) if reads(a, &left_columns) && reads(b, &right_columns) => {
                left.push(key(a, comparison));
                right.push(key(b, comparison));
                comparisons.push(comparison);
            }
            Some((comparison, a, b)) if reads(b, &left_columns) && reads(a, &right_columns) => {
                left.push(key(b, comparison));
                right.push(key(a, comparison));
                comparisons.push(comparison);
            }
            _ => rest.push(term),
        }
    }
    join.on = rest;
    if left.is_empty() {
        return;
    }
    // The smaller side is built; only an inner join may exchange its sides.
    if join.kind == JoinKind::Inner && !join.straight && rows_of(&join.left, context) < rows_of(&join.right, context) {
        std::mem::swap(&mut join.left, &mut join.right);
        std::mem::swap(&mut left, &mut right);
    }
    join.strategy = JoinStrategy::Hash { left, right, comparisons };
}
