//! Procedures that make commits and move refs: commit, merge, rebase, cherry-pick, revert, branch, tag.

pub mod branch;
pub mod cherry_pick;
pub mod commit;
pub mod count_commits;
pub mod merge;
pub mod rebase;
pub mod rebase_plan;
pub mod replay;
pub mod resolve;
pub mod revert;
pub mod tag;
pub mod verify_constraints;

/// The procedures of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] = &[
    branch::ENTRIES,
    cherry_pick::ENTRIES,
    commit::ENTRIES,
    count_commits::ENTRIES,
    merge::ENTRIES,
    rebase::ENTRIES,
    resolve::ENTRIES,
    revert::ENTRIES,
    tag::ENTRIES,
    verify_constraints::ENTRIES,
];
