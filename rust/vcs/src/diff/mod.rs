//! Differences: tables between two roots, rows between two versions of a table, statistics, the history of a table.

pub mod column_map;
pub mod rekeyed_diff;
pub mod row_diff;
pub mod stat;
pub mod table_deltas;
pub mod table_history;
