//! Tests of transactions: isolation, group commit, redo after a crash, reads below pending changes.

pub mod base_snapshot_reads_are_right;
pub mod bulk_statements_are_committed_in_groups;
pub mod durable_statements_are_committed_in_groups;
pub mod relaxed_statements_are_committed_in_groups;
pub mod transactions_are_committed_in_groups;
pub mod transactions_are_isolated;
pub mod transactions_write_their_trees_once;
