//! Window functions over more rows than fit in memory: the rows are sorted externally for each window and processed by whole partitions. A
//! partition stays in memory.

use std::rc::Rc;

use super::{Call, Order, Settings, Window};
use crate::batch::Batch;
use crate::error::Result;
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::sort::order_by::Sort;
use crate::exec::sort::row_order::compare_rows;
use crate::expr::Context;
use crate::vector::Vector;

/// The columns of the input, then those of all calls in their order.
pub fn chain(input: Source, settings: &Settings) -> Source {
    let mut source = input;
    let mut columns = settings.columns;
    let mut places = vec![0; settings.calls.len()];
    for (number, order) in settings.orders.iter().enumerate() {
        let mut calls = Vec::new();
        for (call, place) in settings.calls.iter().zip(&mut places).filter(|(call, _)| call.order == number) {
            *place = columns + calls.len();
            calls.push(Call { order: 0, ..call.clone() });
        }
        let more = calls.len();
        let part = Settings { calls, orders: vec![order.clone()], columns };
        source = Box::new(Parts {
            input: Box::new(Sort::new(source, columns, order.keys.clone())),
            settings: Rc::new(part),
            collected: Vec::new(),
            last: None,
            window: None,
            has_ended: false,
        });
        columns += more;
    }
    Box::new(Rearranged { input: source, columns: (0..settings.columns).chain(places).collect() })
}

/// One window over sorted rows.
struct Parts {
    input: Source,
    settings: Rc<Settings>,
    /// Rows of a partition whose end has not been seen.
    collected: Vec<Batch>,
    /// Key columns of the last of them, one row each.
    last: Option<Vec<Rc<Vector>>>,
    window: Option<Window>,
    has_ended: bool,
}

impl Parts {
    /// Takes in a batch; partitions that end in it are worked on.
    fn collect(&mut self, batch: Batch, context: &Context) -> Result<()> {
        let Some(Order { keys, partition_keys }) = self.settings.orders.first() else { return Ok(()) };
        let keys = &keys[..*partition_keys];
        let columns: Vec<Rc<Vector>> = keys.iter().map(|key| key.expr.eval(&batch, context)).collect::<Result<_>>()?;
        let begins = |row: usize| match (row.checked_sub(1), &self.last) {
            (Some(before), _) => compare_rows(&columns, before, &columns, row, keys).is_ne(),
            (None, Some(last)) => compare_rows(last, 0, &columns, row, keys).is_ne(),
            (None, None) => false,
        };
        let begin = (0..batch.rows).rev().find(|&row| begins(row));
        let end = [batch.rows as u32 - 1];
        self.last = Some(columns.iter().map(|column| Rc::new(column.gather(&end))).collect());
        let Some(begin) = begin else {
            self.collected.push(batch);
            return Ok(());
        };
        let rows: Vec<u32> = (0..batch.rows as u32).collect();
        let (before, behind) = rows.split_at(begin);
        let mut whole = std::mem::take(&mut self.collected);
        if !before.is_empty() {
            whole.push(batch.gather(before));
        }
        self.collected.push(batch.gather(behind));
        self.window = Some(Window::of_part(whole, self.settings.clone()));
        Ok(())
    }
}

impl Operator for Parts {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            if let Some(window) = &mut self.window {
                match window.next(context)? {
                    Poll::Done => self.window = None,
                    other => return Ok(other),
                }
            }
            if self.has_ended {
                return Ok(Poll::Done);
            }
            match self.input.next(context)? {
                Poll::Batch(batch) => self.collect(batch, context)?,
                Poll::Yield => return Ok(Poll::Yield),
                Poll::Done => {
                    self.has_ended = true;
                    self.window = Some(Window::of_part(std::mem::take(&mut self.collected), self.settings.clone()));
                }
            }
        }
    }
}

/// Columns in another order.
struct Rearranged {
    input: Source,
    columns: Vec<usize>,
}

impl Operator for Rearranged {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        Ok(match self.input.next(context)? {
            Poll::Batch(batch) => {
                let columns = self.columns.iter().map(|&column| batch.columns[column].clone()).collect();
                Poll::Batch(Batch::new(batch.rows, columns))
            }
            other => other,
        })
    }
}
