//! Results of expressions over a batch.

use std::rc::Rc;

use value::Value;

use super::{Context, Expr};
use crate::batch::Batch;
use crate::error::Result;
use crate::vector::{Data, Vector, VectorBuilder, bytes_of};

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

    /// Bytes of the texts that a loop over so many rows reads. Documents count where they are the same for all rows.
    pub fn bytes(&self, rows: usize) -> usize {
        match self {
            Evaluated::Constant(value) => bytes_of(value).saturating_mul(rows),
            Evaluated::Rows(vector) => match &vector.data {
                Data::Text(views) | Data::Bytes(views) => views.value_bytes(),
                _ => 0,
            },
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

/// What each of several expressions gives.
pub fn evaluate_all(exprs: &[Expr], batch: &Batch, context: &Context) -> Result<Vec<Evaluated>> {
    let mut all = Vec::with_capacity(exprs.len());
    for (n, expr) in exprs.iter().enumerate() {
        context.part_done(n, exprs.len())?;
        all.push(expr.evaluate(batch, context)?);
    }
    Ok(all)
}

/// The columns of several expressions.
pub fn eval_all(exprs: &[Expr], batch: &Batch, context: &Context) -> Result<Vec<Rc<Vector>>> {
    let mut all = Vec::with_capacity(exprs.len());
    for (n, expr) in exprs.iter().enumerate() {
        context.part_done(n, exprs.len())?;
        all.push(expr.eval(batch, context)?);
    }
    Ok(all)
}

/// Applies `f` to each pair of values; two constants once.
pub fn combine(
    left: &Evaluated,
    right: &Evaluated,
    rows: usize,
    context: &Context,
    f: impl Fn(&Value<'_>, &Value<'_>) -> Result<Value<'static>>,
) -> Result<Evaluated> {
    if let (Evaluated::Constant(left), Evaluated::Constant(right)) = (left, right) {
        return Ok(Evaluated::Constant(f(left, right)?));
    }
    let mut result = VectorBuilder::with_capacity(rows);
    let mut meter = RowMeter::new(context, left.bytes(rows) + right.bytes(rows), rows);
    for row in 0..rows {
        let (left, right) = (left.value(row), right.value(row));
        result.push(f(&left, &right)?);
        meter.row_done(row, &[left, right], &result)?;
    }
    Ok(Evaluated::Rows(Rc::new(result.finish())))
}

/// Meters the work of a loop over the rows of a batch, by the bytes that it reads and makes.
pub struct RowMeter<'c> {
    context: &'c Context,
    rows: usize,
    /// Whether the rows are looked at one by one.
    is_wide: bool,
    made: usize,
}

/// Batches of fewer bytes of arguments are not looked at.
const WIDE_BYTES: usize = 256 << 10;
/// What functions do with a byte, more or less.
const BYTE_WORK: usize = 4;

impl RowMeter<'_> {
    /// Of a loop over so many rows whose arguments have so many bytes together.
    pub fn new(context: &Context, bytes: usize, rows: usize) -> RowMeter<'_> {
        RowMeter { context, rows, is_wide: bytes > WIDE_BYTES, made: 0 }
    }

    /// A row is done, and its value is the last of the result.
    ///
    /// # Errors
    /// See [`Context::row_done`].
    #[inline]
    pub fn row_done(&mut self, row: usize, args: &[Value<'_>], result: &VectorBuilder) -> Result<()> {
        let made = result.bytes();
        if self.is_wide {
            self.context.spend_work(BYTE_WORK * args.iter().map(bytes_of).sum::<usize>());
        }
        self.context.spend_work(made - self.made);
        self.made = made;
        self.context.row_done(row + 1, self.rows, made)
    }
}
