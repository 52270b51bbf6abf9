//! Rows for which every conjunct is true.

use std::rc::Rc;

use super::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr};

pub struct Filter {
    pub input: Source,
    pub predicate: Rc<[Expr]>,
}

impl Operator for Filter {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
            let kept = select(batch, &self.predicate, context)?;
            if kept.rows > 0 {
                return Ok(Poll::Batch(kept));
            }
        }
    }
}

/// The rows of `batch` for which all of `predicate` is true. Later conjuncts see only rows that passed the earlier ones.
pub fn select(batch: Batch, predicate: &[Expr], context: &Context) -> Result<Batch> {
    let mut batch = batch;
    for conjunct in predicate {
        if batch.rows == 0 {
            break;
        }
        let rows = conjunct.true_rows(&batch, context)?;
        batch = batch.gather(&rows);
    }
    Ok(batch)
}
