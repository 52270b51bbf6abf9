//! In-memory files and directories: uploads, tests, databases without storage.

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::file::check_range;
use crate::{Directory, File, FileError};

/// A file in memory. It may grow, like a journal.
#[derive(Default)]
pub struct MemoryFile {
    bytes: RefCell<Vec<u8>>,
}

impl MemoryFile {
    pub fn new(bytes: Vec<u8>) -> Rc<MemoryFile> {
        Rc::new(MemoryFile { bytes: RefCell::new(bytes) })
    }

    /// Adds `bytes` at the end.
    pub fn append(&self, bytes: &[u8]) {
        self.bytes.borrow_mut().extend_from_slice(bytes);
    }

    /// All current bytes.
    pub fn contents(&self) -> Vec<u8> {
        self.bytes.borrow().clone()
    }
}

impl File for MemoryFile {
    fn len(&self) -> u64 {
        self.bytes.borrow().len() as u64
    }

    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError> {
        let bytes = self.bytes.borrow();
        check_range(offset, dest.len(), bytes.len() as u64)?;
        dest.copy_from_slice(&bytes[offset as usize..][..dest.len()]);
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        let mut there = self.bytes.borrow_mut();
        check_range(offset, 0, there.len() as u64)?;
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        if end > there.len() {
            there.resize(end, 0);
        }
        there[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn truncate(&self, len: u64) -> Result<(), FileError> {
        self.bytes.borrow_mut().resize(len as usize, 0);
        Ok(())
    }

    /// Memory survives nothing; there is nothing to wait for.
    fn flush(&self) -> Result<(), FileError> {
        Ok(())
    }
}

/// A directory tree in memory, by path.
#[derive(Default)]
pub struct MemoryDirectory {
    files: RefCell<BTreeMap<String, Rc<dyn File>>>,
}

impl MemoryDirectory {
    pub fn new() -> MemoryDirectory {
        MemoryDirectory::default()
    }

    /// Puts `bytes` at `path`, over what was there.
    pub fn insert(&self, path: &str, bytes: Vec<u8>) {
        self.insert_file(path, MemoryFile::new(bytes));
    }

    /// Puts a file of any kind at `path`, over what was there.
    pub fn insert_file(&self, path: &str, file: Rc<dyn File>) {
        self.files.borrow_mut().insert(path.to_owned(), file);
    }

    /// Every path, in order.
    pub fn paths(&self) -> Vec<String> {
        self.files.borrow().keys().cloned().collect()
    }
}

impl Directory for MemoryDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        Ok(self.files.borrow().get(path).cloned())
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let files = self.files.borrow();
        let mut names: Vec<String> = files
            .range(prefix.clone()..)
            .map_while(|(path, _)| path.strip_prefix(&prefix))
            .filter_map(|rest| rest.split('/').next())
            .map(str::to_owned)
            .collect();
        names.dedup();
        Ok(Some(names))
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        let file = MemoryFile::new(Vec::new());
        self.insert_file(path, file.clone());
        Ok(file)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        let mut files = self.files.borrow_mut();
        let file = files.remove(from).ok_or(FileError::Gone)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.files.borrow_mut().remove(path);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_names_of_one_level() {
        let directory = MemoryDirectory::new();
        for path in [".dolt/noms/manifest", ".dolt/noms/oldgen/manifest", ".dolt/repo_state.json", ".doltcfg/x"] {
            directory.insert(path, vec![]);
        }
        assert_eq!(directory.list(".dolt").unwrap().unwrap(), ["noms", "repo_state.json"]);
        assert_eq!(directory.list("").unwrap().unwrap(), [".dolt", ".doltcfg"]);
        assert_eq!(directory.list("absent").unwrap().unwrap(), Vec::<String>::new());
        assert!(directory.open(".dolt/noms").unwrap().is_none());
        assert!(directory.open(".dolt/noms/manifest").unwrap().is_some());
    }

    #[test]
    fn files_are_written_renamed_and_removed() {
        let directory = MemoryDirectory::new();
        let file = directory.create("a").unwrap();
        file.write_at(0, b"abcdef").unwrap();
        file.write_at(4, b"EFG").unwrap();
        assert!(file.write_at(8, b"x").is_err(), "no holes");
        file.truncate(6).unwrap();
        file.truncate(8).unwrap();
        directory.insert("b", b"before".to_vec());
        directory.rename("a", "b").unwrap();
        assert_eq!(directory.paths(), ["b"]);
        let mut bytes = [1; 8];
        directory.open("b").unwrap().unwrap().read_at(0, &mut bytes).unwrap();
        assert_eq!(&bytes, b"abcdEF\0\0");
        directory.remove("b").unwrap();
        directory.remove("b").unwrap();
        assert_eq!(directory.rename("b", "c"), Err(FileError::Gone));
    }
}
