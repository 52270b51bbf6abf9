//! Row keys for hash tables: byte strings that are equal exactly when the rows are.

use std::rc::Rc;

use value::Collation;

use crate::expr::{Comparison, append_text_key};
use crate::vector::{Data, Vector};

/// The keys of all rows of a batch in one buffer.
pub struct RowKeys {
    bytes: Vec<u8>,
    /// Where each key ends.
    ends: Vec<u32>,
    /// Bit set for rows in which some column is NULL.
    any_null: Vec<bool>,
}

impl RowKeys {
    /// `columns[i]` is compared by `comparisons[i]`; all have `rows` rows.
    pub fn of(columns: &[Rc<Vector>], comparisons: &[Comparison], rows: usize) -> RowKeys {
        let text_bytes = |column: &Rc<Vector>| match &column.data {
            Data::Text(values) => values.value_bytes(),
            _ => 0,
        };
        let mut keys = RowKeys {
            bytes: Vec::with_capacity(rows * columns.len() * 9 + columns.iter().map(text_bytes).sum::<usize>()),
            ends: Vec::with_capacity(rows),
            any_null: vec![false; rows],
        };
        for row in 0..rows {
            for (column, comparison) in columns.iter().zip(comparisons) {
                if column.is_null(row) {
                    keys.bytes.push(0);
                    keys.any_null[row] = true;
                    continue;
                }
                keys.bytes.push(1);
                match (&column.data, comparison) {
                    (Data::Int(values), Comparison::Int) => {
                        value::hash_whole_key(values[row].into(), &mut keys.bytes);
                    }
                    (Data::Text(values), Comparison::Text(collation)) => {
                        append_text_key(values.get(row), *collation, &mut keys.bytes);
                    }
                    (Data::Text(values), Comparison::Bytes) => {
                        append_text_key(values.get(row), Collation::BINARY, &mut keys.bytes);
                    }
                    _ => comparison.append_key(&column.value(row), &mut keys.bytes),
                }
            }
            keys.ends.push(keys.bytes.len() as u32);
        }
        keys
    }

    #[inline]
    pub fn get(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.bytes[start as usize..self.ends[row] as usize]
    }

    pub fn has_null(&self, row: usize) -> bool {
        self.any_null[row]
    }
}
