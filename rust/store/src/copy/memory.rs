//! Copy target in memory, without files.

use codec::Address;

use super::{BATCH, Copied, Copy};
use crate::{Chunks, StoreError};

impl Copy {
    /// One step. `lacks` says what the target lacks of some addresses, `insert` gets everything, when there is nothing more to come.
    pub(crate) fn step_in_memory(
        &mut self,
        source: &dyn Chunks,
        chunks_max: usize,
        lacks: &dyn Fn(&Address) -> bool,
        insert: &mut dyn FnMut(Address, Vec<u8>),
    ) -> Result<Copied, StoreError> {
        let Copy { walk, in_memory, progress, references, .. } = self;
        while walk.absent.len() < chunks_max.clamp(1, BATCH) {
            let Some(address) = walk.stack.pop() else { break };
            if walk.seen.insert(address) && lacks(&address) {
                walk.absent.push(address);
            }
        }
        if walk.absent.is_empty() {
            in_memory.drain(..).for_each(|(address, chunk)| insert(address, chunk));
            progress.is_done = true;
            return Ok(*progress);
        }
        walk.read(source, references, &mut |address, chunk| {
            progress.chunks += 1;
            progress.bytes += chunk.len() as u64;
            in_memory.push((address, chunk));
            Ok(())
        })?;
        Ok(*progress)
    }
}
