//! `+ - * / DIV %` and the bit operators.
//!
//! The type of the answer says in what numbers to compute. Whole numbers wrap in 64 bits, as Dolt's do
//! (docs/format/sql-surface.md, section 10).

use std::rc::Rc;

use value::{Decimal, IntegerType, Rounding, SqlType, Value};

use super::evaluated::{Evaluated, combine};
use super::{ArithmeticOp, Context, Expr, ExprType, to_decimal, to_double};
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::vector::{Bitmap, Data, Vector};

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
    if let Some(vector) = typed(op, ty, &left, &right) {
        return Ok(Evaluated::Rows(Rc::new(vector)));
    }
    combine(&left, &right, batch.rows, |l, r| compute(op, l, r, ty, context))
}

/// Loops for the plain cases of `+ - *` on BIGINT, DOUBLE and DECIMAL; `None` for others, and where an answer has too many digits.
fn typed(op: ArithmeticOp, ty: &ExprType, left: &Evaluated, right: &Evaluated) -> Option<Vector> {
    enum Side<'a, T> {
        One(T),
        Many(&'a [T]),
    }
    fn run<T: Copy>(left: Side<'_, T>, right: Side<'_, T>, f: impl Fn(T, T) -> T) -> Option<Vec<T>> {
        Some(match (left, right) {
            (Side::Many(l), Side::Many(r)) => l.iter().zip(r).map(|(l, r)| f(*l, *r)).collect(),
            (Side::Many(l), Side::One(r)) => l.iter().map(|l| f(*l, r)).collect(),
            (Side::One(l), Side::Many(r)) => r.iter().map(|r| f(l, *r)).collect(),
            (Side::One(_), Side::One(_)) => return None,
        })
    }
    fn try_run<T>(left: Side<'_, T>, right: Side<'_, T>, f: impl Fn(&T, &T) -> Option<T>) -> Option<Vec<T>> {
        match (left, right) {
            (Side::Many(l), Side::Many(r)) => l.iter().zip(r).map(|(l, r)| f(l, r)).collect(),
            (Side::Many(l), Side::One(r)) => l.iter().map(|l| f(l, &r)).collect(),
            (Side::One(l), Side::Many(r)) => r.iter().map(|r| f(&l, r)).collect(),
            (Side::One(_), Side::One(_)) => None,
        }
    }
    fn ints(side: &Evaluated) -> Option<Side<'_, i64>> {
        match side {
            Evaluated::Constant(Value::Int(n)) => Some(Side::One(*n)),
            Evaluated::Rows(vector) => match &vector.data {
                Data::Int(values) => Some(Side::Many(values)),
                _ => None,
            },
            _ => None,
        }
    }
    fn decimals(side: &Evaluated) -> Option<Side<'_, Decimal>> {
        match side {
            Evaluated::Constant(value @ (Value::Int(_) | Value::Decimal(_))) => Some(Side::One(to_decimal(value))),
            Evaluated::Rows(vector) => match &vector.data {
                Data::Decimal(values) => Some(Side::Many(values)),
                _ => None,
            },
            _ => None,
        }
    }
    fn doubles(side: &Evaluated) -> Option<Side<'_, f64>> {
        match side {
            Evaluated::Constant(value @ (Value::Int(_) | Value::Double(_) | Value::Decimal(_))) => {
                Some(Side::One(to_double(value)))
            }
            Evaluated::Rows(vector) => match &vector.data {
                Data::Double(values) => Some(Side::Many(values)),
                _ => None,
            },
            _ => None,
        }
    }
    let data = match &ty.sql {
        SqlType::Integer(kind) if !kind.unsigned => {
            let (left, right) = (ints(left)?, ints(right)?);
            Data::Int(match op {
                ArithmeticOp::Add => run(left, right, i64::wrapping_add)?,
                ArithmeticOp::Subtract => run(left, right, i64::wrapping_sub)?,
                ArithmeticOp::Multiply => run(left, right, i64::wrapping_mul)?,
                _ => return None,
            })
        }
        SqlType::Double => {
            let (left, right) = (doubles(left)?, doubles(right)?);
            Data::Double(match op {
                ArithmeticOp::Add => run(left, right, |l, r| l + r)?,
                ArithmeticOp::Subtract => run(left, right, |l, r| l - r)?,
                ArithmeticOp::Multiply => run(left, right, |l, r| l * r)?,
                _ => return None,
            })
        }
        SqlType::Decimal { .. } => {
            let (left, right) = (decimals(left)?, decimals(right)?);
            Data::Decimal(match op {
                ArithmeticOp::Add => try_run(left, right, |l, r| l.checked_add(r))?,
                ArithmeticOp::Subtract => try_run(left, right, |l, r| l.checked_sub(r))?,
                ArithmeticOp::Multiply => try_run(left, right, |l, r| l.checked_mul(r))?,
                _ => return None,
            })
        }
        _ => return None,
    };
    let validity_of = |side: &Evaluated| match side {
        Evaluated::Rows(vector) => vector.validity.clone(),
        Evaluated::Constant(_) => None,
    };
    let validity = match (validity_of(left), validity_of(right)) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one),
        (Some(l), Some(r)) => {
            let mut both = Bitmap::with_capacity(l.len());
            (0..l.len()).for_each(|row| both.push(l.get(row) && r.get(row)));
            Some(both)
        }
    };
    Some(Vector { data, validity })
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
    use ArithmeticOp::*;
    let (mut l, mut r) = (bits(left), bits(right));
    // Beside a signed number the reference reads what is beyond BIGINT as its first number beyond.
    match (left, right) {
        (Value::UInt(_), Value::UInt(_)) => {}
        (Value::UInt(n), _) => l = (*n).min(1 << 63),
        (_, Value::UInt(n)) => r = (*n).min(1 << 63),
        _ => {}
    }
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
    if op == Modulo {
        // The reference counts with as many digits as the longer of the two has, and the quotient must fit them.
        let quotient = l.checked_div(&r, 0, Rounding::TowardZero);
        if quotient.is_none_or(|quotient| quotient.digits() > l.digits().max(r.digits())) {
            return Err(SqlError::general("division impossible"));
        }
    }
    let answer = match op {
        Add => l.checked_add(&r),
        Subtract => l.checked_sub(&r),
        Multiply => l.checked_mul(&r),
        Divide => l.divide(&r, DIVISION_DIGITS),
        InnerDivide => l.checked_div(&r, l.inner_division_scale(&r), Rounding::TowardZero),
        IntegerDivide => l.checked_div(&r, 0, Rounding::TowardZero),
        _ => l.checked_rem(&r),
    };
    Ok(Some(Value::Decimal(answer.ok_or_else(|| overflow(ty))?)))
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
    let answer = l.checked_div(&r, 0, Rounding::TowardZero).ok_or_else(|| overflow(ty))?;
    Ok(Some(match (answer.to_i64(), answer.to_u64(), answer.negated().to_u64()) {
        (Some(n), ..) if !kind.unsigned => Value::Int(n),
        (_, Some(n), _) if kind.unsigned => Value::UInt(n),
        // As Dolt: the low 64 bits.
        (.., Some(n)) if kind.unsigned => Value::UInt(n.wrapping_neg()),
        _ => return Err(overflow(ty)),
    }))
}

fn of_integers(op: ArithmeticOp, mut l: i128, mut r: i128, kind: IntegerType) -> Option<Value<'static>> {
    use ArithmeticOp::*;
    if !kind.unsigned {
        // Beside a signed number the largest of BIGINT stands for what is beyond.
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

fn overflow(ty: &ExprType) -> SqlError {
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
        other => whole(other) as u64,
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
