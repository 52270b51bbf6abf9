//! Counting allocator for tests: how much each thread has allocated, so that tests can check what statements take and release.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK_BYTES: Cell<isize> = const { Cell::new(0) };
}

/// See the module.
pub struct CountedHeap;

impl CountedHeap {
    /// Bytes that this thread has allocated and not freed; what another thread frees counts for that one.
    pub fn bytes() -> isize {
        BYTES.get()
    }

    /// The most that [`CountedHeap::bytes`] was since [`CountedHeap::forget_peak`].
    pub fn peak_bytes() -> isize {
        PEAK_BYTES.get()
    }

    pub fn forget_peak() {
        PEAK_BYTES.set(BYTES.get());
    }

    fn count(bytes: isize) {
        let now = BYTES.get() + bytes;
        BYTES.set(now);
        PEAK_BYTES.set(PEAK_BYTES.get().max(now));
    }
}

#[expect(unsafe_code, reason = "an allocator")]
unsafe impl GlobalAlloc for CountedHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CountedHeap::count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        CountedHeap::count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        CountedHeap::count(-(layout.size() as isize));
        unsafe { System.dealloc(block, layout) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CountedHeap::count(size as isize - layout.size() as isize);
        unsafe { System.realloc(block, layout, size) }
    }
}
