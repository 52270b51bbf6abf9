//! Key conditions: sargable conditions on the columns of an index.

use value::{SqlType, Value};

use crate::exec::scan::table_scan::ranges::has_place;
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

/// Whether a range of keys holds exactly the rows for which the condition is true, whatever the values of parameters are.
pub fn is_exact(term: &Expr, scan: &Scan) -> bool {
    let column_type = |expr: &Expr| {
        let position = expr.as_column().and_then(|id| scan.columns.iter().find(|(column, _)| *column == id));
        position.map(|(_, position)| &scan.relation.columns()[*position].ty.sql)
    };
    let is_exact_beside = |column: &Expr, value: &Expr, comparison: &Comparison| {
        column_type(column).is_some_and(|ty| has_exact_place(value, ty, comparison))
    };
    match &term.kind {
        ExprKind::Compare(_, comparison, sides) => {
            let [left, right] = &**sides;
            is_exact_beside(left, right, comparison) || is_exact_beside(right, left, comparison)
        }
        ExprKind::In(list) => list.list.iter().all(|value| is_exact_beside(&list.value, value, &list.comparison)),
        ExprKind::Is(_, IsTest::Null) => true,
        ExprKind::Or(terms) | ExprKind::And(terms) => terms.iter().all(|term| is_exact(term, scan)),
        _ => false,
    }
}

/// Whether the order of a column's index says how its values compare with this one.
fn has_exact_place(value: &Expr, ty: &SqlType, comparison: &Comparison) -> bool {
    let is_moment = matches!(ty, SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. });
    match (&value.kind, comparison) {
        // A plan is made for the types of its parameters.
        (ExprKind::Param(_), Comparison::Int) => {
            matches!((ty, &value.ty.sql), (SqlType::Integer(_), SqlType::Integer(_)))
        }
        (ExprKind::Param(_), Comparison::Text(collation)) => {
            is_bounded_text(ty) && value.ty.sql.is_text() && collation.is_code_point_order()
        }
        (ExprKind::Literal(literal), _) => {
            let is_alike = match comparison {
                Comparison::Int | Comparison::Decimal => {
                    let is_number = matches!(literal, Value::Int(_) | Value::UInt(_) | Value::Decimal(_));
                    is_number && matches!(ty, SqlType::Integer(_) | SqlType::Decimal { .. })
                }
                Comparison::Text(collation) => {
                    is_bounded_text(ty) && matches!(literal, Value::Text(_)) && collation.is_code_point_order()
                }
                Comparison::Moment => is_moment && matches!(literal, Value::Date(_) | Value::DateTime(_)),
                Comparison::Mixed(_) => is_moment && matches!(literal, Value::Text(_)),
                _ => false,
            };
            is_alike && has_place(value, ty)
        }
        _ => false,
    }
}

fn is_bounded_text(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Char { .. } | SqlType::VarChar { .. })
}
