//! Tests of costs: how many rows, chunks and flushes a statement takes.

pub mod a_commit_flushes_once;
pub mod a_small_write_writes_few_chunks;
pub mod long_values_are_read_as_far_as_asked;
pub mod merges_read_little;
pub mod operations_read_little;
pub mod plans_read_what_they_give;
pub mod system_tables_read_little;
