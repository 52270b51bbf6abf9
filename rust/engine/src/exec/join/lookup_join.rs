//! Index lookup join: looks up the right side in an index and decodes the rows of many lookups together.

use std::rc::Rc;

use super::hash_join::nulls;
use super::runtime_filter::RuntimeFilter;
use crate::batch::Batch;
use crate::catalog::Relation;
use crate::error::Result;
use crate::exec::batches::concat::concat;
use crate::exec::filter::{select, select_numbered};
use crate::exec::measure::Measure;
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::scan::table_scan::TableScan;
use crate::exec::scan::table_scan::pieces::Piece;
use crate::expr::{Context, Expr};
use crate::plan::{JoinKind, OuterSlot};
use crate::vector::Vector;

/// As many rows are read together as have been before, so that a LIMIT reads little; so many at most, for their leaves are kept
/// until they are decoded.
const TOGETHER_MAX: usize = 256;

pub struct LookupJoin {
    /// Any but right and full joins.
    pub kind: JoinKind,
    pub left: Source,
    pub left_columns: usize,
    pub right_columns: usize,
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
    /// Of joins that are not inner ones: which left rows have a partner, and the first about which not all is said.
    matched: Vec<bool>,
    said: usize,
    /// Right rows that were read, and left rows about which all was said.
    read: usize,
    answered: usize,
}

impl LookupJoin {
    /// One partner decides about a left row.
    fn asks_for_one(&self) -> bool {
        matches!(self.kind, JoinKind::Semi | JoinKind::Anti)
    }

    /// Finds right rows until enough are there or the left batch is done. False for a yield.
    fn find(&mut self, context: &Context) -> Result<bool> {
        let any_decides = self.asks_for_one() && self.on.is_empty() && !self.scan.has_filter();
        let state = &mut self.state;
        let Some(batch) = &state.batch else { return Ok(true) };
        let before = state.read.max(state.answered);
        let wanted = before.clamp(1, TOGETHER_MAX);
        while state.lefts.len().max(state.unsaid()) < wanted && state.row < batch.rows {
            if context.is_out_of_fuel() {
                return Ok(false);
            }
            if !state.is_looked_up {
                if self.scan.has_none_ahead() {
                    let missing = wanted - state.lefts.len().max(state.unsaid());
                    let rows = state.row..batch.rows.min(state.row + missing);
                    self.scan.look_for_each(&self.relation, context, rows, |row| {
                        for &(slot, column) in self.outer.iter() {
                            context.bind_outer(slot, batch.value(column, row).into_owned());
                        }
                    })?;
                }
                self.scan.begin_next();
                state.is_looked_up = true;
                context.spend(1);
                self.measure.iter().for_each(|measure| measure.starts.set(measure.starts.get() + 1));
            }
            let pieces = self.scan.found(if any_decides { 1 } else { wanted - state.lefts.len() })?;
            let rows = pieces.iter().map(|piece| piece.items.len()).sum();
            context.spend(rows);
            state.lefts.extend(std::iter::repeat_n(state.row as u32, rows));
            if rows == 0 || any_decides {
                state.row += 1;
                state.is_looked_up = false;
            }
            state.found.extend(pieces);
        }
        Ok(true)
    }

    /// What the rows that were found say.
    fn answer(&mut self, context: &Context) -> Result<Batch> {
        let asks_for_one = self.asks_for_one();
        let (pieces, mut lefts) = (std::mem::take(&mut self.state.found), std::mem::take(&mut self.state.lefts));
        self.state.read += lefts.len();
        let Some(batch) = &self.state.batch else { return Ok(Batch::default()) };
        let (right, numbers) = self.scan.decode_found(pieces, context)?;
        self.measure.iter().for_each(|measure| measure.rows.set(measure.rows.get() + right.rows as u64));
        if let Some(numbers) = numbers {
            lefts = numbers.into_iter().map(|number| lefts[number as usize]).collect();
        }
        let mut pairs = if right.rows == 0 { right } else { batch.gather(&lefts).beside(&right) };
        if self.kind == JoinKind::Inner {
            return select(pairs, &self.on, context);
        }
        let state = &mut self.state;
        let (kept, numbers) = select_numbered(pairs, &self.on, context)?;
        pairs = kept;
        if let Some(numbers) = numbers {
            lefts = numbers.into_iter().map(|number| lefts[number as usize]).collect();
        }
        lefts.iter().for_each(|&left| state.matched[left as usize] = true);
        if asks_for_one && state.matched.get(state.row) == Some(&true) {
            state.row += 1;
            state.is_looked_up = false;
        }
        state.answered += state.unsaid();
        let done = std::mem::replace(&mut state.said, state.row)..state.row;
        let is_wanted = |row: &usize| state.matched[*row] == (self.kind == JoinKind::Semi);
        let rows: Vec<u32> = done.filter(is_wanted).map(|row| row as u32).collect();
        let Some(batch) = &state.batch else { return Ok(Batch::default()) };
        match self.kind {
            JoinKind::Semi | JoinKind::Anti => Ok(batch.gather(&rows)),
            _ if rows.is_empty() => Ok(pairs),
            _ if pairs.rows == 0 => Ok(batch.gather(&rows).beside(&nulls(rows.len(), self.right_columns))),
            _ => Ok(with_unmatched(batch, &lefts, pairs.columns.split_off(self.left_columns), &rows)),
        }
    }
}

impl State {
    /// Left rows about which all is known and nothing said yet; an inner join says nothing about them.
    fn unsaid(&self) -> usize {
        if self.matched.is_empty() { 0 } else { self.row - self.said }
    }
}

/// Pairs of the rows `lefts` with those of `right`, and with NULLs the rows that have no partner, in the order of left rows.
fn with_unmatched(left: &Batch, lefts: &[u32], right: Vec<Rc<Vector>>, unmatched: &[u32]) -> Batch {
    let (mut rows, mut partners) = (Vec::new(), Vec::new());
    let mut alone = unmatched.iter().copied().peekable();
    for (partner, &row) in (0u32..).zip(lefts) {
        while let Some(before) = alone.next_if(|&before| before < row) {
            rows.push(before);
            partners.push(lefts.len() as u32);
        }
        rows.push(row);
        partners.push(partner);
    }
    rows.extend(alone);
    partners.resize(rows.len(), lefts.len() as u32);
    let columns = right.len();
    let right = concat(&[Batch::new(lefts.len(), right), nulls(1, columns)], columns);
    left.gather(&rows).beside(&right.gather(&partners))
}

impl Operator for LookupJoin {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            let Some(batch) = &self.state.batch else {
                let Some(batch) = pull!(self.left, context) else { return Ok(Poll::Done) };
                (self.state.row, self.state.said) = (0, 0);
                self.state.matched = vec![false; if self.kind == JoinKind::Inner { 0 } else { batch.rows }];
                self.state.batch = Some(batch);
                continue;
            };
            let rows = batch.rows;
            let began = self.measure.as_ref().map(|_| context.session.host.now_microseconds());
            let is_found = self.find(context)?;
            let answer = if is_found { self.answer(context)? } else { Batch::default() };
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
            if answer.rows > 0 {
                return Ok(Poll::Batch(answer));
            }
        }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if self.on.iter().any(Expr::sets_variables) {
            return;
        }
        if let Some(filter) = filter.below(|column| (column < self.left_columns).then_some(column)) {
            self.left.push_runtime_filter(&filter);
        }
        // A row that lost its partners would come alone.
        if self.kind == JoinKind::Inner
            && let Some(filter) = filter.below(|column| column.checked_sub(self.left_columns))
        {
            self.scan.push_runtime_filter(&filter);
        }
    }
}
