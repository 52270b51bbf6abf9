//! Sorted (streaming) aggregation: the rows of a group are adjacent, and a group is returned when it ends.

use std::rc::Rc;

use super::hash_aggregate::Aggregate;
use crate::batch::Batch;
use crate::error::Result;
use crate::exec::batches::row_keys::RowKeys;
use crate::exec::batches::row_ranges::{Ranged, RowRanges};
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::scan::values::Empty;
use crate::expr::{AggregateCall, Comparison, Context, Expr};

pub struct AggregateInOrder {
    /// Absent at its end.
    input: Option<Source>,
    ranges: RowRanges,
    input_columns: usize,
    groups: Rc<[Expr]>,
    comparisons: Vec<Comparison>,
    calls: Rc<[AggregateCall]>,
    /// What the last rows that were seen belong to; no row of it was given.
    open: Aggregate,
    /// The key of the last row's group.
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
            ranges: RowRanges::default(),
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
    ///
    /// Gives back the rows of the last group, where there are others before it.
    fn take(&mut self, batch: &Batch, context: &Context) -> Result<Option<Batch>> {
        let columns: Vec<_> = self.groups.iter().map(|group| group.eval(batch, context)).collect::<Result<_>>()?;
        let keys = RowKeys::of(&columns, &self.comparisons, batch.rows);
        let last = keys.get(batch.rows - 1);
        // Where the last group of the batch begins.
        let start = (0..batch.rows).rev().take_while(|&row| keys.get(row) == last).last().unwrap_or(0);
        let is_other = self.last_key.as_deref().is_some_and(|key| key != keys.get(0));
        if start == 0 && is_other {
            // Nothing of the batch belongs to what is open; the groups behind it have ended too.
            let mut fresh = self.fresh();
            fresh.take(batch, context)?;
            self.ended = Some(std::mem::replace(&mut self.open, fresh));
            self.last_key = Some(last.into());
            return Ok(None);
        }
        if start == 0 {
            self.open.take(batch, context)?;
            self.last_key = Some(last.into());
            return Ok(None);
        }
        self.open.take(&batch.slice(0, start), context)?;
        self.last_key = Some(last.into());
        self.end_groups();
        Ok(Some(batch.slice(start, batch.rows - start)))
    }

    fn fresh(&self) -> Aggregate {
        Aggregate::new(Box::new(Empty), self.input_columns, self.groups.clone(), self.calls.clone())
    }

    fn end_groups(&mut self) {
        let fresh = self.fresh();
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
            let Some(mut input) = self.input.take() else { return Ok(Poll::Done) };
            let mut ranges = std::mem::take(&mut self.ranges);
            let taken = ranges.next(input.as_mut(), context, |batch| self.take(batch, context));
            (self.input, self.ranges) = (Some(input), ranges);
            match taken? {
                Ranged::Rows(None) => {}
                Ranged::Rows(Some(rest)) => self.ranges.give_back(rest),
                Ranged::Yield => return Ok(Poll::Yield),
                Ranged::Done => {
                    self.input = None;
                    self.end_groups();
                }
            }
        }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if let (Some(input), Some(filter)) = (&mut self.input, filter.below_groups(&self.groups, &self.comparisons)) {
            input.push_runtime_filter(&filter);
        }
    }
}
