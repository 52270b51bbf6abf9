//! System tables of differences: rows, columns, schemas, patches, query results, uncommitted rows.

pub mod column_diff;
pub mod json_diff;
pub mod patch;
pub mod query_diff;
pub mod revision_range;
pub mod summary;
pub mod table_diff;
pub(crate) mod workspace;
