//! File and directory traits: the one interface to the host's storage.

use core::ops::Range;
use std::rc::Rc;

use crate::FileError;

/// An open file. Every call is synchronous; over a network the host suspends the whole stack inside it.
///
/// Handles take `&self`: one file may back several mappings, and nothing here is shared between threads.
pub trait File {
    /// Length now, in bytes. A growing file answers more later; a mapping asks only on request.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `dest` with the bytes at `offset`.
    ///
    /// `dest` is the memory that keeps them (a page frame, mostly), so an implementation hands pointer and length to the host
    /// and copies nothing. It must not call back into the region.
    ///
    /// # Errors
    /// [`FileError`] when fewer than `dest.len()` bytes could be had; `dest` then holds anything.
    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError>;

    /// Tells that these byte ranges (sorted, disjoint, inside the file) will be read soon. Starts, never waits.
    fn will_need(&self, ranges: &[Range<u64>]) {
        let _ = ranges;
    }

    /// Reports that the bytes of this range are wrong. A host that caches a remote file drops its copies, so that the next
    /// read fetches them again.
    fn renew(&self, range: Range<u64>) {
        let _ = range;
    }

    /// Writes `bytes` at `offset`, which is at most the length; what was there is replaced, the rest makes the file longer. Other
    /// readers of the file see it; it is safe from a crash only after [`File::flush`].
    ///
    /// # Errors
    /// [`FileError::ReadOnly`] by default; what the host says, such as that there is no space left. The bytes from `offset` on are
    /// anything then.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        let _ = (offset, bytes);
        Err(FileError::ReadOnly)
    }

    /// Cuts the file to `len` bytes, or makes it so long: what is new reads as zeros, and takes no time to be written.
    ///
    /// # Errors
    /// As [`File::write_at`].
    fn truncate(&self, len: u64) -> Result<(), FileError> {
        let _ = len;
        Err(FileError::ReadOnly)
    }

    /// Returns when everything written so far would survive a crash.
    ///
    /// # Errors
    /// As [`File::write_at`]; nothing is known about what was written then.
    fn flush(&self) -> Result<(), FileError> {
        Err(FileError::ReadOnly)
    }

    /// Bytes that are worth fetching at a time: a power of two, at least 4 KiB. The region caps it at one segment.
    fn page_bytes(&self) -> usize {
        64 * 1024
    }
}

/// The directory that holds a database. Paths are relative, with `/`, such as `.dolt/noms/manifest`.
pub trait Directory {
    /// Opens the file at `path`; `None` when there is none.
    ///
    /// # Errors
    /// [`FileError`] when the host cannot tell, or refuses.
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError>;

    /// Names (not paths) of files and directories in `path`, unsorted; `None` when the host cannot list, as over HTTP.
    /// An absent directory is an empty list.
    ///
    /// # Errors
    /// [`FileError`] when the host refuses.
    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError>;

    /// An empty file at `path`, over one that is there; directories on the way are made.
    ///
    /// # Errors
    /// [`FileError::ReadOnly`] by default; [`FileError::Wait`] when the host has to do it first and wants to be asked again.
    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        let _ = path;
        Err(FileError::ReadOnly)
    }

    /// Gives a file another name, over a file that has it: at no moment, not even after a crash, is there none or half of one.
    /// Once it has returned, a crash does not undo it, nor the names of files that were made in the same directory before.
    ///
    /// # Errors
    /// As [`Directory::create`].
    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        let _ = (from, to);
        Err(FileError::ReadOnly)
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// # Errors
    /// As [`Directory::create`].
    fn remove(&self, path: &str) -> Result<(), FileError> {
        let _ = path;
        Err(FileError::ReadOnly)
    }
}

/// Checks `[offset, offset + wanted)` against a file of `length_bytes`.
pub(crate) fn check_range(offset: u64, wanted: usize, length_bytes: u64) -> Result<(), FileError> {
    match offset.checked_add(wanted as u64) {
        Some(end) if end <= length_bytes => Ok(()),
        _ => Err(FileError::PastEnd { offset_bytes: offset, wanted_bytes: wanted as u64, length_bytes }),
    }
}
