//! The error type of decoding.

/// Bytes that do not have the form their format promises.
///
/// `at_bytes` counts from the first byte of the structure that was being decoded; the caller, which knows the file, adds its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {at_bytes}")]
pub struct Corrupt {
    pub what: &'static str,
    pub at_bytes: u64,
}

impl Corrupt {
    pub fn new(what: &'static str, at_bytes: usize) -> Self {
        Corrupt { what, at_bytes: at_bytes as u64 }
    }
}
