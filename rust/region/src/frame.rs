//! Frame memory: the only unsafe code under the engine. `UNSAFE.md` lists every block with the test that covers it.
#![expect(unsafe_code, reason = "page memory is written by the host while neighbouring pages are borrowed")]

use core::cell::Cell;
use core::ops::{Deref, Range};
use core::ptr::NonNull;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::rc::Rc;

use crate::FileError;

/// Pages that one frame can tell apart: one bit each.
pub(crate) const FRAME_PAGES_MAX: usize = 64;
/// Frames begin at a multiple of this, so that what is aligned in its file is aligned in memory. A cache line: more would only
/// waste memory, since nothing reads a frame but by bytes.
const ALIGN_BYTES: usize = 64;

/// Bytes of frame memory in use, and the most there may be.
pub(crate) struct Budget {
    limit_bytes: u64,
    used_bytes: Cell<u64>,
    peak_bytes: Cell<u64>,
}

impl Budget {
    pub(crate) fn new(limit_bytes: u64) -> Rc<Budget> {
        Rc::new(Budget { limit_bytes, used_bytes: Cell::new(0), peak_bytes: Cell::new(0) })
    }

    pub(crate) fn limit_bytes(&self) -> u64 {
        self.limit_bytes
    }

    pub(crate) fn used_bytes(&self) -> u64 {
        self.used_bytes.get()
    }

    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes.get()
    }

    fn take(&self, len: usize) -> bool {
        let used = self.used_bytes.get() + len as u64;
        if used > self.limit_bytes {
            return false;
        }
        self.used_bytes.set(used);
        self.peak_bytes.set(self.peak_bytes.get().max(used));
        true
    }
}

/// A block of memory divided into pages, each resident or not.
///
/// Invariant: a page whose `resident` bit is set is written through `&mut self` only, which also is what clears bits.
/// A page whose `filling` bit is set is borrowed by exactly one call of [`Frame::fill`]. Every byte of a page whose `written` bit is
/// set is initialised; a resident page is written.
pub(crate) struct Frame {
    memory: NonNull<u8>,
    len: usize,
    page_shift: u32,
    resident: Cell<u64>,
    filling: Cell<u64>,
    written: Cell<u64>,
    /// Second chance of the clock.
    pub(crate) referenced: Cell<bool>,
    budget: Rc<Budget>,
}

impl Frame {
    /// A frame of `len` > 0 bytes, none resident; `None` when the budget has no room. At most [`FRAME_PAGES_MAX`] pages of
    /// `1 << page_shift` bytes.
    pub(crate) fn new(budget: &Rc<Budget>, len: usize, page_shift: u32) -> Option<Frame> {
        assert!(len > 0 && (len - 1) >> page_shift < FRAME_PAGES_MAX, "a frame has 1 to 64 pages");
        if !budget.take(len) {
            return None;
        }
        let layout = Self::layout(len);
        // SAFETY: the layout is not empty (asserted above).
        let memory = unsafe { alloc(layout) };
        let Some(memory) = NonNull::new(memory) else { handle_alloc_error(layout) };
        Some(Frame {
            memory,
            len,
            page_shift,
            resident: Cell::new(0),
            filling: Cell::new(0),
            written: Cell::new(0),
            referenced: Cell::new(true),
            budget: budget.clone(),
        })
    }

    fn layout(len: usize) -> Layout {
        match Layout::from_size_align(len, ALIGN_BYTES) {
            Ok(layout) => layout,
            Err(_) => unreachable!("a frame is far smaller than the address space"),
        }
    }

    /// Makes the frame as new, with pages of `1 << page_shift` bytes.
    pub(crate) fn reset(&mut self, page_shift: u32) {
        assert!((self.len - 1) >> page_shift < FRAME_PAGES_MAX, "a frame has 1 to 64 pages");
        if self.page_shift != page_shift {
            // The bits would mean other bytes.
            self.written.set(0);
        }
        self.page_shift = page_shift;
        self.resident.set(0);
        self.filling.set(0);
        self.referenced.set(true);
    }

    /// Makes `page` absent again: its bytes in the file have changed.
    pub(crate) fn forget(&mut self, page: usize) {
        self.resident.set(self.resident.get() & !Self::bits(&(page..page + 1)));
    }

    /// Puts `bytes` at `start` as far as pages are resident: the file has them there now.
    pub(crate) fn replace(&mut self, start: usize, bytes: &[u8]) {
        let end = start + bytes.len();
        assert!(end <= self.len, "bytes inside the frame");
        for page in self.pages(start, bytes.len()).filter(|page| self.is_resident(*page)) {
            let (from, to) = (start.max(page << self.page_shift), end.min((page + 1) << self.page_shift));
            // SAFETY: the range is inside the allocation (asserted above), and since the frame is borrowed exclusively no slice covers
            // it.
            let dest = unsafe { core::slice::from_raw_parts_mut(self.memory.as_ptr().add(from), to - from) };
            dest.copy_from_slice(&bytes[from - start..to - start]);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn bits(pages: &Range<usize>) -> u64 {
        debug_assert!(pages.start < pages.end && pages.end <= FRAME_PAGES_MAX, "page range inside the frame");
        let below = |page: usize| if page >= FRAME_PAGES_MAX { u64::MAX } else { (1u64 << page) - 1 };
        below(pages.end) & !below(pages.start)
    }

    /// Pages that `len` > 0 bytes at `start` touch.
    pub(crate) fn pages(&self, start: usize, len: usize) -> Range<usize> {
        start >> self.page_shift..((start + len - 1) >> self.page_shift) + 1
    }

    pub(crate) fn is_resident(&self, page: usize) -> bool {
        self.resident.get() & Self::bits(&(page..page + 1)) != 0
    }

    /// The bytes `[start, start + len)` if all of their pages are resident.
    #[inline]
    pub(crate) fn resident(&self, start: usize, len: usize) -> Option<&[u8]> {
        if len == 0 || start.checked_add(len).is_none_or(|end| end > self.len) {
            return None;
        }
        let bits = Self::bits(&self.pages(start, len));
        if self.resident.get() & bits != bits {
            return None;
        }
        // SAFETY: the range is inside the allocation (checked above) and its pages are resident, so every byte is initialised and
        // nothing writes them while `self` is borrowed (invariant of `Frame`).
        Some(unsafe { core::slice::from_raw_parts(self.memory.as_ptr().add(start), len) })
    }

    /// Lets `read` fill `pages`, none of which is resident, and marks them resident. The last page may be cut: `end` is the
    /// byte of the frame after the last one to fill.
    pub(crate) fn fill(
        &self,
        pages: Range<usize>,
        end: usize,
        read: impl FnOnce(&mut [u8]) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let start = pages.start << self.page_shift;
        assert!(start < end && end <= self.len && end <= pages.end << self.page_shift, "pages inside the frame");
        let bits = Self::bits(&pages);
        assert!(self.resident.get() & bits == 0, "a resident page is never written");
        if self.filling.get() & bits != 0 {
            return Err(FileError::Reentered);
        }
        self.filling.set(self.filling.get() | bits);
        if self.written.get() & bits != bits {
            // The last page may be cut now and whole after the frame is used again: all of it, as far as the frame goes. Zeroing
            // pages when they are first filled, and not the frame when it is made, costs a quarter for a frame of which one page is
            // ever touched.
            let page_end = self.len.min(pages.end << self.page_shift);
            // SAFETY: the range is inside the allocation, and no slice covers it, for the reasons given below.
            unsafe { core::ptr::write_bytes(self.memory.as_ptr().add(start), 0, page_end - start) };
            self.written.set(self.written.get() | bits);
        }
        // SAFETY: the range is inside the allocation (asserted). Its pages are not resident, so no shared slice covers them,
        // and their `filling` bits were clear, so no other call holds this range; slices of other pages do not overlap it. Its
        // pages are written, so every byte is initialised.
        let dest = unsafe { core::slice::from_raw_parts_mut(self.memory.as_ptr().add(start), end - start) };
        let outcome = read(dest);
        self.filling.set(self.filling.get() & !bits);
        if outcome.is_ok() {
            self.resident.set(self.resident.get() | bits);
        }
        outcome
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.budget.used_bytes.set(self.budget.used_bytes.get() - self.len as u64);
        // SAFETY: `memory` came from `alloc` with this layout in `Frame::new`, and every borrower holds the frame alive.
        unsafe { dealloc(self.memory.as_ptr(), Self::layout(self.len)) }
    }
}

/// Bytes of a mapped file that stay where they are while this lives.
///
/// Holding one keeps its frame (256 KiB by default) from being evicted: hold it as long as the bytes are read, not longer.
pub struct Pinned {
    start: NonNull<u8>,
    len: usize,
    /// Holds the memory; `None` for the empty range.
    frame: Option<Rc<Frame>>,
}

impl Pinned {
    /// The empty range.
    pub(crate) fn empty() -> Pinned {
        Pinned { start: NonNull::dangling(), len: 0, frame: None }
    }

    /// Pins the resident bytes `[start, start + len)` of `frame`; `None` when not all of them are.
    pub(crate) fn new(frame: Rc<Frame>, start: usize, len: usize) -> Option<Pinned> {
        let start = NonNull::from(frame.resident(start, len)?).cast();
        Some(Pinned { start, len, frame: Some(frame) })
    }

    /// A pin of a part of these bytes. `None` when `range` is not inside them.
    pub fn part(&self, range: Range<usize>) -> Option<Pinned> {
        let part = self.get(range)?;
        Some(Pinned { start: NonNull::from(part).cast(), len: part.len(), frame: self.frame.clone() })
    }
}

impl Deref for Pinned {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: made from a slice of resident bytes of `frame` (or empty and dangling, which is allowed for length 0). The frame
        // is held, so its memory is not freed and `Frame::reset`, which needs it exclusively, cannot run: the bytes stay resident.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl core::fmt::Debug for Pinned {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Pinned({} bytes)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(frame: &Frame, pages: Range<usize>, end: usize, byte: u8) {
        frame
            .fill(pages, end, |dest| {
                dest.fill(byte);
                Ok(())
            })
            .unwrap();
    }

    #[test]
    fn pages_become_resident_one_by_one_beside_borrowed_ones() {
        let budget = Budget::new(1 << 20);
        let frame = Frame::new(&budget, 4 * 4096 + 100, 12).unwrap();
        assert!(frame.resident(0, 1).is_none());
        filled(&frame, 1..2, 8192, 7);
        let borrowed = frame.resident(4096, 4096).unwrap();
        filled(&frame, 2..5, 4 * 4096 + 100, 9);
        assert!(borrowed.iter().all(|byte| *byte == 7));
        assert_eq!(frame.resident(8191, 2).unwrap(), [7, 9]);
        assert!(frame.resident(4095, 2).is_none());
        assert!(frame.resident(4 * 4096, 101).is_none());
        assert!(frame.resident(usize::MAX, 2).is_none());
    }

    #[test]
    fn all_64_pages_are_told_apart() {
        let budget = Budget::new(1 << 20);
        let frame = Frame::new(&budget, 64 * 4096, 12).unwrap();
        filled(&frame, 0..64, 64 * 4096, 1);
        assert_eq!(frame.resident(0, 64 * 4096).unwrap().len(), 64 * 4096);
    }

    #[test]
    fn a_page_cut_once_may_be_whole_later() {
        let budget = Budget::new(1 << 20);
        let mut frame = Frame::new(&budget, 8192, 12).unwrap();
        filled(&frame, 0..1, 100, 1);
        assert_eq!(frame.resident(0, 4096).unwrap()[99..101], [1, 0], "a page is zero behind the end of its file");
        frame.reset(12);
        assert!(frame.resident(0, 1).is_none());
        frame
            .fill(0..1, 4096, |dest| {
                assert_eq!(dest[99..101], [1, 0], "whatever was there before");
                Err(FileError::Gone)
            })
            .unwrap_err();
        frame.reset(13);
        filled(&frame, 0..1, 8192, 2);
        assert_eq!(frame.resident(8191, 1).unwrap(), [2]);
    }

    #[test]
    fn failed_and_reentered_fills_leave_pages_absent() {
        let budget = Budget::new(1 << 20);
        let frame = Frame::new(&budget, 8192, 12).unwrap();
        assert!(frame.fill(0..1, 4096, |_| Err(FileError::Gone)).is_err());
        assert!(frame.resident(0, 1).is_none());
        let inner = frame.fill(0..1, 4096, |_| {
            assert_eq!(frame.fill(0..1, 4096, |_| Ok(())), Err(FileError::Reentered));
            frame.fill(1..2, 8192, |dest| {
                dest.fill(3);
                Ok(())
            })
        });
        assert_eq!(inner, Ok(()));
        assert_eq!(frame.resident(4096, 1).unwrap(), [3]);
    }

    #[test]
    fn a_pin_keeps_its_bytes_and_its_share_of_the_budget() {
        let budget = Budget::new(8192);
        let frame = Rc::new(Frame::new(&budget, 8192, 12).unwrap());
        filled(&frame, 0..1, 4096, 5);
        let pinned = Pinned::new(frame, 10, 20).unwrap();
        let part = pinned.part(5..10).unwrap();
        drop(pinned);
        assert_eq!(*part, [5; 5]);
        assert!(part.part(0..6).is_none());
        assert!(Frame::new(&budget, 1, 12).is_none(), "the pinned frame uses the whole budget");
        drop(part);
        assert_eq!((budget.used_bytes(), budget.peak_bytes()), (0, 8192));
        assert!(Pinned::empty().is_empty());
    }
}
