//! Vectorized arithmetic over columns of one kind of number, without a test for each row.

use value::{Decimal, SqlType, Value};

use super::ArithmeticOp::{self, *};
use super::arithmetic::bitwise;
use super::evaluated::Evaluated;
use super::{ExprType, to_decimal, to_double};
use crate::vector::{Bitmap, Data, Vector};

/// The answers of all rows; `None` where values have to be looked at one by one: other kinds of numbers, an answer with too many
/// digits, a division by zero (also where the row is NULL).
pub fn compute(op: ArithmeticOp, ty: &ExprType, left: &Evaluated, right: &Evaluated) -> Option<Vector> {
    let data = match &ty.sql {
        SqlType::Integer(kind) if kind.unsigned => of_bits(op, ints(left)?, ints(right)?)?,
        SqlType::Integer(_) => of_ints(op, ints(left)?, ints(right)?)?,
        SqlType::Double => of_doubles(op, doubles(left)?, doubles(right)?)?,
        SqlType::Decimal { .. } if op == Modulo => of_remainders(ints(left)?, ints(right)?)?,
        SqlType::Decimal { .. } => of_decimals(op, decimals(left)?, decimals(right)?)?,
        _ => return None,
    };
    Some(Vector { data, validity: validity(left, right) })
}

/// One side of an operator: the same number for all rows, or one for each.
enum Side<'a, T> {
    One(T),
    Many(&'a [T]),
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

fn of_ints(op: ArithmeticOp, left: Side<'_, i64>, right: Side<'_, i64>) -> Option<Data> {
    Some(Data::Int(match op {
        Add => run(left, right, i64::wrapping_add)?,
        Subtract => run(left, right, i64::wrapping_sub)?,
        Multiply => run(left, right, i64::wrapping_mul)?,
        IntegerDivide => try_run(left, right, |l, r| l.checked_div(*r))?,
        _ => return None,
    }))
}

fn of_bits(op: ArithmeticOp, left: Side<'_, i64>, right: Side<'_, i64>) -> Option<Data> {
    let is_bitwise = matches!(op, BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight);
    Some(Data::UInt(is_bitwise.then(|| run(left, right, |l, r| bitwise(op, l as u64, r as u64)))??))
}

fn of_doubles(op: ArithmeticOp, left: Side<'_, f64>, right: Side<'_, f64>) -> Option<Data> {
    Some(Data::Double(match op {
        Add => run(left, right, |l, r| l + r)?,
        Subtract => run(left, right, |l, r| l - r)?,
        Multiply => run(left, right, |l, r| l * r)?,
        _ => return None,
    }))
}

/// What is left of whole numbers is a DECIMAL, as in the reference, where it keeps the sign: -3 % 3 is -0.
fn of_remainders(left: Side<'_, i64>, right: Side<'_, i64>) -> Option<Data> {
    let whole = |n: i64| Decimal::new(i128::from(n), 0);
    Some(Data::Decimal(try_run(left, right, |l, r| whole(*l).checked_rem(&whole(*r)))?))
}

fn of_decimals(op: ArithmeticOp, left: Side<'_, Decimal>, right: Side<'_, Decimal>) -> Option<Data> {
    Some(Data::Decimal(match op {
        Add => try_run(left, right, Decimal::checked_add)?,
        Subtract => try_run(left, right, Decimal::checked_sub)?,
        Multiply => try_run(left, right, Decimal::checked_mul)?,
        _ => return None,
    }))
}

fn run<T: Copy, U>(left: Side<'_, T>, right: Side<'_, T>, f: impl Fn(T, T) -> U) -> Option<Vec<U>> {
    Some(match (left, right) {
        (Side::Many(l), Side::Many(r)) => l.iter().zip(r).map(|(l, r)| f(*l, *r)).collect(),
        (Side::Many(l), Side::One(r)) => l.iter().map(|l| f(*l, r)).collect(),
        (Side::One(l), Side::Many(r)) => r.iter().map(|r| f(l, *r)).collect(),
        (Side::One(_), Side::One(_)) => return None,
    })
}

fn try_run<T, U>(left: Side<'_, T>, right: Side<'_, T>, f: impl Fn(&T, &T) -> Option<U>) -> Option<Vec<U>> {
    match (left, right) {
        (Side::Many(l), Side::Many(r)) => l.iter().zip(r).map(|(l, r)| f(l, r)).collect(),
        (Side::Many(l), Side::One(r)) => l.iter().map(|l| f(l, &r)).collect(),
        (Side::One(l), Side::Many(r)) => r.iter().map(|r| f(&l, r)).collect(),
        (Side::One(_), Side::One(_)) => None,
    }
}

/// Rows of which either side is NULL are.
fn validity(left: &Evaluated, right: &Evaluated) -> Option<Bitmap> {
    let validity_of = |side: &Evaluated| match side {
        Evaluated::Rows(vector) => vector.validity.clone(),
        Evaluated::Constant(_) => None,
    };
    match (validity_of(left), validity_of(right)) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one),
        (Some(l), Some(r)) => {
            let mut both = Bitmap::with_capacity(l.len());
            (0..l.len()).for_each(|row| both.push(l.get(row) && r.get(row)));
            Some(both)
        }
    }
}
