//! The operations of the native bench `leaf` as wasm exports with numbers, each run `times` times inside wasm, so that the
//! call across the boundary does not count. Every export returns a checksum.
//!
//! `allocations` tells how often memory was asked for since the start.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::hint::black_box;
use std::alloc::System;

use leaf::{Leaf, ROWS};

// The same file, since tools do not import one another.
#[path = "../../native/src/leaf.rs"]
pub mod leaf;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u32> = const { Cell::new(0) };
    static LEAF: Leaf = Leaf::new();
}

// SAFETY: every call goes to the system's allocator unchanged.
#[expect(unsafe_code, reason = "an allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs one operation many times; `turn` walks over the rows.
fn repeat(times: u32, operation: impl Fn(&Leaf, u64) -> i64) -> f64 {
    LEAF.with(|leaf| {
        let mut turn = 0;
        let mut sum = 0i64;
        for _ in 0..times {
            turn = (turn + 37) % ROWS as u64;
            sum = sum.wrapping_add(operation(black_box(leaf), turn));
        }
        sum as f64
    })
}

macro_rules! exports {
    ($($name:ident: $operation:expr;)*) => { $(
        #[expect(unsafe_code, reason = "a plain wasm export; the name is not used elsewhere")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(times: u32) -> f64 {
            repeat(times, $operation)
        }
    )* };
}

exports! {
    scan_by_columns: |leaf, _| leaf.scan();
    scan_by_rows: |leaf, _| leaf.scan_by_rows();
    decode_to_owned: |leaf, _| leaf.decode_to_owned();
    ordinal: |leaf, turn| leaf.ordinal(turn);
    missing_key: |leaf, turn| i64::from(leaf.lookup_missing(turn as usize));
}

#[expect(unsafe_code, reason = "a plain wasm export; the name is not used elsewhere")]
#[unsafe(no_mangle)]
pub extern "C" fn allocations() -> u32 {
    ALLOCATIONS.get()
}
