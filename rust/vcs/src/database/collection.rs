//! Garbage collection of a database: which chunks are history, and what a chunk leads to.

use std::rc::Rc;

use codec::Address;
use store::{CollectMode, Collection, Progress};
use tree::message::references::each_reference;

use crate::Database;
use crate::error::Result;

/// Datasets whose commits go to the old generation, as Dolt has it. What tags and stashes alone lead to stays in the new one.
const HISTORY_PREFIXES: [&str; 3] = ["refs/heads/", "refs/remotes/", "refs/internal/"];

impl Database {
    /// Begins a garbage collection, of which [`Database::collect`] does one part after the other. Nothing happens before that.
    /// `kept` are roots of [`crate::Refs`] that a session still reads.
    ///
    /// # Errors
    /// What is wrong with the names of the database.
    pub fn collection(&self, mode: CollectMode, kept: Vec<Address>) -> Result<Collection> {
        self.refresh()?;
        let refs = self.refs()?;
        let mut history = Vec::new();
        for prefix in HISTORY_PREFIXES {
            for dataset in refs.datasets(prefix) {
                history.push(dataset?.1);
            }
        }
        let references = |chunk: &[u8], each: &mut dyn FnMut(Address)| {
            each_reference(chunk, each).map_err(|error| error.to_string().into())
        };
        Ok(Collection::new(mode, history, Rc::new(references)).keeping(kept))
    }

    /// Goes on with `collection`, for about `chunks_max` chunks.
    ///
    /// # Errors
    /// As [`store::Chunks::collect`].
    pub fn collect(&self, collection: &mut Collection, chunks_max: usize) -> Result<Progress> {
        Ok(self.objects().nodes().chunks().collect(collection, chunks_max)?)
    }
}
