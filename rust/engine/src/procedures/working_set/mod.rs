//! Procedures that change the working set: stage, reset, clean, check out, stash.

pub mod add;
pub mod checkout;
pub mod clean;
pub mod reset;
pub mod stash;

/// The procedures of this folder, by file.
pub(super) const ENTRIES: &[&[super::entry::Entry]] =
    &[add::ENTRIES, checkout::ENTRIES, clean::ENTRIES, reset::ENTRIES, stash::ENTRIES];
