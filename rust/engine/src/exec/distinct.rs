//! Rows that differ: the first of each kind, in the order of the input.

use std::rc::Rc;

use hashbrown::HashSet;

use super::keys::RowKeys;
use super::{Operator, Poll, Source, pull};
use crate::error::Result;
use crate::expr::{Comparison, Context};

pub struct Distinct {
    pub input: Source,
    /// How each column is compared.
    pub comparisons: Rc<[Comparison]>,
    pub seen: HashSet<Box<[u8]>>,
}

impl Operator for Distinct {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
            let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
            let mut fresh = Vec::new();
            for row in 0..batch.rows {
                let key = keys.get(row);
                if !self.seen.contains(key) {
                    self.seen.insert(key.into());
                    fresh.push(row as u32);
                }
            }
            if !fresh.is_empty() {
                return Ok(Poll::Batch(batch.gather(&fresh)));
            }
        }
    }
}
