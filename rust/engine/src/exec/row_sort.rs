//! Sorting in turns: a sort of many rows by texts or documents takes longer than a call may.

use std::rc::Rc;

use super::order::{Key, compare_rows, prefixes};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::Context;
use crate::vector::Vector;

/// Rows that one step sorts or merges.
const STEP_ROWS: usize = 1024;
/// What such a step costs at least, beside what its rows do.
const STEP_WORK: usize = 256 << 10;

/// Rows on their way into an order; rows with equal keys keep theirs.
pub struct RowSort {
    comparison: RowComparison,
    /// Sorted by their prefixes. Rows of equal prefixes before `at` are sorted by their keys too.
    order: Vec<(u64, u32)>,
    at: usize,
    /// Rows of equal prefixes that are too many for a step.
    merge: Option<MergeSort>,
}

/// How rows of equal prefixes are compared.
struct RowComparison {
    columns: Vec<Rc<Vector>>,
    keys: Rc<[Key]>,
    /// The first key that prefixes do not decide.
    first: usize,
}

impl RowComparison {
    fn is_before(&self, a: u32, b: u32) -> bool {
        self.order(a, b).is_lt()
    }

    fn order(&self, a: u32, b: u32) -> std::cmp::Ordering {
        let (columns, keys) = (&self.columns[self.first..], &self.keys[self.first..]);
        compare_rows(columns, a as usize, columns, b as usize, keys).then(a.cmp(&b))
    }
}

impl RowSort {
    /// Sorts `rows` rows by `keys`, whose columns are given.
    pub fn new(columns: Vec<Rc<Vector>>, keys: Rc<[Key]>, rows: usize) -> RowSort {
        let (Some(column), Some(key)) = (columns.first(), keys.first()) else {
            let order = (0..rows as u32).map(|row| (u64::from(row), row)).collect();
            return RowSort { comparison: RowComparison { columns, keys, first: 0 }, order, at: rows, merge: None };
        };
        // Most pairs are told apart by a number beside the row's; nothing is looked up for them.
        let (prefixes, is_exact) = prefixes(column, key, rows);
        let mut order: Vec<(u64, u32)> = prefixes.into_iter().zip(0..).collect();
        codec::sort_numbered(&mut order);
        let first = usize::from(is_exact);
        let at = if first == keys.len() { rows } else { 0 };
        RowSort { comparison: RowComparison { columns, keys, first }, order, at, merge: None }
    }

    /// As [`RowSort::new`], of the rows of a batch.
    pub fn of(batch: &Batch, keys: &Rc<[Key]>, context: &Context) -> Result<RowSort> {
        Ok(RowSort::new(super::order::key_columns(batch, keys, context)?, keys.clone(), batch.rows))
    }

    /// Goes on as far as the fuel goes; `false` is a yield.
    pub fn go_on(&mut self, context: &Context) -> bool {
        while self.at < self.order.len() {
            if context.is_out_of_fuel() {
                return false;
            }
            self.step();
            context.spend(STEP_ROWS);
            context.spend_work(STEP_WORK);
        }
        true
    }

    fn step(&mut self) {
        let RowSort { comparison, order, at, merge } = self;
        if let Some(sort) = merge {
            if sort.step(order, comparison) {
                *at = sort.end;
                *merge = None;
            }
            return;
        }
        let enough = *at + STEP_ROWS;
        while *at < order.len() && *at < enough {
            let prefix = order[*at].0;
            let alike = order[*at..].iter().take_while(|(other, _)| *other == prefix).count();
            if alike > STEP_ROWS {
                *merge = Some(MergeSort::new(*at, *at + alike));
                return;
            }
            if alike > 1 {
                order[*at..*at + alike].sort_unstable_by(|a, b| comparison.order(a.1, b.1));
            }
            *at += alike;
        }
    }

    /// The numbers of the rows, and the columns of the keys. To be called when all is sorted.
    pub fn finish(self) -> (Vec<u32>, Vec<Rc<Vector>>) {
        debug_assert!(self.at == self.order.len());
        (self.order.into_iter().map(|(_, row)| row).collect(), self.comparison.columns)
    }
}

/// A merge sort of a part of the rows, from the bottom up.
struct MergeSort {
    start: usize,
    end: usize,
    /// Rows of a sorted run; 0 while the first runs are made.
    width: usize,
    /// Of the pair of runs in work: its first row, and the next of each run.
    pair: usize,
    left: usize,
    right: usize,
    /// What was merged in this pass.
    merged: Vec<(u64, u32)>,
}

impl MergeSort {
    fn new(start: usize, end: usize) -> MergeSort {
        MergeSort { start, end, width: 0, pair: start, left: 0, right: 0, merged: Vec::new() }
    }

    /// Sorts or merges the next rows; `true` when all are sorted.
    fn step(&mut self, order: &mut [(u64, u32)], comparison: &RowComparison) -> bool {
        if self.width == 0 {
            let end = self.end.min(self.pair + STEP_ROWS);
            order[self.pair..end].sort_unstable_by(|a, b| comparison.order(a.1, b.1));
            self.pair = end;
            if end == self.end {
                self.begin_pass(STEP_ROWS);
            }
            return false;
        }
        let enough = self.merged.len() + STEP_ROWS;
        while self.merged.len() < enough {
            let middle = self.end.min(self.pair + self.width);
            let behind = self.end.min(middle + self.width);
            let takes_left = match (self.left < middle, self.right < behind) {
                (true, true) => !comparison.is_before(order[self.right].1, order[self.left].1),
                (takes_left, false) => takes_left,
                (false, true) => false,
            };
            if takes_left {
                self.merged.push(order[self.left]);
                self.left += 1;
            } else if self.right < behind {
                self.merged.push(order[self.right]);
                self.right += 1;
            } else if behind < self.end {
                self.begin_pair(behind);
            } else {
                order[self.start..self.end].copy_from_slice(&self.merged);
                self.begin_pass(2 * self.width);
                return self.width >= self.end - self.start;
            }
        }
        false
    }

    fn begin_pass(&mut self, width: usize) {
        self.width = width;
        self.merged.clear();
        self.merged.reserve(self.end - self.start);
        self.begin_pair(self.start);
    }

    fn begin_pair(&mut self, pair: usize) {
        (self.pair, self.left, self.right) = (pair, pair, self.end.min(pair + self.width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Comparison, Expr};
    use crate::vector::Data;

    #[test]
    fn rows_of_one_prefix_are_sorted_in_steps_and_keep_their_order_where_keys_are_equal() {
        for rows in [0, 1, 1024, 1025, 2048, 5000, 9999] {
            let numbers: Vec<i64> = (0..rows as i64).map(|row| row * 7919 % 613).collect();
            for descending in [false, true] {
                let key = |descending| Key { expr: Expr::null(), descending, comparison: Comparison::Int };
                let columns = [vec![0; rows], numbers.clone()].map(|column| Rc::new(Vector::new(Data::Int(column))));
                let mut sort = RowSort::new(columns.to_vec(), [key(false), key(descending)].into(), rows);
                let mut steps = 0;
                while sort.at < rows {
                    sort.step();
                    steps += 1;
                }
                assert!(steps >= rows / STEP_ROWS, "{rows} rows in {steps} steps");
                let mut expected: Vec<u32> = (0..rows as u32).collect();
                let sign = if descending { -1 } else { 1 };
                expected.sort_by_key(|row| sign * numbers[*row as usize]);
                assert_eq!(sort.finish().0, expected, "{rows}");
            }
        }
    }
}
