//! Join hash table: rows by their keys, in memory.

use std::rc::Rc;

use hashbrown::HashMap;
use hashbrown::hash_map::EntryRef;

use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::batches::concat::concat;
use crate::exec::batches::row_keys::RowKeys;
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::project::Project;
use crate::exec::scan::values::{Batches, Empty};
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

    /// Rows that are never looked up by a key.
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

/// A hash table in the making: the keys of its rows are computed and chained in turns, for they may be much longer than the rows.
pub struct HashTableBuild {
    rows: Batch,
    /// Gives the key columns of the rows, in their order.
    key_columns: Source,
    /// Key columns that may turn out to be one of whole numbers.
    numbers: Option<Vec<Batch>>,
    /// The last row of each key that came so far.
    tails: HashMap<Vec<u8>, u32>,
    /// The row after each in the ring of its key, whose last row is followed by its first.
    next: Vec<u32>,
}

impl HashTableBuild {
    /// Rows with a NULL in their key are found by none.
    pub fn new(rows: Batch, keys: &[Expr], comparisons: &[Comparison]) -> HashTableBuild {
        let columns: Option<Vec<_>> = keys.iter().map(|key| rows.columns.get(key.as_column()? as usize)).collect();
        let mut numbers = matches!(comparisons, [Comparison::Int]).then(Vec::new);
        let key_columns: Source = match (columns, &mut numbers) {
            _ if rows.rows == 0 => Box::new(Empty),
            (Some(columns), numbers) => {
                let batch = Batch { rows: rows.rows, columns: columns.into_iter().cloned().collect() };
                match numbers {
                    Some(numbers) => {
                        numbers.push(batch);
                        Box::new(Empty)
                    }
                    None => Box::new(Slices { batch, done: 0 }),
                }
            }
            (None, _) => Box::new(Project::new(Box::new(Batches::new(vec![rows.clone()])), keys.into())),
        };
        HashTableBuild { next: Vec::with_capacity(rows.rows), rows, key_columns, numbers, tails: HashMap::new() }
    }

    /// Goes on as far as the fuel goes; `None` is a yield. Not to be called after it has given the table.
    pub fn go_on(&mut self, comparisons: &[Comparison], context: &Rc<Context>) -> Result<Option<HashTable>> {
        loop {
            let batch = match self.key_columns.next(context)? {
                Poll::Batch(batch) => batch,
                Poll::Yield => return Ok(None),
                Poll::Done => match self.numbers.take() {
                    None => break,
                    Some(numbers) => {
                        let batch = concat(&numbers, 1);
                        if let Some(column) = batch.columns.first()
                            && let Data::Int(values) = &column.data
                        {
                            self.next = vec![END; batch.rows];
                            let heads = IntegerHeads::of(column, values, &mut self.next);
                            return Ok(Some(self.table(Heads::Integers(heads))));
                        }
                        self.key_columns = Box::new(Slices { batch, done: 0 });
                        continue;
                    }
                },
            };
            match &mut self.numbers {
                Some(numbers) => numbers.push(batch),
                None => {
                    let bytes = self.chain(&RowKeys::of(&batch.columns, comparisons, batch.rows), batch.rows);
                    context.work(bytes)?;
                }
            }
        }
        for tail in self.tails.values_mut() {
            *tail = std::mem::replace(&mut self.next[*tail as usize], END);
        }
        let heads = std::mem::take(&mut self.tails);
        Ok(Some(self.table(Heads::Bytes(heads))))
    }

    fn table(&mut self, heads: Heads) -> HashTable {
        let next = std::mem::take(&mut self.next);
        let is_unique = next.iter().all(|next| *next == END);
        HashTable { rows: std::mem::take(&mut self.rows), heads, next, is_unique }
    }

    /// Adds rows behind those of their keys.
    ///
    /// Returns the bytes of the keys.
    fn chain(&mut self, keys: &RowKeys, rows: usize) -> usize {
        let before = self.next.len();
        let mut bytes = 0;
        for row in 0..rows {
            let at = (before + row) as u32;
            if keys.has_null(row) {
                self.next.push(END);
                continue;
            }
            let key = keys.get(row);
            bytes += key.len();
            match self.tails.entry_ref(key) {
                EntryRef::Occupied(mut entry) => {
                    let tail = entry.insert(at) as usize;
                    let head = std::mem::replace(&mut self.next[tail], at);
                    self.next.push(head);
                }
                EntryRef::Vacant(entry) => {
                    entry.insert(at);
                    self.next.push(at);
                }
            }
        }
        bytes
    }
}

/// The rows of a large batch, a batch at a time.
struct Slices {
    batch: Batch,
    done: usize,
}

impl Operator for Slices {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if context.is_out_of_fuel() {
            return Ok(Poll::Yield);
        }
        let rows = BATCH_ROWS.min(self.batch.rows - self.done);
        if rows == 0 {
            return Ok(Poll::Done);
        }
        let slice = self.batch.slice(self.done, rows);
        self.done += rows;
        context.spend(rows);
        Ok(Poll::Batch(slice))
    }
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
