//! Join operators: hash, nested-loop, index lookup and lateral joins, with the hash tables and runtime filters that they share.

pub mod hash_indexed_scan;
pub mod hash_join;
pub mod hash_table;
pub mod lateral_join;
pub mod lookup_join;
pub mod runtime_filter;
pub mod shared_hash_table;
