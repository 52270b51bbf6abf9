//! Procedures that exchange data with remotes: fetch, pull, push, clone, backup, lazy clones.

pub mod backup;
pub mod clone;
pub mod complete;
pub mod exchange;
pub mod fetch;
pub mod prefetch;
pub mod pull;
pub mod push;
pub mod remotes;
pub mod upstream;

/// The procedures of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] = &[
    backup::ENTRIES,
    clone::ENTRIES,
    complete::ENTRIES,
    fetch::ENTRIES,
    prefetch::ENTRIES,
    pull::ENTRIES,
    push::ENTRIES,
    remotes::ENTRIES,
];
