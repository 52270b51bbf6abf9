//! Counters of a store: what `SHOW STATUS LIKE 'store_%'` prints.

use core::cell::Cell;

/// Counts since the store was opened, and two current levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    pub chunks_read: u64,
    /// Bytes of those chunks in their files.
    pub stored_bytes: u64,
    /// Bytes of those chunks uncompressed.
    pub chunk_bytes: u64,
    /// Chunks whose address was computed again and compared.
    pub verified: u64,
    /// Searches of one file's index for one address.
    pub searches: u64,
    /// Roots that were committed here.
    pub commits: u64,
    /// Flushes of the journal.
    pub flushes: u64,
    /// Bytes that were appended to the journal here.
    pub appended_bytes: u64,
    /// Now: bytes of pending chunks in memory.
    pub pending_bytes: u64,
    /// Now: bytes of all files with chunks, which is what counts against a quota.
    pub file_bytes: u64,
}

impl Stats {
    /// Every counter with its name.
    pub fn named(&self) -> [(&'static str, u64); 10] {
        [
            ("chunks_read", self.chunks_read),
            ("stored_bytes", self.stored_bytes),
            ("chunk_bytes", self.chunk_bytes),
            ("verified", self.verified),
            ("searches", self.searches),
            ("commits", self.commits),
            ("flushes", self.flushes),
            ("appended_bytes", self.appended_bytes),
            ("pending_bytes", self.pending_bytes),
            ("file_bytes", self.file_bytes),
        ]
    }
}

/// The running counters.
#[derive(Default)]
pub(crate) struct Counters(Cell<Stats>);

impl Counters {
    pub(crate) fn update(&self, change: impl FnOnce(&mut Stats)) {
        let mut stats = self.0.get();
        change(&mut stats);
        self.0.set(stats);
    }

    pub(crate) fn get(&self) -> Stats {
        self.0.get()
    }
}
