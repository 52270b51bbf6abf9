//! What conditions say about the keys of an index.

use value::{SqlType, Value};

use crate::expr::{Comparison, Expr, ExprKind, ExprType, IsTest};
use crate::plan::Scan;

/// Whether a condition compares text by the collation that the column, and so its indexes, are in the order of.
pub fn is_of_collation(term: &Expr, ty: &ExprType) -> bool {
    let comparison = match &term.kind {
        ExprKind::Compare(_, comparison, _) => comparison,
        ExprKind::In(list) => &list.comparison,
        ExprKind::Or(terms) | ExprKind::And(terms) => return terms.iter().all(|term| is_of_collation(term, ty)),
        _ => return true,
    };
    match comparison {
        Comparison::Text(collation) | Comparison::Mixed(collation) if ty.sql.is_text() => {
            *collation == ty.collation() && comparison.ready().is_ok()
        }
        _ => true,
    }
}

/// Whether a range of keys holds exactly the rows for which the condition is true: whole numbers against whole numbers.
pub fn is_exact(term: &Expr, scan: &Scan) -> bool {
    let is_integer_column = |expr: &Expr| {
        let position = expr.as_column().and_then(|id| scan.columns.iter().find(|(column, _)| *column == id));
        position.is_some_and(|(_, position)| matches!(scan.relation.columns()[*position].ty.sql, SqlType::Integer(_)))
    };
    let is_integer = |expr: &Expr| match &expr.kind {
        ExprKind::Literal(value) => matches!(value, Value::Int(_) | Value::UInt(_)),
        // A plan is made for the types of its parameters.
        ExprKind::Param(_) => matches!(expr.ty.sql, SqlType::Integer(_)),
        _ => false,
    };
    match &term.kind {
        ExprKind::Compare(_, Comparison::Int, sides) => {
            let [left, right] = &**sides;
            (is_integer_column(left) && is_integer(right)) || (is_integer_column(right) && is_integer(left))
        }
        ExprKind::In(list) => {
            list.comparison == Comparison::Int && is_integer_column(&list.value) && list.list.iter().all(is_integer)
        }
        ExprKind::Is(_, IsTest::Null) => true,
        ExprKind::Or(terms) | ExprKind::And(terms) => terms.iter().all(|term| is_exact(term, scan)),
        _ => false,
    }
}
