//! Seen values of DISTINCT arguments in aggregate calls.
//!
//! When it is too much for memory, rows that may be new go to temporary files, split by group and arguments; each part is
//! looked through when the input has ended.

use std::rc::Rc;

use super::distinct::Distinct;
use crate::batch::Batch;
use crate::error::Result;
use crate::exec::batches::key_set::KeySet;
use crate::exec::batches::row_keys::RowKeys;
use crate::exec::operator::Poll;
use crate::exec::spill::{ENTRY_BYTES, Partitions, Parts, SpilledBatches};
use crate::expr::{AggregateCall, Comparison, Context, Expr};
use crate::vector::{Data, Vector};

/// Pairs of group and arguments of one call.
pub struct Seen {
    /// Of the group's number, and of the arguments that differ.
    comparisons: Rc<[Comparison]>,
    keys: KeySet,
    partitions: Option<Partitions>,
    parts: Parts<SpilledBatches>,
}

impl Seen {
    /// What a call has seen; `None` for one that takes all rows.
    pub fn of(call: &AggregateCall) -> Option<Seen> {
        let comparison = |arg: &Expr| Comparison::of_rows(&arg.ty);
        call.distinct.then(|| Seen {
            comparisons: std::iter::once(Comparison::Int).chain(call.args.iter().map(comparison)).collect(),
            keys: KeySet::default(),
            partitions: None,
            parts: Parts::default(),
        })
    }

    /// Further pairs go to temporary files, where there is room for them.
    pub fn spill(&mut self, args: usize, context: &Context) {
        if self.partitions.is_none() {
            self.partitions = Partitions::new(1 + args, 0, context);
        }
    }

    /// The rows whose arguments their group has not seen, and the memory that they take. A row with a NULL argument counts for
    /// nothing in every aggregate. What goes to the files comes out of [`Seen::next_late`].
    pub fn fresh(&mut self, groups: &[u32], args: &[Rc<Vector>]) -> Result<(Vec<u32>, usize)> {
        let rows = groups.len();
        let keys = RowKeys::of(&args[..self.comparisons.len() - 1], &self.comparisons[1..], rows);
        let (mut fresh, mut bytes) = (Vec::new(), 0);
        let mut key = vec![0; 4];
        for (row, group) in groups.iter().enumerate().filter(|(row, _)| !keys.has_null(*row)) {
            key.truncate(4);
            key.copy_from_slice(&group.to_le_bytes());
            key.extend_from_slice(keys.get(row));
            let is_fresh = if self.partitions.is_none() { self.keys.insert(&key) } else { !self.keys.contains(&key) };
            if is_fresh {
                fresh.push(row as u32);
                bytes += key.len() + ENTRY_BYTES;
            }
        }
        let Some(partitions) = &mut self.partitions else { return Ok((fresh, bytes)) };
        let numbers = Data::Int(groups.iter().map(|group| i64::from(*group)).collect());
        let columns: Vec<_> = std::iter::once(Rc::new(Vector::new(numbers))).chain(args.iter().cloned()).collect();
        let keys = RowKeys::of(&columns, &self.comparisons, rows);
        partitions.push(&Batch::new(rows, columns), &keys, fresh.into_iter())?;
        Ok((Vec::new(), 0))
    }

    /// No rows follow.
    pub fn end(&mut self) -> Result<()> {
        self.keys = KeySet::default();
        if let Some(partitions) = self.partitions.take() {
            self.parts = Parts::new(partitions.finish()?);
        }
        Ok(())
    }

    /// Behind the end: rows that waited in files and turned out to be new, their groups in the first column.
    pub fn next_late(&mut self, context: &Rc<Context>) -> Result<Poll> {
        self.parts.next(context, |batches| Distinct::of_part(batches, &self.comparisons, 1))
    }
}

/// The groups of rows that waited.
pub fn groups_of(batch: &Batch) -> Vec<u32> {
    let column = &batch.columns[0];
    match &column.data {
        Data::Int(numbers) => numbers.iter().map(|number| *number as u32).collect(),
        _ => Vec::new(),
    }
}
