//! Resumable sort: a sort of many rows by texts or documents takes longer than a call may.

use std::ops::Range;
use std::rc::Rc;

use super::row_order::{Key, compare_rows, prefixes};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::Context;
use crate::vector::Vector;

/// Rows that one step sorts; a larger part is divided in one.
const STEP_ROWS: usize = 1024;
/// What a row of a step costs at least, beside what any row does.
const ROW_WORK: usize = 256;

/// Rows on their way into an order; rows with equal keys keep theirs.
pub struct RowSort {
    comparison: RowComparison,
    /// Sorted by their prefixes. Rows of equal prefixes before `at` are sorted by their keys too.
    order: Vec<(u64, u32)>,
    at: usize,
    /// Rows of equal prefixes that are too many for a step.
    large: Option<QuickSort>,
}

/// How rows of equal prefixes are compared.
struct RowComparison {
    columns: Vec<Rc<Vector>>,
    keys: Rc<[Key]>,
    /// The first key that prefixes do not decide.
    first: usize,
}

impl RowComparison {
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
            return RowSort { comparison: RowComparison { columns, keys, first: 0 }, order, at: rows, large: None };
        };
        // Most pairs are compared by a number beside the row's, without a look at the row.
        let (prefixes, is_exact) = prefixes(column, key, rows);
        let mut order: Vec<(u64, u32)> = prefixes.into_iter().zip(0..).collect();
        codec::sort_numbered(&mut order);
        let first = usize::from(is_exact);
        let at = if first == keys.len() { rows } else { 0 };
        RowSort { comparison: RowComparison { columns, keys, first }, order, at, large: None }
    }

    /// As [`RowSort::new`], of the rows of a batch.
    pub fn of(batch: &Batch, keys: &Rc<[Key]>, context: &Context) -> Result<RowSort> {
        Ok(RowSort::new(super::row_order::key_columns(batch, keys, context)?, keys.clone(), batch.rows))
    }

    /// Goes on as far as the fuel goes; `false` is a yield.
    pub fn go_on(&mut self, context: &Context) -> bool {
        while self.at < self.order.len() {
            if context.is_out_of_fuel() {
                return false;
            }
            let rows = self.step();
            context.spend(rows);
            context.spend_work(rows * ROW_WORK);
        }
        true
    }

    /// Sorts some of what is left; how many rows were compared.
    fn step(&mut self) -> usize {
        let RowSort { comparison, order, at, large } = self;
        if let Some(sort) = large {
            let rows = sort.step(order, comparison);
            if sort.parts.is_empty() {
                *at = sort.end;
                *large = None;
            }
            return rows;
        }
        let first = *at;
        while *at < order.len() && *at < first + STEP_ROWS {
            let prefix = order[*at].0;
            let alike = order[*at..].iter().take_while(|(other, _)| *other == prefix).count();
            if alike > STEP_ROWS {
                *large = Some(QuickSort::new(*at..*at + alike));
                break;
            }
            if alike > 1 {
                order[*at..*at + alike].sort_unstable_by(|a, b| comparison.order(a.1, b.1));
            }
            *at += alike;
        }
        *at - first
    }

    /// The numbers of the rows, and the columns of the keys. To be called when all is sorted.
    pub fn finish(self) -> (Vec<u32>, Vec<Rc<Vector>>) {
        debug_assert!(self.at == self.order.len());
        (self.order.into_iter().map(|(_, row)| row).collect(), self.comparison.columns)
    }
}

/// A quicksort that can stop between two parts of the rows: rows are compared with one that stays in the processor's cache.
struct QuickSort {
    /// The part that is sorted, and those of it that are not yet, the last one first.
    end: usize,
    parts: Vec<Range<usize>>,
}

/// Where a division leaves less than this share on one side, the part is divided in its middle: so no order of rows makes it slow.
const PART_SHARE: usize = 8;

impl QuickSort {
    fn new(part: Range<usize>) -> QuickSort {
        QuickSort { end: part.end, parts: vec![part] }
    }

    /// Sorts or divides the next parts, about [`STEP_ROWS`] rows or one large part; how many rows were compared.
    fn step(&mut self, order: &mut [(u64, u32)], comparison: &RowComparison) -> usize {
        let mut done = 0;
        while done < STEP_ROWS
            && let Some(part) = self.parts.pop()
        {
            let rows = &mut order[part.clone()];
            done += rows.len();
            if rows.len() <= STEP_ROWS {
                rows.sort_unstable_by(|a, b| comparison.order(a.1, b.1));
                continue;
            }
            let mut middle = divide(rows, comparison);
            if middle.min(rows.len() - middle) < rows.len() / PART_SHARE {
                middle = rows.len() / 2;
                rows.select_nth_unstable_by(middle, |a, b| comparison.order(a.1, b.1));
            }
            self.parts.extend([part.start + middle..part.end, part.start..part.start + middle]);
        }
        done
    }
}

/// Puts the rows before some row in front of the others; how many they are.
fn divide(rows: &mut [(u64, u32)], comparison: &RowComparison) -> usize {
    let last = rows.len() - 1;
    // The middle one of some.
    let mut samples: [usize; 9] = std::array::from_fn(|n| n * last / 8);
    samples.sort_unstable_by(|a, b| comparison.order(rows[*a].1, rows[*b].1));
    rows.swap(samples[4], last);
    let pivot = rows[last].1;
    let mut before = 0;
    for at in 0..last {
        if comparison.order(rows[at].1, pivot).is_lt() {
            rows.swap(at, before);
            before += 1;
        }
    }
    rows.swap(before, last);
    before
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
