//! Projection operator: columns computed from the input's.

use std::rc::Rc;

use super::batches::concat::concat;
use super::batches::row_ranges::{Ranged, RowRanges};
use super::join::runtime_filter::RuntimeFilter;
use super::operator::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr, eval_all};

pub struct Project {
    input: Source,
    columns: Rc<[Expr]>,
    ranges: RowRanges,
    /// Whether a row may read what the row before it has set.
    has_effects: bool,
}

impl Project {
    pub fn new(input: Source, columns: Rc<[Expr]>) -> Project {
        let has_effects = columns.iter().any(Expr::sets_variables);
        Project { input, columns, ranges: RowRanges::default(), has_effects }
    }
}

impl Operator for Project {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let columns = &self.columns;
        let project = |batch: &Batch| -> Result<Batch> {
            let columns = eval_all(columns, batch, context)?;
            let projected = Batch { rows: batch.rows, columns };
            context.columns_done(&projected)?;
            Ok(projected)
        };
        if !self.has_effects {
            return Ok(match self.ranges.next(self.input.as_mut(), context, project)? {
                Ranged::Rows(batch) => Poll::Batch(batch),
                Ranged::Yield => Poll::Yield,
                Ranged::Done => Poll::Done,
            });
        }
        // What a row sets the next one reads.
        let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
        let rows: Vec<Batch> = batch.single_rows().map(|row| project(&row)).collect::<Result<_>>()?;
        Ok(Poll::Batch(concat(&rows, self.columns.len())))
    }

    fn skip(&mut self, rows: u64) -> Result<u64> {
        if self.has_effects { Ok(0) } else { self.input.skip(rows) }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        let is_told = !self.has_effects;
        if let Some(filter) = filter.below_exprs(&self.columns).filter(|_| is_told) {
            self.input.push_runtime_filter(&filter);
        }
    }
}
