//! WITH RECURSIVE: each round reads the rows of the previous one.

use std::rc::Rc;

use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::exec::batches::key_set::KeySet;
use crate::exec::batches::row_keys::RowKeys;
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::physical_plan::PhysicalPlan;
use crate::expr::{Comparison, Context};

/// Rounds before Dolt gives up, whatever `cte_max_recursion_depth` says.
const ROUNDS_MAX: usize = 10_001;

pub struct Recursive {
    pub id: u32,
    pub first: Source,
    pub step: PhysicalPlan,
    pub all: bool,
    pub comparisons: Rc<[Comparison]>,
    pub state: State,
}

#[derive(Default)]
pub struct State {
    /// The step that runs, after the first part has ended.
    running: Option<Source>,
    first_done: bool,
    rounds: usize,
    seen: KeySet,
    fresh: Vec<Batch>,
}

impl Recursive {
    fn keep(&mut self, batch: Batch) -> Batch {
        if self.all {
            return batch;
        }
        let keys = RowKeys::of(&batch.columns, &self.comparisons, batch.rows);
        let rows: Vec<u32> =
            (0..batch.rows as u32).filter(|&row| self.state.seen.insert(keys.get(row as usize))).collect();
        batch.gather(&rows)
    }
}

impl Operator for Recursive {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let pulled = if !self.state.first_done {
                pull!(self.first, context)
            } else {
                match &mut self.state.running {
                    Some(step) => pull!(step, context),
                    None => None,
                }
            };
            if let Some(batch) = pulled {
                let batch = self.keep(batch);
                if batch.rows == 0 {
                    continue;
                }
                self.state.fresh.push(batch.clone());
                return Ok(Poll::Batch(batch));
            }
            self.state.first_done = true;
            let fresh = std::mem::take(&mut self.state.fresh);
            if fresh.is_empty() {
                return Ok(Poll::Done);
            }
            self.state.rounds += 1;
            if self.state.rounds > ROUNDS_MAX {
                return Err(SqlError::general("WITH RECURSIVE iteration limit exceeded"));
            }
            context.bind_round(self.id, Rc::new(fresh));
            self.state.running = Some(self.step.build(context)?);
        }
    }
}

/// Gives the rows of the last round.
pub struct RoundRows {
    pub id: u32,
    pub rows: Option<Rc<Vec<Batch>>>,
    pub next: usize,
}

impl Operator for RoundRows {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let rows = self.rows.get_or_insert_with(|| context.round(self.id));
        let Some(batch) = rows.get(self.next) else { return Ok(Poll::Done) };
        self.next += 1;
        context.spend(batch.rows);
        Ok(Poll::Batch(batch.clone()))
    }
}
