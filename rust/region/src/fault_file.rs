//! Fault injection: a file for tests that counts reads and fails when told to.

use core::cell::{Cell, RefCell};
use core::ops::Range;
use std::rc::Rc;

use crate::{File, FileError};

/// Wraps a file.
pub struct FaultFile {
    file: Rc<dyn File>,
    page_bytes: usize,
    reads: RefCell<Vec<Range<u64>>>,
    announced: RefCell<Vec<Range<u64>>>,
    fail_at: Cell<Option<usize>>,
    wrong: RefCell<Vec<u64>>,
    renewed: RefCell<Vec<Range<u64>>>,
}

impl FaultFile {
    /// Wraps `file`, with pages of `page_bytes`.
    pub fn new(file: Rc<dyn File>, page_bytes: usize) -> Rc<FaultFile> {
        Rc::new(FaultFile {
            file,
            page_bytes,
            reads: RefCell::default(),
            announced: RefCell::default(),
            fail_at: Cell::new(None),
            wrong: RefCell::default(),
            renewed: RefCell::default(),
        })
    }

    /// Every read so far, as byte ranges, failed ones included.
    pub fn reads(&self) -> Vec<Range<u64>> {
        self.reads.borrow().clone()
    }

    /// Every range announced so far.
    pub fn announced(&self) -> Vec<Range<u64>> {
        self.announced.borrow().clone()
    }

    /// Lets the read after `reads` more ones fail, half-way through.
    pub fn fail_after(&self, reads: usize) {
        self.fail_at.set(Some(self.reads.borrow().len() + reads));
    }

    /// Reads another byte at `offset` until the range around it is renewed, as from a faulty copy of a remote file.
    pub fn make_wrong(&self, offset: u64) {
        self.wrong.borrow_mut().push(offset);
    }

    /// Every range that was renewed so far.
    pub fn renewed(&self) -> Vec<Range<u64>> {
        self.renewed.borrow().clone()
    }

    /// No read fails any more.
    pub fn heal(&self) {
        self.fail_at.set(None);
    }
}

impl File for FaultFile {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError> {
        let read = self.reads.borrow().len();
        self.reads.borrow_mut().push(offset..offset + dest.len() as u64);
        if self.fail_at.get() == Some(read) {
            let (wanted_bytes, half) = (dest.len() as u64, dest.len() / 2);
            self.file.read_at(offset, &mut dest[..half])?;
            return Err(FileError::ShortRead { offset_bytes: offset, wanted_bytes, read_bytes: half as u64 });
        }
        self.file.read_at(offset, dest)?;
        for at in self.wrong.borrow().iter().filter_map(|at| at.checked_sub(offset)) {
            if let Some(byte) = dest.get_mut(at as usize) {
                *byte ^= 0x55;
            }
        }
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        self.file.write_at(offset, bytes)
    }

    fn truncate(&self, len: u64) -> Result<(), FileError> {
        self.file.truncate(len)
    }

    fn flush(&self) -> Result<(), FileError> {
        self.file.flush()
    }

    fn will_need(&self, ranges: &[Range<u64>]) {
        self.announced.borrow_mut().extend_from_slice(ranges);
    }

    fn renew(&self, range: Range<u64>) {
        self.renewed.borrow_mut().push(range.clone());
        self.wrong.borrow_mut().retain(|at| !range.contains(at));
    }

    fn page_bytes(&self) -> usize {
        self.page_bytes
    }
}
