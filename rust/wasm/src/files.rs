//! Files and directories of the host, for the region.

use core::ops::Range;
use std::rc::Rc;

use region::{Directory, File, FileError};

use crate::host::{self, Refusal};

/// A directory that the host opened, by its number.
pub(crate) struct HostDirectory {
    number: u32,
    suspends: bool,
    is_remote: bool,
}

impl HostDirectory {
    pub(crate) fn new(number: u32) -> HostDirectory {
        let traits = host::directory_traits(number);
        HostDirectory { number, suspends: traits & 1 != 0, is_remote: traits & 2 != 0 }
    }

    /// Whether its bytes come from somebody who vouches for nothing.
    pub(crate) fn is_remote(&self) -> bool {
        self.is_remote
    }
}

impl Directory for HostDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        match host::open(self.number, path, self.suspends) {
            Ok(number) => Ok(Some(Rc::new(HostFile::new(number, self.suspends)))),
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
}

/// An open file of the host. Its length is asked for once: what is open for reading does not grow.
struct HostFile {
    number: u32,
    length_bytes: u64,
    page_bytes: usize,
    suspends: bool,
}

impl HostFile {
    fn new(number: u32, suspends: bool) -> HostFile {
        HostFile { number, length_bytes: host::length(number), page_bytes: host::page_bytes(number), suspends }
    }
}

impl File for HostFile {
    fn len(&self) -> u64 {
        self.length_bytes
    }

    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError> {
        host::read(self.number, offset, dest, self.suspends).map_err(error_of)
    }

    fn will_need(&self, ranges: &[Range<u64>]) {
        let ranges: Vec<[f64; 2]> = ranges.iter().map(|range| [range.start as f64, range.end as f64]).collect();
        host::announce(self.number, &ranges);
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

fn error_of(refusal: Refusal) -> FileError {
    match refusal {
        Refusal::Gone | Refusal::Absent => FileError::Gone,
        Refusal::Cancelled => FileError::Cancelled,
        Refusal::Host => FileError::Host(host::text().into()),
    }
}
