//! How joins are done: equal keys by hash table, an index of the right side by lookup.

use crate::exec;
use crate::expr::{CompareOp, Comparison, Context, Expr, ExprKind};
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

fn by_hash(join: &mut Join, context: &Context) {
    let set = |plan: &Plan| -> ColumnSet { columns_of(plan).into_iter().collect() };
    let (left_columns, right_columns) = (set(&join.left), set(&join.right));
    let reads = |expr: &Expr, columns: &ColumnSet| {
        let used = expr.columns();
        !used.is_empty() && used.iter().all(|id| columns.contains(&id))
    };
    let (mut left, mut right, mut comparisons, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for term in std::mem::take(&mut join.on) {
        match &term.kind {
            // Values of different families are equal in ways that no hash key shows.
            ExprKind::Compare(CompareOp::Equal, comparison, sides) if !matches!(comparison, Comparison::Mixed(_)) => {
                let [a, b] = &**sides;
                if reads(a, &left_columns) && reads(b, &right_columns) {
                    left.push(a.clone());
                    right.push(b.clone());
                    comparisons.push(*comparison);
                } else if reads(b, &left_columns) && reads(a, &right_columns) {
                    left.push(b.clone());
                    right.push(a.clone());
                    comparisons.push(*comparison);
                } else {
                    rest.push(term);
                }
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

/// A guess at the rows of a plan; counts of tables are exact.
pub fn rows_of(plan: &Plan, context: &Context) -> f64 {
    let rows_of = |plan: &Plan| rows_of(plan, context);
    match plan {
        Plan::Unit => 1.0,
        Plan::Empty(_) => 0.0,
        Plan::Scan(scan) => {
            // The tree counts ranges exactly; conditions beside them are guessed to keep a third each.
            let counted = exec::count_ranges(scan, &scan.relation, context).map(|(rows, fixed)| (rows as f64, fixed));
            let (rows, fixed) =
                counted.unwrap_or_else(|| (scan.relation.row_count().map_or(1000.0, |rows| rows as f64), 0));
            rows * 0.3f64.powi(scan.filter.len().saturating_sub(fixed).min(4) as i32)
        }
        Plan::IndexGroups(groups) => exec::estimate_groups(&groups.scan, groups.fields, context).unwrap_or(1000.0),
        Plan::Values(values) => values.rows.len() as f64,
        Plan::JsonTable(_) => 10.0,
        Plan::Filter(input, predicate) => rows_of(input) * 0.3f64.powi(predicate.len().min(4) as i32),
        Plan::Project(input, _) | Plan::Sort(input, _) => rows_of(input),
        Plan::Distinct(input) => rows_of(input) * 0.5,
        Plan::Join(join) => match (&join.strategy, join.kind) {
            (_, JoinKind::Semi | JoinKind::Anti) => rows_of(&join.left) * 0.5,
            (JoinStrategy::Nested, _) if join.on.is_empty() => rows_of(&join.left) * rows_of(&join.right),
            _ => rows_of(&join.left).max(rows_of(&join.right)),
        },
        Plan::Aggregate(aggregate) if aggregate.groups.is_empty() => 1.0,
        Plan::Aggregate(aggregate) => rows_of(&aggregate.input) * 0.2,
        Plan::Window(window) => rows_of(&window.input),
        Plan::Limit(limit) => {
            let rows = limit.rows.as_ref().and_then(|rows| rows.as_literal().map(value_of));
            rows.unwrap_or(1000.0).min(rows_of(&limit.input))
        }
        Plan::SetOperation(operation) => rows_of(&operation.left) + rows_of(&operation.right),
        Plan::Apply(apply) => rows_of(&apply.input),
        Plan::Recursive(_) | Plan::RecursiveRows(..) => 1000.0,
    }
}

fn value_of(value: &value::Value<'_>) -> f64 {
    crate::expr::to_double(value)
}
