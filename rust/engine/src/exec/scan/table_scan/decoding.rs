//! Lazy decoding of a batch's columns: conditions and filters first, the others for rows that pass.

use std::borrow::Cow;
use std::rc::Rc;

use super::pieces::{Piece, picked};
use super::reader::ColumnReader;
use crate::batch::Batch;
use crate::error::Result;
use crate::exec::filter::select_numbered;
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::expr::{Context, Expr};
use crate::vector::Vector;

pub struct Decoding<'r> {
    readers: &'r [ColumnReader],
    pieces: Cow<'r, [Piece]>,
    context: &'r Context,
    pub rows: usize,
    columns: Vec<Option<Rc<Vector>>>,
    /// The numbers that the rows had; `None` while all are there.
    numbers: Option<Vec<u32>>,
}

impl Decoding<'_> {
    pub fn new<'r>(readers: &'r [ColumnReader], pieces: &'r [Piece], context: &'r Context) -> Decoding<'r> {
        let rows = pieces.iter().map(|piece| piece.items.len()).sum();
        Decoding { readers, pieces: pieces.into(), context, rows, columns: vec![None; readers.len()], numbers: None }
    }

    fn column(&mut self, position: usize) -> Result<Rc<Vector>> {
        Ok(match &mut self.columns[position] {
            Some(known) => known.clone(),
            none => none.insert(self.readers[position].read(&self.pieces, self.rows, Some(self.context))?).clone(),
        })
    }

    /// Leaves out all rows but those with these numbers, which ascend. Columns that are there have lost the others, or lose them now.
    fn keep(&mut self, numbers: Vec<u32>) {
        for column in self.columns.iter_mut().flatten().filter(|column| column.len() != numbers.len()) {
            *column = Rc::new(column.gather(&numbers));
        }
        self.rows = numbers.len();
        self.numbers = Some(match self.numbers.take() {
            None => numbers.clone(),
            Some(before) => numbers.iter().map(|&row| before[row as usize]).collect(),
        });
        self.pieces = picked(std::mem::take(&mut self.pieces).into_owned(), numbers).into();
    }

    /// Leaves out rows for which not all conditions are true; `reads` says of each column whether they need it.
    pub fn select(&mut self, conditions: &[Expr], reads: &[bool], context: &Context) -> Result<()> {
        // Columns that are not there yet are stood in for by NULLs that cost nothing.
        let late = Rc::new(Vector::nulls(self.rows));
        let mut columns = Vec::with_capacity(reads.len());
        for (position, &is_read) in reads.iter().enumerate() {
            columns.push(if is_read { self.column(position)? } else { late.clone() });
        }
        let (kept, numbers) = select_numbered(Batch { rows: self.rows, columns }, conditions, context)?;
        if let Some(numbers) = numbers {
            for ((column, kept), _) in self.columns.iter_mut().zip(kept.columns).zip(reads).filter(|(_, reads)| **reads)
            {
                *column = Some(kept);
            }
            self.keep(numbers);
        }
        Ok(())
    }

    /// All columns, with the numbers that the rows had; `None` when all were kept.
    pub fn finish(mut self) -> Result<(Batch, Option<Vec<u32>>)> {
        if self.rows == 0 {
            return Ok((Batch::default(), self.numbers));
        }
        let columns = (0..self.readers.len()).map(|position| self.column(position)).collect::<Result<_>>()?;
        Ok((Batch { rows: self.rows, columns }, self.numbers))
    }
}

/// A filter that came from a join, with how it fares. One that leaves out next to nothing rests, for longer and longer.
pub struct EarlyFilter {
    keys: RuntimeFilter,
    /// Of 1024 rows so many passed the last time.
    pub passed: usize,
    /// Batches that it is not asked for.
    resting: u32,
    rest: u32,
}

/// For so many batches a filter rests at most: what comes later may be filtered.
const REST_MAX: u32 = 63;

impl EarlyFilter {
    pub fn new(keys: RuntimeFilter) -> EarlyFilter {
        EarlyFilter { keys, passed: 0, resting: 0, rest: 0 }
    }

    pub fn apply(&mut self, decoding: &mut Decoding<'_>) -> Result<()> {
        if self.resting > 0 || decoding.rows == 0 {
            self.resting = self.resting.saturating_sub(1);
            return Ok(());
        }
        let keys = self.keys.columns().iter().map(|&column| decoding.column(column)).collect::<Result<Vec<_>>>()?;
        let numbers = self.keys.passing(&keys, decoding.rows);
        self.passed = numbers.len() * 1024 / decoding.rows;
        // What a look costs is worth it where it leaves out an eighth.
        self.rest = if self.passed > 896 { (2 * self.rest + 1).min(REST_MAX) } else { 0 };
        self.resting = self.rest;
        if numbers.len() < decoding.rows {
            decoding.keep(numbers);
        }
        Ok(())
    }
}
