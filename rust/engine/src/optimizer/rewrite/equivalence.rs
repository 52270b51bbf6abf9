//! Equivalence of values: which conditions give the same answer for all values that compare equal.

use value::SqlType;

use crate::expr::{CompareOp, Comparison, Expr, ExprKind, ExprType, IsTest};
use crate::plan::{ColumnId, ColumnSet};

/// Whether a condition is the same for all rows that are equal by its columns: a text with several spellings represents all of them
/// only where both comparisons use the same equality.
pub fn holds_for_equals(term: &Expr) -> bool {
    match &term.kind {
        ExprKind::Column(_) => is_told_apart(&term.ty),
        ExprKind::Is(inner, IsTest::Null | IsTest::NotNull) if inner.as_column().is_some() => true,
        ExprKind::Compare(_, comparison, sides) => sides.iter().all(|side| holds_compared(side, comparison)),
        ExprKind::In(list) => {
            list.list.iter().chain([&list.value]).all(|value| holds_compared(value, &list.comparison))
        }
        _ => {
            let mut holds = true;
            term.children(|child| holds &= holds_for_equals(child));
            holds
        }
    }
}

fn holds_compared(side: &Expr, comparison: &Comparison) -> bool {
    let is_own = match comparison {
        Comparison::Text(collation) => *collation == side.ty.collation(),
        Comparison::Mixed(_) => false,
        _ => true,
    };
    (side.as_column().is_some() && is_own) || holds_for_equals(side)
}

/// Whether values of a type that are equal have nothing else in which they differ.
pub fn is_told_apart(ty: &ExprType) -> bool {
    match &ty.sql {
        SqlType::Integer(_) | SqlType::Year | SqlType::Date | SqlType::DateTime { .. } => true,
        SqlType::Timestamp { .. } | SqlType::Time => true,
        sql if sql.is_text() => ty.collation().is_code_point_order(),
        sql => sql.is_binary(),
    }
}

/// Adds to `to` the conditions on columns of `partner` that follow from `known` ones by equalities of a join: `a = b` and `a < 5` say
/// that `b < 5`.
pub fn also_of_partner(equalities: &[Expr], known: &[Expr], partner: &ColumnSet, to: &mut Vec<Expr>) {
    for term in known {
        let Some((column, comparison)) = compared_column(term) else { continue };
        for (one, two) in equalities.iter().filter_map(|equality| equated(equality, comparison)) {
            for (own, other) in [(one, two), (two, one)] {
                let is_alike = || is_compared_alike(&own.ty, &other.ty, comparison);
                if own.as_column() == Some(column)
                    && other.as_column().is_some_and(|id| partner.contains(&id))
                    && is_alike()
                {
                    let mut also = term.clone();
                    also.substitute(&|id| (id == column).then(|| other.clone()));
                    to.push(also);
                }
            }
        }
    }
}

/// The column that a condition compares with what is the same for all rows, and how.
fn compared_column(term: &Expr) -> Option<(ColumnId, Comparison)> {
    match &term.kind {
        ExprKind::Compare(op, comparison, sides) if *op != CompareOp::NullSafeEqual => match &**sides {
            [column, value] if value.is_row_independent() => Some((column.as_column()?, *comparison)),
            [value, column] if value.is_row_independent() => Some((column.as_column()?, *comparison)),
            _ => None,
        },
        ExprKind::In(list) if list.list.iter().all(Expr::is_row_independent) => {
            Some((list.value.as_column()?, list.comparison))
        }
        _ => None,
    }
}

/// The sides of an equality by the same comparison.
fn equated(equality: &Expr, comparison: Comparison) -> Option<(&Expr, &Expr)> {
    match &equality.kind {
        ExprKind::Compare(CompareOp::Equal, by, sides) if *by == comparison => Some((&sides[0], &sides[1])),
        _ => None,
    }
}

/// Whether columns of two types that equal each other compare alike with a third value.
fn is_compared_alike(one: &ExprType, other: &ExprType, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Int => [one, other].iter().all(|ty| matches!(ty.sql, SqlType::Integer(_))),
        Comparison::Text(collation) => [one, other].iter().all(|ty| ty.sql.is_text() && ty.collation() == collation),
        Comparison::Bytes => [one, other].iter().all(|ty| ty.sql.is_binary()),
        _ => false,
    }
}
