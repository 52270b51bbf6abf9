//! Implied bounds: key ranges from conditions on computed values, as `LIKE 'abc%'`, `DATE(at) = '2024-03-01'`, `YEAR(at) > 2020`. They
//! select a range of an index; the conditions themselves are still evaluated.

use value::{Date, SqlType, Value};

use crate::catalog::Index;
use crate::exec::scan::table_scan::ranges::said_by_text;
use crate::expr::{CastKind, CompareOp, Comparison, Expr, ExprKind, ExprType, Like};
use crate::functions::Traits;
use crate::plan::Scan;

/// What the conditions of a scan imply, as far as an index could use it.
pub fn bounds(scan: &Scan) -> Vec<Expr> {
    let mut bounds = Vec::new();
    for term in &scan.filter {
        match &term.kind {
            ExprKind::Like(like) if is_indexed(&like.text, scan) => of_prefix(like, &mut bounds),
            ExprKind::Compare(op, _, sides) => {
                let [left, right] = &**sides;
                match (left.as_literal(), right.as_literal()) {
                    (None, Some(value)) => of_days(left, *op, value, scan, &mut bounds),
                    (Some(value), None) => of_days(right, op.mirrored(), value, scan, &mut bounds),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    bounds
}

fn is_indexed(expr: &Expr, scan: &Scan) -> bool {
    let Some(id) = expr.as_column() else { return false };
    let column = scan.columns.iter().find(|(column, _)| *column == id).map(|(_, position)| *position);
    let has = |index: &Index| index.ordered && column.is_some_and(|column| index.columns.contains(&column));
    scan.relation.indexes().iter().any(has)
}

fn bound(op: CompareOp, comparison: Comparison, column: &Expr, value: Value<'static>, ty: ExprType) -> Expr {
    let sides = [column.clone(), Expr::literal(value, ty)];
    Expr::new(ExprKind::Compare(op, comparison, Box::new(sides)), ExprType::boolean())
}

/// `LIKE 'abc%'`: at least 'abc', less than 'abd'.
fn of_prefix(like: &Like, bounds: &mut Vec<Expr>) {
    let Some(Value::Text(pattern)) = like.pattern.as_literal() else { return };
    if like.negated || !like.collation.is_code_point_order() || like.collation != like.text.ty.collation() {
        return;
    }
    let escape = match like.escape.as_ref().map(Expr::as_literal) {
        None | Some(Some(Value::Null)) => Some('\\'),
        Some(Some(Value::Text(escape))) => escape.chars().next(),
        // It may be any character.
        Some(_) => return,
    };
    let special = |c: char| matches!(c, '%' | '_') || Some(c) == escape;
    let prefix = &pattern[..pattern.find(special).unwrap_or(pattern.len())];
    let Some(last) = prefix.chars().next_back() else { return };
    let mut add = |op: CompareOp, text: String| {
        let (comparison, ty) = (Comparison::Text(like.collation), like.pattern.ty.clone());
        bounds.push(bound(op, comparison, &like.text, Value::text(text), ty));
    };
    add(CompareOp::GreaterOrEqual, prefix.to_owned());
    if let Some(next) = char::from_u32(last as u32 + 1) {
        let before = &prefix[..prefix.len() - last.len_utf8()];
        add(CompareOp::Less, format!("{before}{next}"));
    }
}

/// A day or a year of a column's moments beside a value.
fn of_days(side: &Expr, op: CompareOp, value: &Value<'static>, scan: &Scan, bounds: &mut Vec<Expr>) {
    let (column, first, after) = match &side.kind {
        ExprKind::Call(call) => match &call.args[..] {
            [column] if call.function.is(Traits::GIVES_DAY) => {
                (column, day_of(value), day_of(value).and_then(|(day, _)| day_after(day)))
            }
            [column] if call.function.is(Traits::GIVES_YEAR) => {
                (column, year_of(value).and_then(first_of), year_of(value).and_then(after_year))
            }
            _ => return,
        },
        ExprKind::Cast(column, CastKind::Explicit) if side.ty.sql == SqlType::Date => {
            (&**column, day_of(value), day_of(value).and_then(|(day, _)| day_after(day)))
        }
        _ => return,
    };
    let is_moment = matches!(column.ty.sql, SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. });
    let Some((first, is_whole)) = first.filter(|_| is_moment && is_indexed(column, scan)) else { return };
    let mut add = |op: CompareOp, day: Option<Date>| {
        let Some(day) = day else { return };
        bounds.push(bound(op, Comparison::Moment, column, Value::Date(day), ExprType::new(SqlType::Date, false)));
    };
    match op {
        CompareOp::Equal => {
            add(CompareOp::GreaterOrEqual, Some(first));
            add(CompareOp::Less, after);
        }
        CompareOp::Less if is_whole => add(CompareOp::Less, Some(first)),
        CompareOp::Less | CompareOp::LessOrEqual => add(CompareOp::Less, after),
        CompareOp::Greater => add(CompareOp::GreaterOrEqual, after),
        CompareOp::GreaterOrEqual => add(CompareOp::GreaterOrEqual, Some(first)),
        CompareOp::NotEqual | CompareOp::NullSafeEqual => {}
    }
}

/// The day of a moment that a date is compared with, and whether the moment is its beginning. Dates that no calendar has are none.
fn day_of(value: &Value<'static>) -> Option<(Date, bool)> {
    let said = said_by_text(value, &SqlType::Date);
    let (day, is_whole) = match said.as_ref().unwrap_or(value) {
        Value::Date(date) => (*date, true),
        Value::DateTime(moment) => (moment.date(), moment.since_midnight() == 0),
        _ => return None,
    };
    (!day.is_zero()).then_some((day, is_whole))
}

fn day_after(day: Date) -> Option<Date> {
    Date::from_days(day.days() + 1)
}

fn year_of(value: &Value<'static>) -> Option<u16> {
    match value {
        Value::Int(year @ 1..=9999) => Some(*year as u16),
        _ => None,
    }
}

fn first_of(year: u16) -> Option<(Date, bool)> {
    Some((Date::new(year, 1, 1)?, true))
}

fn after_year(year: u16) -> Option<Date> {
    Date::new(year + 1, 1, 1)
}
