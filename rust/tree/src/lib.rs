//! Chunks as sorted maps, read where they lie: serial messages, prolly tree nodes, tuples, cursors (format: tree.md).
#![forbid(unsafe_code)]

mod error;
pub mod message;

pub use error::TreeError;
