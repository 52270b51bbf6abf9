//! Tests of transactions: isolation, group commit, redo after a crash, reads below pending changes.

pub mod bulk_statements_are_settled_together;
pub mod durable_statements_are_settled_together;
pub mod reads_below_edits_are_right;
pub mod relaxed_statements_are_settled_together;
pub mod transactions_are_isolated;
pub mod transactions_are_settled_together;
pub mod transactions_write_their_trees_once;
