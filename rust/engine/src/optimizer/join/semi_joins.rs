//! Semi-joins and anti-joins: `x IN (SELECT …)` and `EXISTS (SELECT … WHERE inner = outer)` become semi-joins, NOT IN and NOT EXISTS
//! anti-joins, so that the rows of the subquery are in a hash table and not compared one by one.

use value::Value;

use crate::expr::{CompareOp, Expr, ExprKind, ExprType};
use crate::plan::{
    Apply, ColumnId, Join, JoinKind, JoinStrategy, Limit, OuterSlot, Plan, SubqueryTest, column_set, columns_of,
};

pub fn choose(mut plan: Plan, types: &[ExprType]) -> Plan {
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = choose(taken, types);
    });
    if let Plan::Filter(input, predicate) = &mut plan {
        let taken = std::mem::replace(&mut **input, Plan::Unit);
        **input = join(taken, predicate, types);
        if predicate.is_empty() {
            return std::mem::replace(&mut **input, Plan::Unit);
        }
    }
    plan
}

/// Turns what can be turned of the subqueries right below a filter; their conditions leave the predicate.
fn join(plan: Plan, predicate: &mut Vec<Expr>, types: &[ExprType]) -> Plan {
    let Plan::Apply(mut apply) = plan else { return plan };
    apply.input = join(apply.input, predicate, types);
    let Some((at, kind)) = condition_on(&apply, predicate) else { return Plan::Apply(apply) };
    let Some((right, on)) = tested_rows(&mut apply, types) else { return Plan::Apply(apply) };
    predicate.remove(at);
    // It may test for rows of others.
    let right = choose(right, types);
    let (left, strategy) = (apply.input, JoinStrategy::Nested);
    Plan::Join(Box::new(Join { kind, left, right, on, strategy, straight: false, estimate: None }))
}

/// The rows that are asked for one that fits, and what fits; takes them from the subquery.
fn tested_rows(apply: &mut Apply, types: &[ExprType]) -> Option<(Plan, Vec<Expr>)> {
    let subquery = &mut apply.subquery;
    if subquery.test == SubqueryTest::Exists {
        return correlated(&mut subquery.plan, &subquery.outer, types);
    }
    let columns = columns_of(&subquery.plan);
    let tested = std::mem::take(&mut subquery.tested).into_iter().zip(columns).zip(&subquery.comparisons);
    let on = tested.map(|((tested, column), comparison)| {
        let sides = Box::new([tested, Expr::column(column, types[column as usize].clone())]);
        Expr::new(ExprKind::Compare(CompareOp::Equal, *comparison, sides), ExprType::boolean())
    });
    Some((subquery.plan.take(), on.collect()))
}

/// What EXISTS asks for, and the conditions of it that read the enclosing row, over both. `None` where these are not all in its
/// WHERE, or none is an equality, for which there is a hash table.
fn correlated(plan: &mut Plan, outer: &[(OuterSlot, ColumnId)], types: &[ExprType]) -> Option<(Plan, Vec<Expr>)> {
    let mut found = plan;
    // Which columns there are, and in what order, is all the same.
    let (input, predicate) = loop {
        found = match found {
            Plan::Project(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => input,
            Plan::Limit(limit) if gives_one(limit) => &mut limit.input,
            Plan::Filter(input, predicate) => break (input, predicate),
            _ => return None,
        };
    };
    if !is_independent(input) {
        return None;
    }
    let inner = column_set(input);
    let is_equality = |term: &Expr| match &term.kind {
        ExprKind::Compare(CompareOp::Equal, comparison, sides) => {
            let reads_inner = |side: &Expr| side.columns().iter().any(|id| inner.contains(&id));
            let is_side = |side: &Expr, other: &Expr| {
                reads_inner(side) && !side.reads_outer() && other.reads_outer() && !reads_inner(other)
            };
            let [left, right] = &**sides;
            comparison.hashed(&left.ty, &right.ty).is_some() && (is_side(left, right) || is_side(right, left))
        }
        _ => false,
    };
    let is_known = |term: &Expr| {
        !term.any(&|part| matches!(part.kind, ExprKind::Outer(slot) if outer.iter().all(|(known, _)| *known != slot)))
    };
    if !predicate.iter().any(is_equality) || !predicate.iter().all(is_known) {
        return None;
    }
    let mut on: Vec<Expr> = predicate.extract_if(.., |term| term.reads_outer()).collect();
    for term in &mut on {
        term.rewrite(&mut |part| {
            if let ExprKind::Outer(slot) = part.kind
                && let Some((_, id)) = outer.iter().find(|(known, _)| *known == slot)
            {
                *part = Expr::column(*id, types[*id as usize].clone());
            }
        });
    }
    let own = std::mem::take(predicate);
    Some((input.take().filter(own), on))
}

/// Whether a limit lets the first row through.
fn gives_one(limit: &Limit) -> bool {
    let rows = limit.rows.as_ref().is_some_and(|rows| matches!(rows.as_literal(), Some(Value::Int(1..))));
    rows && limit.offset.is_none()
}

/// Whether a plan gives the same rows for each enclosing row.
pub fn is_independent(plan: &mut Plan) -> bool {
    let mut reads = matches!(plan, Plan::Apply(_) | Plan::Recursive(_) | Plan::RecursiveRows(..));
    reads |= matches!(plan, Plan::Staged(_) | Plan::StageRows(..));
    reads |= matches!(plan, Plan::Join(join) if matches!(join.strategy, JoinStrategy::Lookup { .. }));
    plan.exprs_mut(&mut |expr| reads |= expr.reads_outer());
    plan.inputs_mut(&mut |input| reads |= !is_independent(input));
    !reads
}

/// The only term of the predicate that reads the subquery's answer, if it asks no more than whether that is true.
fn condition_on(apply: &Apply, predicate: &[Expr]) -> Option<(usize, JoinKind)> {
    let subquery = &apply.subquery;
    let is_exists = subquery.test == SubqueryTest::Exists;
    if !is_exists && (subquery.test != SubqueryTest::In || !subquery.outer.is_empty()) {
        return None;
    }
    let reads = |term: &Expr, id: ColumnId| term.columns().contains(&id);
    let mut readers = (0..predicate.len()).filter(|&at| reads(&predicate[at], apply.output));
    let (Some(at), None) = (readers.next(), readers.next()) else { return None };
    match &predicate[at].kind {
        ExprKind::Column(_) => Some((at, JoinKind::Semi)),
        // With a NULL on either side NOT IN is never true, which an anti join does not know.
        ExprKind::Not(inner) if inner.as_column() == Some(apply.output) => {
            let columns = columns_of(&subquery.plan);
            let sure = is_exists
                || subquery.tested.iter().all(|tested| expr_is_never_null(tested, &apply.input))
                    && columns.iter().all(|&column| is_never_null(&subquery.plan, column));
            sure.then_some((at, JoinKind::Anti))
        }
        _ => None,
    }
}

fn expr_is_never_null(expr: &Expr, input: &Plan) -> bool {
    match &expr.kind {
        ExprKind::Column(id) => is_never_null(input, *id),
        ExprKind::Literal(value) => !value.is_null(),
        _ => false,
    }
}

/// Whether a column has no NULL for sure. Its type does not say that: an outer join makes NULLs of columns that have none.
fn is_never_null(plan: &Plan, id: ColumnId) -> bool {
    match plan {
        Plan::Scan(scan) => scan
            .columns
            .iter()
            .find(|(column, _)| *column == id)
            .is_some_and(|(_, position)| !scan.relation.columns()[*position].ty.nullable),
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => is_never_null(input, id),
        Plan::Limit(limit) => is_never_null(&limit.input, id),
        Plan::Apply(apply) => apply.output != id && is_never_null(&apply.input, id),
        Plan::Project(input, columns) => {
            columns.iter().find(|(column, _)| *column == id).is_some_and(|(_, expr)| expr_is_never_null(expr, input))
        }
        Plan::Join(join) => match join.kind {
            JoinKind::Inner => is_never_null(&join.left, id) || is_never_null(&join.right, id),
            JoinKind::Left | JoinKind::Semi | JoinKind::Anti => is_never_null(&join.left, id),
            JoinKind::Right => is_never_null(&join.right, id),
            JoinKind::Full => false,
        },
        Plan::Aggregate(aggregate) => {
            let group = aggregate.groups.iter().find(|(column, _)| *column == id);
            group.is_some_and(|(_, expr)| expr_is_never_null(expr, &aggregate.input))
        }
        _ => false,
    }
}
