//! Procedures that change the working set: stage, reset, clean, check out, stash.

pub mod add;
pub mod checkout;
pub mod clean;
pub mod reset;
pub mod stash;
