//! Bytes in, bytes out: checked integers, chunk addresses, hashes, checksums, compression, digits. No I/O.
//!
//! Most files wrap a crate under our names, so that swapping a crate touches one file:
//! `address` uses `sha2`, `crc32c` `crc32c`, `xxh3` `xxhash-rust`, `snappy` `snap`, `zstd` `zstd-rs`. The others say why
//! they are our own, or are of Dolt's formats alone.
#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used))]

mod address;
pub mod base64;
mod crc32c;
mod error;
pub mod hex;
mod reader;
pub mod samples;
pub mod snappy;
mod sort;
pub mod varint;
mod wire;
mod xxh3;
pub mod zstd;

pub use address::{Address, AddressBuilder};
pub use crc32c::{crc32c, crc32c_append, crc32c_combine};
pub use error::Corrupt;
pub use reader::Reader;
pub use sort::{CompactSort, sort_numbered};
pub use wire::WireField;
pub use xxh3::{xxh3_64, xxh3_128};
