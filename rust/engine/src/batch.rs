//! Batch: columns of rows that operators pass to each other.

use std::rc::Rc;

use value::Value;

use crate::vector::Vector;

/// Rows in a full batch; scans may give fewer, no operator gives more.
pub const BATCH_ROWS: usize = 1024;

/// Bytes of values in a full batch, more or less; one larger value is alone.
pub const BATCH_BYTES: usize = 1 << 20;

/// Up to [`BATCH_ROWS`] rows as columns. Columns are shared, so a projection copies nothing.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    pub rows: usize,
    pub columns: Vec<Rc<Vector>>,
}

impl Batch {
    pub fn new(rows: usize, columns: Vec<Rc<Vector>>) -> Batch {
        debug_assert!(columns.iter().all(|column| column.len() == rows));
        Batch { rows, columns }
    }

    pub fn value(&self, column: usize, row: usize) -> Value<'_> {
        self.columns[column].value(row)
    }

    /// One row as owned values.
    pub fn row(&self, row: usize) -> Vec<Value<'static>> {
        self.columns.iter().map(|column| column.value(row).into_owned()).collect()
    }

    /// The rows at `rows`, in that order.
    pub fn gather(&self, rows: &[u32]) -> Batch {
        if rows.len() == self.rows && rows.iter().enumerate().all(|(i, &row)| i == row as usize) {
            return self.clone();
        }
        Batch { rows: rows.len(), columns: self.columns.iter().map(|column| Rc::new(column.gather(rows))).collect() }
    }

    /// Each row by itself.
    pub fn single_rows(&self) -> impl Iterator<Item = Batch> + use<'_> {
        (0..self.rows as u32).map(|row| self.gather(&[row]))
    }

    /// The first `rows` rows after `start`.
    pub fn slice(&self, start: usize, rows: usize) -> Batch {
        let picked: Vec<u32> = (start..start + rows).map(|i| i as u32).collect();
        self.gather(&picked)
    }

    /// Bytes of memory that the values take, more or less.
    pub fn memory_bytes(&self) -> usize {
        self.columns.iter().map(|column| column.memory_bytes()).sum()
    }

    /// How many rows from `start` on have no more than `bytes` bytes together; one at least.
    pub fn rows_within(&self, bytes: usize, start: usize) -> usize {
        let wide: Vec<&Rc<Vector>> = self.columns.iter().filter(|column| column.is_wide()).collect();
        if wide.is_empty() || start == 0 && wide.iter().map(|column| column.memory_bytes()).sum::<usize>() <= bytes {
            return self.rows - start;
        }
        let mut left = bytes;
        let of_row = |row: usize| wide.iter().map(|column| column.bytes_at(row)).sum::<usize>();
        let fitting = (start..self.rows).take_while(|&row| {
            let row_bytes = of_row(row);
            let fits = row_bytes <= left;
            left = left.saturating_sub(row_bytes);
            fits
        });
        fitting.count().max(1)
    }

    /// The same rows without a hold on nodes of the tree, which then may leave the cache.
    pub fn detached(&self) -> Batch {
        Batch { rows: self.rows, columns: self.columns.iter().map(|column| column.detached()).collect() }
    }

    /// Columns of `self` followed by columns of `other`; both have the same number of rows.
    pub fn beside(&self, other: &Batch) -> Batch {
        let columns = self.columns.iter().chain(&other.columns).cloned().collect();
        Batch::new(self.rows, columns)
    }
}
