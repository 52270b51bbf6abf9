//! Errors of files and mappings.

use std::rc::Rc;

/// Why a file could not be read. The host's own words are kept for people, the variant is for code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("{wanted_bytes} bytes at offset {offset_bytes} are past the end of {length_bytes} bytes")]
    PastEnd { offset_bytes: u64, wanted_bytes: u64, length_bytes: u64 },
    #[error("read {read_bytes} of {wanted_bytes} bytes at offset {offset_bytes}")]
    ShortRead { offset_bytes: u64, wanted_bytes: u64, read_bytes: u64 },
    /// The file was there when it was opened and is not any more, as after a garbage collection by another process.
    #[error(
        "the file was removed or closed while the database was open, as by clearing a site's data: open the database again, or restore a copy"
    )]
    Gone,
    /// A file called back into the mapping that was filling a page from it.
    #[error("the file reads itself")]
    Reentered,
    /// The statement was cancelled while the host waited for bytes.
    #[error("the read was cancelled")]
    Cancelled,
    /// The place that the file came from cannot be written: a picked file, an archive, a web server.
    #[error("the file is read-only")]
    ReadOnly,
    /// Nothing was done: the host has to open or move something first. It is known to the host, which asks again.
    #[error("the host has to prepare a file first")]
    Wait,
    /// Another writer replaced the file first: a conditional write to a remote lost the race, and nothing was written.
    #[error("another writer replaced the file first")]
    Moved,
    /// The disk is full, or the quota of the origin.
    #[error("no space left")]
    NoSpace,
    #[error("{0}")]
    Host(Box<str>),
}

/// Why a range of a mapping could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegionError {
    #[error("{file}: {error}")]
    File { file: Rc<str>, error: FileError },
    #[error("{file}: {wanted_bytes} bytes at offset {offset_bytes} are past the end of {length_bytes} bytes")]
    PastEnd { file: Rc<str>, offset_bytes: u64, wanted_bytes: u64, length_bytes: u64 },
    /// Everything that the budget allows is pinned.
    #[error(
        "{file}: {wanted_bytes} bytes at offset {offset_bytes} do not fit beside {used_bytes} pinned bytes of a budget of {budget_bytes}"
    )]
    Budget { file: Rc<str>, offset_bytes: u64, wanted_bytes: u64, used_bytes: u64, budget_bytes: u64 },
}
