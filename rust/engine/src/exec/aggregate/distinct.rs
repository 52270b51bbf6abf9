//! DISTINCT operator: keeps the first of equal rows, in the order of the input.
//!
//! When the rows that were seen take too much memory, others go to temporary files, split by their keys; each part is looked
//! through when the input has ended.

use std::rc::Rc;

use crate::batch::Batch;
use crate::error::Result;
use crate::exec::batches::key_set::KeySet;
use crate::exec::batches::row_keys::RowKeys;
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::spill::{ENTRY_BYTES, LEVELS_MAX, Partitions, Parts, SpillSource, SpilledBatches};
use crate::expr::{Comparison, Context};

pub struct Distinct {
    /// Absent at its end.
    input: Option<Source>,
    /// How the first columns are compared; what is behind them does not count.
    comparisons: Rc<[Comparison]>,
    seen: KeySet,
    seen_bytes: usize,
    level: u32,
    partitions: Option<Partitions>,
    parts: Parts<SpilledBatches>,
}

impl Distinct {
    pub fn new(input: Source, comparisons: Rc<[Comparison]>) -> Distinct {
        Distinct {
            input: Some(input),
            comparisons,
            seen: KeySet::default(),
            seen_bytes: 0,
            level: 0,
            partitions: None,
            parts: Parts::default(),
        }
    }

    /// For rows that were split by their keys `level` times; `None` where there are none.
    pub fn of_part(batches: SpilledBatches, comparisons: &Rc<[Comparison]>, level: u32) -> Result<Option<Source>> {
        if batches.len() == 0 {
            return Ok(None);
        }
        let part = Distinct::new(Box::new(SpillSource::new(batches)?), comparisons.clone());
        Ok(Some(Box::new(Distinct { level, ..part })))
    }

    /// The rows of a batch that were not seen and need not wait.
    fn fresh(&mut self, batch: &Batch, context: &Context) -> Result<Vec<u32>> {
        if self.seen_bytes > context.session.host.operator_bytes()
            && self.level < LEVELS_MAX
            && self.partitions.is_none()
        {
            self.partitions = Partitions::new(batch.columns.len(), self.level, context);
        }
        let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
        if let Some(partitions) = &mut self.partitions {
            let unseen = (0..batch.rows as u32).filter(|&row| !self.seen.contains(keys.get(row as usize)));
            partitions.push(batch, &keys, unseen)?;
            return Ok(Vec::new());
        }
        if self.seen.is_empty() {
            self.seen.reserve(batch.rows);
        }
        let mut fresh = Vec::with_capacity(batch.rows);
        for row in 0..batch.rows {
            let key = keys.get(row);
            if self.seen.insert(key) {
                self.seen_bytes += key.len() + ENTRY_BYTES;
                fresh.push(row as u32);
            }
        }
        Ok(fresh)
    }
}

impl Operator for Distinct {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        while let Some(input) = &mut self.input {
            match input.next(context)? {
                Poll::Batch(batch) => {
                    let fresh = self.fresh(&batch, context)?;
                    if !fresh.is_empty() {
                        return Ok(Poll::Batch(batch.gather(&fresh)));
                    }
                }
                Poll::Yield => return Ok(Poll::Yield),
                Poll::Done => {
                    self.input = None;
                    self.seen = KeySet::default();
                    if let Some(partitions) = self.partitions.take() {
                        self.parts = Parts::new(partitions.finish()?);
                    }
                }
            }
        }
        self.parts.next(context, |batches| Distinct::of_part(batches, &self.comparisons, self.level + 1))
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if filter.holds_for_equals(&self.comparisons) {
            self.input.iter_mut().for_each(|input| input.push_runtime_filter(filter));
        }
    }
}
