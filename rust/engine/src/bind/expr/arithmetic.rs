//! Binding of arithmetic, and the precision of its results.

use value::{SqlType, Value};

use super::conversion::is_day;
use crate::expr::{ArithmeticOp, CastKind, Expr, ExprKind, ExprType, types};

/// `left op right`. Quotients within it are taken to more digits than they have alone; the whole is rounded once.
pub(in crate::bind) fn arithmetic(op: ArithmeticOp, left: Expr, right: Expr) -> Expr {
    let (left, right) = if op == ArithmeticOp::Modulo {
        let (left_ty, right_ty) = (left.ty.clone(), right.ty.clone());
        (exact_beside(left, &right_ty), exact_beside(right, &left_ty))
    } else {
        (left, right)
    };
    let (left, right) = if is_of_bits(op) { (bits(left), bits(right)) } else { (left, right) };
    let ty = types::arithmetic(op, &left.ty, &right.ty);
    let exact = matches!(ty.sql, SqlType::Decimal { .. });
    let (left, right) = (as_operand(left), as_operand(right));
    let has_quotient = exact && (has_quotient(&left) || has_quotient(&right));
    let whole = Expr::new(ExprKind::Arithmetic(op, Box::new([unrounded(left), unrounded(right)])), ty.clone());
    match has_quotient {
        true => Expr::new(ExprKind::Cast(Box::new(whole), CastKind::Implicit), ty),
        false => whole,
    }
}

/// A literal such as `1e-2` as a DECIMAL beside another literal or an exact number: an operand of `%`.
fn exact_beside(expr: Expr, other: &ExprType) -> Expr {
    let ExprKind::Literal(Value::Double(number)) = &expr.kind else { return expr };
    let exact = matches!(other.sql, SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Year);
    match value::Decimal::from_f64(*number) {
        Some(decimal) if exact => {
            let scale = decimal.scale().min(30) as u8;
            Expr::literal(Value::Decimal(decimal), ExprType::new(types::decimal(65, scale), false))
        }
        _ => expr,
    }
}

/// Dates as the reference counts with them: with a time of day, but for the days that are text.
fn as_operand(expr: Expr) -> Expr {
    if expr.ty.sql != SqlType::Date || is_day(&expr) {
        return expr;
    }
    let ty = ExprType { sql: SqlType::DateTime { decimals: 0 }, ..expr.ty.clone() };
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

fn is_of_bits(op: ArithmeticOp) -> bool {
    use ArithmeticOp::*;
    matches!(op, BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight)
}

/// A day that is text as the number of eight digits that it is in other arithmetic; a literal without sign where its smallest type
/// has none, as that of 255.
fn bits(mut expr: Expr) -> Expr {
    if let ExprKind::Literal(Value::Int(number)) = expr.kind
        && expr.ty.sql.is_unsigned()
    {
        expr.kind = ExprKind::Literal(Value::UInt(number as u64));
    }
    if !is_day(&expr) {
        return expr;
    }
    let zero = Expr::literal(Value::Int(0), ExprType::new(SqlType::BIGINT, false));
    arithmetic(ArithmeticOp::Add, expr, zero)
}

fn has_quotient(expr: &Expr) -> bool {
    if !matches!(expr.ty.sql, SqlType::Decimal { .. }) {
        return false;
    }
    match &expr.kind {
        ExprKind::Arithmetic(ArithmeticOp::Divide | ArithmeticOp::InnerDivide, _) => true,
        ExprKind::Cast(inner, CastKind::Implicit) => {
            matches!(inner.kind, ExprKind::Arithmetic(..)) && has_quotient(inner)
        }
        ExprKind::Arithmetic(_, sides) => sides.iter().any(has_quotient),
        _ => false,
    }
}

/// An exact quotient before it is rounded to the digits that are shown, as comparisons and casts take it; anything else as it is.
pub(in crate::bind) fn unrounded(mut expr: Expr) -> Expr {
    if !has_quotient(&expr) {
        return expr;
    }
    match expr.kind {
        ExprKind::Cast(inner, _) => unrounded(*inner),
        ExprKind::Arithmetic(ArithmeticOp::Divide, sides) => {
            expr.kind = ExprKind::Arithmetic(ArithmeticOp::InnerDivide, sides);
            expr
        }
        _ => expr,
    }
}
