//! Stages of a plan: each runs to its end before the next begins, its rows kept in memory or in temporary files.

use std::cell::RefCell;
use std::rc::Rc;

use super::materialized_cte::Kept;
use crate::error::{Result, SqlError};
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::physical_plan::PhysicalPlan;
use crate::expr::Context;

pub struct Stage {
    pub name: Rc<str>,
    pub rows: PhysicalPlan,
    pub columns: usize,
}

/// Runs the stages, then gives the rows of `source`, which reads theirs.
pub struct Staged {
    /// Those to come, the next one last.
    stages: Vec<Stage>,
    running: Option<Kept>,
    source: Source,
}

impl Staged {
    pub fn new(mut stages: Vec<Stage>, source: Source) -> Staged {
        stages.reverse();
        Staged { stages, running: None, source }
    }
}

impl Operator for Staged {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        while let Some(stage) = self.stages.last() {
            let mut rows = match self.running.take() {
                Some(running) => running,
                None => Kept::new(stage.rows.build(context)?, stage.columns),
            };
            while !rows.has_all() {
                if !rows.advance(context)? {
                    self.running = Some(rows);
                    return Ok(Poll::Yield);
                }
            }
            context.keep(stage.name.clone(), Rc::new(RefCell::new(rows)));
            self.stages.pop();
        }
        self.source.next(context)
    }
}

/// The rows of a stage that has ended.
pub struct StageRows {
    pub name: Rc<str>,
    pub rows: Option<Rc<RefCell<Kept>>>,
    /// The batch to be given next.
    pub next: usize,
}

impl Operator for StageRows {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let rows = match &self.rows {
            Some(rows) => rows,
            None => {
                let kept = context.kept(&self.name).and_then(|kept| kept.downcast().ok());
                self.rows.insert(kept.ok_or_else(|| SqlError::internal("a stage that has not run"))?)
            }
        };
        let Some(batch) = rows.borrow().read(self.next)? else { return Ok(Poll::Done) };
        self.next += 1;
        context.spend(batch.rows);
        Ok(Poll::Batch(batch))
    }
}
