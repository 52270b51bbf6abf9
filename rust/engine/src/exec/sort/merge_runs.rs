//! Merge of sorted runs.

use std::cmp::Ordering;
use std::rc::Rc;

use super::row_order::{Key, compare_rows, key_columns};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::batches::concat::concat;
use crate::exec::operator::Poll;
use crate::exec::spill::SpilledBatches;
use crate::expr::Context;
use crate::vector::Vector;

/// Runs in temporary files, merged row by row. Of equal rows those of earlier runs come first.
pub struct Merge {
    runs: Vec<Run>,
    /// Numbers of the runs that have rows: a heap, the run with the first row on top.
    heap: Vec<usize>,
    keys: Rc<[Key]>,
    columns: usize,
}

struct Run {
    batches: SpilledBatches,
    next: usize,
    batch: Batch,
    keys: Vec<Rc<Vector>>,
    row: usize,
    /// Rows of the batch that are to be given.
    taken: Vec<u32>,
}

impl Merge {
    pub fn of(runs: Vec<SpilledBatches>, columns: usize, keys: Rc<[Key]>, context: &Context) -> Result<Merge> {
        let run =
            |batches| Run { batches, next: 0, batch: Batch::default(), keys: Vec::new(), row: 0, taken: Vec::new() };
        let mut merge = Merge { runs: runs.into_iter().map(run).collect(), heap: Vec::new(), keys, columns };
        for run in 0..merge.runs.len() {
            if merge.runs[run].read(&merge.keys, context)? {
                merge.heap.push(run);
            }
        }
        (0..merge.heap.len() / 2).rev().for_each(|place| merge.sink(place));
        Ok(merge)
    }

    /// The next rows; as many as there are until some run needs another batch.
    pub fn next(&mut self, context: &Context) -> Result<Poll> {
        if context.is_out_of_fuel() {
            return Ok(Poll::Yield);
        }
        let mut order = Vec::with_capacity(BATCH_ROWS);
        let mut exhausted = None;
        while let Some(&first) = self.heap.first()
            && order.len() < BATCH_ROWS
        {
            let run = &mut self.runs[first];
            order.push((first, run.taken.len() as u32));
            run.taken.push(run.row as u32);
            run.row += 1;
            if run.row == run.batch.rows {
                exhausted = Some(first);
                break;
            }
            self.sink(0);
        }
        if order.is_empty() {
            return Ok(Poll::Done);
        }
        let batch = self.gathered(&order);
        if let Some(run) = exhausted {
            if !self.runs[run].read(&self.keys, context)? {
                self.heap.swap_remove(0);
            }
            self.sink(0);
        }
        context.spend(batch.rows);
        Ok(Poll::Batch(batch))
    }

    /// The rows that were taken of each run, in the order of `order`: run and number among those taken of it.
    fn gathered(&mut self, order: &[(usize, u32)]) -> Batch {
        let mut parts = Vec::new();
        let mut starts = vec![0; self.runs.len()];
        let mut start = 0;
        for (run, place) in self.runs.iter_mut().zip(&mut starts) {
            *place = start;
            if !run.taken.is_empty() {
                start += run.taken.len() as u32;
                parts.push(run.batch.gather(&run.taken));
                run.taken.clear();
            }
        }
        let rows: Vec<u32> = order.iter().map(|(run, at)| starts[*run] + at).collect();
        concat(&parts, self.columns).gather(&rows)
    }

    /// Puts the run at a place of the heap where it belongs.
    fn sink(&mut self, mut place: usize) {
        loop {
            let mut first = place;
            for below in [2 * place + 1, 2 * place + 2] {
                if below < self.heap.len() && self.is_before(self.heap[below], self.heap[first]) {
                    first = below;
                }
            }
            if first == place {
                return;
            }
            self.heap.swap(first, place);
            place = first;
        }
    }

    #[inline]
    fn is_before(&self, left: usize, right: usize) -> bool {
        let (a, b) = (&self.runs[left], &self.runs[right]);
        match compare_rows(&a.keys, a.row, &b.keys, b.row, &self.keys) {
            Ordering::Equal => left < right,
            order => order == Ordering::Less,
        }
    }
}

impl Run {
    /// The next batch; false at the end.
    fn read(&mut self, keys: &[Key], context: &Context) -> Result<bool> {
        if self.next == self.batches.len() {
            return Ok(false);
        }
        self.batch = Batch::default();
        // There is a batch of each run.
        context.needs(self.batches.batch_bytes(self.next), 2)?;
        self.batch = self.batches.read(self.next)?;
        self.keys = key_columns(&self.batch, keys, context)?;
        self.next += 1;
        self.row = 0;
        Ok(true)
    }
}
