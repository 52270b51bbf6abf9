//! ORDER BY, and the first rows of an order without sorting the rest.

use std::cmp::Ordering;
use std::rc::Rc;

use super::concat::concat;
use super::limit::row_number;
use super::{Operator, Poll, Source, pull};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::expr::{Comparison, Context, Expr};
use crate::plan::SortKey;
use crate::vector::{Data, Vector};

/// One column of an order.
pub struct Key {
    pub expr: Expr,
    pub descending: bool,
    pub comparison: Comparison,
}

impl Key {
    pub fn of(key: &SortKey) -> Key {
        Key { expr: key.expr.clone(), descending: key.descending, comparison: Comparison::within(&key.expr.ty) }
    }
}

/// Sorts its input; with `first`, only that many rows are kept at any time.
pub struct Sort {
    pub input: Source,
    pub columns: usize,
    pub keys: Rc<[Key]>,
    /// Rows that somebody will read: LIMIT plus OFFSET.
    pub first: Option<(Option<Expr>, Option<Expr>)>,
    pub collected: Vec<Batch>,
    pub collected_rows: usize,
    pub sorted: Option<(Batch, Vec<u32>, usize)>,
}

impl Sort {
    pub fn new(input: Source, columns: usize, keys: Rc<[Key]>) -> Sort {
        Sort { input, columns, keys, first: None, collected: Vec::new(), collected_rows: 0, sorted: None }
    }

    fn order(&mut self, context: &Context) -> Result<(Batch, Vec<u32>)> {
        let all = concat(&std::mem::take(&mut self.collected), self.columns);
        let order = sorted_rows(&all, &self.keys, context)?;
        Ok((all, order))
    }
}

/// The rows of `batch` in the order of `keys`; rows with equal keys keep their order.
pub fn sorted_rows(batch: &Batch, keys: &[Key], context: &Context) -> Result<Vec<u32>> {
    let columns: Vec<Rc<Vector>> = keys.iter().map(|key| key.expr.eval(batch, context)).collect::<Result<_>>()?;
    let mut rows: Vec<u32> = (0..batch.rows as u32).collect();
    if let ([column], [key]) = (&columns[..], keys)
        && let (Data::Int(values), None) = (&column.data, &column.validity)
    {
        match key.descending {
            false => rows.sort_by_key(|&row| values[row as usize]),
            true => rows.sort_by_key(|&row| std::cmp::Reverse(values[row as usize])),
        }
        return Ok(rows);
    }
    rows.sort_by(|&a, &b| compare_rows(&columns, keys, a as usize, b as usize));
    Ok(rows)
}

/// NULL sorts before everything.
pub fn compare_rows(columns: &[Rc<Vector>], keys: &[Key], a: usize, b: usize) -> Ordering {
    for (column, key) in columns.iter().zip(keys) {
        let order = match (column.is_null(a), column.is_null(b)) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => key.comparison.order(column, a, column, b),
        };
        let order = if key.descending { order.reverse() } else { order };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

impl Operator for Sort {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if self.sorted.is_none() {
            let wanted = match &self.first {
                Some((rows, offset)) => {
                    row_number(rows, u64::MAX, context)?.saturating_add(row_number(offset, 0, context)?)
                }
                None => u64::MAX,
            };
            while let Some(batch) = pull!(self.input, context) {
                self.collected_rows += batch.rows;
                self.collected.push(batch);
                // Keep the best rows only; sorting a few times the limit costs less than a heap of rows.
                if self.collected_rows as u64 > wanted.saturating_mul(2).saturating_add(8 * BATCH_ROWS as u64) {
                    let (all, mut order) = self.order(context)?;
                    order.truncate(wanted as usize);
                    self.collected_rows = order.len();
                    self.collected = vec![all.gather(&order)];
                }
            }
            let (all, mut order) = self.order(context)?;
            order.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
            self.sorted = Some((all, order, 0));
        }
        let Some((all, order, at)) = &mut self.sorted else { return Ok(Poll::Done) };
        let rows = &order[*at..(*at + BATCH_ROWS).min(order.len())];
        if rows.is_empty() {
            return Ok(Poll::Done);
        }
        *at += rows.len();
        context.spend(rows.len());
        Ok(Poll::Batch(all.gather(rows)))
    }
}
