//! Values of a source row for INSERT.

use value::Value;

use crate::batch::Batch;
use crate::bind::Assigned;
use crate::error::Result;
use crate::expr::{Context, ExprKind};

/// A value of a source row.
pub enum Given<'a> {
    Default,
    Value(Value<'a>),
}

impl<'a> Given<'a> {
    pub fn of(assigned: &'a Assigned, context: &'a Context) -> Result<Given<'a>> {
        let Assigned::Value(expr) = assigned else { return Ok(Given::Default) };
        Ok(Given::Value(match &expr.kind {
            ExprKind::Literal(value) => value.borrowed(),
            ExprKind::Param(n) if (*n as usize) < context.params.len() => context.params[*n as usize].borrowed(),
            _ => expr.eval_constant(context)?,
        }))
    }

    /// The value of DEFAULT is unknown here: NULL.
    pub fn value(&self) -> Value<'static> {
        match self {
            Given::Default => Value::Null,
            Given::Value(value) => value.borrowed().into_owned(),
        }
    }

    pub fn of_row(batch: &'a Batch, row: usize) -> Vec<Given<'a>> {
        batch.columns.iter().map(|column| Given::Value(column.value(row))).collect()
    }
}
