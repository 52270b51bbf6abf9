//! What the native benches share. Benches may use the clock and the file system; the crates that they measure may not.
#![forbid(unsafe_code)]

pub mod archive_maker;
pub mod fixture;
pub mod leaf;
