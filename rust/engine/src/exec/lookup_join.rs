//! Inner joins whose right side is looked up in an index: the rows that many lookups lead to are decoded together.

use std::rc::Rc;

use super::filter::select;
use super::key_filter::KeyFilter;
use super::measure::Measure;
use super::table_scan::TableScan;
use super::table_scan::pieces::Piece;
use super::{Operator, Poll, Source, pull};
use crate::batch::Batch;
use crate::catalog::Relation;
use crate::error::Result;
use crate::expr::{Context, Expr};
use crate::plan::OuterSlot;

/// So many rows are read one by one: a LIMIT reads little. Then as many are read together as have been.
const ONE_BY_ONE: usize = 32;

/// Together at most: their leaves are kept until they are decoded.
const TOGETHER_MAX: usize = 256;

pub struct LookupJoin {
    pub left: Source,
    pub left_columns: usize,
    /// Of the rows that the values of one left row lead to.
    pub scan: TableScan,
    pub relation: Rc<dyn Relation>,
    /// Slots that the ranges of the scan read, and the left columns that fill them.
    pub outer: Rc<[(OuterSlot, usize)]>,
    pub on: Rc<[Expr]>,
    /// Counts for the scan.
    pub measure: Option<Rc<Measure>>,
    pub state: State,
}

#[derive(Default)]
pub struct State {
    batch: Option<Batch>,
    /// The left row in work, and whether it has been looked up.
    row: usize,
    is_looked_up: bool,
    /// Right rows that were found, not decoded yet, and the left row of each.
    found: Vec<Piece>,
    lefts: Vec<u32>,
    /// Rows that were decoded.
    read: usize,
}

impl LookupJoin {
    /// Finds right rows until enough are there or the left batch is done. False for a yield.
    fn find(&mut self, context: &Context) -> Result<bool> {
        let state = &mut self.state;
        let Some(batch) = &state.batch else { return Ok(true) };
        let wanted = if state.read < ONE_BY_ONE { 1 } else { state.read.min(TOGETHER_MAX) };
        while state.lefts.len() < wanted && state.row < batch.rows {
            if context.is_out_of_fuel() {
                return Ok(false);
            }
            if !state.is_looked_up {
                for &(slot, column) in self.outer.iter() {
                    context.bind_outer(slot, batch.value(column, state.row).into_owned());
                }
                self.scan.look_for(&self.relation, context)?;
                state.is_looked_up = true;
                context.spend(1);
                self.measure.iter().for_each(|measure| measure.starts.set(measure.starts.get() + 1));
            }
            let pieces = self.scan.found(wanted - state.lefts.len())?;
            if pieces.is_empty() {
                state.row += 1;
                state.is_looked_up = false;
                continue;
            }
            let rows = pieces.iter().map(|piece| piece.items.len()).sum();
            context.spend(rows);
            state.lefts.extend(std::iter::repeat_n(state.row as u32, rows));
            state.found.extend(pieces);
        }
        Ok(true)
    }

    /// The pairs of the rows that were found.
    fn pairs(&mut self, context: &Context) -> Result<Batch> {
        let Some(batch) = &self.state.batch else { return Ok(Batch::default()) };
        let (pieces, mut lefts) = (std::mem::take(&mut self.state.found), std::mem::take(&mut self.state.lefts));
        self.state.read += lefts.len();
        let (right, numbers) = self.scan.decode(pieces, context)?;
        self.measure.iter().for_each(|measure| measure.rows.set(measure.rows.get() + right.rows as u64));
        if right.rows == 0 {
            return Ok(right);
        }
        if let Some(numbers) = numbers {
            lefts = numbers.into_iter().map(|number| lefts[number as usize]).collect();
        }
        select(batch.gather(&lefts).beside(&right), &self.on, context)
    }
}

impl Operator for LookupJoin {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let Some(batch) = &self.state.batch else {
                let Some(batch) = pull!(self.left, context) else { return Ok(Poll::Done) };
                (self.state.batch, self.state.row) = (Some(batch), 0);
                continue;
            };
            let rows = batch.rows;
            let began = self.measure.as_ref().map(|_| context.session.host.now_microseconds());
            let is_found = self.find(context)?;
            let pairs = if is_found { self.pairs(context)? } else { Batch::default() };
            if let (Some(measure), Some(began)) = (&self.measure, began) {
                let took = context.session.host.now_microseconds() - began;
                measure.microseconds.set(measure.microseconds.get() + took);
            }
            if !is_found {
                return Ok(Poll::Yield);
            }
            if self.state.row >= rows {
                self.state.batch = None;
            }
            if pairs.rows > 0 {
                return Ok(Poll::Batch(pairs));
            }
        }
    }

    fn filter_early(&mut self, filter: &KeyFilter) {
        if self.on.iter().any(Expr::sets_variables) {
            return;
        }
        if let Some(filter) = filter.below(|column| (column < self.left_columns).then_some(column)) {
            self.left.filter_early(&filter);
        }
        if let Some(filter) = filter.below(|column| column.checked_sub(self.left_columns)) {
            self.scan.filter_early(&filter);
        }
    }
}
