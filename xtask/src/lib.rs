//! Build steps that cargo and npm do not have. The command line is in `main.rs`; `tests/tidy.rs` runs the checks as tests.
#![forbid(unsafe_code)]

pub mod beside_native;
pub mod files;
pub mod inputs;
pub mod lists;
pub mod metadata;
pub mod nightly;
pub mod size;
pub mod tidy;
pub mod wasm;
