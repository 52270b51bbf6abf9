//! NULL and choice: COALESCE, IFNULL, NULLIF, ISNULL, GREATEST, LEAST, INTERVAL.

use std::cmp::Ordering;

use value::{SqlType, Value};

use super::argument::text_of;
use super::{Arguments, Function, result};
use crate::error::{Result, SqlError};
use crate::expr::{Comparison, ExprType};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("coalesce", (1, usize::MAX), result::common, first_value).handling_nulls(),
    Function::new("greatest", (1, usize::MAX), extreme_type, |a| extreme(a, Ordering::Greater)),
    Function::new("ifnull", (2, 2), result::common, first_value).handling_nulls(),
    Function::new("interval", (2, usize::MAX), result::bigint, interval).handling_nulls(),
    Function::new("isnull", (1, 1), result::boolean, |a| Ok(Value::boolean(a.is_null(0)))).handling_nulls(),
    Function::new("least", (1, usize::MAX), extreme_type, |a| extreme(a, Ordering::Less)),
    Function::new(
        "name_const",
        (2, 2),
        |types| types.get(1).cloned().unwrap_or_else(ExprType::null),
        |a| Ok(a.get(1).clone().into_owned()),
    )
    .handling_nulls(),
    Function::new("nullif", (2, 2), result::first, null_if).handling_nulls(),
];

fn first_value(a: &Arguments<'_>) -> Result<Value<'static>> {
    match a.values.iter().position(|value| !value.is_null()) {
        Some(at) => a.as_result(at),
        None => Ok(Value::Null),
    }
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

fn extreme(a: &Arguments<'_>, better: Ordering) -> Result<Value<'static>> {
    match &a.result.sql {
        SqlType::Integer(_) => {
            let numbers: Vec<i64> = (0..a.len())
                .map(|n| match a.get(n) {
                    Value::UInt(number) => i64::try_from(*number)
                        .map_err(|_| SqlError::general("Unsigned integer too big to fit on signed integer")),
                    _ => a.integer(n),
                })
                .collect::<Result<_>>()?;
            let best = if better == Ordering::Less { numbers.iter().min() } else { numbers.iter().max() };
            Ok(best.map_or(Value::Null, |number| Value::Int(*number)))
        }
        SqlType::Double => {
            let numbers = (0..a.len()).map(|n| match a.get(n) {
                Value::Date(_) | Value::DateTime(_) => 0.0,
                _ => a.double(n),
            });
            let best =
                numbers.reduce(|best, number| if number.partial_cmp(&best) == Some(better) { number } else { best });
            Ok(best.map_or(Value::Null, Value::Double))
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

/// INTERVAL(n, a, b, …): how many of the ascending numbers are not greater than n; -1 for NULL.
fn interval(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Int(-1));
    }
    let number = a.double(0);
    let count = (1..a.len()).take_while(|&n| a.is_null(n) || a.double(n) <= number).count();
    Ok(Value::Int(count as i64))
}
