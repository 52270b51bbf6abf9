//! Files as page-mapped ranges of linear memory: mmap where there is none.

mod error;
mod file;
mod memory_file;
#[cfg(not(target_family = "wasm"))]
mod native_file;

pub use error::{FileError, RegionError};
pub use file::{Directory, File};
pub use memory_file::{MemoryDirectory, MemoryFile};
#[cfg(not(target_family = "wasm"))]
pub use native_file::{NativeDirectory, NativeFile};
