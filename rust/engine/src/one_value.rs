//! Immediate evaluation of rows and values that a statement needs before it begins.

use std::rc::Rc;

use value::Value;

use crate::error::Result;
use crate::exec::{Poll, lower};
use crate::expr::{Context, Expr, ExprType};
use crate::optimizer;
use crate::plan::Plan;

/// The value of an expression over the one row of a plan.
pub fn value_over(input: Plan, expr: Expr, types: &mut Vec<ExprType>, context: &Rc<Context>) -> Result<Value<'static>> {
    let id = types.len() as u32;
    types.push(expr.ty.clone());
    let rows = rows_over(input.project(vec![(id, expr)]), types, context)?;
    Ok(rows.into_iter().flatten().next().unwrap_or(Value::Null))
}

/// The rows of a plan.
pub fn rows_over(plan: Plan, types: &mut Vec<ExprType>, context: &Rc<Context>) -> Result<Vec<Vec<Value<'static>>>> {
    let plan = optimizer::optimize(plan, types, context)?;
    let mut source = lower(&plan, types)?.build(context)?;
    let mut rows = Vec::new();
    loop {
        match source.next(context)? {
            Poll::Batch(batch) => rows.extend((0..batch.rows).map(|row| batch.row(row))),
            Poll::Yield => context.refuel(i64::MAX),
            Poll::Done => return Ok(rows),
        }
    }
}
