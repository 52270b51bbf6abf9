//! One value, at once: where a statement needs it before it begins.

use std::rc::Rc;

use value::Value;

use crate::error::Result;
use crate::exec::{Poll, lower};
use crate::expr::{Context, Expr, ExprType};
use crate::plan::Plan;
use crate::rules;

/// The value of an expression over the one row of a plan.
pub fn value_over(input: Plan, expr: Expr, types: &mut Vec<ExprType>, context: &Rc<Context>) -> Result<Value<'static>> {
    let id = types.len() as u32;
    types.push(expr.ty.clone());
    let plan = rules::optimize(input.project(vec![(id, expr)]), types, context)?;
    let mut source = lower(&plan, types)?.build(context)?;
    loop {
        match source.next(context)? {
            Poll::Batch(batch) => return Ok(batch.value(0, 0).into_owned()),
            Poll::Yield => context.refuel(i64::MAX),
            Poll::Done => return Ok(Value::Null),
        }
    }
}
