//! What the columns of a query give to the columns of a table, where the form of an expression tells more than its type.

use value::SqlType;

use super::Bound;
use super::expr::selected_for;
use crate::expr::Expr;
use crate::plan::{ColumnId, Plan, columns_of};

impl Bound {
    /// The same query for columns of these types: INSERT … SELECT stores what INSERT … VALUES would.
    pub fn into_columns<'a>(mut self, columns: impl Iterator<Item = &'a SqlType>) -> Bound {
        let given: Vec<Expr> = columns_of(&self.plan)
            .into_iter()
            .zip(columns)
            .map(|(id, to)| {
                let column = Expr::column(id, self.types[id as usize].clone());
                match form_of(&self.plan, id) {
                    Some(form) => selected_for(column, form, to),
                    None => column,
                }
            })
            .collect();
        if given.iter().all(|expr| expr.as_column().is_some()) {
            return self;
        }
        let mut projected = Vec::with_capacity(given.len());
        for (expr, told) in given.into_iter().zip(&mut self.columns) {
            if expr.as_column().is_none() {
                told.ty = expr.ty.sql.clone();
            }
            projected.push((self.types.len() as ColumnId, expr));
            self.types.push(projected[projected.len() - 1].1.ty.clone());
        }
        Bound { plan: self.plan.project(projected), ..self }
    }
}

/// The expression that a column of a plan comes from, through queries in FROM.
fn form_of(plan: &Plan, column: ColumnId) -> Option<&Expr> {
    match plan {
        Plan::Project(input, columns) => {
            let (_, expr) = columns.iter().find(|(id, _)| *id == column)?;
            match expr.as_column() {
                Some(inner) => form_of(input, inner),
                None => Some(expr),
            }
        }
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => form_of(input, column),
        Plan::Limit(limit) => form_of(&limit.input, column),
        Plan::Join(join) => form_of(&join.left, column).or_else(|| form_of(&join.right, column)),
        _ => None,
    }
}
