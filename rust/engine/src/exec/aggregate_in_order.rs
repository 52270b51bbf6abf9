//! GROUP BY over rows of which those of a group come one after the other: groups are given as they end.

use std::rc::Rc;

use super::aggregate::Aggregate;
use super::key_filter::KeyFilter;
use super::keys::RowKeys;
use super::operator::{Operator, Poll, Source, pull};
use super::values::Empty;
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{AggregateCall, Comparison, Context, Expr};

pub struct AggregateInOrder {
    /// Absent at its end.
    input: Option<Source>,
    input_columns: usize,
    groups: Rc<[Expr]>,
    comparisons: Vec<Comparison>,
    calls: Rc<[AggregateCall]>,
    /// What the last rows that were seen belong to; no row of it was given.
    open: Aggregate,
    /// By which the group of the last row is told apart.
    last_key: Option<Box<[u8]>>,
    /// Groups that have ended.
    ended: Option<Aggregate>,
}

impl AggregateInOrder {
    /// `input_columns` is the number of columns of the input.
    pub fn new(
        input: Source,
        input_columns: usize,
        groups: Rc<[Expr]>,
        calls: Rc<[AggregateCall]>,
    ) -> AggregateInOrder {
        let open = Aggregate::new(Box::new(Empty), input_columns, groups.clone(), calls.clone());
        let comparisons = groups.iter().map(|group| Comparison::of_groups(&group.ty)).collect();
        AggregateInOrder {
            input: Some(input),
            input_columns,
            groups,
            comparisons,
            calls,
            open,
            last_key: None,
            ended: None,
        }
    }

    /// Takes in a batch; groups that are complete with it are ended.
    fn take(&mut self, batch: Batch, context: &Context) -> Result<()> {
        let columns: Vec<_> = self.groups.iter().map(|group| group.eval(&batch, context)).collect::<Result<_>>()?;
        let keys = RowKeys::of(&columns, &self.comparisons, batch.rows);
        let last = keys.get(batch.rows - 1);
        // Where the last group of the batch begins.
        let start = (0..batch.rows).rev().take_while(|&row| keys.get(row) == last).last().unwrap_or(0);
        if start > 0 {
            self.open.take(batch.slice(0, start), context)?;
        }
        if start > 0 || self.last_key.as_deref().is_some_and(|key| key != keys.get(0)) {
            self.end_groups();
        }
        self.last_key = Some(last.into());
        self.open.take(batch.slice(start, batch.rows - start), context)
    }

    fn end_groups(&mut self) {
        let fresh = Aggregate::new(Box::new(Empty), self.input_columns, self.groups.clone(), self.calls.clone());
        self.ended = Some(std::mem::replace(&mut self.open, fresh));
    }
}

impl Operator for AggregateInOrder {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            if let Some(ended) = &mut self.ended {
                match ended.next(context)? {
                    Poll::Done => self.ended = None,
                    other => return Ok(other),
                }
            }
            let Some(input) = &mut self.input else { return Ok(Poll::Done) };
            let Some(batch) = pull!(input, context) else {
                self.input = None;
                self.end_groups();
                continue;
            };
            self.take(batch, context)?;
        }
    }

    fn filter_early(&mut self, filter: &KeyFilter) {
        if let (Some(input), Some(filter)) = (&mut self.input, filter.below_groups(&self.groups, &self.comparisons)) {
            input.filter_early(&filter);
        }
    }
}
