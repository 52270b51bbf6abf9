//! Columns computed from the input's.

use std::rc::Rc;

use super::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr, ExprKind};

pub struct Project {
    pub input: Source,
    pub columns: Rc<[Expr]>,
}

impl Operator for Project {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
        let columns = self.columns.iter().map(|expr| expr.eval(&batch, context)).collect::<Result<_>>()?;
        Ok(Poll::Batch(Batch { rows: batch.rows, columns }))
    }

    fn skip(&mut self, rows: u64) -> Result<u64> {
        let changes = |expr: &Expr| expr.any(&|part| matches!(part.kind, ExprKind::SetUserVariable(..)));
        if self.columns.iter().any(changes) { Ok(0) } else { self.input.skip(rows) }
    }
}
