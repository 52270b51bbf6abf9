//! Index lookup joins: where few rows of the left side find their partners through an index of the right side, and reading the whole right
//! side for a hash table would cost more.

use crate::catalog::{IndexChoice, KeyRange, Tree};
use crate::expr::{CompareOp, Comparison, Context, Expr, ExprKind};
use crate::optimizer::access::covering::is_covering;
use crate::optimizer::cost::cardinality;
use crate::optimizer::cost::cardinality::{LOOKUP_ROWS, rows_of, rows_wanted};
use crate::plan::{ColumnId, Join, JoinKind, JoinStrategy, OuterSlot, Plan, Scan, columns_of};

/// `slot` is the next unused outer slot, `wanted` the number of rows that are read of what the plan gives, where it is
/// known.
pub fn choose(plan: &mut Plan, wanted: Option<f64>, slot: &mut OuterSlot, context: &Context) {
    match plan {
        Plan::Limit(limit) => {
            let wanted = rows_wanted(limit, context);
            choose(&mut limit.input, wanted, slot, context);
        }
        Plan::Project(input, _) => choose(input, wanted, slot, context),
        Plan::Join(join) => {
            let was_test = join.kind == JoinKind::Semi;
            choose_for(join, wanted, slot, context);
            // A join gives the columns of both sides, a test those of one.
            let shown = match &join.right {
                Plan::Scan(scan) if was_test && join.kind == JoinKind::Inner => Some(shown(scan)),
                _ => None,
            };
            let wanted = wanted.filter(|_| keeps_rows(join));
            choose(&mut join.left, wanted, slot, context);
            choose(&mut join.right, None, slot, context);
            if let Some(columns) = shown {
                *plan = plan.take().project(columns);
            }
        }
        other => other.inputs_mut(&mut |input| choose(input, None, slot, context)),
    }
}

fn choose_for(join: &mut Join, wanted: Option<f64>, slot: &mut OuterSlot, context: &Context) {
    if !matches!(join.strategy, JoinStrategy::Hash { .. }) {
        return;
    }
    if let Some(wanted) = wanted {
        let mut tried = join.clone();
        // Of the rows that are only tested, some do not pass.
        let is_test = matches!(join.kind, JoinKind::Semi | JoinKind::Anti);
        let rows = (wanted * if is_test { 4.0 } else { 1.0 }).min(rows_of(&join.left, context));
        if tried.on.is_empty() && by_lookup(&mut tried, rows, slot, context) && (is_test || keeps_rows(&tried)) {
            *join = tried;
            return;
        }
    }
    if by_lookup(join, rows_of(&join.left, context), slot, context) {
        return;
    }
    match join.kind {
        JoinKind::Semi => from_tested(join, slot, context),
        // The hash join has its small side on the right, where it is built; a lookup wants it on the left.
        _ if is_symmetric(join) => {
            exchange(join);
            if !by_lookup(join, rows_of(&join.left, context), slot, context) {
                exchange(join);
            }
        }
        _ => {}
    }
}

/// Where few values are tested for (`x IN (SELECT …)`), they are looked up: each different one once.
fn from_tested(join: &mut Join, slot: &mut OuterSlot, context: &Context) {
    let JoinStrategy::Hash { right, comparisons, .. } = &join.strategy else { return };
    let columns = columns_of(&join.right);
    // What is different has to be what does not compare equal.
    let is_told_apart = |(key, comparison): (&Expr, &Comparison)| {
        key.as_column().is_some_and(|id| columns.contains(&id))
            && matches!(comparison, Comparison::Int | Comparison::Moment | Comparison::Text(_) | Comparison::Bytes)
            && Comparison::within(&key.ty) == *comparison
    };
    if !join.on.is_empty() || right.len() != columns.len() || !right.iter().zip(comparisons).all(is_told_apart) {
        return;
    }
    let mut tried = join.clone();
    exchange(&mut tried);
    tried.kind = JoinKind::Inner;
    let rows = rows_of(&tried.left, context);
    if by_lookup(&mut tried, rows, slot, context) {
        tried.left = Plan::Distinct(Box::new(tried.left));
        *join = tried;
    }
}

/// The columns of a scan as they are.
fn shown(scan: &Scan) -> Vec<(ColumnId, Expr)> {
    let column = |&(id, position): &(ColumnId, usize)| {
        let ty = scan.relation.columns()[position].ty.clone();
        (id, Expr::column(id, ty))
    };
    scan.columns.iter().map(column).collect()
}

/// An inner join whose sides may be exchanged.
pub fn is_symmetric(join: &Join) -> bool {
    join.kind == JoinKind::Inner && !join.straight && matches!(join.strategy, JoinStrategy::Hash { .. })
}

pub fn exchange(join: &mut Join) {
    std::mem::swap(&mut join.left, &mut join.right);
    if let JoinStrategy::Hash { left, right, .. } = &mut join.strategy {
        std::mem::swap(left, right);
    }
}

/// Whether each row of the left side of a join by lookup is in its result, as far as can be told: a row of a table without
/// conditions is looked up by a unique key, which mostly is a reference to it.
pub fn keeps_rows(join: &Join) -> bool {
    finds_one(join)
        && !matches!((join.kind, &join.right), (JoinKind::Inner, Plan::Scan(scan)) if !scan.filter.is_empty())
}

/// The same of a row of a table with conditions, which it may not pass.
pub fn finds_one(join: &Join) -> bool {
    let (JoinKind::Inner, JoinStrategy::Lookup { outer }) = (join.kind, &join.strategy) else {
        return join.kind == JoinKind::Left && matches!(join.strategy, JoinStrategy::Lookup { .. });
    };
    let Plan::Scan(scan) = &join.right else { return false };
    let index = scan.access.index.and_then(|number| scan.relation.indexes().get(number));
    join.on.len() == outer.len() && index.is_some_and(|index| index.unique && index.columns.len() == outer.len())
}

/// Whether the join became one by lookup: it does where that costs less than to read the right side, for so many rows of the left.
pub fn by_lookup(join: &mut Join, left_rows: f64, slot: &mut OuterSlot, context: &Context) -> bool {
    by_lookup_beside(join, left_rows, 0.0, slot, context)
}

/// The same where so many rows are read beside those of the right side if it does not become one.
pub fn by_lookup_beside(join: &mut Join, left_rows: f64, others: f64, slot: &mut OuterSlot, context: &Context) -> bool {
    if !matches!(join.kind, JoinKind::Inner | JoinKind::Left | JoinKind::Semi | JoinKind::Anti) {
        return false;
    }
    let JoinStrategy::Hash { left, right, comparisons } = &join.strategy else { return false };
    let keys: Vec<(ColumnId, ColumnId, Comparison)> = left
        .iter()
        .zip(right)
        .zip(comparisons)
        // Text that is no number has no place among decimals: the whole index would be read for it.
        .filter(|((left, _), comparison)| !(left.ty.sql.is_text() && **comparison == Comparison::Decimal))
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
    let Plan::Scan(scan) = &mut join.right else { return false };
    let Some(right_rows) = scan.relation.row_count() else { return false };
    let otherwise = right_rows as f64 + others;
    if left_rows * LOOKUP_ROWS >= otherwise || scan.access.ranges.is_some() {
        return false;
    }
    let Some((index, parts)) = index_for(scan, &keys) else { return false };
    if lookup_cost(scan, index, parts.len(), left_rows, context) >= otherwise {
        return false;
    }
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

/// Lookups of so few rows are not worth a look at how many rows they lead to.
const FEW_LOOKUPS: f64 = 8.0;

/// Rows of the table that an index leads to lie scattered: each costs about what it does to read so many in order.
const SCATTERED_ROWS: f64 = 30.0;

/// What it costs to look up the partners of so many rows, in rows that are read in order.
fn lookup_cost(scan: &Scan, index: usize, fields: usize, rows: f64, context: &Context) -> f64 {
    let partners = if rows <= FEW_LOOKUPS { 0.0 } else { partners_cost(scan, index, fields, context) };
    rows * (LOOKUP_ROWS + partners)
}

/// What it costs to read the rows that one lookup leads to, but for the first.
pub fn partners_cost(scan: &Scan, index: usize, fields: usize, context: &Context) -> f64 {
    let known = &scan.relation.indexes()[index];
    if known.unique && known.columns.len() == fields {
        return 0.0;
    }
    let (all, values) = (scan.relation.row_count(), cardinality::different_prefixes(scan, index, fields, context));
    let (Some(all), Some(values)) = (all, values) else { return 0.0 };
    cost_of_partners(scan, index, all as f64 / values.max(1.0))
}

/// The same where one lookup leads to so many rows.
pub fn cost_of_partners(scan: &Scan, index: usize, rows: f64) -> f64 {
    let is_of_rows = scan.relation.base().is_some_and(|table| table.tree(Some(index)) == Tree::Primary);
    (rows - 1.0).max(0.0) * if is_of_rows || is_covering(scan, index) { 1.0 } else { SCATTERED_ROWS }
}

/// The index whose leading columns are keys of the join, as many as possible: its number, and for each such column the
/// left column that it equals.
pub fn index_for(
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
