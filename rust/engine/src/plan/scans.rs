//! Scans of a plan: the only one that it reads, and the one below projections that only pass columns on.

use super::{ColumnId, Plan, Scan};
use crate::expr::{AggregateCall, Expr, ExprKind};

impl Plan {
    /// The scan whose rows are all that the plan gets to know of any table. `None` where it reads more: other tables, subqueries,
    /// functions that look at the database.
    pub fn scan_alone(&self) -> Option<&Scan> {
        let (input, is_alone) = match self {
            Plan::Scan(scan) => return Some(&**scan).filter(|scan| scan.filter.iter().all(is_of_row)),
            Plan::Filter(input, predicate) => (&**input, predicate.iter().all(is_of_row)),
            Plan::Project(input, columns) => (&**input, columns.iter().all(|(_, expr)| is_of_row(expr))),
            Plan::Sort(input, keys) => (&**input, keys.iter().all(|key| is_of_row(&key.expr))),
            Plan::Distinct(input) => (&**input, true),
            Plan::Limit(limit) => (&limit.input, limit.rows.iter().chain(&limit.offset).all(is_of_row)),
            Plan::Aggregate(aggregate) => {
                let groups = aggregate.groups.iter().all(|(_, expr)| is_of_row(expr));
                (&aggregate.input, groups && aggregate.calls.iter().all(|(_, call)| is_of_rows(call)))
            }
            _ => return None,
        };
        if is_alone { input.scan_alone() } else { None }
    }

    /// The scan that this is, but for which columns are given and how they are called.
    pub fn scan_below(&self) -> Option<&Scan> {
        match self {
            Plan::Scan(scan) => Some(scan),
            Plan::Project(input, columns) if pass_on(columns) => input.scan_below(),
            _ => None,
        }
    }

    pub fn scan_below_mut(&mut self) -> Option<&mut Scan> {
        match self {
            Plan::Scan(scan) => Some(scan),
            Plan::Project(input, columns) if pass_on(columns) => input.scan_below_mut(),
            _ => None,
        }
    }

    /// The position in the relation of that scan of a column which is passed on.
    pub fn position_below(&self, id: ColumnId) -> Option<usize> {
        match self {
            Plan::Scan(scan) => scan.columns.iter().find(|(column, _)| *column == id).map(|(_, position)| *position),
            Plan::Project(input, columns) => {
                let (_, expr) = columns.iter().find(|(output, _)| *output == id)?;
                input.position_below(expr.as_column()?)
            }
            _ => None,
        }
    }
}

/// Whether an expression is computed from the values of its row.
fn is_of_row(expr: &Expr) -> bool {
    !expr.any(&|expr| match &expr.kind {
        ExprKind::Subquery(_) => true,
        ExprKind::Call(call) => !call.function.is_deterministic(),
        _ => false,
    })
}

fn is_of_rows(call: &AggregateCall) -> bool {
    call.args.iter().all(is_of_row) && call.order.iter().all(|key| is_of_row(&key.expr))
}

fn pass_on(columns: &[(ColumnId, Expr)]) -> bool {
    columns.iter().all(|(_, expr)| expr.as_column().is_some())
}
