//! Serial messages: one file per flatbuffers table (docs/format/tree.md, sections 1 and 2).
//!
//! A reader names its table once as a [`flat::Shape`], opens the chunk with [`flat::root`] and reads slots; every offset is
//! checked when it is followed, nothing is copied.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used))]

pub mod build;
pub mod commit;
mod copies;
pub mod flat;
pub mod foreign_keys;
pub mod node;
pub mod node_writer;
pub mod references;
pub mod root_value;
pub mod schema;
pub mod stash;
pub mod statistic;
pub mod store_root;
pub mod table;
pub mod tag;
pub mod tuple_value;
pub mod working_set;

pub use copies::Copies;
