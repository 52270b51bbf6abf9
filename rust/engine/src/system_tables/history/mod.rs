//! System tables of the commit graph: log, commits, refs, reflog, row history, blame.

pub mod blame;
pub mod branch_status;
pub mod changed_tables;
pub mod commits;
pub mod log;
pub mod reflog;
pub mod refs;
pub mod table_history;

/// The system tables of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] = &[
    blame::ENTRIES,
    branch_status::ENTRIES,
    changed_tables::ENTRIES,
    commits::ENTRIES,
    log::ENTRIES,
    reflog::ENTRIES,
    refs::ENTRIES,
    table_history::ENTRIES,
];
