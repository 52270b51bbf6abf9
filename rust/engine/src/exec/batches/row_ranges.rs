//! Row ranges: the parts of a batch over which an operator evaluates its expressions.
//!
//! A batch of few bytes and cheap expressions is one range. Where the evaluation takes long or makes much, it is cut short
//! ([`Context::in_range`]) and made anew over fewer rows; the next ranges have about as many, and grow while that goes well.

use std::rc::Rc;

use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::operator::{Operator, Poll};
use crate::expr::Context;

/// The rows of the last batch that are still to be worked on.
pub struct RowRanges {
    held: Option<Held>,
    /// Rows of the next range, at most.
    rows: usize,
}

struct Held {
    batch: Batch,
    done: usize,
}

/// What [`RowRanges::next`] found.
pub enum Ranged<T> {
    Rows(T),
    Yield,
    Done,
}

impl Default for RowRanges {
    fn default() -> RowRanges {
        RowRanges { held: None, rows: BATCH_ROWS }
    }
}

impl RowRanges {
    /// Evaluates over the next range of rows. `evaluate` may be called several times, and only what the last call did may last.
    pub fn next<T>(
        &mut self,
        input: &mut dyn Operator,
        context: &Rc<Context>,
        mut evaluate: impl FnMut(&Batch) -> Result<T>,
    ) -> Result<Ranged<T>> {
        if self.held.is_none() {
            let batch = match input.next(context)? {
                Poll::Batch(batch) => batch,
                Poll::Yield => return Ok(Ranged::Yield),
                Poll::Done => return Ok(Ranged::Done),
            };
            if batch.rows <= self.rows {
                // The usual case.
                match context.in_range(batch.rows, || evaluate(&batch)) {
                    Err(error) if error.is_cut() => self.rows = context.session.work.rows_of(batch.rows),
                    Err(error) => return Err(error),
                    Ok(evaluated) => {
                        self.rows = context.session.work.rows_after(self.rows);
                        return Ok(Ranged::Rows(evaluated));
                    }
                }
            }
            self.held = Some(Held { batch, done: 0 });
        }
        let Some(held) = &mut self.held else { return Ok(Ranged::Done) };
        loop {
            if context.is_out_of_fuel() {
                return Ok(Ranged::Yield);
            }
            let rows = self.rows.min(held.batch.rows - held.done);
            let range = held.batch.slice(held.done, rows);
            match context.in_range(rows, || evaluate(&range)) {
                Err(error) if error.is_cut() => self.rows = context.session.work.rows_of(rows),
                Err(error) => return Err(error),
                Ok(evaluated) => {
                    held.done += rows;
                    if held.done == held.batch.rows {
                        self.held = None;
                    }
                    self.rows = context.session.work.rows_after(self.rows);
                    return Ok(Ranged::Rows(evaluated));
                }
            }
        }
    }

    /// Gives rows back that were not worked on, which come next; `next` has just given the range before them.
    pub fn give_back(&mut self, rest: Batch) {
        let batch = match self.held.take() {
            None => rest,
            Some(held) => {
                let columns = rest.columns.len();
                let later = held.batch.slice(held.done, held.batch.rows - held.done);
                super::concat::concat(&[rest, later], columns)
            }
        };
        self.held = Some(Held { batch, done: 0 });
    }
}
