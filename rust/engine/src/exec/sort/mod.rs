//! Sorting: ORDER BY, top-N, merges of sorted runs, LIMIT.

pub(crate) mod limit;
pub mod merge_runs;
pub mod order_by;
pub mod row_order;
pub mod row_sort;
