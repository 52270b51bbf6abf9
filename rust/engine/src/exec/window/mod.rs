//! Window functions: all rows are collected, sorted once for each different window, and every call gives each row a value
//! from the rows of its partition or of its frame. Rows that are too many for memory are sorted in temporary files, and
//! partitions taken one after the other ([`parts`]).

mod frame;
mod parts;
mod running;
mod sorted;

use std::rc::Rc;

use self::running::Running;
use self::sorted::Sorted;
use super::batches::concat::concat;
use super::operator::{Operator, Poll, Source, pull};
use super::scan::values::{Batches, Empty};
use super::set_operation::Both;
use super::sort::row_order::Key;
use super::sort::row_sort::RowSort;
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::expr::Context;
use crate::plan::{FrameBound, FrameUnit, WindowFunction};
use crate::vector::Vector;

/// One call over positions of the input.
#[derive(Clone)]
pub struct Call {
    pub function: WindowFunction,
    /// Which of [`Settings::orders`].
    pub order: usize,
    pub unit: FrameUnit,
    pub start: FrameBound,
    pub end: FrameBound,
}

/// PARTITION BY and ORDER BY.
#[derive(Clone)]
pub struct Order {
    /// Keys of both, the partition's first.
    pub keys: Rc<[Key]>,
    pub partition_keys: usize,
}

pub struct Settings {
    pub calls: Vec<Call>,
    pub orders: Vec<Order>,
    pub columns: usize,
}

pub struct Window {
    input: Source,
    settings: Rc<Settings>,
    collected: Vec<Batch>,
    collected_bytes: usize,
    /// Rows of whole partitions, which are not split any further.
    is_part: bool,
    parts: Option<Source>,
    rows: Option<Batch>,
    sorting: Option<RowSort>,
    sorted: Vec<Sorted>,
    running: Option<Running>,
    finished: Vec<Rc<Vector>>,
    given: usize,
}

impl Window {
    pub fn new(input: Source, settings: Rc<Settings>) -> Window {
        Window {
            input,
            settings,
            collected: Vec::new(),
            collected_bytes: 0,
            is_part: false,
            parts: None,
            rows: None,
            sorting: None,
            sorted: Vec::new(),
            running: None,
            finished: Vec::new(),
            given: 0,
        }
    }

    /// Over whole partitions, which stay in memory.
    pub fn of_part(collected: Vec<Batch>, settings: Rc<Settings>) -> Window {
        Window { collected, is_part: true, ..Window::new(Box::new(Empty), settings) }
    }

    /// Takes in a batch, and all that follows by parts if it is too much.
    fn collect(&mut self, batch: Batch, context: &Context) {
        // Places, values and the rows in one piece take as much again, and more.
        let bytes_max = context.session.host.operator_bytes() / 3;
        self.collected_bytes += batch.memory_bytes();
        // Text of many batches would pin the nodes that contain it.
        let is_much = self.collected_bytes > bytes_max / 8;
        self.collected.push(if is_much { batch.detached() } else { batch });
        if self.collected_bytes > bytes_max && !self.is_part {
            let (collected, input) =
                (std::mem::take(&mut self.collected), std::mem::replace(&mut self.input, Box::new(Empty)));
            let rest = Box::new(Both::new(Box::new(Batches::new(collected)), input));
            self.parts = Some(parts::chain(rest, &self.settings));
        }
    }

    /// Works on the call in hand; `false` is a yield.
    fn work(&mut self, context: &Context) -> Result<bool> {
        let Some(rows) = &self.rows else { return Ok(true) };
        let settings = self.settings.clone();
        while let Some(call) = settings.calls.get(self.finished.len()) {
            let sorted = &self.sorted[call.order];
            let mut running = match self.running.take() {
                Some(running) => running,
                None => Running::of(call, &settings.orders[call.order], sorted, rows, context)?,
            };
            if !running.work(call, sorted, context)? {
                self.running = Some(running);
                return Ok(false);
            }
            self.finished.push(Rc::new(running.into_column()));
        }
        Ok(true)
    }

    /// Sorts the rows for each order; `false` is a yield.
    fn sort(&mut self, context: &Context) -> Result<bool> {
        let Some(rows) = &self.rows else { return Ok(true) };
        let settings = self.settings.clone();
        while let Some(order) = settings.orders.get(self.sorted.len()) {
            let mut sorting = match self.sorting.take() {
                Some(sorting) => sorting,
                None => RowSort::of(rows, &order.keys, context)?,
            };
            if !sorting.go_on(context) {
                self.sorting = Some(sorting);
                return Ok(false);
            }
            self.sorted.push(Sorted::of(order, sorting.finish()));
        }
        Ok(true)
    }
}

impl Operator for Window {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if self.rows.is_none() {
            while self.parts.is_none()
                && let Some(batch) = pull!(self.input, context)
            {
                self.collect(batch, context);
                context.session.check_memory(2 * self.collected_bytes)?;
            }
            if let Some(parts) = &mut self.parts {
                return parts.next(context);
            }
            self.rows = Some(concat(&std::mem::take(&mut self.collected), self.settings.columns));
        }
        if !self.sort(context)? || !self.work(context)? {
            return Ok(Poll::Yield);
        }
        let Some(rows) = &self.rows else { return Ok(Poll::Done) };
        let picked = self.given..(self.given + BATCH_ROWS).min(rows.rows);
        if picked.is_empty() {
            return Ok(Poll::Done);
        }
        self.given = picked.end;
        // Rows come in the order of the window where there is just one.
        let numbers: Vec<u32> = match &self.sorted[..] {
            [only] => only.rows[picked].to_vec(),
            _ => picked.map(|row| row as u32).collect(),
        };
        context.spend(numbers.len());
        let all = rows.beside(&Batch::new(rows.rows, self.finished.clone()));
        Ok(Poll::Batch(all.gather(&numbers)))
    }
}
