//! Comparisons: how two types compare, decided once; then loops over typed columns.

use std::cmp::Ordering;
use std::rc::Rc;

use value::{Collation, DateTime, Decimal, SqlType, Value};

use super::evaluated::{Evaluated, combine};
use super::{Context, Expr, ExprType, to_double, types};
use crate::batch::Batch;
use crate::error::Result;
use crate::vector::{Bitmap, Data, Vector};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `<=>`: NULL equals NULL.
    NullSafeEqual,
}

/// By what rule two values are compared; follows from their types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Comparison {
    /// Whole numbers, signed or not.
    Int,
    Double,
    Decimal,
    /// As `Decimal`, but the keys of -0 and 0 differ.
    DecimalWithSign,
    Text(Collation),
    Bytes,
    /// DATE, DATETIME and TIMESTAMP among themselves.
    Moment,
    Time,
    /// By the kinds of the two values at hand, text by the collation: JSON, ENUM, dates against text and so on.
    Mixed(Collation),
}

impl CompareOp {
    /// The operator that says the same with the sides exchanged.
    pub fn mirrored(self) -> CompareOp {
        match self {
            CompareOp::Less => CompareOp::Greater,
            CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
            CompareOp::Greater => CompareOp::Less,
            CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
            other => other,
        }
    }

    #[inline]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            CompareOp::Equal | CompareOp::NullSafeEqual => order == Ordering::Equal,
            CompareOp::NotEqual => order != Ordering::Equal,
            CompareOp::Less => order == Ordering::Less,
            CompareOp::LessOrEqual => order != Ordering::Greater,
            CompareOp::Greater => order == Ordering::Greater,
            CompareOp::GreaterOrEqual => order != Ordering::Less,
        }
    }

    /// Compares two values, three-valued.
    pub fn test(self, how: &Comparison, left: &Value<'_>, right: &Value<'_>) -> Result<Option<bool>> {
        if self == CompareOp::NullSafeEqual && (left.is_null() || right.is_null()) {
            return Ok(Some(left.is_null() && right.is_null()));
        }
        Ok(how.compare(left, right)?.map(|order| self.holds(order)))
    }
}

impl Comparison {
    /// How values of one type compare among themselves.
    pub fn within(ty: &ExprType) -> Comparison {
        match &ty.sql {
            SqlType::Integer(_) | SqlType::Year | SqlType::Bit(_) => Comparison::Int,
            SqlType::Float | SqlType::Double => Comparison::Double,
            SqlType::Decimal { .. } => Comparison::Decimal,
            SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => Comparison::Moment,
            SqlType::Time => Comparison::Time,
            sql if sql.is_text() => Comparison::Text(ty.collation()),
            sql if sql.is_binary() => Comparison::Bytes,
            _ => Comparison::Mixed(ty.collation()),
        }
    }

    /// How values are compared in GROUP BY, DISTINCT and UNION. The reference compares their text there, and 0 and -0 differ.
    pub fn of_groups(ty: &ExprType) -> Comparison {
        match Comparison::within(ty) {
            Comparison::Decimal => Comparison::DecimalWithSign,
            other => other,
        }
    }

    /// How DISTINCT and set operations tell rows apart: as groups, but texts by their bytes, whatever their collation.
    pub fn of_rows(ty: &ExprType) -> Comparison {
        match Comparison::of_groups(ty) {
            Comparison::Text(_) => Comparison::Bytes,
            other => other,
        }
    }

    /// How a value of one type compares with a value of another.
    pub fn between(left: &ExprType, right: &ExprType) -> Comparison {
        let (by_left, by_right) = (Comparison::within(left), Comparison::within(right));
        match (by_left, by_right) {
            (Comparison::Text(collation), Comparison::Text(_)) if left.sql == right.sql => Comparison::Text(collation),
            (Comparison::Text(_), Comparison::Text(_)) => {
                Comparison::Text(types::resolve(left.preference(), right.preference()).0)
            }
            // A bare NULL takes the other side's rule.
            _ if left.sql == SqlType::Null => by_right,
            _ if right.sql == SqlType::Null => by_left,
            (l, r) if l == r => l,
            (Comparison::Int | Comparison::Decimal, Comparison::Int | Comparison::Decimal) => Comparison::Decimal,
            (
                Comparison::Int | Comparison::Decimal | Comparison::Double,
                Comparison::Int | Comparison::Decimal | Comparison::Double,
            ) => Comparison::Double,
            (Comparison::Text(_), _) | (_, Comparison::Text(_))
                if left.sql.has_members() || right.sql.has_members() =>
            {
                Comparison::Mixed(types::resolve(left.preference(), right.preference()).0)
            }
            (Comparison::Text(collation), _) => Comparison::Mixed(collation),
            (_, Comparison::Text(collation)) => Comparison::Mixed(collation),
            (Comparison::Mixed(collation), _) | (_, Comparison::Mixed(collation)) => Comparison::Mixed(collation),
            _ => Comparison::Mixed(Collation::BINARY),
        }
    }

    /// The rule by which keys of a hash table find the same values of two types equal: numbers are compared with text as doubles or
    /// decimals, moments with what the text is as one. `None` where values of different families are equal in ways that no key shows.
    pub fn hashed(self, left: &ExprType, right: &ExprType) -> Option<Comparison> {
        if !matches!(self, Comparison::Mixed(_)) {
            return Some(self);
        }
        let beside_text = match (left.sql.is_text(), right.sql.is_text()) {
            (true, false) => &right.sql,
            (false, true) => &left.sql,
            _ => return None,
        };
        match beside_text {
            SqlType::Integer(_) | SqlType::Double => Some(Comparison::Double),
            SqlType::Decimal { .. } => Some(Comparison::Decimal),
            moment if moment.is_date() => Some(Comparison::Moment),
            _ => None,
        }
    }

    /// Whether the collation that this compares by is at hand. Operators that cannot fail row by row ask before they start.
    ///
    /// # Errors
    /// The weights of the collation are not loaded.
    pub fn ready(&self) -> Result<()> {
        match self {
            Comparison::Text(collation) | Comparison::Mixed(collation) => Ok(collation.ready()?),
            _ => Ok(()),
        }
    }

    /// `None` when a side is NULL.
    pub fn compare(&self, left: &Value<'_>, right: &Value<'_>) -> Result<Option<Ordering>> {
        Ok(match (self, left, right) {
            (_, Value::Null, _) | (_, _, Value::Null) => None,
            (_, Value::Int(l), Value::Int(r)) => Some(l.cmp(r)),
            (Comparison::Text(collation), Value::Text(l), Value::Text(r)) => {
                Some(collation.compare(l.as_bytes(), r.as_bytes()))
            }
            // Sums of decimals.
            (Comparison::Double, Value::Decimal(l), Value::Decimal(r)) => Some(l.cmp(r)),
            (Comparison::Double, l, r) => to_double(l).partial_cmp(&to_double(r)),
            (Comparison::Text(collation) | Comparison::Mixed(collation), l, r) => value::compare(l, r, *collation)?,
            (_, l, r) => value::compare(l, r, Collation::BINARY)?,
        })
    }

    /// The order of two values that are not NULL, in columns of one type.
    #[inline]
    pub fn order(&self, left: &Vector, l: usize, right: &Vector, r: usize) -> Ordering {
        match (&left.data, &right.data, self) {
            (Data::Int(a), Data::Int(b), _) => a[l].cmp(&b[r]),
            (Data::UInt(a), Data::UInt(b), _) => a[l].cmp(&b[r]),
            (Data::Double(a), Data::Double(b), _) => a[l].partial_cmp(&b[r]).unwrap_or(Ordering::Equal),
            (Data::Text(a), Data::Text(b), Comparison::Text(collation)) => collation.compare(a.get(l), b.get(r)),
            (Data::Bytes(a), Data::Bytes(b), _) => a.get(l).cmp(b.get(r)),
            (Data::DateTime(a), Data::DateTime(b), _) => a[l].cmp(&b[r]),
            (Data::Date(a), Data::Date(b), _) => a[l].cmp(&b[r]),
            _ => self.compare(&left.value(l), &right.value(r)).ok().flatten().unwrap_or(Ordering::Equal),
        }
    }

    /// Appends bytes that are equal for two values exactly when the values are, and are no prefix of one another.
    pub fn append_key(&self, value: &Value<'_>, into: &mut Vec<u8>) {
        if *self == Comparison::Int {
            match whole_number(value) {
                Some(number) => return value::hash_whole_key(number, into),
                None => into.push(NO_WHOLE_NUMBER),
            }
        }
        append_counted(into, |into| match (self, value) {
            (Comparison::Double, value) => {
                let number = to_double(value);
                // -0 equals 0.
                into.extend_from_slice(&(if number == 0.0 { 0.0 } else { number }).to_bits().to_le_bytes());
            }
            (Comparison::Text(collation) | Comparison::Mixed(collation), value) => {
                value::hash_key(value, *collation, into)
            }
            // A text of more digits than a decimal has equals none.
            (Comparison::Decimal, Value::Text(_)) => match value::convert::to_decimal(value, &mut Vec::new()) {
                Ok(number) => value::hash_key(&Value::Decimal(number), Collation::BINARY, into),
                Err(_) => into.push(NO_DECIMAL),
            },
            (Comparison::DecimalWithSign, Value::Decimal(number)) if number.is_negative_zero() => into.push(b'-'),
            (_, value) => value::hash_key(value, Collation::BINARY, into),
        });
    }
}

/// The number of a value of a type that compares by [`Comparison::Int`].
pub fn whole_number(value: &Value<'_>) -> Option<i128> {
    Some(match value {
        Value::Int(number) => i128::from(*number),
        Value::UInt(number) | Value::Bit(number) => i128::from(*number),
        Value::Year(year) => i128::from(*year),
        _ => return None,
    })
}

/// In place of the length of a whole number.
const NO_WHOLE_NUMBER: u8 = u8::MAX;

/// In place of the kind of a number.
const NO_DECIMAL: u8 = u8::MAX;

/// As [`Comparison::append_key`] of a text writes it, for one in a column.
pub fn append_text_key(text: &[u8], collation: Collation, into: &mut Vec<u8>) {
    append_counted(into, |into| value::hash_text_key(text, collation, into));
}

/// A length before what `append` adds.
fn append_counted(into: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let start = into.len();
    into.extend_from_slice(&[0; 4]);
    append(into);
    let len = (into.len() - start - 4) as u32;
    into[start..start + 4].copy_from_slice(&len.to_le_bytes());
}

/// The rows for which a column of whole numbers compares with a constant as `op` says; `None` for everything else.
pub fn selected(op: CompareOp, sides: &[Expr; 2], batch: &Batch, context: &Context) -> Result<Option<Vec<u32>>> {
    /// Every row's number is written and stays where the test holds: no branch that a processor could foresee wrongly.
    fn pick(values: &[i64], test: impl Fn(i64) -> bool) -> Vec<u32> {
        let mut rows = vec![0; values.len()];
        let mut kept = 0;
        for (row, &value) in values.iter().enumerate() {
            rows[kept] = row as u32;
            kept += usize::from(test(value));
        }
        rows.truncate(kept);
        rows
    }
    let (column, constant, op) = match (sides[0].as_column(), sides[1].as_column()) {
        (Some(column), None) if sides[1].is_row_independent() => (column, &sides[1], op),
        (None, Some(column)) if sides[0].is_row_independent() => (column, &sides[0], op.mirrored()),
        _ => return Ok(None),
    };
    let vector = &batch.columns[column as usize];
    let (Data::Int(values), None) = (&vector.data, &vector.validity) else { return Ok(None) };
    let Evaluated::Constant(Value::Int(constant)) = constant.evaluate(batch, context)? else { return Ok(None) };
    Ok(Some(match op {
        CompareOp::Equal | CompareOp::NullSafeEqual => pick(values, |value| value == constant),
        CompareOp::NotEqual => pick(values, |value| value != constant),
        CompareOp::Less => pick(values, |value| value < constant),
        CompareOp::LessOrEqual => pick(values, |value| value <= constant),
        CompareOp::Greater => pick(values, |value| value > constant),
        CompareOp::GreaterOrEqual => pick(values, |value| value >= constant),
    }))
}

/// ER_TRUNCATED_WRONG_VALUE.
const TRUNCATED: u16 = 1292;

/// `left op right` for each row.
pub fn evaluate(
    op: CompareOp,
    how: &Comparison,
    sides: &[Expr; 2],
    batch: &Batch,
    context: &Context,
) -> Result<Evaluated> {
    let (left, right) = (sides[0].evaluate(batch, context)?, sides[1].evaluate(batch, context)?);
    if op != CompareOp::NullSafeEqual
        && let Some(vector) = typed(op, how, &left, &right)
    {
        return Ok(Evaluated::Rows(Rc::new(vector)));
    }
    combine(&left, &right, batch.rows, context, |l, r| {
        warn_of_text(l, r, context);
        Ok(op.test(how, l, r)?.map_or(Value::Null, Value::boolean))
    })
}

/// Text that is compared with a number counts as the number that it begins with: a warning reports the rest.
pub(super) fn warn_of_text(left: &Value<'_>, right: &Value<'_>, context: &Context) {
    let (text, number) = match (left, right) {
        (Value::Text(text), number) | (number, Value::Text(text)) => (text.trim(), number),
        _ => return,
    };
    let kind = match number {
        Value::Decimal(_) => "decimal(65,30)",
        Value::Int(_) | Value::UInt(_) | Value::Float(_) | Value::Double(_) => "double",
        _ => return,
    };
    // Words such as `inf` are numbers to the standard library only.
    let is_number = text.parse::<f64>().is_ok() && !text.contains(|c: char| c.is_alphabetic() && c != 'e' && c != 'E');
    if !text.is_empty() && !is_number {
        context.session.warn(TRUNCATED, format!("Truncated incorrect {kind} value: {text}"));
    }
}

/// The loops that matter: numbers, moments and text of one kind, column against constant or column.
fn typed(op: CompareOp, how: &Comparison, left: &Evaluated, right: &Evaluated) -> Option<Vector> {
    match (left, right) {
        (Evaluated::Rows(vector), Evaluated::Constant(constant)) => against_constant(op, how, vector, constant),
        (Evaluated::Constant(constant), Evaluated::Rows(vector)) => {
            against_constant(op.mirrored(), how, vector, constant)
        }
        (Evaluated::Rows(left), Evaluated::Rows(right)) => {
            let answers: Vec<i64> = match (&left.data, &right.data, how) {
                (Data::Int(l), Data::Int(r), _) => zip(l, r, |l, r| op.holds(l.cmp(r))),
                (Data::Double(l), Data::Double(r), Comparison::Double) => {
                    zip(l, r, |l, r| l.partial_cmp(r).is_some_and(|order| op.holds(order)))
                }
                (Data::DateTime(l), Data::DateTime(r), Comparison::Moment) => zip(l, r, |l, r| op.holds(l.cmp(r))),
                (Data::Date(l), Data::Date(r), Comparison::Moment) => zip(l, r, |l, r| op.holds(l.cmp(r))),
                (Data::Decimal(l), Data::Decimal(r), Comparison::Decimal) => zip(l, r, |l, r| op.holds(l.cmp(r))),
                (Data::Text(l), Data::Text(r), Comparison::Text(collation)) => {
                    (0..l.len()).map(|row| i64::from(op.holds(collation.compare(l.get(row), r.get(row))))).collect()
                }
                _ => return None,
            };
            let validity = match (&left.validity, &right.validity) {
                (None, None) => None,
                _ => {
                    let mut both = Bitmap::with_capacity(answers.len());
                    (0..answers.len()).for_each(|row| both.push(!left.is_null(row) && !right.is_null(row)));
                    Some(both)
                }
            };
            Some(Vector { data: Data::Int(answers), validity })
        }
        _ => None,
    }
}

fn zip<T>(left: &[T], right: &[T], test: impl Fn(&T, &T) -> bool) -> Vec<i64> {
    left.iter().zip(right).map(|(l, r)| i64::from(test(l, r))).collect()
}

/// The moment that a constant is beside a column of dates or moments. `None` where that is an error, if there is a row, or is reported
/// each row.
pub(super) fn constant_moment(constant: &Value<'_>) -> Option<DateTime> {
    match constant {
        Value::Date(date) => Some(DateTime::from(*date)),
        Value::DateTime(moment) => Some(*moment),
        Value::Text(_) => value::convert::to_moment_relaxed(constant).ok()?.round(6),
        _ => None,
    }
}

fn against_constant(op: CompareOp, how: &Comparison, vector: &Vector, constant: &Value<'_>) -> Option<Vector> {
    fn each<T>(values: &[T], test: impl Fn(&T) -> bool) -> Vec<i64> {
        values.iter().map(|value| i64::from(test(value))).collect()
    }
    let answers = match (&vector.data, constant, how) {
        (_, Value::Null, _) => return Some(Vector::nulls(vector.len())),
        (Data::Int(values), Value::Int(c), _) => match op {
            // The compiler turns these into vector instructions; `cmp` would prevent that.
            CompareOp::Equal => each(values, |v| v == c),
            CompareOp::Less => each(values, |v| v < c),
            CompareOp::LessOrEqual => each(values, |v| v <= c),
            CompareOp::Greater => each(values, |v| v > c),
            CompareOp::GreaterOrEqual => each(values, |v| v >= c),
            _ => each(values, |v| op.holds(v.cmp(c))),
        },
        (Data::Double(values), c, Comparison::Double) => {
            let c = to_double(c);
            each(values, |v| v.partial_cmp(&c).is_some_and(|order| op.holds(order)))
        }
        (Data::Int(values), c, Comparison::Double) => {
            let c = to_double(c);
            each(values, |v| (*v as f64).partial_cmp(&c).is_some_and(|order| op.holds(order)))
        }
        (Data::DateTime(values), c, Comparison::Moment | Comparison::Mixed(_)) => {
            let c = constant_moment(c)?;
            each(values, |v| op.holds(v.cmp(&c)))
        }
        (Data::Date(values), c, Comparison::Moment | Comparison::Mixed(_)) => {
            let c = constant_moment(c)?;
            // A day begins before all of its moments but the first.
            let (day, equal) = (c.date(), 0.cmp(&c.since_midnight()));
            each(values, |v| op.holds(v.cmp(&day).then(equal)))
        }
        (Data::Decimal(values), Value::Decimal(c), Comparison::Decimal) => each(values, |v| op.holds(v.cmp(c))),
        (Data::Decimal(values), Value::Int(c), Comparison::Decimal) => {
            let c = Decimal::from(*c);
            each(values, |v| op.holds(v.cmp(&c)))
        }
        (Data::Text(views), Value::Text(c), Comparison::Text(collation)) => {
            let c = c.as_bytes();
            (0..views.len()).map(|row| i64::from(op.holds(collation.compare(views.get(row), c)))).collect()
        }
        _ => return None,
    };
    Some(Vector { data: Data::Int(answers), validity: vector.validity.clone() })
}
