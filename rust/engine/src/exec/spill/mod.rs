//! Spilling: batches in temporary files of the host, when an operator exceeds its memory.

mod encoding;
mod parts;

use std::rc::Rc;

use value::Value;

pub use parts::Parts;

use super::batches::row_keys::RowKeys;
use super::operator::{Operator, Poll};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::expr::{Comparison, Context};
use crate::host::Spill;
use crate::vector::Vector;

/// Bytes that are collected before they go to the file.
const BUFFER_BYTES: usize = 256 << 10;

/// How many parts rows are split into by their keys, each of which is then small enough.
pub const PARTITIONS: usize = 32;

/// Parts of parts of parts: past this an operator goes on in memory, for rows that nothing tells apart.
pub const LEVELS_MAX: u32 = 3;

/// Memory of a row's place in a hash table, beside its key, more or less.
pub const ENTRY_BYTES: usize = 40;

/// Batches in a temporary file, read back in the order in which they came.
pub struct SpilledBatches {
    file: Box<dyn Spill>,
    columns: usize,
    /// Written, but not in the file yet.
    buffer: Vec<u8>,
    file_bytes: u64,
    /// First byte and length of each batch.
    places: Vec<(u64, u32)>,
    kept: Vec<Value<'static>>,
}

impl SpilledBatches {
    /// `None` where the host has no room for temporary files.
    pub fn new(columns: usize, context: &Context) -> Option<SpilledBatches> {
        let file = context.session.host.spill()?;
        Some(SpilledBatches { file, columns, buffer: Vec::new(), file_bytes: 0, places: Vec::new(), kept: Vec::new() })
    }

    pub fn push(&mut self, batch: &Batch) -> Result<()> {
        let start = self.buffer.len();
        encoding::write(batch, &mut self.kept, &mut self.buffer);
        self.places.push((self.file_bytes + start as u64, (self.buffer.len() - start) as u32));
        if self.buffer.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    /// As [`SpilledBatches::push`], in smaller batches where rows are long.
    pub fn push_parts(&mut self, batch: &Batch) -> Result<()> {
        let mut given = 0;
        while given < batch.rows {
            let rows = batch.rows_within(BUFFER_BYTES / 2, given);
            match rows == batch.rows {
                true => self.push(batch)?,
                false => self.push(&batch.slice(given, rows))?,
            }
            given += rows;
        }
        Ok(())
    }

    /// Bytes of the longest batch.
    pub fn batch_bytes_max(&self) -> usize {
        self.places.iter().map(|(_, length)| *length as usize).max().unwrap_or(0)
    }

    /// Everything to the file: what is in memory is little, and there may be many of these.
    pub fn flush(&mut self) -> Result<()> {
        self.file.append(&self.buffer).map_err(no_room)?;
        self.file_bytes += self.buffer.len() as u64;
        self.buffer = Vec::new();
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn batch_bytes(&self, at: usize) -> usize {
        self.places[at].1 as usize
    }

    pub fn read(&self, at: usize) -> Result<Batch> {
        let (start, length) = self.places[at];
        let mut bytes = vec![0; length as usize];
        self.file.read(start, &mut bytes).map_err(no_room)?;
        encoding::read(&bytes, self.columns, &self.kept)
    }
}

fn no_room(message: String) -> SqlError {
    // ER_DISK_FULL is the nearest of MySQL's.
    SqlError::new(1021, format!("a temporary file cannot be used: {message}"))
}

/// Spilled batches as the input of an operator. They are gone when it is.
pub struct SpillSource {
    batches: SpilledBatches,
    next: usize,
}

impl SpillSource {
    pub fn new(mut batches: SpilledBatches) -> Result<SpillSource> {
        batches.flush()?;
        Ok(SpillSource { batches, next: 0 })
    }
}

impl Operator for SpillSource {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if context.is_out_of_fuel() {
            return Ok(Poll::Yield);
        }
        if self.next == self.batches.len() {
            return Ok(Poll::Done);
        }
        self.next += 1;
        let batch = self.batches.read(self.next - 1)?;
        context.spend(batch.rows);
        Ok(Poll::Batch(batch))
    }
}

/// Rows split by their keys: equal keys are in one part.
pub struct Partitions {
    parts: Vec<SpilledBatches>,
    /// Rows of each part that are too few for a batch yet, and their bytes.
    waiting: Vec<Vec<Batch>>,
    waiting_bytes: [usize; PARTITIONS],
    columns: usize,
    level: u32,
}

impl Partitions {
    /// `level` says how often these rows have been split before. `None` where the host has no room for temporary files.
    pub fn new(columns: usize, level: u32, context: &Context) -> Option<Partitions> {
        let parts = (0..PARTITIONS).map(|_| SpilledBatches::new(columns, context)).collect::<Option<_>>()?;
        let waiting = (0..PARTITIONS).map(|_| Vec::new()).collect();
        Some(Partitions { parts, waiting, waiting_bytes: [0; PARTITIONS], columns, level })
    }

    /// Adds the rows `rows` of a batch, whose keys are given for all of its rows.
    pub fn push(&mut self, batch: &Batch, keys: &RowKeys, rows: impl Iterator<Item = u32>) -> Result<()> {
        let mut chosen: Vec<Vec<u32>> = vec![Vec::new(); PARTITIONS];
        for row in rows {
            chosen[hash(keys.get(row as usize), self.level) as usize % PARTITIONS].push(row);
        }
        for (part, rows) in chosen.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            let waiting = &mut self.waiting[part];
            waiting.push(batch.gather(rows).detached());
            self.waiting_bytes[part] += waiting[waiting.len() - 1].memory_bytes();
            if self.waiting_bytes[part] >= BUFFER_BYTES
                || waiting.iter().map(|batch| batch.rows).sum::<usize>() >= BATCH_ROWS / 4
            {
                let together = super::batches::concat::concat(waiting, self.columns);
                waiting.clear();
                self.waiting_bytes[part] = 0;
                self.parts[part].push(&together)?;
            }
        }
        Ok(())
    }

    /// As [`Partitions::push`], for columns that make the keys.
    pub fn push_by(&mut self, batch: &Batch, keys: &[Rc<Vector>], how: &[Comparison]) -> Result<()> {
        let keys = RowKeys::of(keys, how, batch.rows);
        self.push(batch, &keys, 0..batch.rows as u32)
    }

    /// The parts, each with all of its rows.
    pub fn finish(mut self) -> Result<Vec<SpilledBatches>> {
        for (part, waiting) in self.parts.iter_mut().zip(&mut self.waiting) {
            if !waiting.is_empty() {
                part.push(&super::batches::concat::concat(waiting, self.columns))?;
                waiting.clear();
            }
            part.flush()?;
        }
        Ok(self.parts)
    }
}

/// Rows that met in one part part at the next level.
fn hash(key: &[u8], level: u32) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = u64::from(level + 1).wrapping_mul(FACTOR);
    let (words, rest) = key.as_chunks::<8>();
    for word in words {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
        hash ^= hash >> 29;
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(FACTOR);
    }
    (hash >> 32) as u32
}
