//! Bytes in, bytes out: checked integers, chunk addresses, hashes, checksums and compression. No I/O.
//!
//! Each file is our name over somebody else's code, so swapping a crate touches one file:
//! `address` stands on `sha2`, `crc32c` on `crc32c`, `xxh3` on `xxhash-rust`, `snappy` on `snap`, `zstd` on `zstd-rs`.
#![forbid(unsafe_code)]

mod address;
mod error;
mod reader;

pub use address::Address;
pub use error::Corrupt;
pub use reader::Reader;
