//! Procedures that maintain databases: garbage collection, verification, statistics, dropped databases.

pub mod column_tag;
pub mod dropped_databases;
pub mod fsck;
pub mod gc;
pub mod new_database;
pub mod statistics;

/// The procedures of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] =
    &[column_tag::ENTRIES, dropped_databases::ENTRIES, fsck::ENTRIES, gc::ENTRIES, statistics::ENTRIES];
