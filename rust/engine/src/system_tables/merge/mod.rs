//! System tables of merges: status, conflicts, constraint violations, previews.

pub(crate) mod artifact_rows;
pub mod preview;
pub mod status;
