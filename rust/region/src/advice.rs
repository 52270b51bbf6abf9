//! Access advice of a mapping, and the read-ahead that follows from it.

use core::cell::Cell;
use core::ops::Range;

/// How a mapping will be read from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Advice {
    /// Reads ahead once two faults follow one another.
    #[default]
    Normal,
    /// From front to back: reads ahead at once, twice as far each time.
    Sequential,
    /// Never reads ahead.
    Random,
}

/// Pages that read-ahead adds to one fault, at most.
const AHEAD_PAGES_MAX: u64 = 64;

/// The read-ahead window of one mapping, in pages.
#[derive(Default)]
pub(crate) struct ReadAhead {
    advice: Cell<Advice>,
    window: Cell<u64>,
    /// The page after the last one brought in.
    next: Cell<Option<u64>>,
}

impl ReadAhead {
    pub(crate) fn advise(&self, advice: Advice) {
        self.advice.set(advice);
        self.window.set(0);
        self.next.set(None);
    }

    /// Told that `pages` of the file are faulted in now; answers how many pages after them are worth it.
    pub(crate) fn after(&self, pages: Range<u64>) -> u64 {
        let follows = self.next.get() == Some(pages.start);
        let window = match self.advice.get() {
            Advice::Random => 0,
            Advice::Normal if !follows => 0,
            Advice::Normal | Advice::Sequential => (2 * self.window.get()).clamp(1, AHEAD_PAGES_MAX),
        };
        self.window.set(window);
        window
    }

    /// Told that everything before `page`, from the last fault on, has been brought in.
    pub(crate) fn reached(&self, page: u64) {
        self.next.set(Some(page));
    }
}
