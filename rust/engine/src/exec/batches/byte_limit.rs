//! Size limit of batches, about [`BATCH_BYTES`]: a join repeats a large value with each row of the other side. They share one allocation
//! until an operator copies the batch.

use std::rc::Rc;

use crate::batch::{BATCH_BYTES, Batch};
use crate::error::Result;
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::expr::Context;

pub struct ByteLimit<O> {
    input: O,
    /// A batch with more, and how many of its rows were given.
    held: Option<(Batch, usize)>,
}

impl<O: Operator + 'static> ByteLimit<O> {
    pub fn of(input: O) -> Source {
        Box::new(ByteLimit { input, held: None })
    }
}

impl<O: Operator> Operator for ByteLimit<O> {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let (batch, given) = match self.held.take() {
            Some(held) => held,
            None => match pull!(self.input, context) {
                Some(batch) => (batch, 0),
                None => return Ok(Poll::Done),
            },
        };
        let rows = batch.rows_within(BATCH_BYTES, given);
        if (given, rows) == (0, batch.rows) {
            return Ok(Poll::Batch(batch));
        }
        let part = batch.slice(given, rows);
        if given + rows < batch.rows {
            self.held = Some((batch, given + rows));
        }
        Ok(Poll::Batch(part))
    }

    fn skip(&mut self, rows: u64) -> Result<u64> {
        self.input.skip(rows)
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        self.input.push_runtime_filter(filter);
    }
}
