//! Constraints after a merge: dangling foreign keys, unique indexes, the conflicts and violations that are recorded.

pub mod artifact_draft;
pub mod dangling;
pub mod foreign_keys;
pub mod unique;
