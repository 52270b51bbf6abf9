//! Vector search: `ORDER BY vec_distance(column, constant) LIMIT n` by a vector index, which gives the approximately nearest rows.

use std::rc::Rc;

use crate::catalog::Nearest;
use crate::expr::{Expr, ExprKind, SortKey};
use crate::functions::Traits;
use crate::plan::{ColumnId, Limit, Plan, Scan};

/// Uses vector indexes where native Dolt does, for its answer is not always the exact one. Where conditions choose among the rows, or
/// the farthest are wanted, it gives too few or other ones: there the rows are sorted, as they are where the order is by the name of a
/// column, which native Dolt sorts as well.
pub fn use_vector_indexes(plan: &mut Plan) {
    plan.inputs_mut(&mut use_vector_indexes);
    let Plan::Limit(limit) = plan else { return };
    let Limit { input: Plan::Project(sorted, shown), rows: rows @ Some(_), offset, counts_all: false } = &mut **limit
    else {
        return;
    };
    let Plan::Sort(input, keys) = &mut **sorted else { return };
    let ([SortKey { expr, descending: false }], Plan::Project(scan, columns)) = (&keys[..], &mut **input) else {
        return;
    };
    let (Plan::Scan(scan), Some(id)) = (&mut **scan, expr.as_column()) else { return };
    let is_shown = shown.iter().any(|(_, expr)| expr.as_column() == Some(id));
    let Some((_, distance)) = columns.iter().find(|(column, _)| *column == id && !is_shown) else { return };
    let Some((column, to)) = operands(distance) else { return };
    let Some(index) = index_of(scan, column) else { return };
    scan.access.index = Some(index);
    scan.access.nearest = Some(Rc::new(Nearest { to: to.clone(), rows: rows.clone(), offset: offset.clone() }));
    **sorted = input.take();
}

/// The column and the constant between which the distance is that vector indexes know.
fn operands(expr: &Expr) -> Option<(ColumnId, &Expr)> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    let is_constant =
        |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Param(_) | ExprKind::UserVariable(..));
    match &call.args[..] {
        _ if !call.function.is(Traits::SQUARED_DISTANCE) => None,
        [one, other] if is_constant(one) => Some((other.as_column()?, one)),
        [one, other] if is_constant(other) => Some((one.as_column()?, other)),
        _ => None,
    }
}

/// The vector index over a column of all rows of a stored table.
fn index_of(scan: &Scan, column: ColumnId) -> Option<usize> {
    let schema = scan.relation.base()?.schema();
    if !scan.filter.is_empty() || scan.access.index.is_some() {
        return None;
    }
    let (_, position) = scan.columns.iter().find(|(id, _)| *id == column)?;
    let index = schema.indexes.iter().find(|index| index.vector.is_some() && index.columns == [*position])?;
    scan.relation.indexes().iter().position(|known| known.name == index.name)
}
