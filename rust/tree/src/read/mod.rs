//! Reads of trees: cursors, range scans, batched lookups, overlay leaves, diffs.

pub mod batched_lookups;
pub mod cursor;
pub mod diff;
pub mod key_list;
pub mod overlay_leaf;
pub mod scan;
pub mod three_way_diff;
