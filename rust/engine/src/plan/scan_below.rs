//! A scan below projections that only pass columns on.

use super::{ColumnId, Plan, Scan};
use crate::expr::Expr;

impl Plan {
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

fn pass_on(columns: &[(ColumnId, Expr)]) -> bool {
    columns.iter().all(|(_, expr)| expr.as_column().is_some())
}
