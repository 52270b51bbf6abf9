//! Chunks by address: manifest, table files, archives, journal, generations.
//!
//! Indexes are never loaded: a lookup reads the mapped arrays of the files. Nothing is cached here but the pages of the region
//! and prepared dictionaries; decoded nodes are cached in the tree.
#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used))]

mod archive;
mod chunk_store;
mod chunks;
mod collect;
mod copy;
mod error;
mod files;
mod ghosts;
mod journal;
mod layout;
mod lazy;
mod loss;
mod manifest;
mod memory_chunks;
mod opened;
mod options;
mod pending;
mod record;
mod remote;
mod scan;
mod search;
mod source;
mod stats;
mod table_file;
mod whole_file;
mod writer;

pub use archive::decode_dictionary;
pub use chunk_store::ChunkStore;
pub use chunks::Chunks;
pub use collect::{CollectMode, Collection, Progress, References};
pub use copy::{Copied, Copy};
pub use error::{Obstacle, StoreError};
pub use journal::PastRoot;
pub use layout::Layout;
pub use lazy::{LazyClone, Pinned, PinnedFile};
pub use loss::{Loss, LossKind};
pub use manifest::{ListedFile, Manifest};
pub use memory_chunks::MemoryChunks;
pub use options::{Durability, OpenOptions, Verify, WriteOptions};
pub use record::{CHUNK_BYTES_MAX, decode as decode_record, encode as encode_record};
pub use region::Lock;
pub use remote::{Remote, RemoteOptions};
pub use scan::{EachScanned, Scan, Scanned};
pub use stats::Stats;
pub use whole_file::WholeFile;
pub use writer::Committed;
