//! Conditions `x IN (SELECT …)` as semi joins, `x NOT IN (SELECT …)` as anti joins: the rows of the subquery stand in a
//! hash table instead of being compared one by one.

use crate::expr::{CompareOp, Expr, ExprKind, ExprType};
use crate::plan::{Apply, ColumnId, Join, JoinKind, JoinStrategy, Plan, SubqueryTest, columns_of};

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
    predicate.remove(at);
    let Apply { input, subquery, .. } = *apply;
    let columns = columns_of(&subquery.plan);
    let on = subquery
        .tested
        .into_iter()
        .zip(columns)
        .zip(subquery.comparisons)
        .map(|((tested, column), comparison)| {
            let sides = Box::new([tested, Expr::column(column, types[column as usize].clone())]);
            Expr::new(ExprKind::Compare(CompareOp::Equal, comparison, sides), ExprType::boolean())
        })
        .collect();
    Plan::Join(Box::new(Join {
        kind,
        left: input,
        right: subquery.plan,
        on,
        strategy: JoinStrategy::Nested,
        straight: false,
    }))
}

/// The only term of the predicate that reads the subquery's answer, if it asks no more than whether that is true.
fn condition_on(apply: &Apply, predicate: &[Expr]) -> Option<(usize, JoinKind)> {
    let subquery = &apply.subquery;
    if subquery.test != SubqueryTest::In || !subquery.outer.is_empty() {
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
            let sure = subquery.tested.iter().all(|tested| expr_is_never_null(tested, &apply.input))
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
