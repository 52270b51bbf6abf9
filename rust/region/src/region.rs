//! The region (buffer pool): frame memory under one budget, shared by all mappings of a database, and the CLOCK that evicts frames.

use core::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::file::File;
use crate::frame::{Budget, FRAME_PAGES_MAX, Frame};
use crate::mapping::{Mapping, Mode};
use crate::stats::{Counters, Stats};
use crate::table::Table;

/// Settings of a region.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Frame memory, in bytes. Never exceeded: when everything is pinned, reads fail with [`RegionError::Budget`].
    ///
    /// [`RegionError::Budget`]: crate::RegionError::Budget
    pub budget_bytes: u64,
    /// Bytes of a segment, the unit of memory and eviction: a power of two, at least 64 KiB. Slices inside one are not copied.
    pub segment_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { budget_bytes: 128 << 20, segment_bytes: 256 << 10 }
    }
}

/// The smallest page: what file systems read at a time.
pub(crate) const PAGE_BYTES_MIN: usize = 4096;

/// Memory for mapped files.
pub struct Region {
    segment_shift: u32,
    budget: Rc<Budget>,
    clock: RefCell<Clock>,
    pub(crate) counters: Counters,
}

/// Every frame that a mapping holds, in the order in which the hand meets them.
#[derive(Default)]
struct Clock {
    seats: Vec<Seat>,
    hand: usize,
}

/// A frame and where it hangs. Frames whose mapping is gone, or that were cut off it, leave a dead seat.
struct Seat {
    frame: Weak<Frame>,
    table: Weak<Table>,
    segment: u64,
}

impl Region {
    /// # Panics
    /// When `segment_bytes` is not a power of two of at least 64 KiB: a programming error.
    pub fn new(options: Options) -> Rc<Region> {
        assert!(
            options.segment_bytes.is_power_of_two() && options.segment_bytes >= 16 * PAGE_BYTES_MIN,
            "segment size"
        );
        Rc::new(Region {
            segment_shift: options.segment_bytes.trailing_zeros(),
            budget: Budget::new(options.budget_bytes),
            clock: RefCell::default(),
            counters: Counters::default(),
        })
    }

    /// Maps `file`. Touches nothing yet; `name` is what errors call it.
    pub fn map(self: &Rc<Self>, file: Rc<dyn File>, name: &str, mode: Mode) -> Mapping {
        Mapping::new(self.clone(), file, name.into(), mode)
    }

    pub fn stats(&self) -> Stats {
        let counters = &self.counters;
        Stats {
            faults: counters.faults.get(),
            ahead: counters.ahead.get(),
            reads: counters.reads.get(),
            bytes: counters.bytes.get(),
            hits: counters.hits.get(),
            evictions: counters.evictions.get(),
            straddles: counters.straddles.get(),
            copies: counters.copies.get(),
            announced: counters.announced.get(),
            resident_bytes: self.budget.used_bytes(),
            peak_bytes: self.budget.peak_bytes(),
            budget_bytes: self.budget.limit_bytes(),
        }
    }

    pub(crate) fn segment_shift(&self) -> u32 {
        self.segment_shift
    }

    /// Shift of the page size for a file that would like `wanted_bytes`.
    pub(crate) fn page_shift(&self, wanted_bytes: usize) -> u32 {
        let segment_bytes = 1usize << self.segment_shift;
        let least = (segment_bytes / FRAME_PAGES_MAX).max(PAGE_BYTES_MIN);
        let page_bytes = wanted_bytes.clamp(least, segment_bytes);
        // Rounds down to a power of two.
        page_bytes.ilog2()
    }

    /// A frame of `len` bytes for `segment` of `table`, hung there and known to the clock; `None` when nothing can be evicted.
    pub(crate) fn seat(&self, table: &Rc<Table>, segment: u64, len: usize, page_shift: u32) -> Option<Rc<Frame>> {
        let frame = self.frame(len, page_shift)?;
        Some(self.seat_frame(table, segment, frame))
    }

    /// Hangs `frame` at `segment` of `table`, known to the clock.
    pub(crate) fn seat_frame(&self, table: &Rc<Table>, segment: u64, frame: Frame) -> Rc<Frame> {
        let frame = Rc::new(frame);
        table.set(segment, frame.clone());
        let mut clock = self.clock.borrow_mut();
        if clock.seats.len() == clock.seats.capacity() {
            clock.seats.retain(|seat| seat.frame.strong_count() > 0);
            clock.hand = 0;
        }
        clock.seats.push(Seat { frame: Rc::downgrade(&frame), table: Rc::downgrade(table), segment });
        frame
    }

    /// A frame of `len` bytes that hangs nowhere; evicts others until the budget has room.
    pub(crate) fn frame(&self, len: usize, page_shift: u32) -> Option<Frame> {
        if len as u64 > self.budget.limit_bytes() {
            return None;
        }
        loop {
            if let Some(frame) = Frame::new(&self.budget, len, page_shift) {
                return Some(frame);
            }
            let mut frame = self.evict()?;
            if frame.len() == len {
                frame.reset(page_shift);
                return Some(frame);
            }
        }
    }

    /// Takes the next unpinned frame that was not touched since the hand passed it last.
    fn evict(&self) -> Option<Frame> {
        let mut clock = self.clock.borrow_mut();
        let clock = &mut *clock;
        // Two rounds: the first takes second chances away, the second finds a frame, unless all are pinned.
        let mut steps = 2 * clock.seats.len() + 1;
        while steps > 0 && !clock.seats.is_empty() {
            steps -= 1;
            clock.hand %= clock.seats.len();
            let seat = &clock.seats[clock.hand];
            let Some(frame) = seat.frame.upgrade() else {
                clock.seats.swap_remove(clock.hand);
                continue;
            };
            // The table holds one, we hold one: any other is a pin.
            if Rc::strong_count(&frame) > 2 || frame.referenced.replace(false) {
                clock.hand += 1;
                continue;
            }
            if let Some(table) = seat.table.upgrade() {
                table.remove(seat.segment, &frame);
            }
            clock.seats.swap_remove(clock.hand);
            if let Ok(frame) = Rc::try_unwrap(frame) {
                self.counters.evictions.add(1);
                return Some(frame);
            }
        }
        None
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }
}
