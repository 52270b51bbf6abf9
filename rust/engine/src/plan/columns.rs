//! Sets of columns, and which columns an operator gives.

use hashbrown::HashSet;

use super::{ColumnId, JoinKind, Plan};

pub type ColumnSet = HashSet<ColumnId>;

/// The columns of a plan's output, in order.
pub fn columns_of(plan: &Plan) -> Vec<ColumnId> {
    match plan {
        Plan::Unit => Vec::new(),
        Plan::Empty(columns) | Plan::RecursiveRows(_, columns) => columns.clone(),
        Plan::Scan(scan) => scan.columns.iter().map(|(id, _)| *id).collect(),
        Plan::Values(values) => values.columns.clone(),
        Plan::JsonTable(table) => table.columns.clone(),
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => columns_of(input),
        Plan::Project(_, columns) => columns.iter().map(|(id, _)| *id).collect(),
        Plan::Join(join) => {
            let mut columns = columns_of(&join.left);
            if !matches!(join.kind, JoinKind::Semi | JoinKind::Anti) {
                columns.extend(columns_of(&join.right));
            }
            columns
        }
        Plan::Aggregate(aggregate) => {
            aggregate.groups.iter().map(|(id, _)| *id).chain(aggregate.calls.iter().map(|(id, _)| *id)).collect()
        }
        Plan::Window(window) => {
            let mut columns = columns_of(&window.input);
            columns.extend(window.calls.iter().map(|(id, _)| *id));
            columns
        }
        Plan::Limit(limit) => columns_of(&limit.input),
        Plan::SetOperation(operation) => operation.columns.clone(),
        Plan::Apply(apply) => {
            let mut columns = columns_of(&apply.input);
            columns.push(apply.output);
            columns
        }
        Plan::Recursive(recursive) => recursive.columns.clone(),
    }
}
