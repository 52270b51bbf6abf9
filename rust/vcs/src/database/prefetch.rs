//! Prefetch: reads chunks ahead of their use, so that a database on a network has them in its cache.

use codec::Address;
use hashbrown::HashSet;
use tree::message::references::each_reference;

use crate::error::Result;
use crate::objects::Objects;

/// A walk through all that some chunks lead to, in steps.
#[derive(Default)]
pub struct Prefetch {
    /// Chunks that are to be read, the next ones last: those below one parent are read together.
    open: Vec<Address>,
    /// About 30 bytes for each chunk.
    seen: HashSet<Address>,
    pub chunks: u64,
}

impl Prefetch {
    /// Goes on from these chunks as well.
    pub fn add(&mut self, addresses: impl IntoIterator<Item = Address>) {
        for address in addresses {
            if !address.is_empty() && self.seen.insert(address) {
                self.open.push(address);
            }
        }
    }

    /// Chunks that are known and were not read yet.
    pub fn left(&self) -> u64 {
        self.open.len() as u64
    }

    /// Reads the next `count` chunks in one request.
    ///
    /// # Errors
    /// What is wrong with one of them, or with the network; it is tried again by the next step.
    pub fn step(&mut self, objects: &Objects, count: usize) -> Result<()> {
        let first = self.open.len().saturating_sub(count);
        let part = self.open.get(first..).unwrap_or_default().to_vec();
        let mut found = Vec::new();
        let mut outcome = Ok(());
        objects.nodes().read_many(&part, &mut |_, chunk| {
            if let Err(error) = each_reference(&chunk, &mut |address| found.push(address)) {
                outcome = Err(error);
            }
        })?;
        outcome?;
        self.open.truncate(first);
        self.chunks += part.len() as u64;
        self.add(found);
        Ok(())
    }
}
