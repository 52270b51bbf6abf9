//! Reads and passes on only columns that somebody needs.

use crate::plan::{ColumnSet, JoinStrategy, Plan, column_set};

pub fn prune(plan: &mut Plan) {
    let wanted = column_set(plan);
    prune_to(plan, &wanted);
}

fn prune_to(plan: &mut Plan, wanted: &ColumnSet) {
    let mut below = wanted.clone();
    plan.exprs_mut(&mut |expr| expr.collect_columns(&mut below));
    match plan {
        // All columns of groups tell them apart.
        Plan::IndexGroups(_) => {}
        Plan::Unit | Plan::Values(_) | Plan::RecursiveRows(..) => {}
        Plan::JsonTable(_) | Plan::TableFunction(_) => {}
        Plan::Empty(columns) => columns.retain(|id| wanted.contains(id)),
        Plan::Scan(scan) => scan.columns.retain(|(id, _)| below.contains(id)),
        Plan::KeyedScan(keyed) => keyed.scan.columns.retain(|(id, _)| below.contains(id)),
        Plan::Filter(input, _) | Plan::Sort(input, _) => prune_to(input, &below),
        Plan::Project(input, columns) => {
            columns.retain(|(id, _)| wanted.contains(id));
            let mut below = ColumnSet::default();
            columns.iter().for_each(|(_, expr)| expr.collect_columns(&mut below));
            prune_to(input, &below);
        }
        Plan::Join(join) => {
            if let JoinStrategy::Hash { left, right, .. } = &join.strategy {
                left.iter().chain(right).for_each(|key| key.collect_columns(&mut below));
            }
            if let JoinStrategy::Lookup { outer } = &join.strategy {
                below.extend(outer.iter().map(|(_, id)| *id));
            }
            prune_to(&mut join.left, &below);
            prune_to(&mut join.right, &below);
        }
        Plan::Aggregate(aggregate) => {
            let mut below = ColumnSet::default();
            aggregate.calls.retain(|(id, _)| wanted.contains(id));
            aggregate.groups.iter().for_each(|(_, expr)| expr.collect_columns(&mut below));
            for (_, call) in &aggregate.calls {
                call.args.iter().for_each(|arg| arg.collect_columns(&mut below));
                call.order.iter().for_each(|key| key.expr.collect_columns(&mut below));
            }
            prune_to(&mut aggregate.input, &below);
        }
        Plan::Window(window) => prune_to(&mut window.input, &below),
        Plan::Limit(limit) => prune_to(&mut limit.input, wanted),
        // All columns take part in the comparison of rows.
        Plan::Distinct(input) => prune(input),
        Plan::SetOperation(operation) => {
            prune(&mut operation.left);
            prune(&mut operation.right);
        }
        Plan::Apply(apply) => {
            below.extend(apply.subquery.outer.iter().map(|(_, id)| *id));
            below.remove(&apply.output);
            prune_to(&mut apply.input, &below);
        }
        // Another place may need others.
        Plan::Shared(shared) => prune(&mut shared.plan),
        Plan::Recursive(recursive) => {
            prune(&mut recursive.first);
            prune(&mut recursive.step);
        }
    }
}
