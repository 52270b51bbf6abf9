//! Rows that are found by their keys, in memory.

use std::rc::Rc;

use hashbrown::HashMap;
use hashbrown::hash_map::EntryRef;

use super::keys::RowKeys;
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Comparison, Context, Expr, whole_number};
use crate::vector::{Data, Vector};

/// No further row in a chain.
pub const END: u32 = u32::MAX;

/// Rows, those of one key behind each other in a chain, in the order in which they came.
pub struct HashTable {
    pub rows: Batch,
    heads: Heads,
    next: Vec<u32>,
    /// No two rows have the same key: there are no chains.
    pub is_unique: bool,
}

/// The first row of each key.
enum Heads {
    /// Keys of one whole number, the usual case.
    Integers(IntegerHeads),
    Bytes(HashMap<Vec<u8>, u32>),
}

/// First rows by keys that are whole numbers.
enum IntegerHeads {
    /// Numbers that lie close together: `heads[key - least]`, `END` for none.
    Dense {
        least: i64,
        heads: Vec<u32>,
    },
    Sparse(HashMap<i64, u32>),
}

impl HashTable {
    /// Bytes of rows that have room in one: they in one piece and the table of their keys take about as much again.
    pub fn rows_bytes_max(context: &Context) -> usize {
        context.session.host.operator_bytes() / 3
    }

    /// Rows with a NULL in their key are found by none.
    pub fn of(rows: Batch, keys: &[Expr], comparisons: &[Comparison], context: &Context) -> Result<HashTable> {
        let columns = columns_of(keys, &rows, context)?;
        let mut next = vec![END; rows.rows];
        let heads = if let ([column], [Comparison::Int]) = (&columns[..], comparisons)
            && let Data::Int(values) = &column.data
        {
            Heads::Integers(IntegerHeads::of(column, values, &mut next))
        } else {
            Heads::Bytes(chain(&RowKeys::of(&columns, comparisons, rows.rows), &mut next))
        };
        let is_unique = next.iter().all(|next| *next == END);
        Ok(HashTable { rows, heads, next, is_unique })
    }

    /// Rows for which nobody asks by a key.
    pub fn without_keys(rows: Batch) -> HashTable {
        HashTable { rows, heads: Heads::Bytes(HashMap::new()), next: Vec::new(), is_unique: false }
    }

    /// For each row of a batch the first row with its key, or [`END`].
    pub fn heads_of(
        &self,
        batch: &Batch,
        keys: &[Expr],
        comparisons: &[Comparison],
        context: &Context,
    ) -> Result<Vec<u32>> {
        Ok(self.heads_of_keys(&columns_of(keys, batch, context)?, comparisons, batch.rows))
    }

    /// For each row with these keys the first row, or [`END`].
    pub fn heads_of_keys(&self, keys: &[Rc<Vector>], comparisons: &[Comparison], rows: usize) -> Vec<u32> {
        match &self.heads {
            Heads::Integers(heads) => {
                let column = &keys[0];
                if let Data::Int(numbers) = &column.data {
                    let mut found = heads.get_all(numbers);
                    if column.validity.is_some() {
                        let nulls = found.iter_mut().enumerate().filter(|(row, _)| column.is_null(*row));
                        nulls.for_each(|(_, head)| *head = END);
                    }
                    return found;
                }
                let head = |row: usize| {
                    let key = whole_number(&column.value(row)).and_then(|key| i64::try_from(key).ok());
                    key.map_or(END, |key| heads.get(key))
                };
                (0..rows).map(head).collect()
            }
            Heads::Bytes(heads) => {
                let keys = RowKeys::of(keys, comparisons, rows);
                (0..rows).map(|row| heads.get(keys.get(row)).copied().unwrap_or(END)).collect()
            }
        }
    }

    /// Whether keys are found by their numbers.
    pub fn is_by_number(&self) -> bool {
        matches!(self.heads, Heads::Integers(_))
    }

    /// The row behind one in its chain, or [`END`].
    #[inline]
    pub fn next(&self, row: u32) -> u32 {
        self.next[row as usize]
    }
}

/// Chains the rows of each key in `next`.
fn chain(keys: &RowKeys, next: &mut [u32]) -> HashMap<Vec<u8>, u32> {
    let mut heads = HashMap::new();
    // Backwards, so that chains run forwards.
    for row in (0..next.len()).rev().filter(|&row| !keys.has_null(row)) {
        match heads.entry_ref(keys.get(row)) {
            EntryRef::Occupied(mut entry) => next[row] = entry.insert(row as u32),
            EntryRef::Vacant(entry) => {
                entry.insert(row as u32);
            }
        }
    }
    heads
}

pub fn columns_of(keys: &[Expr], batch: &Batch, context: &Context) -> Result<Vec<Rc<Vector>>> {
    keys.iter().map(|key| key.eval(batch, context)).collect()
}

impl IntegerHeads {
    /// Chains the rows in `next`; rows that are NULL are left out.
    fn of(column: &Vector, keys: &[i64], next: &mut [u32]) -> IntegerHeads {
        let present = || (0..keys.len()).filter(|&row| !column.is_null(row));
        let least = present().map(|row| keys[row]).min().unwrap_or(0);
        let greatest = present().map(|row| keys[row]).max().unwrap_or(0);
        let places = greatest.checked_sub(least).and_then(|span| usize::try_from(span).ok());
        // Backwards, so that chains run forwards.
        if let Some(places) = places.filter(|places| *places < 4 * keys.len() + 1024) {
            let mut heads = vec![END; places + 1];
            for row in present().rev() {
                next[row] = std::mem::replace(&mut heads[(keys[row] - least) as usize], row as u32);
            }
            return IntegerHeads::Dense { least, heads };
        }
        let mut heads = HashMap::with_capacity(keys.len());
        for row in present().rev() {
            next[row] = heads.insert(keys[row], row as u32).unwrap_or(END);
        }
        IntegerHeads::Sparse(heads)
    }

    #[inline]
    fn get(&self, key: i64) -> u32 {
        match self {
            IntegerHeads::Dense { least, heads } => dense_head(key, *least, heads),
            IntegerHeads::Sparse(heads) => heads.get(&key).copied().unwrap_or(END),
        }
    }

    fn get_all(&self, keys: &[i64]) -> Vec<u32> {
        match self {
            IntegerHeads::Dense { least, heads } => keys.iter().map(|&key| dense_head(key, *least, heads)).collect(),
            IntegerHeads::Sparse(_) => keys.iter().map(|&key| self.get(key)).collect(),
        }
    }
}

/// What is less than the least key is, as a number without sign, past the last place.
#[inline]
fn dense_head(key: i64, least: i64, heads: &[u32]) -> u32 {
    let place = usize::try_from(key.wrapping_sub(least) as u64).unwrap_or(usize::MAX);
    heads.get(place).copied().unwrap_or(END)
}
