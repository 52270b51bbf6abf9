//! Crash simulation: a directory for tests that loses unflushed data when its power is cut, any of it, at any byte, in any order.

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::file::check_range;
use crate::{Directory, File, FileError};

/// A directory tree in memory that tells apart what is safe and what a crash may take.
///
/// Writes are safe after [`File::flush`], names of new files after a [`Directory::rename`] in their directory, which is safe itself.
/// Until then [`CrashDirectory::crash`] keeps or loses each fragment of a write by chance.
pub struct CrashDirectory {
    disk: Rc<RefCell<Disk>>,
}

#[derive(Default)]
struct Disk {
    inodes: Vec<Inode>,
    names: BTreeMap<String, usize>,
    safe_names: BTreeMap<String, usize>,
    /// Operations that change something, so far.
    operations: u64,
    flushes: u64,
    fault: Option<Fault>,
    is_full: bool,
    chance: Chance,
}

/// What happens to the operation of a number.
#[derive(Clone, Copy)]
struct Fault {
    operation: u64,
    /// All that come after it fail as well: the power is cut.
    is_last: bool,
}

#[derive(Default)]
struct Inode {
    bytes: Vec<u8>,
    safe: Vec<u8>,
    /// What came between the two.
    changes: Vec<Change>,
}

enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Truncate(usize),
}

impl CrashDirectory {
    /// An empty directory; `seed` decides what its crashes and faults leave.
    pub fn new(seed: u64) -> Rc<CrashDirectory> {
        let disk = Disk { chance: Chance(seed), ..Disk::default() };
        Rc::new(CrashDirectory { disk: Rc::new(RefCell::new(disk)) })
    }

    /// Operations so far that changed something, or tried to.
    pub fn operations(&self) -> u64 {
        self.disk.borrow().operations
    }

    pub fn flushes(&self) -> u64 {
        self.disk.borrow().flushes
    }

    /// Cuts the power in the middle of the operation that comes after `operations` more ones. From then on everything fails.
    pub fn cut_power_after(&self, operations: u64) {
        self.set_fault(operations, true);
    }

    /// Lets one operation fail for want of space, the one after `operations` more ones.
    pub fn fail_after(&self, operations: u64) {
        self.set_fault(operations, false);
    }

    /// While it is full, nothing can be written, and no file becomes longer.
    pub fn set_full(&self, is_full: bool) {
        self.disk.borrow_mut().is_full = is_full;
    }

    fn set_fault(&self, operations: u64, is_last: bool) {
        let mut disk = self.disk.borrow_mut();
        disk.fault = Some(Fault { operation: disk.operations + operations, is_last });
    }

    /// The directory after a crash now, with the power on again.
    pub fn crash(&self) -> Rc<CrashDirectory> {
        let mut disk = self.disk.borrow_mut();
        let disk = &mut *disk;
        let chance = &mut disk.chance;
        let mut names = disk.safe_names.clone();
        for (name, inode) in &disk.names {
            if !names.contains_key(name) && chance.below(2) == 0 {
                names.insert(name.clone(), *inode);
            }
        }
        names.retain(|name, _| disk.names.contains_key(name) || chance.below(2) == 0);
        let mut after = Disk { chance: Chance(chance.next()), ..Disk::default() };
        for (name, inode) in names {
            let bytes = disk.inodes[inode].survivor(chance);
            after.names.insert(name, after.inodes.len());
            after.inodes.push(Inode { safe: bytes.clone(), bytes, changes: Vec::new() });
        }
        after.safe_names = after.names.clone();
        Rc::new(CrashDirectory { disk: Rc::new(RefCell::new(after)) })
    }
}

impl Inode {
    /// What a crash leaves of the file.
    fn survivor(&self, chance: &mut Chance) -> Vec<u8> {
        let mut bytes = self.safe.clone();
        // How much of what was not flushed had reached the disk: nothing, all, or some.
        let kept_of_8 = [0, 2, 4, 6, 7, 8][chance.below(6)];
        for change in &self.changes {
            match change {
                Change::Truncate(len) => {
                    if chance.below(8) < kept_of_8 {
                        bytes.resize(*len, 0);
                    }
                }
                Change::Write { offset, bytes: written } => {
                    let mut start = 0;
                    while start < written.len() {
                        let fragment_len_max = if chance.below(4) == 0 { 9 } else { written.len() };
                        let fragment_len = 1 + chance.below(fragment_len_max);
                        let end = written.len().min(start + fragment_len);
                        if chance.below(8) < kept_of_8 {
                            if bytes.len() < offset + end {
                                bytes.resize(offset + end, 0);
                            }
                            bytes[offset + start..offset + end].copy_from_slice(&written[start..end]);
                        }
                        start = end;
                    }
                }
            }
        }
        bytes
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) {
        if self.bytes.len() < offset + bytes.len() {
            self.bytes.resize(offset + bytes.len(), 0);
        }
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.changes.push(Change::Write { offset, bytes: bytes.to_vec() });
    }

    fn truncate(&mut self, len: usize) {
        if len != self.bytes.len() {
            self.bytes.resize(len, 0);
            self.changes.push(Change::Truncate(len));
        }
    }
}

impl Disk {
    /// Counts an operation. An error is what it has to answer; `true` beside it says that it is done, all or in part, nevertheless.
    fn begin(&mut self) -> Result<(), (FileError, bool)> {
        let operation = self.operations;
        self.operations += 1;
        match self.fault {
            Some(fault) if operation == fault.operation => {
                let error = if fault.is_last { FileError::Gone } else { FileError::NoSpace };
                Err((error, self.chance.below(2) == 0))
            }
            Some(Fault { operation: last, is_last: true }) if operation > last => Err((FileError::Gone, false)),
            _ => Ok(()),
        }
    }

    fn is_off(&self) -> bool {
        self.fault.is_some_and(|fault| fault.is_last && self.operations > fault.operation)
    }

    /// Does `change`, unless it is the turn of a fault.
    fn change(&mut self, change: impl FnOnce(&mut Disk)) -> Result<(), FileError> {
        match self.begin() {
            Ok(()) => {
                change(self);
                Ok(())
            }
            Err((error, is_done)) => {
                if is_done && error == FileError::Gone {
                    change(self);
                }
                Err(error)
            }
        }
    }
}

/// An open file of the directory.
struct CrashFile {
    disk: Rc<RefCell<Disk>>,
    inode: usize,
}

impl File for CrashFile {
    fn len(&self) -> u64 {
        self.disk.borrow().inodes[self.inode].bytes.len() as u64
    }

    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError> {
        let disk = self.disk.borrow();
        if disk.is_off() {
            return Err(FileError::Gone);
        }
        let bytes = &disk.inodes[self.inode].bytes;
        check_range(offset, dest.len(), bytes.len() as u64)?;
        dest.copy_from_slice(&bytes[offset as usize..][..dest.len()]);
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        let mut disk = self.disk.borrow_mut();
        check_range(offset, 0, disk.inodes[self.inode].bytes.len() as u64)?;
        if disk.is_full {
            return Err(FileError::NoSpace);
        }
        match disk.begin() {
            Ok(()) => {
                disk.inodes[self.inode].write(offset as usize, bytes);
                Ok(())
            }
            Err((error, is_done)) => {
                if is_done {
                    let len = disk.chance.below(bytes.len() + 1);
                    disk.inodes[self.inode].write(offset as usize, &bytes[..len]);
                }
                Err(error)
            }
        }
    }

    fn truncate(&self, len: u64) -> Result<(), FileError> {
        let mut disk = self.disk.borrow_mut();
        if disk.is_full && len as usize > disk.inodes[self.inode].bytes.len() {
            return Err(FileError::NoSpace);
        }
        disk.change(|disk| disk.inodes[self.inode].truncate(len as usize))
    }

    fn flush(&self) -> Result<(), FileError> {
        self.disk.borrow_mut().change(|disk| {
            disk.flushes += 1;
            let inode = &mut disk.inodes[self.inode];
            inode.safe = inode.bytes.clone();
            inode.changes.clear();
        })
    }
}

impl Directory for CrashDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        let disk = self.disk.borrow();
        if disk.is_off() {
            return Err(FileError::Gone);
        }
        let inode = disk.names.get(path).copied();
        Ok(inode.map(|inode| Rc::new(CrashFile { disk: self.disk.clone(), inode }) as Rc<dyn File>))
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let disk = self.disk.borrow();
        let inside = disk.names.keys().filter_map(|name| name.strip_prefix(&prefix));
        let mut names: Vec<String> = inside.filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        Ok(Some(names))
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        let mut disk = self.disk.borrow_mut();
        disk.change(|disk| match disk.names.get(path).copied() {
            Some(inode) => disk.inodes[inode].truncate(0),
            None => {
                disk.names.insert(path.to_owned(), disk.inodes.len());
                disk.inodes.push(Inode::default());
            }
        })?;
        let inode = disk.names[path];
        Ok(Rc::new(CrashFile { disk: self.disk.clone(), inode }))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        let mut disk = self.disk.borrow_mut();
        if !disk.names.contains_key(from) {
            return Err(FileError::Gone);
        }
        disk.change(|disk| {
            if let Some(inode) = disk.names.remove(from) {
                disk.names.insert(to.to_owned(), inode);
            }
            let folder = &to[..to.rfind('/').map_or(0, |at| at + 1)];
            let is_inside = |name: &String| name.strip_prefix(folder).is_some_and(|rest| !rest.contains('/'));
            disk.safe_names.retain(|name, _| !is_inside(name));
            let inside = disk.names.iter().filter(|(name, _)| is_inside(name));
            disk.safe_names.extend(inside.map(|(name, inode)| (name.clone(), *inode)));
        })
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.disk.borrow_mut().change(|disk| {
            disk.names.remove(path);
        })
    }
}

/// Numbers that look random (splitmix64).
#[derive(Default)]
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(directory: &CrashDirectory, path: &str) -> Option<Vec<u8>> {
        let file = directory.open(path).unwrap()?;
        let mut bytes = vec![0; file.len() as usize];
        file.read_at(0, &mut bytes).unwrap();
        Some(bytes)
    }

    #[test]
    fn flushed_bytes_stay_and_others_may_go() {
        let (mut whole, mut lost, mut torn, mut reordered) = (0, 0, 0, 0);
        for seed in 0..500 {
            let directory = CrashDirectory::new(seed);
            let file = directory.create("a/file").unwrap();
            directory.create("a/other").unwrap();
            directory.rename("a/other", "a/named").unwrap();
            file.write_at(0, b"safe").unwrap();
            file.flush().unwrap();
            file.write_at(4, &[b'1'; 20]).unwrap();
            file.write_at(24, &[b'2'; 20]).unwrap();
            assert_eq!(contents(&directory, "a/file").unwrap().len(), 44);
            let after = directory.crash();
            let bytes = contents(&after, "a/file").unwrap();
            assert_eq!(bytes[..4], *b"safe");
            let kept = |byte| bytes.iter().filter(|kept| **kept == byte).count();
            whole += usize::from(kept(b'1') == 20 && kept(b'2') == 20);
            lost += usize::from(bytes.len() == 4);
            torn += usize::from((1..20).contains(&kept(b'1')));
            reordered += usize::from(kept(b'1') < 20 && kept(b'2') == 20);
        }
        assert!(whole > 50 && lost > 50 && torn > 100 && reordered > 20, "{whole} {lost} {torn} {reordered}");
    }

    #[test]
    fn names_are_safe_after_a_rename_beside_them() {
        let mut kept = 0;
        for seed in 0..100 {
            let directory = CrashDirectory::new(seed);
            directory.create("noms/a").unwrap();
            directory.create("noms/b").unwrap();
            directory.rename("noms/b", "noms/c").unwrap();
            directory.create("noms/d").unwrap();
            directory.remove("noms/a").unwrap();
            let after = directory.crash();
            assert!(after.open("noms/c").unwrap().is_some() && after.open("noms/b").unwrap().is_none());
            kept += ["noms/a", "noms/d"].iter().filter(|path| after.open(path).unwrap().is_some()).count();
        }
        assert!((50..150).contains(&kept), "{kept}");
    }

    #[test]
    fn the_power_goes_in_the_middle_of_an_operation() {
        let directory = CrashDirectory::new(1);
        let file = directory.create("file").unwrap();
        directory.cut_power_after(1);
        file.write_at(0, b"one").unwrap();
        assert_eq!(file.write_at(3, b"two"), Err(FileError::Gone));
        assert!(file.flush().is_err() && file.read_at(0, &mut [0]).is_err() && directory.open("file").is_err());
        let directory = CrashDirectory::new(2);
        directory.fail_after(0);
        assert_eq!(directory.create("file").err(), Some(FileError::NoSpace));
        assert!(directory.create("file").is_ok());
        assert_eq!((directory.operations(), directory.flushes()), (2, 0));
    }
}
