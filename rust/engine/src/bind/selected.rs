//! Result columns of a query as columns of a new table, where the form of an expression determines more than its type.

use value::SqlType;

use super::Bound;
use super::expr::{Form, selected_for};
use crate::expr::{Expr, ExprKind};
use crate::functions::Traits;
use crate::plan::{ColumnId, Plan, SubqueryTest, columns_of};

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

/// What an expression over the columns of a query, or a subquery, gives to a column of this type.
pub(super) fn given_to(plan: &Plan, expr: Expr, to: &SqlType) -> Expr {
    match form_over(plan, &expr) {
        Some(form) => selected_for(expr, form, to),
        None => expr,
    }
}

/// The form that the values of a column have, through the queries that it comes from.
fn form_of(plan: &Plan, column: ColumnId) -> Option<Form> {
    let at = |columns: &[ColumnId]| columns.iter().position(|id| *id == column);
    match plan {
        Plan::Project(input, columns) => {
            let (_, expr) = columns.iter().find(|(id, _)| *id == column)?;
            form_over(input, expr)
        }
        Plan::Aggregate(aggregate) => {
            if let Some((_, group)) = aggregate.groups.iter().find(|(id, _)| *id == column) {
                return form_over(&aggregate.input, group);
            }
            let (_, call) = aggregate.calls.iter().find(|(id, _)| *id == column)?;
            let gives_one = call.function.is(Traits::GIVES_ARGUMENT);
            form_over(&aggregate.input, call.args.first().filter(|_| gives_one)?)
        }
        Plan::SetOperation(operation) => {
            let at = at(&operation.columns)?;
            let of = |side: &Plan| form_of(side, *columns_of(side).get(at)?);
            of(&operation.left).filter(|form| of(&operation.right) == Some(*form))
        }
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => form_of(input, column),
        Plan::Limit(limit) => form_of(&limit.input, column),
        Plan::MaterializedCte(cte) => form_of(&cte.plan, column),
        Plan::Join(join) => form_of(&join.left, column).or_else(|| form_of(&join.right, column)),
        _ => None,
    }
}

/// The form of an expression over the columns of `input`.
fn form_over(input: &Plan, expr: &Expr) -> Option<Form> {
    match &expr.kind {
        ExprKind::Column(column) => form_of(input, *column),
        ExprKind::Subquery(subquery) if subquery.test == SubqueryTest::Scalar => {
            form_of(&subquery.plan, *columns_of(&subquery.plan).first()?)
        }
        _ => Form::of(expr),
    }
}
