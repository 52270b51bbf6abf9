//! Staging: moves tables between roots, and compares HEAD, the staged and the working root.

pub mod stage;
pub mod status;
