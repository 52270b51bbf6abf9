//! What expressions give over a batch.

use std::rc::Rc;

use value::Value;

use crate::error::Result;
use crate::vector::{Vector, VectorBuilder};

/// What an expression gave: one value for all rows, or one for each.
pub enum Evaluated {
    Constant(Value<'static>),
    Rows(Rc<Vector>),
}

impl Evaluated {
    pub fn value(&self, row: usize) -> Value<'_> {
        match self {
            Evaluated::Constant(value) => value.borrowed(),
            Evaluated::Rows(vector) => vector.value(row),
        }
    }

    pub fn into_vector(self, rows: usize) -> Rc<Vector> {
        match self {
            Evaluated::Constant(value) => Rc::new(Vector::repeat(&value, rows)),
            Evaluated::Rows(vector) => vector,
        }
    }

    pub fn is_null(&self, row: usize) -> bool {
        match self {
            Evaluated::Constant(value) => value.is_null(),
            Evaluated::Rows(vector) => vector.is_null(row),
        }
    }
}

/// Applies `f` to each pair of values; two constants once.
pub fn combine(
    left: &Evaluated,
    right: &Evaluated,
    rows: usize,
    f: impl Fn(&Value<'_>, &Value<'_>) -> Result<Value<'static>>,
) -> Result<Evaluated> {
    if let (Evaluated::Constant(left), Evaluated::Constant(right)) = (left, right) {
        return Ok(Evaluated::Constant(f(left, right)?));
    }
    let mut result = VectorBuilder::with_capacity(rows);
    for row in 0..rows {
        result.push(f(&left.value(row), &right.value(row))?);
    }
    Ok(Evaluated::Rows(Rc::new(result.finish())))
}
