//! Completion of a lazy clone: fetches the missing chunks.

use store::{Copied, Copy};

use super::references;
use crate::Database;
use crate::error::Result;

/// A completion that is under way: see [the order of calls](super).
pub struct Completion {
    copy: Copy,
}

impl Completion {
    /// Begins with what the names of the clone lead to.
    pub fn begin(local: &Database) -> Completion {
        let root = local.objects().nodes().chunks().root();
        Completion { copy: Copy::completing(vec![root], references()) }
    }

    /// As [`Completion::begin`], with another file after so many bytes.
    pub fn cut_at(self, file_bytes_max: u64) -> Completion {
        Completion { copy: self.copy.cut_at(file_bytes_max) }
    }

    /// Goes through about `chunks_max` chunks, and copies those that are not here. Once it is done the clone is as any other one. Dropped
    /// before, what was copied so far is here, and the next one has the rest to do.
    ///
    /// # Errors
    /// As [`store::Chunks::take`], after which it is over unless it is to wait; [`store::StoreError::NotFetched`] and
    /// [`store::StoreError::Missing`] for what the remote has not any more.
    pub fn step(&mut self, local: &Database, remote: &Database, chunks_max: usize) -> Result<Copied> {
        let (here, there) = (local.objects().nodes().chunks(), remote.objects().nodes().chunks());
        Ok(here.take(&mut self.copy, &**there, chunks_max)?)
    }
}
