//! UNION, INTERSECT, EXCEPT, each with and without ALL.

use std::rc::Rc;

use hashbrown::HashMap;

use super::keys::RowKeys;
use super::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Comparison, Context};
use crate::plan::SetKind;

pub struct SetOperation {
    pub kind: SetKind,
    pub all: bool,
    pub left: Source,
    pub right: Source,
    pub comparisons: Rc<[Comparison]>,
    /// UNION: rows given. INTERSECT and EXCEPT: how often a row is on the right side.
    pub counts: HashMap<Vec<u8>, u64>,
    pub left_done: bool,
    pub right_done: bool,
}

impl SetOperation {
    fn keep(&mut self, batch: &Batch) -> Batch {
        if self.all && self.kind == SetKind::Union {
            return batch.clone();
        }
        let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
        let mut kept = Vec::new();
        for row in 0..batch.rows {
            let count = self.counts.entry_ref(keys.get(row)).or_insert(0);
            let keep = match (self.kind, self.all) {
                (SetKind::Union, _) => std::mem::replace(count, 1) == 0,
                // Each right row pairs with one left row.
                (SetKind::Intersect, true) => std::mem::replace(count, count.saturating_sub(1)) > 0,
                (SetKind::Except, true) => std::mem::replace(count, count.saturating_sub(1)) == 0,
                // Given once: then the row counts as not (or as) being on the right side.
                (SetKind::Intersect, false) => std::mem::replace(count, 0) > 0,
                (SetKind::Except, false) => std::mem::replace(count, 1) == 0,
            };
            if keep {
                kept.push(row as u32);
            }
        }
        batch.gather(&kept)
    }
}

impl Operator for SetOperation {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if self.kind != SetKind::Union {
            while !self.right_done {
                match pull!(self.right, context) {
                    Some(batch) => {
                        let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
                        for row in 0..batch.rows {
                            *self.counts.entry_ref(keys.get(row)).or_insert(0) += 1;
                        }
                    }
                    None => self.right_done = true,
                }
            }
        }
        loop {
            let batch = if !self.left_done {
                match pull!(self.left, context) {
                    Some(batch) => batch,
                    None => {
                        self.left_done = true;
                        continue;
                    }
                }
            } else if self.kind == SetKind::Union {
                let Some(batch) = pull!(self.right, context) else { return Ok(Poll::Done) };
                batch
            } else {
                return Ok(Poll::Done);
            };
            let kept = self.keep(&batch);
            if kept.rows > 0 {
                return Ok(Poll::Batch(kept));
            }
        }
    }
}
