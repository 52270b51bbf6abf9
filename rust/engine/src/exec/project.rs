//! Columns computed from the input's.

use std::rc::Rc;

use super::concat::concat;
use super::key_filter::KeyFilter;
use super::operator::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr};

pub struct Project {
    pub input: Source,
    pub columns: Rc<[Expr]>,
}

impl Operator for Project {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
        let project = |batch: Batch| -> Result<Batch> {
            let columns = self.columns.iter().map(|expr| expr.eval(&batch, context)).collect::<Result<_>>()?;
            Ok(Batch { rows: batch.rows, columns })
        };
        if !self.columns.iter().any(Expr::sets_variables) {
            return Ok(Poll::Batch(project(batch)?));
        }
        // What a row sets the next one reads.
        let rows: Vec<Batch> = batch.single_rows().map(project).collect::<Result<_>>()?;
        Ok(Poll::Batch(concat(&rows, self.columns.len())))
    }

    fn skip(&mut self, rows: u64) -> Result<u64> {
        if self.columns.iter().any(Expr::sets_variables) { Ok(0) } else { self.input.skip(rows) }
    }

    fn filter_early(&mut self, filter: &KeyFilter) {
        let is_told = !self.columns.iter().any(Expr::sets_variables);
        if let Some(filter) = filter.below_exprs(&self.columns).filter(|_| is_told) {
            self.input.filter_early(&filter);
        }
    }
}
