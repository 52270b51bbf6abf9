//! System tables of merges: status, conflicts, constraint violations, previews.

pub(crate) mod artifact_rows;
pub mod preview;
pub mod status;

/// The system tables of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] = &[artifact_rows::ENTRIES, preview::ENTRIES, status::ENTRIES];
