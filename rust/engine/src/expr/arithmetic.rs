//! `+ - * / DIV %` and the bit operators.
//!
//! The type of the answer says in what numbers to compute. Whole numbers wrap in 64 bits, as Dolt's do
//! (docs/format/sql-surface.md, section 10).

use std::rc::Rc;

use value::{Decimal, IntegerType, Rounding, SqlType, Value};

use super::arithmetic_loops;
use super::evaluated::{Evaluated, combine};
use super::{ArithmeticOp, Context, Expr, ExprType, to_decimal, to_double};
use crate::batch::Batch;
use crate::error::{Result, SqlError};

/// Digits that a quotient has more than its dividend (`div_precision_increment`).
const DIVISION_DIGITS: u8 = 4;

pub fn evaluate(
    op: ArithmeticOp,
    sides: &[Expr; 2],
    ty: &ExprType,
    batch: &Batch,
    context: &Context,
) -> Result<Evaluated> {
    let (left, right) = (sides[0].evaluate(batch, context)?, sides[1].evaluate(batch, context)?);
    if let Some(vector) = arithmetic_loops::compute(op, ty, &left, &right) {
        return Ok(Evaluated::Rows(Rc::new(vector)));
    }
    combine(&left, &right, batch.rows, context, |l, r| compute(op, l, r, ty, context))
}

/// One pair of values.
pub fn compute(
    op: ArithmeticOp,
    left: &Value<'_>,
    right: &Value<'_>,
    ty: &ExprType,
    context: &Context,
) -> Result<Value<'static>> {
    use ArithmeticOp::*;
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    if matches!(op, BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight) {
        return Ok(Value::UInt(of_bits(op, &in_moment_digits(left), &in_moment_digits(right))));
    }
    let (left, right) = (&in_digits(left), &in_digits(right));
    let answer = match &ty.sql {
        SqlType::Double | SqlType::Float => of_doubles(op, context.to_double(left), context.to_double(right)),
        SqlType::Decimal { .. } => of_decimals(op, to_decimal(left), to_decimal(right), ty)?,
        SqlType::Integer(kind) if op == IntegerDivide => of_quotient(left, right, *kind, ty, context)?,
        SqlType::Integer(kind) => of_integers(op, whole(left), whole(right), *kind),
        _ => return Err(SqlError::internal("arithmetic without a numeric type")),
    };
    Ok(answer.unwrap_or_else(|| {
        context.session.warn(1365, "Division by 0".to_owned());
        Value::Null
    }))
}

fn divides(op: ArithmeticOp) -> bool {
    use ArithmeticOp::*;
    matches!(op, Divide | InnerDivide | IntegerDivide | Modulo)
}

fn of_bits(op: ArithmeticOp, left: &Value<'_>, right: &Value<'_>) -> u64 {
    let (mut l, mut r) = (bits(left), bits(right));
    // Beside a signed number the reference reads what is beyond BIGINT as its first number beyond.
    match (left, right) {
        (Value::UInt(_), Value::UInt(_)) => {}
        (Value::UInt(n), _) => l = (*n).min(1 << 63),
        (_, Value::UInt(n)) => r = (*n).min(1 << 63),
        _ => {}
    }
    bitwise(op, l, r)
}

/// A shift by more bits than there are leaves none.
pub fn bitwise(op: ArithmeticOp, l: u64, r: u64) -> u64 {
    use ArithmeticOp::*;
    match op {
        BitAnd => l & r,
        BitOr => l | r,
        BitXor => l ^ r,
        ShiftLeft => u32::try_from(r).ok().and_then(|r| l.checked_shl(r)).unwrap_or(0),
        _ => u32::try_from(r).ok().and_then(|r| l.checked_shr(r)).unwrap_or(0),
    }
}

/// `None` for a division by zero, here and below.
fn of_doubles(op: ArithmeticOp, l: f64, r: f64) -> Option<Value<'static>> {
    use ArithmeticOp::*;
    if divides(op) && r == 0.0 {
        return None;
    }
    // As the reference, which knows infinities: they print as +Inf and NaN.
    Some(Value::Double(match op {
        Add => l + r,
        Subtract => l - r,
        Multiply => l * r,
        Divide | InnerDivide => l / r,
        IntegerDivide => (l / r).trunc(),
        _ => l % r,
    }))
}

fn of_decimals(op: ArithmeticOp, l: Decimal, r: Decimal, ty: &ExprType) -> Result<Option<Value<'static>>> {
    use ArithmeticOp::*;
    if divides(op) && r.is_zero() {
        return Ok(None);
    }
    if op == Modulo && l.scale() != r.scale() {
        // The reference counts with as many digits as the longer of the two has, and the quotient must fit them: that of
        // numbers of one scale does.
        let quotient = l.checked_div(&r, 0, Rounding::TowardZero);
        if quotient.is_none_or(|quotient| quotient.digits() > l.digits().max(r.digits())) {
            return Err(SqlError::general("division impossible"));
        }
    }
    let l = match (op, &ty.sql) {
        // A dividend has at least the digits of its type.
        (Divide | InnerDivide, SqlType::Decimal { scale, .. }) => {
            l.rescale(scale.saturating_sub(DIVISION_DIGITS).max(l.scale() as u8)).unwrap_or(l)
        }
        _ => l,
    };
    let answer = match op {
        Add => l.checked_add(&r),
        Subtract => l.checked_sub(&r),
        Multiply => l.checked_mul(&r),
        Divide => l.divide(&r, DIVISION_DIGITS),
        InnerDivide => l.checked_div(&r, l.inner_division_scale(&r), Rounding::TowardZero),
        IntegerDivide => l.checked_div(&r, 0, Rounding::TowardZero),
        _ => l.checked_rem(&r),
    };
    Ok(Some(Value::Decimal(answer.ok_or_else(|| out_of_range(ty))?)))
}

/// `left DIV right`, an integer.
fn of_quotient(
    left: &Value<'_>,
    right: &Value<'_>,
    kind: IntegerType,
    ty: &ExprType,
    context: &Context,
) -> Result<Option<Value<'static>>> {
    if matches!(left, Value::Text(_)) || matches!(right, Value::Text(_)) {
        // Text divides as a double, and down to the next whole number.
        let (l, r) = (context.to_double(left), context.to_double(right));
        let answer = (l / r).floor() as i64;
        return Ok((r != 0.0).then_some(if kind.unsigned { Value::UInt(answer as u64) } else { Value::Int(answer) }));
    }
    let (l, r) = (to_decimal(left), to_decimal(right));
    if r.is_zero() {
        return Ok(None);
    }
    let answer = l.checked_div(&r, 0, Rounding::TowardZero).ok_or_else(|| out_of_range(ty))?;
    Ok(Some(match (answer.to_i64(), answer.to_u64(), answer.negated().to_u64()) {
        (Some(n), ..) if !kind.unsigned => Value::Int(n),
        (_, Some(n), _) if kind.unsigned => Value::UInt(n),
        // As Dolt: the low 64 bits.
        (.., Some(n)) if kind.unsigned => Value::UInt(n.wrapping_neg()),
        _ => return Err(out_of_range(ty)),
    }))
}

fn of_integers(op: ArithmeticOp, mut l: i128, mut r: i128, kind: IntegerType) -> Option<Value<'static>> {
    use ArithmeticOp::*;
    if !kind.unsigned {
        // Beside a signed number the largest BIGINT replaces larger values.
        (l, r) = (l.min(i128::from(i64::MAX)), r.min(i128::from(i64::MAX)));
    }
    if divides(op) && r == 0 {
        return None;
    }
    let answer = match op {
        Add => l + r,
        Subtract => l - r,
        Multiply => l.wrapping_mul(r),
        Divide | InnerDivide => l / r,
        _ => l % r,
    };
    // As Dolt: no error 1690, the low 64 bits.
    Some(if kind.unsigned { Value::UInt(answer as u64) } else { Value::Int(answer as i64) })
}

/// As [`in_digits`]; a day is its midnight.
fn in_moment_digits<'v>(value: &'v Value<'_>) -> Value<'v> {
    match (value, in_digits(value)) {
        (Value::Date(_), Value::Int(day)) => Value::Int(day * 1_000_000),
        (_, digits) => digits,
    }
}

/// A date as the number `YYYYMMDD`, a moment as `YYYYMMDDhhmmss`; its fraction is lost, as in the reference.
fn in_digits<'v>(value: &'v Value<'_>) -> Value<'v> {
    let day =
        |date: value::Date| i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day());
    match value {
        Value::Date(date) => Value::Int(day(*date)),
        Value::DateTime(moment) => {
            let seconds = moment.since_midnight() / 1_000_000;
            let clock = seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60;
            Value::Int(day(moment.date()) * 1_000_000 + clock)
        }
        other => other.borrowed(),
    }
}

pub fn out_of_range(ty: &ExprType) -> SqlError {
    SqlError::general(format!("{} value is out of range", ty.sql))
}

/// A value as a whole number, rounded.
fn whole(value: &Value<'_>) -> i128 {
    match value {
        Value::Int(n) => i128::from(*n),
        Value::UInt(n) | Value::Bit(n) => i128::from(*n),
        other => {
            let decimal = to_decimal(other).round(0);
            decimal.to_i64().map(i128::from).or(decimal.to_u64().map(i128::from)).unwrap_or(0)
        }
    }
}

/// A value as 64 bits: negative numbers in two's complement.
pub fn bits(value: &Value<'_>) -> u64 {
    match value {
        Value::Int(n) => *n as u64,
        Value::UInt(n) | Value::Bit(n) => *n,
        // As in the reference, what is beyond on either side is the one bit that no BIGINT has.
        other => match value::convert::to_decimal(other, &mut Vec::new()).map(|number| number.round(0)) {
            Ok(whole) => whole.to_i64().map(|n| n as u64).or(whole.to_u64()).unwrap_or(1 << 63),
            Err(_) => u64::from(matches!(other, Value::Double(_) | Value::Float(_))) << 63,
        },
    }
}

pub fn negate(value: &Value<'_>, ty: &ExprType, context: &Context) -> Result<Value<'static>> {
    Ok(match value {
        Value::Null => Value::Null,
        Value::Int(n) if matches!(ty.sql, SqlType::Integer(_)) => {
            Value::Int(n.checked_neg().ok_or_else(|| SqlError::general(format!("BIGINT out of range for {n}")))?)
        }
        other => match &ty.sql {
            SqlType::Decimal { .. } => Value::Decimal(to_decimal(other).negated()),
            SqlType::Integer(_) => Value::Int((whole(other) as i64).wrapping_neg()),
            _ if let Value::Decimal(sum) = other => Value::Decimal(sum.negated()),
            _ if let Value::Float(number) = other => Value::Float(-number),
            // A moment has no negative in the reference.
            _ if matches!(other, Value::Date(_) | Value::DateTime(_)) => Value::Double(-0.0),
            // Bytes are text here, and text that is no number has no sign.
            _ => Value::Double(match other {
                Value::Bytes(bytes) => {
                    0.0 - context.to_double(&Value::text(String::from_utf8_lossy(bytes).into_owned()))
                }
                Value::Text(_) => 0.0 - context.to_double(other),
                other => -context.to_double(other),
            }),
        },
    })
}

impl Context {
    /// A value as a double; text that is no number leaves a warning.
    pub fn to_double(&self, value: &Value<'_>) -> f64 {
        match value {
            Value::Text(_) | Value::Bytes(_) => match self.cast(value, &SqlType::Double) {
                Ok(Value::Double(number)) => number,
                _ => 0.0,
            },
            other => to_double(other),
        }
    }
}
