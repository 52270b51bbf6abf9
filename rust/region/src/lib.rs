//! Files as page-mapped ranges of linear memory: mmap where there is none.
//!
//! A [`Mapping`] is a file seen as bytes. [`Mapping::bytes`] gives a pinned slice of memory; pages that are not resident are
//! brought in first, by a plain synchronous [`File::read_at`] straight into the frame that keeps them. Files are divided into
//! segments of contiguous pages, so that a slice may span pages without a copy; a slice over a segment's end is copied, and
//! counted. Frames live under one budget of bytes that is never exceeded, and unpinned ones are taken back by a clock.

mod advice;
#[cfg(not(target_family = "wasm"))]
mod counted_heap;
mod crash_directory;
mod error;
mod fault_file;
mod file;
mod frame;
mod lock;
mod mapping;
mod memory_file;
#[cfg(not(target_family = "wasm"))]
mod native_file;
mod region;
#[cfg(any(test, target_family = "wasm"))]
mod small_blocks;
mod stats;
mod table;

pub use advice::Advice;
#[cfg(not(target_family = "wasm"))]
pub use counted_heap::CountedHeap;
pub use crash_directory::CrashDirectory;
pub use error::{FileError, RegionError};
pub use fault_file::FaultFile;
pub use file::{Directory, File};
pub use frame::Pinned;
pub use lock::{Lock, MemoryLock};
pub use mapping::{Mapping, Mode};
pub use memory_file::{MemoryDirectory, MemoryFile};
#[cfg(not(target_family = "wasm"))]
pub use native_file::{NativeDirectory, NativeFile, NativeLock};
pub use region::{Options, Region};
#[cfg(target_family = "wasm")]
pub use small_blocks::SmallBlocks;
pub use stats::Stats;
