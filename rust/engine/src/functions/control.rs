//! NULL and choice: COALESCE, IFNULL, NULLIF, ISNULL, GREATEST, LEAST.

use std::cmp::Ordering;

use value::{SqlType, Value};

use super::argument::text_of;
use super::{Arguments, Entry, Form, Function, Traits, declared, result};
use crate::error::{Result, SqlError};
use crate::expr::types::{self, has_own_digits};
use crate::expr::{Comparison, Expr, ExprType};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("coalesce", (1, usize::MAX), coalesced_type, first_value)
        .handling_nulls()
        .first_value()
        .typed_by(coalesced)
        .with(Traits::READS_COMMON_TEXT)
        .with(Traits::GIVES_ARGUMENT)
        .common()
        .bound_as(Form::Coalesce)
        .declared(declared::coalesce)
        .about("x, …", "The first argument that is not NULL"),
    Entry::new("greatest", (1, usize::MAX), extreme_type, |a| extreme(a, Ordering::Greater))
        .with(Traits::TAKES_NO_TRUTH)
        .null_as_arguments()
        .about("x, …", "The greatest argument; NULL when one is NULL"),
    Entry::rewritten("grouping", (1, usize::MAX), Form::Grouping)
        .about("x, …", "Whether a row is a super-aggregate of WITH ROLLUP"),
    Entry::rewritten("if", (3, 3), Form::If).common().about("condition, value, otherwise", "One of two values"),
    Entry::new("ifnull", (2, 2), if_null_type, first_value)
        .handling_nulls()
        .first_value()
        .with(Traits::READS_COMMON_TEXT)
        .with(Traits::GIVES_ARGUMENT)
        .common()
        .bound_as(Form::IfNull)
        .declared(declared::if_null)
        .about("x, otherwise", "The first argument, or the second where the first is NULL"),
    Entry::new("isnull", (1, 1), result::boolean, |a| Ok(Value::boolean(a.is_null(0))))
        .handling_nulls()
        .declared(declared::own_never_null)
        .about("x", "Whether the argument is NULL"),
    Entry::new("least", (1, usize::MAX), extreme_type, |a| extreme(a, Ordering::Less))
        .with(Traits::TAKES_NO_TRUTH)
        .null_as_arguments()
        .about("x, …", "The least argument; NULL when one is NULL"),
    Entry::new(
        "name_const",
        (2, 2),
        |types| types.get(1).cloned().unwrap_or_else(ExprType::null),
        |a| Ok(a.get(1).clone().into_owned()),
    )
    .handling_nulls()
    .about("name, value", "The value"),
    Entry::new("nullif", (2, 2), result::first, null_if)
        .handling_nulls()
        .with(Traits::GIVES_ARGUMENT)
        .common()
        .declared(|call| Some(ExprType { nullable: true, ..call.argument(0)? }))
        .about("x, y", "NULL where both are equal, the first argument otherwise"),
];

fn first_value(a: &Arguments<'_>) -> Result<Value<'static>> {
    match a.values.iter().position(|value| !value.is_null()) {
        Some(at) => super::converted(a.get(at), &a.result.sql, a.context),
        None => Ok(Value::Null),
    }
}

/// Exact numbers keep the digits that they have where the last DECIMAL says nothing of them.
fn coalesced(args: &[Expr]) -> ExprType {
    let types: Vec<ExprType> = args.iter().map(|arg| arg.ty.clone()).collect();
    let ty = coalesced_type(&types);
    let last = args.iter().rfind(|arg| matches!(arg.ty.sql, SqlType::Decimal { .. })).map(result::of_own_digits);
    match (&ty.sql, last) {
        (SqlType::Decimal { .. }, Some(own)) if has_own_digits(&own) => ExprType { sql: own, ..ty },
        _ => ty,
    }
}

/// Texts of different types are LONGTEXT, and so are different moments.
fn coalesced_type(types: &[ExprType]) -> ExprType {
    let common = result::common(types);
    let is_of_one = types.iter().all(|ty| ty.sql == SqlType::Null || ty.sql == common.sql);
    let is_text = common.sql.is_text() || common.sql.is_temporal();
    ExprType::new(if is_text && !is_of_one { SqlType::LONGTEXT } else { common.sql }, true)
}

/// The first argument says how the text meets others.
fn if_null_type(types: &[ExprType]) -> ExprType {
    let first = types.iter().find(|ty| ty.sql != SqlType::Null);
    types::choice(types).preferring(first.map_or_else(|| ExprType::null().preference(), ExprType::preference))
}

fn null_if(a: &Arguments<'_>) -> Result<Value<'static>> {
    if let [left, right] = a.types
        && !a.is_null(0)
        && Comparison::between(left, right).compare(a.get(0), a.get(1))? == Some(Ordering::Equal)
    {
        return Ok(Value::Null);
    }
    Ok(a.get(0).clone().into_owned())
}

/// All text: text; all whole numbers: BIGINT; all dates: DATETIME; else DOUBLE, as in the reference.
fn extreme_type(types: &[ExprType]) -> ExprType {
    if types.iter().any(|ty| ty.sql == SqlType::Null) {
        return ExprType::null();
    }
    let all = |test: fn(&SqlType) -> bool| types.iter().all(|ty| test(&ty.sql));
    if all(|sql| sql.is_text() || sql.is_binary()) {
        result::text_of_arguments(types)
    } else if all(|sql| matches!(sql, SqlType::Integer(_) | SqlType::Year)) {
        ExprType::bigint()
    } else if all(SqlType::is_date) {
        result::datetime(types)
    } else {
        ExprType::double()
    }
}

/// The n-th argument where it is a whole number; 0 for others.
fn signed(a: &Arguments<'_>, n: usize) -> Result<i64> {
    match a.get(n) {
        Value::Int(number) => Ok(*number),
        Value::UInt(number) => {
            i64::try_from(*number).map_err(|_| SqlError::general("Unsigned integer too big to fit on signed integer"))
        }
        Value::Year(year) => Ok(i64::from(*year)),
        _ => Ok(0),
    }
}

/// The reference keeps the best number as a double; what rounds up to 2^63 turns over.
fn through_double(number: i64) -> i64 {
    let double = number as f64;
    if double >= 9_223_372_036_854_775_808.0 { i64::MIN } else { double as i64 }
}

/// The whole part of a double; what is beyond BIGINT is its least number, as the processor has it.
fn whole_part(double: f64) -> i64 {
    if double.abs() < 9_223_372_036_854_775_808.0 { double as i64 } else { i64::MIN }
}

fn extreme(a: &Arguments<'_>, better: Ordering) -> Result<Value<'static>> {
    if let Some(other) =
        a.values.iter().find(|value| matches!(value, Value::Time(_) | Value::Json(_) | Value::Bytes(_)))
    {
        return Err(SqlError::general(format!("unsupported type for greatest/least argument: {}", other.family())));
    }
    match &a.result.sql {
        SqlType::Integer(_) => {
            let mut best = None;
            for n in 0..a.len() {
                let number = signed(a, n)?;
                if best.is_none_or(|best| number.cmp(&through_double(best)) == better) {
                    best = Some(number);
                }
            }
            Ok(best.map_or(Value::Null, |best| Value::Int(through_double(best))))
        }
        SqlType::Double => {
            // What is no number is passed over; where that is the first, zero stands for it.
            let mut best = 0.0;
            for n in 0..a.len() {
                let whole = signed(a, n)?;
                let is_whole = matches!(a.get(n), Value::Int(_) | Value::UInt(_) | Value::Year(_));
                let number = match a.get(n) {
                    Value::Date(_) | Value::DateTime(_) => continue,
                    Value::Text(text) => match text.parse::<f64>() {
                        Ok(number) => number,
                        Err(_) => continue,
                    },
                    _ => a.double(n)?,
                };
                // A whole number is compared with the whole part of the best.
                let order = if is_whole { Some(whole.cmp(&whole_part(best))) } else { number.partial_cmp(&best) };
                if n == 0 || order == Some(better) {
                    best = number;
                }
            }
            Ok(Value::Double(best))
        }
        SqlType::DateTime { .. } => {
            let mut best: Option<value::DateTime> = None;
            for value in a.values {
                let moment = match value {
                    Value::Date(date) => (*date).into(),
                    Value::DateTime(moment) => *moment,
                    _ => continue,
                };
                if best.is_none_or(|best| moment.cmp(&best) == better) {
                    best = Some(moment);
                }
            }
            Ok(best.map_or(Value::Null, Value::DateTime))
        }
        _ => {
            // Text compares by its bytes here, whatever its collation.
            let mut best: Option<String> = None;
            for value in a.values {
                let text = text_of(value)?;
                if best.as_deref().is_none_or(|best| (*text).cmp(best) == better) {
                    best = Some(text.into_owned());
                }
            }
            Ok(best.map_or(Value::Null, Value::text))
        }
    }
}
