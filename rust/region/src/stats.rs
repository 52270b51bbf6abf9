//! Counters of a region: what `SHOW STATUS LIKE 'region_%'` prints.

use core::cell::Cell;

/// Counts since the region was made, and two levels (`resident_bytes`, `budget_bytes`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Pages faulted in on demand.
    pub faults: u64,
    /// Pages brought in beside them, by read-ahead.
    pub ahead: u64,
    /// Calls of `File::read_at`.
    pub reads: u64,
    /// Bytes that those calls asked for.
    pub bytes: u64,
    /// Accesses that found all of their pages resident.
    pub hits: u64,
    /// Frames taken from their segment to be used for another.
    pub evictions: u64,
    /// Ranges over the end of a segment, which are copied together.
    pub straddles: u64,
    /// Ranges read into a buffer of their own: mode `pread`, or every frame pinned.
    pub copies: u64,
    /// Ranges announced to files by `will_need`.
    pub announced: u64,
    /// Frame memory in use.
    pub resident_bytes: u64,
    /// The most frame memory there ever was.
    pub peak_bytes: u64,
    pub budget_bytes: u64,
}

impl Stats {
    /// Every counter with its name.
    pub fn named(&self) -> [(&'static str, u64); 12] {
        [
            ("faults", self.faults),
            ("ahead", self.ahead),
            ("reads", self.reads),
            ("bytes", self.bytes),
            ("hits", self.hits),
            ("evictions", self.evictions),
            ("straddles", self.straddles),
            ("copies", self.copies),
            ("announced", self.announced),
            ("resident_bytes", self.resident_bytes),
            ("peak_bytes", self.peak_bytes),
            ("budget_bytes", self.budget_bytes),
        ]
    }
}

/// The running counters.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) faults: Counter,
    pub(crate) ahead: Counter,
    pub(crate) reads: Counter,
    pub(crate) bytes: Counter,
    pub(crate) hits: Counter,
    pub(crate) evictions: Counter,
    pub(crate) straddles: Counter,
    pub(crate) copies: Counter,
    pub(crate) announced: Counter,
}

/// One running counter.
#[derive(Default)]
pub(crate) struct Counter(Cell<u64>);

impl Counter {
    #[inline]
    pub(crate) fn add(&self, count: u64) {
        self.0.set(self.0.get() + count);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.get()
    }
}
