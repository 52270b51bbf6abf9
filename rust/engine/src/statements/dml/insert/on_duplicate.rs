//! Duplicate keys: ON DUPLICATE KEY UPDATE, REPLACE, IGNORE.

use std::rc::Rc;

use value::Value;

use crate::bind::Assigned;
use crate::error::Result;
use crate::expr::{Context, Expr, ExprType};
use crate::one_value::value_over;
use crate::plan::{Plan, Values};
use crate::write::{Row, RowRules, eval_over};

/// What happens to a row with a duplicate key.
pub enum OnDuplicate {
    Fail,
    /// Nothing, and a warning.
    Skip,
    /// The other ones go.
    Replace,
    /// The other one is changed: expressions over its columns and those of the new row, and the types of these.
    Update(Vec<(usize, Assigned)>, Vec<ExprType>),
}

/// What ON DUPLICATE KEY UPDATE makes of a row.
pub fn updated(
    rules: &RowRules,
    (assignments, types): (&[(usize, Assigned)], &[ExprType]),
    old: &Row,
    (new, source): (&Row, &Row),
    context: &Rc<Context>,
) -> Result<Row> {
    let mut both: Row = old.iter().chain(new).chain(source).cloned().collect();
    let mut assigned_columns = Vec::with_capacity(assignments.len());
    for (position, assigned) in assignments {
        if rules.is_generated(*position) && matches!(assigned, Assigned::Value(_)) {
            return Err(rules.not_allowed(*position));
        }
        let value = match assigned {
            Assigned::Default => rules.default(*position, old, context)?,
            Assigned::Value(expr) if expr.has_subquery() => query_over(expr, &both, types, context)?,
            Assigned::Value(expr) => eval_over(expr, &both, context)?,
        };
        both[*position] = rules.assign_changed(*position, &value, context)?;
        assigned_columns.push(*position);
    }
    both.truncate(old.len());
    rules.touch(old, &mut both, &assigned_columns, context)?;
    rules.complete_update(&mut both, context)?;
    Ok(both)
}

/// The value of an expression with subqueries over a row, whose columns have the first numbers of the statement.
fn query_over(expr: &Expr, row: &Row, types: &[ExprType], context: &Rc<Context>) -> Result<Value<'static>> {
    let columns = (0..row.len() as u32).collect();
    let literal = |value: &Value<'static>| Expr::literal(value.clone(), ExprType::of(value));
    let values = Values { columns, rows: vec![row.iter().map(literal).collect()], is_counted: false };
    value_over(Plan::Values(values), expr.clone(), &mut types.to_vec(), context)
}
