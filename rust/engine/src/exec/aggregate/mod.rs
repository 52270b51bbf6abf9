//! Grouping operators: hash and sorted aggregation, loose index scans, DISTINCT.

pub mod distinct;
pub mod distinct_arguments;
pub mod hash_aggregate;
pub mod loose_index_scan;
pub mod sorted_aggregate;
