//! Linear memory, which never shrinks, and the heap in it.

use core::cell::Cell;
use core::hint::black_box;

const PAGE_BYTES: u64 = 65_536;

/// The allocator asks for a page at a time, and the browser takes tens of microseconds to give it, however much is asked for.
const AHEAD_BYTES: usize = 2 << 20;

thread_local! {
    static BYTES_BEFORE: Cell<u64> = const { Cell::new(0) };
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn bytes() -> u64 {
    core::arch::wasm32::memory_size::<0>() as u64 * PAGE_BYTES
}

/// Bytes of the heap that are in use.
#[cfg(target_arch = "wasm32")]
pub(crate) fn heap_bytes() -> u64 {
    crate::ALLOCATOR.bytes() as u64
}

/// Bytes that can still be allocated, more or less.
#[cfg(target_arch = "wasm32")]
pub(crate) fn bytes_left() -> usize {
    crate::ALLOCATOR.bytes_left()
}

// There is none where the crate is only checked.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn bytes() -> u64 {
    PAGE_BYTES
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn heap_bytes() -> u64 {
    0
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn bytes_left() -> usize {
    usize::MAX
}

/// To be called between statements: when memory has grown, it grows once more, by what many statements will need. The allocator
/// keeps what is given back to it.
pub(crate) fn grow_ahead() {
    let before = BYTES_BEFORE.get();
    if before != bytes() {
        let mut ahead = Vec::<u8>::new();
        // Without that much memory statements do with less.
        let _ = ahead.try_reserve_exact(AHEAD_BYTES);
        drop(black_box(ahead));
        BYTES_BEFORE.set(bytes());
    }
}
