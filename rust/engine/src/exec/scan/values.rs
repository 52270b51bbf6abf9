//! VALUES operator: listed rows, materialized rows, and no rows at all.

use std::rc::Rc;

use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::operator::{Operator, Poll};
use crate::expr::{Context, Expr};
use crate::vector::VectorBuilder;

/// One row without columns.
#[derive(Default)]
pub struct Unit {
    done: bool,
}

impl Operator for Unit {
    fn next(&mut self, _: &Rc<Context>) -> Result<Poll> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(Poll::Done);
        }
        Ok(Poll::Batch(Batch { rows: 1, columns: Vec::new() }))
    }
}

pub struct Empty;

impl Operator for Empty {
    fn next(&mut self, _: &Rc<Context>) -> Result<Poll> {
        Ok(Poll::Done)
    }
}

/// Batches that are there.
pub struct Batches(std::vec::IntoIter<Batch>);

impl Batches {
    pub fn new(batches: Vec<Batch>) -> Batches {
        Batches(batches.into_iter())
    }
}

impl Operator for Batches {
    fn next(&mut self, _: &Rc<Context>) -> Result<Poll> {
        Ok(self.0.next().map_or(Poll::Done, Poll::Batch))
    }
}

/// `VALUES ROW(…), ROW(…)`.
pub struct Rows {
    pub rows: Rc<[Vec<Expr>]>,
    pub columns: usize,
    pub next: usize,
}

impl Operator for Rows {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let rows = &self.rows[self.next..(self.next + BATCH_ROWS).min(self.rows.len())];
        if rows.is_empty() {
            return Ok(Poll::Done);
        }
        self.next += rows.len();
        let mut columns: Vec<_> = (0..self.columns).map(|_| VectorBuilder::with_capacity(rows.len())).collect();
        for row in rows {
            for (expr, column) in row.iter().zip(&mut columns) {
                column.push(expr.eval_constant(context)?);
            }
        }
        Ok(Poll::Batch(Batch::new(rows.len(), columns.into_iter().map(|c| Rc::new(c.finish())).collect())))
    }
}
