//! Projection merging: joins stacked projections and removes those that change nothing.

use crate::expr::Expr;
use crate::plan::repeatable::is_movable;
use crate::plan::{ColumnId, Plan, columns_of};

type Columns = [(ColumnId, Expr)];

pub fn merge(plan: &mut Plan) {
    plan.inputs_mut(&mut merge);
    if let Plan::Project(input, columns) = plan
        && let Plan::Project(below, inner) = &mut **input
        && (is_all_columns(inner) || is_choice(columns, inner))
        && !columns.iter().any(|(_, expr)| expr.has_subquery())
    {
        let of_inner = |id: ColumnId| Some(inner.iter().find(|(output, _)| *output == id)?.1.clone());
        columns.iter_mut().for_each(|(_, expr)| expr.substitute(&of_inner));
        **input = below.take();
    }
    if let Plan::Project(input, columns) = plan
        && columns
            .iter()
            .map(|(id, expr)| (expr.as_column() == Some(*id)).then_some(*id))
            .eq(columns_of(input).into_iter().map(Some))
    {
        *plan = input.take();
    }
}

/// Whether nothing is computed.
fn is_all_columns(columns: &Columns) -> bool {
    columns.iter().all(|(_, expr)| expr.as_column().is_some())
}

/// Whether some of the columns of another projection are shown, and none that it computes twice.
fn is_choice(columns: &Columns, inner: &Columns) -> bool {
    let times = |id: ColumnId| columns.iter().filter(|(_, expr)| expr.as_column() == Some(id)).count();
    is_all_columns(columns)
        && inner.iter().all(|(id, expr)| expr.as_column().is_some() || times(*id) == 1 && is_movable(expr))
}
