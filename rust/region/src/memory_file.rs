//! Files and directories that live in memory: uploads, tests, databases without storage.

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

    /// Cuts the file to `len` bytes; a shorter file stays as it is.
    pub fn truncate(&self, len: usize) {
        self.bytes.borrow_mut().truncate(len);
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

    /// Removes the file at `path`; tells whether there was one.
    pub fn remove(&self, path: &str) -> bool {
        self.files.borrow_mut().remove(path).is_some()
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
}
