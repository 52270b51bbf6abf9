//! Batches of no more than about [`BATCH_BYTES`], of operators that repeat values: a join gives a large one with each row of the other
//! side, all in the same memory, and whoever copies it would have it as often.

use std::rc::Rc;

use crate::batch::{BATCH_BYTES, Batch};
use crate::error::Result;
use crate::exec::join::runtime_filter::KeyFilter;
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

    fn filter_early(&mut self, filter: &KeyFilter) {
        self.input.filter_early(filter);
    }
}
