//! Chunks by address: manifest, table files, archives, journal, generations.
#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used))]

mod chunks;
mod error;
mod memory_chunks;
mod options;

pub use chunks::Chunks;
pub use error::StoreError;
pub use memory_chunks::MemoryChunks;
pub use options::{OpenOptions, Verify};
