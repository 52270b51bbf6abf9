//! Joins by lookup: where few rows on the left find their partners through an index of the right side, reading the whole
//! right side for a hash table would cost more.

use super::joins::rows_of;
use crate::catalog::{IndexChoice, KeyRange};
use crate::expr::{CompareOp, Comparison, Context, Expr, ExprKind};
use crate::plan::{ColumnId, Join, JoinKind, JoinStrategy, OuterSlot, Plan, Scan};

/// A lookup costs about as much as reading this many rows in order.
pub const LOOKUP_ROWS: f64 = 20.0;

/// `slot` is the next outer slot that nobody uses.
pub fn choose(plan: &mut Plan, slot: &mut OuterSlot, context: &Context) {
    plan.inputs_mut(&mut |input| choose(input, slot, context));
    if let Plan::Join(join) = plan {
        // The hash join has its small side on the right, where it is built; a lookup wants it on the left.
        let exchanges = join.kind == JoinKind::Inner && !join.straight;
        if !by_lookup(join, slot, context) && exchanges && matches!(join.strategy, JoinStrategy::Hash { .. }) {
            exchange(join);
            if !by_lookup(join, slot, context) {
                exchange(join);
            }
        }
    }
}

fn exchange(join: &mut Join) {
    std::mem::swap(&mut join.left, &mut join.right);
    if let JoinStrategy::Hash { left, right, .. } = &mut join.strategy {
        std::mem::swap(left, right);
    }
}

/// Whether the join became one by lookup.
fn by_lookup(join: &mut Join, slot: &mut OuterSlot, context: &Context) -> bool {
    if !matches!(join.kind, JoinKind::Inner | JoinKind::Left | JoinKind::Semi | JoinKind::Anti) {
        return false;
    }
    let JoinStrategy::Hash { left, right, comparisons } = &join.strategy else { return false };
    let keys: Vec<(ColumnId, ColumnId, Comparison)> = left
        .iter()
        .zip(right)
        .zip(comparisons)
        .filter_map(|((left, right), comparison)| Some((left.as_column()?, right.as_column()?, *comparison)))
        .collect();
    // The keys were taken out of the condition; a lookup tests them again, because the index may be asked in vain.
    let equalities: Vec<Expr> = left
        .iter()
        .zip(right)
        .zip(comparisons)
        .map(|((left, right), comparison)| {
            let ty = crate::expr::ExprType::boolean();
            Expr::new(ExprKind::Compare(CompareOp::Equal, *comparison, Box::new([left.clone(), right.clone()])), ty)
        })
        .collect();
    let left_rows = rows_of(&join.left, context);
    let Plan::Scan(scan) = &mut join.right else { return false };
    let Some(right_rows) = scan.relation.row_count() else { return false };
    if left_rows * LOOKUP_ROWS >= right_rows as f64 || scan.access.ranges.is_some() {
        return false;
    }
    let Some((index, parts)) = index_for(scan, &keys) else { return false };
    let mut outer = Vec::new();
    let mut range = KeyRange::default();
    for (left, right_type) in parts {
        range.equal.push(Expr::new(ExprKind::Outer(*slot), right_type));
        outer.push((*slot, left));
        *slot += 1;
    }
    scan.access = IndexChoice { index: Some(index), ranges: Some(vec![range]), nearest: None };
    join.strategy = JoinStrategy::Lookup { outer };
    join.on.splice(0..0, equalities);
    true
}

/// The index whose leading columns are keys of the join, as many as possible: its number, and for each such column the
/// left column that it equals.
fn index_for(
    scan: &Scan,
    keys: &[(ColumnId, ColumnId, Comparison)],
) -> Option<(usize, Vec<(ColumnId, crate::expr::ExprType)>)> {
    scan.relation.base()?;
    let mut best: Option<(usize, Vec<_>)> = None;
    for (number, index) in scan.relation.indexes().iter().enumerate().filter(|(_, index)| index.ordered) {
        let mut parts = Vec::new();
        for &column in &index.columns {
            let id = scan.columns.iter().find(|(_, position)| *position == column).map(|(id, _)| *id);
            let ty = &scan.relation.columns()[column].ty;
            let key =
                keys.iter().find(|(_, right, comparison)| Some(*right) == id && is_ordered_alike(*comparison, ty));
            let Some((left, _, _)) = key else { break };
            parts.push((*left, scan.relation.columns()[column].ty.clone()));
        }
        if !parts.is_empty() && best.as_ref().is_none_or(|(_, known)| parts.len() > known.len()) {
            best = Some((number, parts));
        }
    }
    best
}

/// Whether values that compare equal by the rule have one place in the index.
fn is_ordered_alike(comparison: Comparison, ty: &crate::expr::ExprType) -> bool {
    match comparison {
        Comparison::Int | Comparison::Decimal | Comparison::Bytes | Comparison::Moment => true,
        Comparison::Text(collation) => collation == ty.collation(),
        _ => false,
    }
}

/// A slot that no part of the plan uses.
pub fn next_slot(plan: &mut Plan) -> OuterSlot {
    let mut next = 0;
    highest(plan, &mut next);
    next
}

fn highest(plan: &mut Plan, next: &mut OuterSlot) {
    plan.exprs_mut(&mut |expr| {
        expr.rewrite(&mut |expr| match &mut expr.kind {
            ExprKind::Outer(slot) => *next = (*next).max(*slot + 1),
            ExprKind::Subquery(subquery) => {
                subquery.outer.iter().for_each(|(slot, _)| *next = (*next).max(slot + 1));
                highest(&mut subquery.plan, next);
            }
            _ => {}
        });
    });
    match plan {
        Plan::Scan(scan) => {
            for range in scan.access.ranges.iter_mut().flatten() {
                let bounds = range.lower.iter_mut().chain(&mut range.upper).map(|(expr, _)| expr);
                for expr in range.equal.iter_mut().chain(bounds) {
                    expr.rewrite(&mut |expr| {
                        if let ExprKind::Outer(slot) = expr.kind {
                            *next = (*next).max(slot + 1);
                        }
                    });
                }
            }
        }
        Plan::Apply(apply) => {
            apply.subquery.outer.iter().for_each(|(slot, _)| *next = (*next).max(slot + 1));
            highest(&mut apply.subquery.plan, next);
        }
        Plan::Join(join) => {
            if let JoinStrategy::Lookup { outer } = &join.strategy {
                outer.iter().for_each(|(slot, _)| *next = (*next).max(slot + 1));
            }
        }
        _ => {}
    }
    plan.inputs_mut(&mut |input| highest(input, next));
}
