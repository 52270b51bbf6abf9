//! Set operations: UNION, INTERSECT, EXCEPT, each with and without ALL. UNION is [`Both`] sides, without ALL below a
//! [`super::aggregate::distinct::Distinct`].
//!
//! When the rows of the right side take too much memory, rows that are not known yet go to temporary files, split by their
//! keys, those of the left side likewise; each pair of parts is matched when the left side has ended.

use std::rc::Rc;

use hashbrown::HashMap;

use super::batches::row_keys::RowKeys;
use super::join::runtime_filter::RuntimeFilter;
use super::operator::{Operator, Poll, Source, pull};
use super::spill::{ENTRY_BYTES, LEVELS_MAX, Partitions, Parts, SpillSource, SpilledBatches};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Comparison, Context};

/// The rows of the left side, then those of the right.
pub struct Both {
    /// Absent at its end.
    left: Option<Source>,
    right: Source,
}

impl Both {
    pub fn new(left: Source, right: Source) -> Both {
        Both { left: Some(left), right }
    }
}

impl Operator for Both {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if let Some(left) = &mut self.left {
            match left.next(context)? {
                Poll::Done => self.left = None,
                other => return Ok(other),
            }
        }
        self.right.next(context)
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        self.left.iter_mut().for_each(|left| left.push_runtime_filter(filter));
        self.right.push_runtime_filter(filter);
    }
}

/// What is given of the rows of the left side.
#[derive(Clone, Copy)]
pub struct Matched {
    /// Those that are on the right side, or those that are not.
    pub on_right: bool,
    /// Each right row matches one left row. Otherwise rows that are given are given once.
    pub all: bool,
}

/// INTERSECT and EXCEPT.
pub struct Matching {
    matched: Matched,
    /// Absent at their ends.
    left: Option<Source>,
    right: Option<Source>,
    comparisons: Rc<[Comparison]>,
    /// How often a row is on the right side. Of what is given once: 1 for a row that must not be given any more by EXCEPT,
    /// 0 by INTERSECT.
    counts: HashMap<Box<[u8]>, u64>,
    counts_bytes: usize,
    level: u32,
    /// Of the left and of the right side.
    partitions: Option<(Partitions, Partitions)>,
    parts: Parts<(SpilledBatches, SpilledBatches)>,
}

impl Matching {
    pub fn new(matched: Matched, left: Source, right: Source, comparisons: Rc<[Comparison]>) -> Matching {
        Matching {
            matched,
            left: Some(left),
            right: Some(right),
            comparisons,
            counts: HashMap::new(),
            counts_bytes: 0,
            level: 0,
            partitions: None,
            parts: Parts::default(),
        }
    }

    /// Has files for further rows where memory is full.
    fn make_room(&mut self, context: &Context) {
        let is_full = self.counts_bytes > context.session.host.operator_bytes() && self.level < LEVELS_MAX;
        if is_full && self.partitions.is_none() {
            let side = || Partitions::new(self.comparisons.len(), self.level, context);
            self.partitions = side().zip(side());
        }
    }

    fn know(&mut self, key: &[u8]) {
        self.counts_bytes += key.len() + ENTRY_BYTES;
        self.counts.insert(key.into(), 1);
    }

    /// Counts the rows of the right side.
    fn count(&mut self, batch: &Batch, context: &Context) -> Result<()> {
        self.make_room(context);
        let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
        let mut unknown = Vec::new();
        for row in 0..batch.rows {
            match self.counts.get_mut(keys.get(row)) {
                Some(count) => *count += 1,
                None if self.partitions.is_some() => unknown.push(row as u32),
                None => self.know(keys.get(row)),
            }
        }
        match &mut self.partitions {
            Some((_, right)) => right.push(batch, &keys, unknown.into_iter()),
            None => Ok(()),
        }
    }

    /// The rows of the left side that are given at once.
    fn keep(&mut self, batch: &Batch, context: &Context) -> Result<Vec<u32>> {
        self.make_room(context);
        let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
        let (mut kept, mut unknown) = (Vec::new(), Vec::new());
        let Matched { on_right, all } = self.matched;
        for row in 0..batch.rows {
            let is_kept = match self.counts.get_mut(keys.get(row)) {
                Some(count) => {
                    let next = if all { count.saturating_sub(1) } else { u64::from(!on_right) };
                    (std::mem::replace(count, next) > 0) == on_right
                }
                None if self.partitions.is_some() => {
                    unknown.push(row as u32);
                    false
                }
                None => {
                    if !on_right && !all {
                        self.know(keys.get(row));
                    }
                    !on_right
                }
            };
            if is_kept {
                kept.push(row as u32);
            }
        }
        if let Some((left, _)) = &mut self.partitions {
            left.push(batch, &keys, unknown.into_iter())?;
        }
        Ok(kept)
    }
}

impl Operator for Matching {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        while let Some(right) = &mut self.right {
            match pull!(right, context) {
                Some(batch) => self.count(&batch, context)?,
                None => self.right = None,
            }
        }
        while let Some(left) = &mut self.left {
            match pull!(left, context) {
                Some(batch) => {
                    let kept = self.keep(&batch, context)?;
                    if !kept.is_empty() {
                        return Ok(Poll::Batch(batch.gather(&kept)));
                    }
                }
                None => {
                    self.left = None;
                    self.counts = HashMap::new();
                    if let Some((left, right)) = self.partitions.take() {
                        self.parts = Parts::new(left.finish()?.into_iter().zip(right.finish()?).collect());
                    }
                }
            }
        }
        self.parts.next(context, |(left, right)| {
            if left.len() == 0 || (right.len() == 0 && self.matched.on_right) {
                return Ok(None);
            }
            let (left, right) = (Box::new(SpillSource::new(left)?), Box::new(SpillSource::new(right)?));
            let part = Matching::new(self.matched, left, right, self.comparisons.clone());
            Ok(Some(Box::new(Matching { level: self.level + 1, ..part })))
        })
    }
}
