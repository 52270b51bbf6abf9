//! Serial messages: one file per flatbuffers table (format: tree.md, sections 1 and 2).
//!
//! A reader names its table once as a [`flat::Shape`], opens the chunk with [`flat::root`] and reads slots; every offset is
//! checked when it is followed, nothing is copied.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used))]

pub mod flat;
