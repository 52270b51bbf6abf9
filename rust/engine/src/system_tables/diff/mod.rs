//! System tables of differences: rows, columns, schemas, patches, query results, uncommitted rows.

pub mod column_diff;
pub mod json_diff;
pub mod patch;
pub mod query_diff;
pub mod revision_range;
pub mod summary;
pub mod table_diff;
pub(crate) mod workspace;

/// The system tables of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] = &[
    column_diff::ENTRIES,
    json_diff::ENTRIES,
    patch::ENTRIES,
    query_diff::ENTRIES,
    summary::ENTRIES,
    table_diff::ENTRIES,
    workspace::ENTRIES,
];
