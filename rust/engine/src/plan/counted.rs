//! Aggregates that need only row counts.

use super::{Aggregate, Plan, Scan};
use crate::expr::{Expr, ExprType};

impl Aggregate {
    /// The scan of ranges whose rows it does nothing but count: all of them, or those in which a column that is never
    /// NULL has a value.
    pub fn counted_scan(&self, types: &[ExprType]) -> Option<&Scan> {
        let is_never_null = |arg: &Expr| match (arg.as_literal(), arg.as_column()) {
            (Some(value), _) => !value.is_null(),
            (_, Some(id)) => types.get(id as usize).is_some_and(|ty| !ty.nullable),
            _ => false,
        };
        let counts_all = self
            .calls
            .iter()
            .all(|(_, call)| call.function.counts() && !call.distinct && call.args.iter().all(is_never_null));
        if !self.groups.is_empty() || self.calls.is_empty() || !counts_all {
            return None;
        }
        let mut input = &self.input;
        // Columns of a projection may be NULL where those below are not.
        while let Plan::Project(below, columns) = input
            && columns.iter().all(|(_, expr)| expr.as_column().is_some())
        {
            input = below;
        }
        match input {
            Plan::Scan(scan) if scan.filter.is_empty() && scan.access.ranges.is_some() => {
                scan.relation.row_count().is_some().then_some(&**scan)
            }
            _ => None,
        }
    }
}
