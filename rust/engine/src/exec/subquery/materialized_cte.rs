//! Materialized CTE: rows that several places of a plan read, computed on demand and kept until the statement ends, in temporary files
//! where they are too many.

use std::cell::RefCell;
use std::rc::Rc;

use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::physical_plan::PhysicalPlan;
use crate::exec::spill::SpilledBatches;
use crate::expr::Context;

/// One place's view of the rows.
pub struct MaterializedCte {
    pub name: Rc<str>,
    pub rows: PhysicalPlan,
    pub columns: usize,
    pub kept: Option<Rc<RefCell<Kept>>>,
    /// The batch to be given next.
    pub next: usize,
}

/// What all places have together.
pub struct Kept {
    /// Dropped at its end.
    source: Option<Source>,
    columns: usize,
    batches: Vec<Batch>,
    bytes: usize,
    /// Batches behind those in memory.
    spilled: Option<SpilledBatches>,
}

impl Kept {
    pub fn new(source: Source, columns: usize) -> Kept {
        Kept { source: Some(source), columns, batches: Vec::new(), bytes: 0, spilled: None }
    }

    /// Reads another batch of the source; false is a yield. See [`Kept::has_all`].
    pub fn advance(&mut self, context: &Rc<Context>) -> Result<bool> {
        let Some(source) = &mut self.source else { return Ok(true) };
        match source.next(context)? {
            Poll::Yield => return Ok(false),
            Poll::Done => self.source = None,
            Poll::Batch(batch) => self.keep(&batch, context)?,
        }
        Ok(true)
    }

    /// Whether the source has ended.
    pub fn has_all(&self) -> bool {
        self.source.is_none()
    }

    pub fn read(&self, number: usize) -> Result<Option<Batch>> {
        match (self.batches.get(number), &self.spilled) {
            (Some(batch), _) => Ok(Some(batch.clone())),
            (None, Some(spilled)) if number - self.batches.len() < spilled.len() => {
                spilled.read(number - self.batches.len()).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn keep(&mut self, batch: &Batch, context: &Context) -> Result<()> {
        self.bytes += batch.memory_bytes();
        let bytes_max = context.session.host.operator_bytes() / 2;
        if self.spilled.is_none() && self.bytes > bytes_max {
            self.spilled = SpilledBatches::new(self.columns, context);
        }
        match &mut self.spilled {
            Some(spilled) => {
                spilled.push(batch)?;
                spilled.flush()
            }
            None => {
                // Text of many batches would pin the nodes that contain it.
                let is_much = self.bytes > bytes_max / 8;
                self.batches.push(if is_much { batch.detached() } else { batch.clone() });
                Ok(())
            }
        }
    }
}

impl Operator for MaterializedCte {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let kept = match &self.kept {
            Some(kept) => kept.clone(),
            None => {
                let kept = match context.kept(&self.name) {
                    Some(kept) => kept.downcast().map_err(|_| SqlError::internal("rows of another kind"))?,
                    None => {
                        let kept = Kept::new(self.rows.build(context)?, self.columns);
                        let kept = Rc::new(RefCell::new(kept));
                        context.keep(self.name.clone(), kept.clone());
                        kept
                    }
                };
                self.kept.insert(kept).clone()
            }
        };
        let mut kept = kept.borrow_mut();
        if let Some(batch) = kept.read(self.next)? {
            self.next += 1;
            context.spend(batch.rows);
            return Ok(Poll::Batch(batch));
        }
        let Some(source) = &mut kept.source else { return Ok(Poll::Done) };
        let Some(batch) = pull!(source, context) else {
            kept.source = None;
            return Ok(Poll::Done);
        };
        kept.keep(&batch, context)?;
        self.next += 1;
        Ok(Poll::Batch(batch))
    }
}
