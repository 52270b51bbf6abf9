//! Rows for which every conjunct is true.

use std::rc::Rc;

use super::concat::concat;
use super::key_filter::KeyFilter;
use super::operator::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr};

pub struct Filter {
    pub input: Source,
    pub predicate: Rc<[Expr]>,
}

impl Operator for Filter {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let Some(batch) = pull!(self.input, context) else { return Ok(Poll::Done) };
            let kept = match self.predicate.iter().any(Expr::sets_variables) {
                false => select(batch, &self.predicate, context)?,
                true => {
                    // What a row sets the next one reads.
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

    fn filter_early(&mut self, filter: &KeyFilter) {
        if !self.predicate.iter().any(Expr::sets_variables) {
            self.input.filter_early(filter);
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
    for conjunct in predicate {
        if batch.rows == 0 {
            break;
        }
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
