//! Small-block allocator of a wasm module with one thread: one free list for each size; larger blocks come from the system's allocator,
//! which is dlmalloc there.
//!
//! A statement makes and drops a hundred small things, and one that writes a dozen of the size of a tree's node. dlmalloc joins and
//! splits blocks each time, a list does not. Every list keeps some kilobytes at most, so that what was small once can become large
//! again.
//!
//! It counts the bytes that the system has given, so that a statement that takes too many fails before an allocation does, and keeps a
//! reserve for the time until that is noticed: where the system has no more memory, the reserve is given up and [`SmallBlocks::bytes_left`]
//! is 0 until there is another one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;

/// Sizes of dlmalloc's blocks are multiples of this, with a word of its own before each.
const STEP: usize = 8;
const WORD: usize = 4;
/// Sizes up to here are `STEP * class + WORD`; those of class 0 could not hold a link.
const FINE_MAX: usize = 512;
const FINE_CLASSES: usize = FINE_MAX / STEP + 1;
/// From there on sizes are so far apart: most nodes lose a hundred bytes.
const COARSE_STEP: usize = 256;
const SMALL_MAX: usize = 8 << 10;
const CLASSES: usize = FINE_CLASSES + (SMALL_MAX - FINE_MAX) / COARSE_STEP;
/// Bytes that a list keeps: of the size of nodes as many as a thousand rows take when they are committed together.
const FINE_KEPT_BYTES: usize = 32 << 10;
const COARSE_KEPT_BYTES: usize = 128 << 10;

/// dlmalloc asks for memory a page at a time, and the host takes tens of microseconds for each and has its collector look at what it
/// gave. Once memory has grown it grows once more, by this part of it: a document of 2 MB took thousands of turns.
#[cfg(target_arch = "wasm32")]
const AHEAD_PART: usize = 8;
#[cfg(target_arch = "wasm32")]
const AHEAD_BYTES_MAX: usize = 32 << 20;

/// The reserve, which is held once the system has given [`RESERVED_FROM_BYTES`]. Its pages are never touched.
const RESERVE_BYTES: usize = 16 << 20;
const RESERVED_FROM_BYTES: usize = 64 << 20;
const RESERVE: Layout = match Layout::from_size_align(RESERVE_BYTES, STEP) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u64>(),
};

/// See the module.
pub struct SmallBlocks {
    lists: UnsafeCell<[List; CLASSES]>,
    /// Bytes of the system's blocks that are in use or in lists.
    given_bytes: Cell<usize>,
    /// Null before it is taken and when it was given up.
    reserve: Cell<*mut u8>,
}

/// Free blocks of one size.
#[derive(Clone, Copy)]
struct List {
    first: *mut Free,
    /// How many more it takes.
    room: u32,
}

struct Free {
    next: *mut Free,
}

const fn size_of(class: usize) -> usize {
    match class.checked_sub(FINE_CLASSES - 1) {
        None => STEP * class + WORD,
        Some(steps) => FINE_MAX + WORD + COARSE_STEP * steps,
    }
}

/// The smallest size that holds `layout`, unless it is large.
fn class_of(layout: &Layout) -> Option<usize> {
    let size = layout.size();
    if size > SMALL_MAX + WORD || layout.align() > STEP {
        return None;
    }
    Some(match size.checked_sub(FINE_MAX + WORD) {
        None => ((size + (STEP - WORD - 1)) / STEP).max(1),
        Some(more) => FINE_CLASSES - 1 + more.div_ceil(COARSE_STEP),
    })
}

fn layout_of(class: usize) -> Layout {
    Layout::from_size_align(size_of(class), STEP).unwrap_or(Layout::new::<u64>())
}

impl SmallBlocks {
    pub const fn new() -> SmallBlocks {
        let mut lists = [List { first: null_mut(), room: 0 }; CLASSES];
        let mut class = 0;
        while class < CLASSES {
            let kept_bytes = if class < FINE_CLASSES { FINE_KEPT_BYTES } else { COARSE_KEPT_BYTES };
            lists[class].room = (kept_bytes / size_of(class)) as u32;
            class += 1;
        }
        SmallBlocks { lists: UnsafeCell::new(lists), given_bytes: Cell::new(0), reserve: Cell::new(null_mut()) }
    }

    /// Bytes in use, with those in lists of free blocks.
    pub fn bytes(&self) -> usize {
        self.given_bytes.get()
    }

    /// Bytes that can still be had, more or less: 0 while the system refuses the reserve.
    pub fn bytes_left(&self) -> usize {
        if self.given_bytes.get() > RESERVED_FROM_BYTES && self.reserve.get().is_null() {
            #[expect(unsafe_code, reason = "an allocator")]
            self.reserve.set(unsafe { system_alloc(RESERVE) });
            if self.reserve.get().is_null() {
                return 0;
            }
        }
        usize::MAX - self.given_bytes.get()
    }

    /// Counts a block that the system gave instead of one of `before` bytes. Where it gave none, asks once more without the reserve, if
    /// that can help.
    #[inline]
    fn given(&self, block: *mut u8, before: usize, bytes: usize, again: impl FnOnce() -> *mut u8) -> *mut u8 {
        let helps = block.is_null() && bytes <= RESERVE_BYTES && self.gives_up_reserve();
        let block = if helps { again() } else { block };
        if !block.is_null() {
            self.given_bytes.set(self.given_bytes.get() - before + bytes);
        }
        block
    }

    /// Whether there was a reserve, which is the system's again.
    #[cold]
    #[inline(never)]
    #[expect(unsafe_code, reason = "an allocator")]
    fn gives_up_reserve(&self) -> bool {
        let reserve = self.reserve.replace(null_mut());
        if !reserve.is_null() {
            unsafe { System.dealloc(reserve, RESERVE) };
        }
        !reserve.is_null()
    }

    #[expect(unsafe_code, reason = "an allocator")]
    unsafe fn system_alloc(&self, layout: Layout) -> *mut u8 {
        self.given(unsafe { system_alloc(layout) }, 0, layout.size(), || unsafe { System.alloc(layout) })
    }

    #[expect(unsafe_code, reason = "an allocator")]
    unsafe fn system_dealloc(&self, block: *mut u8, layout: Layout) {
        self.given_bytes.set(self.given_bytes.get() - layout.size());
        unsafe { System.dealloc(block, layout) };
    }
}

/// A block of the system's.
#[expect(unsafe_code, reason = "an allocator")]
unsafe fn system_alloc(layout: Layout) -> *mut u8 {
    #[cfg(target_arch = "wasm32")]
    {
        let pages_before = core::arch::wasm32::memory_size::<0>();
        let block = unsafe { System.alloc(layout) };
        if core::arch::wasm32::memory_size::<0>() != pages_before {
            unsafe { grow_ahead(pages_before * 65_536) };
        }
        return block;
    }
    #[cfg(not(target_arch = "wasm32"))]
    unsafe {
        System.alloc(layout)
    }
}

/// dlmalloc keeps what it is given back, at the end of its memory. Without so much memory it does with less.
#[cfg(target_arch = "wasm32")]
#[cold]
#[inline(never)]
#[expect(unsafe_code, reason = "an allocator")]
unsafe fn grow_ahead(bytes: usize) {
    let Ok(layout) = Layout::from_size_align((bytes / AHEAD_PART).min(AHEAD_BYTES_MAX), STEP) else { return };
    let ahead = core::hint::black_box(unsafe { System.alloc(layout) });
    if !ahead.is_null() {
        unsafe { System.dealloc(ahead, layout) };
    }
}

impl Default for SmallBlocks {
    fn default() -> SmallBlocks {
        SmallBlocks::new()
    }
}

#[cfg(not(target_feature = "atomics"))]
#[expect(unsafe_code, reason = "there is one thread")]
unsafe impl Sync for SmallBlocks {}

#[expect(unsafe_code, reason = "an allocator")]
unsafe impl GlobalAlloc for SmallBlocks {
    #[inline(never)] // thousands of callers
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(class) = class_of(&layout) else { return unsafe { self.system_alloc(layout) } };
        let list = unsafe { &mut (*self.lists.get())[class] };
        if list.first.is_null() {
            return unsafe { self.system_alloc(layout_of(class)) };
        }
        let block = list.first;
        list.first = unsafe { (*block).next };
        list.room += 1;
        block.cast()
    }

    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(class) = class_of(&layout) else { return unsafe { self.system_dealloc(block, layout) } };
        let list = unsafe { &mut (*self.lists.get())[class] };
        if list.room == 0 {
            return unsafe { self.system_dealloc(block, layout_of(class)) };
        }
        let block: *mut Free = block.cast();
        unsafe { block.write(Free { next: list.first }) };
        list.first = block;
        list.room -= 1;
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if class_of(&layout).is_none() {
            let block = unsafe { System.alloc_zeroed(layout) };
            return self.given(block, 0, layout.size(), || unsafe { System.alloc_zeroed(layout) });
        }
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else { return null_mut() };
        match (class_of(&layout), class_of(&wanted)) {
            (None, None) => {
                let moved = unsafe { System.realloc(block, layout, size) };
                self.given(moved, layout.size(), size, || unsafe { System.realloc(block, layout, size) })
            }
            (before, after) if before == after => block,
            _ => {
                let moved = unsafe { self.alloc(wanted) };
                if !moved.is_null() {
                    unsafe { moved.copy_from_nonoverlapping(block, layout.size().min(size)) };
                    unsafe { self.dealloc(block, layout) };
                }
                moved
            }
        }
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "calls of an allocator")]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn small_blocks_come_again_and_fit() {
        assert_eq!(size_of(CLASSES - 1), SMALL_MAX + WORD);
        for size in 1..=SMALL_MAX + 40 {
            let class = class_of(&layout(size, 8));
            assert_eq!(class.is_some(), size <= SMALL_MAX + WORD, "{size}");
            assert!(class.is_none_or(|class| size <= size_of(class) && (class == 1 || size > size_of(class - 1))));
        }
        assert_eq!(class_of(&layout(16, 16)), None);
        let blocks = SmallBlocks::new();
        let first = unsafe { blocks.alloc(layout(20, 4)) };
        unsafe { blocks.dealloc(first, layout(20, 4)) };
        assert_eq!(unsafe { blocks.alloc(layout(17, 8)) }, first);
        unsafe { blocks.dealloc(first, layout(17, 8)) };
    }

    #[test]
    fn bytes_stay_when_a_block_grows_and_shrinks() {
        let blocks = SmallBlocks::new();
        let mut size = 1;
        let mut block = unsafe { blocks.alloc_zeroed(layout(size, 1)) };
        for (at, next) in [5, 12, 13, 100, 511, 513, 600, 5_000, 20_000, 8_000, 700, 400, 30, 2].into_iter().enumerate()
        {
            unsafe { block.write(at as u8) };
            block = unsafe { blocks.realloc(block, layout(size, 1), next) };
            size = next;
            assert_eq!(unsafe { block.read() }, at as u8);
        }
        unsafe { blocks.dealloc(block, layout(size, 1)) };
        let dirty = unsafe { blocks.alloc_zeroed(layout(2, 1)) };
        assert_eq!(unsafe { [dirty.read(), dirty.add(1).read()] }, [0, 0]);
        unsafe { blocks.dealloc(dirty, layout(2, 1)) };
    }

    #[test]
    fn what_the_system_gave_is_counted_and_the_reserve_is_given_up_once() {
        let blocks = SmallBlocks::new();
        assert_eq!((blocks.bytes(), blocks.bytes_left()), (0, usize::MAX));
        let large = unsafe { blocks.alloc(layout(RESERVED_FROM_BYTES, 8)) };
        let large = unsafe { blocks.realloc(large, layout(RESERVED_FROM_BYTES, 8), RESERVED_FROM_BYTES + 9) };
        assert!(!blocks.gives_up_reserve());
        assert_eq!(blocks.bytes_left(), usize::MAX - RESERVED_FROM_BYTES - 9);
        assert!(blocks.gives_up_reserve() && !blocks.gives_up_reserve());
        unsafe { blocks.dealloc(large, layout(RESERVED_FROM_BYTES + 9, 8)) };
        assert_eq!(blocks.bytes(), 0);
    }

    #[test]
    fn a_list_keeps_a_bounded_number() {
        let blocks = SmallBlocks::new();
        let many: Vec<*mut u8> = (0..2_000).map(|_| unsafe { blocks.alloc(layout(64, 8)) }).collect();
        many.iter().for_each(|block| unsafe { blocks.dealloc(*block, layout(64, 8)) });
        let class = class_of(&layout(64, 8)).unwrap();
        let list = unsafe { (*blocks.lists.get())[class] };
        assert_eq!(list.room, 0);
        let (mut kept, mut block) = (0, list.first);
        while !block.is_null() {
            kept += 1;
            let next = unsafe { (*block).next };
            unsafe { System.dealloc(block.cast(), layout_of(class)) };
            block = next;
        }
        assert_eq!(kept, FINE_KEPT_BYTES / size_of(class));
    }
}
