//! Filter operator: rows for which every conjunct is true.

use std::rc::Rc;

use super::batches::concat::concat;
use super::batches::row_ranges::{Ranged, RowRanges};
use super::join::runtime_filter::RuntimeFilter;
use super::operator::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr};

pub struct Filter {
    input: Source,
    predicate: Rc<[Expr]>,
    ranges: RowRanges,
    /// Whether a row may read what the row before it has set.
    has_effects: bool,
}

impl Filter {
    pub fn new(input: Source, predicate: Rc<[Expr]>) -> Filter {
        let has_effects = predicate.iter().any(Expr::sets_variables);
        Filter { input, predicate, ranges: RowRanges::default(), has_effects }
    }
}

impl Operator for Filter {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let kept = match self.has_effects {
                false => {
                    let predicate = &self.predicate;
                    let select = |batch: &Batch| select(batch.clone(), predicate, context);
                    match self.ranges.next(self.input.as_mut(), context, select)? {
                        Ranged::Rows(kept) => kept,
                        Ranged::Yield => return Ok(Poll::Yield),
                        Ranged::Done => return Ok(Poll::Done),
                    }
                }
                true => {
                    // What a row sets the next one reads.
                    let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
                    let columns = batch.columns.len();
                    let rows = batch.single_rows().map(|row| select(row, &self.predicate, context));
                    concat(&rows.collect::<Result<Vec<_>>>()?, columns)
                }
            };
            if kept.rows > 0 {
                return Ok(Poll::Batch(kept));
            }
        }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if !self.has_effects {
            self.input.push_runtime_filter(filter);
        }
    }
}

/// The rows of `batch` for which all of `predicate` is true. Later conjuncts see only rows that passed the earlier ones.
pub fn select(batch: Batch, predicate: &[Expr], context: &Context) -> Result<Batch> {
    Ok(select_numbered(batch, predicate, context)?.0)
}

/// As [`select`], with the numbers that the rows had; `None` when all were kept.
pub fn select_numbered(batch: Batch, predicate: &[Expr], context: &Context) -> Result<(Batch, Option<Vec<u32>>)> {
    let mut batch = batch;
    let mut numbers: Option<Vec<u32>> = None;
    for (n, conjunct) in predicate.iter().enumerate() {
        if batch.rows == 0 {
            break;
        }
        context.part_done(n, predicate.len())?;
        let rows = conjunct.true_rows(&batch, context)?;
        if rows.len() == batch.rows {
            continue;
        }
        batch = batch.gather(&rows);
        numbers = Some(match numbers {
            None => rows,
            Some(numbers) => rows.iter().map(|&row| numbers[row as usize]).collect(),
        });
    }
    Ok((batch, numbers))
}
