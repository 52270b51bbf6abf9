//! Hash-indexed scan: rows of a table looked up repeatedly by values of the outer row, where no index has them.

use std::cell::RefCell;
use std::rc::Rc;

use super::hash_table::{END, HashTable};
use super::shared_hash_table::{Next, Settings, SharedHashTable};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::physical_plan::PhysicalPlan;
use crate::expr::Context;

/// So often the rows are read and filtered: a table takes as long as a few of these.
const SCANS: u64 = 3;

pub struct HashIndexedScan {
    pub settings: Rc<Settings>,
    /// The rows that are asked for, filtered.
    pub asked: PhysicalPlan,
    /// Those that may be asked for.
    pub all: PhysicalPlan,
    pub state: State,
}

#[derive(Default)]
pub enum State {
    #[default]
    New,
    Scanning(Source),
    /// Waits for the table.
    Asking(Rc<RefCell<SharedHashTable>>),
    /// The row of the table to be given next.
    Found(Rc<HashTable>, u32),
}

impl HashIndexedScan {
    /// How the next outer row is answered.
    fn begin(&self, context: &Rc<Context>) -> Result<State> {
        let kept = SharedHashTable::of(&self.settings.name, context)?;
        let runs = kept.borrow().runs;
        if runs < SCANS {
            kept.borrow_mut().runs += 1;
            return Ok(State::Scanning(self.asked.build(context)?));
        }
        Ok(State::Asking(kept))
    }

    /// The first row that is asked for.
    fn look(&self, table: Rc<HashTable>, context: &Context) -> Result<State> {
        let head = self.settings.heads(&table, &Batch::new(1, Vec::new()), context)?[0];
        Ok(State::Found(table, head))
    }
}

impl Operator for HashIndexedScan {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            self.state = match &mut self.state {
                State::New => self.begin(context)?,
                State::Scanning(source) => {
                    return Ok(match pull!(source, context) {
                        Some(batch) => Poll::Batch(batch),
                        None => Poll::Done,
                    });
                }
                State::Asking(kept) => {
                    let next = kept.borrow_mut().fill(&self.all, &self.settings, context)?;
                    match next {
                        Next::Wait => return Ok(Poll::Yield),
                        Next::Run => State::Scanning(self.asked.build(context)?),
                        Next::Look(table) => self.look(table, context)?,
                    }
                }
                State::Found(table, next) => {
                    let mut rows = Vec::new();
                    while *next != END && rows.len() < BATCH_ROWS {
                        rows.push(*next);
                        *next = table.next(*next);
                    }
                    context.spend(rows.len());
                    return Ok(if rows.is_empty() { Poll::Done } else { Poll::Batch(table.rows.gather(&rows)) });
                }
            };
        }
    }
}
