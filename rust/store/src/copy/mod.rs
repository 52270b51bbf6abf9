//! Copies the chunks below some addresses from one store to another, in steps (docs/decisions/2026-11-29-remotes.md).
//!
//! **A chunk that is present means that all it leads to is present.** So nothing is looked for below a chunk that the target has, and the new
//! files become part of the target in one step, when all of them are whole.

mod complete;
mod files;
mod memory;
mod whole;

use codec::Address;
use hashbrown::HashSet;

use crate::collect::References;
use crate::{Chunks, StoreError};

pub(crate) use crate::writer::target::Target;

use files::OfFiles;

/// Chunks that are asked for at once: a remote answers them in few rounds.
const BATCH: usize = 1024;

/// How far a copy is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Copied {
    /// Chunks that were copied so far.
    pub chunks: u64,
    /// Bytes of the new files so far.
    pub bytes: u64,
    /// Bytes that are copied altogether, where whole files are; 0 where that is unknown.
    pub bytes_total: u64,
    pub is_done: bool,
}

/// A copy that is under way, in steps: see [`Chunks::take`].
///
/// Dropping it before it is done gives that up: the target has nothing of it.
///
/// [`Chunks::take`]: crate::Chunks::take
pub struct Copy {
    roots: Vec<Address>,
    references: References,
    /// Chunks that are left out, and that the target knows as ghosts from then on.
    ghosts: Vec<Address>,
    copies_files: bool,
    completes: bool,
    file_bytes_max: u64,
    walk: Walk,
    of_files: OfFiles,
    /// Chunks for a target without files.
    in_memory: Vec<(Address, Vec<u8>)>,
    progress: Copied,
}

impl Copy {
    /// A copy of all that `roots` lead to. `references` may tell addresses that the chunk leads to by way of others, as long as they are to be
    /// copied, too: so that they are asked for early.
    pub fn new(roots: Vec<Address>, references: References) -> Copy {
        let (ghosts, of_files, in_memory, progress) = Default::default();
        let walk = Walk::new(&roots);
        let file_bytes_max = files::FILE_BYTES_MAX;
        let (copies_files, completes) = (false, false);
        Copy { roots, references, ghosts, copies_files, completes, file_bytes_max, walk, of_files, in_memory, progress }
    }

    /// What a lazy clone still lacks of all that `roots`, those of the clone itself, lead to. When it is done the clone is one no more. What
    /// it has written before it ends stays.
    pub fn completing(roots: Vec<Address>, references: References) -> Copy {
        Copy { completes: true, file_bytes_max: complete::FILE_BYTES_MAX, ..Copy::new(roots, references) }
    }

    /// Leaves `ghosts` out, with what only they lead to; the target knows that they are elsewhere.
    pub fn without(mut self, ghosts: Vec<Address>) -> Copy {
        self.walk.seen.extend(ghosts.iter().copied());
        // A root that is asked for comes.
        for root in &self.roots {
            self.walk.seen.remove(root);
        }
        Copy { ghosts, ..self }
    }

    /// Copies the files of the source as they are, with all their chunks, where the source has files and the target has nothing yet.
    pub fn by_files(self) -> Copy {
        Copy { copies_files: true, ..self }
    }

    /// Begins another file after so many bytes; 1 GiB by default.
    pub fn cut_at(self, file_bytes_max: u64) -> Copy {
        Copy { file_bytes_max, ..self }
    }

    pub fn progress(&self) -> Copied {
        self.progress
    }

    /// Whether the chunk was copied, or looked at and found in the target.
    pub fn has_seen(&self, address: &Address) -> bool {
        self.walk.seen.contains(address)
    }
}

/// The way through what is to be copied: depth first, in batches, so that what waits stays small.
#[derive(Default)]
struct Walk {
    stack: Vec<Address>,
    /// About 30 bytes for each chunk.
    seen: HashSet<Address>,
    /// What the target is asked about.
    asked: Vec<Address>,
    /// What it lacks, and is read next.
    absent: Vec<Address>,
    /// Where a lazy clone is completed, what it has, and may lead to what it lacks.
    present: Vec<Address>,
}

impl Walk {
    fn new(roots: &[Address]) -> Walk {
        let stack = roots.iter().rev().copied().filter(|root| !root.is_empty()).collect();
        Walk { stack, ..Walk::default() }
    }

    /// Whether there is something to read, after the next batch was asked for.
    fn next(
        &mut self,
        chunks_max: usize,
        target: &dyn Target,
        roots: &[Address],
        completes: bool,
    ) -> Result<bool, StoreError> {
        while self.absent.is_empty() && self.present.is_empty() {
            if self.asked.is_empty() {
                while self.asked.len() < chunks_max.clamp(1, BATCH) {
                    let Some(address) = self.stack.pop() else { break };
                    if self.seen.insert(address) {
                        self.asked.push(address);
                    }
                }
                if self.asked.is_empty() {
                    return Ok(false);
                }
            }
            match completes {
                true => (self.present, self.absent) = complete::parted(target, &self.asked)?,
                false => self.absent = target.lacks(&self.asked, roots)?,
            }
            self.asked.clear();
            if completes {
                continue;
            }
            if self.absent.is_empty() && !self.stack.is_empty() {
                // Looking costs as much as copying.
                return Ok(true);
            }
        }
        Ok(true)
    }

    /// Reads what is absent; `each` gets chunk by chunk, and says what else is to be looked at.
    fn read(
        &mut self,
        source: &dyn Chunks,
        references: &References,
        each: &mut dyn FnMut(Address, Vec<u8>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let Walk { stack, seen, absent, .. } = self;
        let mut is_done = vec![false; absent.len()];
        let mut failed = None;
        let before = stack.len();
        let read = source.read_many(absent, &mut |position, chunk| {
            let (Some(address), Some(is_done), None) = (absent.get(position), is_done.get_mut(position), &failed)
            else {
                return;
            };
            let found = references(&chunk, &mut |child| {
                if !child.is_empty() && !seen.contains(&child) {
                    stack.push(child);
                }
            })
            .map_err(|reason| StoreError::Unreadable { address: *address, reason });
            match found.and_then(|()| each(*address, chunk)) {
                Ok(()) => *is_done = true,
                Err(error) => failed = Some(error),
            }
        });
        // The first that was found is looked at first.
        if let Some(new) = stack.get_mut(before..) {
            new.reverse();
        }
        let mut is_done = is_done.into_iter();
        absent.retain(|_| !is_done.next().unwrap_or_default());
        failed.map_or(read, Err)
    }
}
