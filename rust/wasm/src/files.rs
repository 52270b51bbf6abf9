//! Host files and directories, for the region.

use core::cell::Cell;
use core::ops::Range;
use std::rc::Rc;

use region::{Directory, File, FileError, Lock};

use crate::host::{self, Refusal};
use crate::layout::DirectoryTrait;

/// A directory that the host opened, by its number.
pub(crate) struct HostDirectory {
    number: u32,
    suspends: bool,
    is_remote: bool,
    is_writable: bool,
    /// See [`store::RemoteOptions::asserts_working_set`].
    asserts_working_set: bool,
}

impl HostDirectory {
    pub(crate) fn new(number: u32) -> HostDirectory {
        let traits = host::directory_traits(number);
        let is = |of: DirectoryTrait| traits & 1 << of as u32 != 0;
        HostDirectory {
            number,
            suspends: is(DirectoryTrait::Suspends),
            is_remote: is(DirectoryTrait::IsRemote),
            is_writable: is(DirectoryTrait::IsWritable),
            asserts_working_set: is(DirectoryTrait::AssertsWorkingSet),
        }
    }

    /// Whether its bytes come from an untrusted server.
    pub(crate) fn is_remote(&self) -> bool {
        self.is_remote
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn is_writable(&self) -> bool {
        self.is_writable
    }

    pub(crate) fn asserts_working_set(&self) -> bool {
        self.asserts_working_set
    }

    pub(crate) fn lock(&self) -> Rc<dyn Lock> {
        Rc::new(HostLock { directory: self.number, has_lease_epochs: Cell::default() })
    }

    fn file(&self, number: u32) -> Rc<dyn File> {
        Rc::new(HostFile::new(number, self))
    }
}

impl Directory for HostDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        match host::open(self.number, path, self.suspends) {
            Ok(number) => Ok(Some(self.file(number))),
            Err(Refusal::Absent) => Ok(None),
            Err(refusal) => Err(error_of(refusal)),
        }
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        match host::list(self.number, path) {
            Ok(_) => Ok(Some(host::text().lines().map(str::to_owned).collect())),
            Err(Refusal::Absent) => Ok(None),
            Err(refusal) => Err(error_of(refusal)),
        }
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        host::create(self.number, path).map(|number| self.file(number)).map_err(error_of)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        host::rename(self.number, from, to).map_err(error_of)
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        host::remove(self.number, path).map_err(error_of)
    }
}

/// The directory of a remote, released after its last use.
pub(crate) struct RemoteDirectory(pub(crate) HostDirectory);

impl Drop for RemoteDirectory {
    fn drop(&mut self) {
        host::remote_close(self.0.number);
    }
}

impl Directory for RemoteDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        self.0.open(path)
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        self.0.list(path)
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        self.0.create(path)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        self.0.rename(from, to)
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.0.remove(path)
    }
}

/// The right to write a database: one tab or process has it.
struct HostLock {
    directory: u32,
    /// Whether the host counted its terms when it was taken last.
    has_lease_epochs: Cell<bool>,
}

impl Lock for HostLock {
    fn try_lock(&self) -> Result<bool, FileError> {
        match host::take_lock(self.directory) {
            Ok(term) => {
                self.has_lease_epochs.set(term > 0);
                Ok(true)
            }
            Err(Refusal::Wait) => Ok(false),
            Err(refusal) => Err(error_of(refusal)),
        }
    }

    fn unlock(&self) {
        host::lock_release(self.directory);
    }

    fn claim(&self) -> Result<bool, FileError> {
        match host::claim_lock(self.directory) {
            Ok(()) => Ok(true),
            Err(Refusal::Wait) => Ok(false),
            Err(refusal) => Err(error_of(refusal)),
        }
    }

    fn change_counter(&self) -> Option<u64> {
        let news = host::directory_news(self.directory);
        (news >= 0.0).then_some(news as u64)
    }

    fn lease_epoch(&self) -> Option<u64> {
        let term = host::lock_term(self.directory);
        (term > 0).then_some(u64::from(term))
    }

    /// Not where the host hears nothing of other writers, as on a disk.
    fn may_defer(&self) -> bool {
        self.has_lease_epochs.get() && self.change_counter().is_some()
    }
}

/// An open file of the host.
struct HostFile {
    number: u32,
    /// Of an immutable file: asked for once.
    length_bytes: Option<u64>,
    page_bytes: usize,
    suspends: bool,
}

impl HostFile {
    fn new(number: u32, directory: &HostDirectory) -> HostFile {
        let length_bytes = (!directory.is_writable).then(|| host::length(number));
        HostFile { number, length_bytes, page_bytes: host::page_bytes(number), suspends: directory.suspends }
    }
}

impl File for HostFile {
    fn len(&self) -> u64 {
        self.length_bytes.unwrap_or_else(|| host::length(self.number))
    }

    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError> {
        let (offset_bytes, wanted_bytes) = (offset, dest.len() as u64);
        host::read(self.number, offset, dest, self.suspends).map_err(|refusal| match (refusal, self.len()) {
            // Native Dolt cuts the free room of a journal off when it opens it.
            (Refusal::Host, length_bytes) if length_bytes < offset_bytes.saturating_add(wanted_bytes) => {
                FileError::PastEnd { offset_bytes, wanted_bytes, length_bytes }
            }
            _ => error_of(refusal),
        })
    }

    fn will_need(&self, ranges: &[Range<u64>]) {
        let ranges: Vec<[f64; 2]> = ranges.iter().map(|range| [range.start as f64, range.end as f64]).collect();
        host::announce(self.number, &ranges);
    }

    fn renew(&self, range: Range<u64>) {
        host::renew(self.number, &range);
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        host::write(self.number, offset, bytes).map_err(error_of)
    }

    fn truncate(&self, len: u64) -> Result<(), FileError> {
        host::truncate(self.number, len).map_err(error_of)
    }

    fn flush(&self) -> Result<(), FileError> {
        host::flush(self.number).map_err(error_of)
    }

    fn page_bytes(&self) -> usize {
        self.page_bytes
    }
}

impl Drop for HostFile {
    fn drop(&mut self) {
        host::file_close(self.number);
    }
}

pub(crate) fn error_of(refusal: Refusal) -> FileError {
    match refusal {
        Refusal::Gone | Refusal::Absent => FileError::Gone,
        Refusal::Cancelled => FileError::Cancelled,
        Refusal::ReadOnly => FileError::ReadOnly,
        Refusal::Wait => FileError::Wait,
        Refusal::NoSpace => FileError::NoSpace,
        Refusal::Moved => FileError::Moved,
        Refusal::Host | Refusal::Denied => FileError::Host(host::text().into()),
    }
}
