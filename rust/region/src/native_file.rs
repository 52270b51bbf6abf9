//! Files of the operating system: native tests, benches and tools. Never built for wasm.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::file::check_range;
use crate::{Directory, File, FileError};

/// A file on disk, read by position.
pub struct NativeFile {
    file: fs::File,
}

impl NativeFile {
    /// Opens `path` for reading; `None` when there is no file of that name.
    pub fn open(path: &Path) -> Result<Option<Rc<NativeFile>>, FileError> {
        match fs::File::open(path) {
            Ok(file) if file.metadata().map_err(host)?.is_dir() => Ok(None),
            Ok(file) => Ok(Some(Rc::new(NativeFile { file }))),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(host(error)),
        }
    }
}

impl File for NativeFile {
    fn len(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    fn read_at(&self, offset: u64, dest: &mut [u8]) -> Result<(), FileError> {
        match self.file.read_exact_at(dest, offset) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                check_range(offset, dest.len(), self.len())?;
                Err(host(error))
            }
            Err(error) => Err(host(error)),
        }
    }
}

/// A directory on disk.
pub struct NativeDirectory {
    path: PathBuf,
}

impl NativeDirectory {
    pub fn new(path: impl Into<PathBuf>) -> NativeDirectory {
        NativeDirectory { path: path.into() }
    }
}

impl Directory for NativeDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        Ok(NativeFile::open(&self.path.join(path))?.map(|file| file as Rc<dyn File>))
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        let entries = match fs::read_dir(self.path.join(path)) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Some(Vec::new()));
            }
            Err(error) => return Err(host(error)),
        };
        let names = entries.map(|entry| Ok(entry.map_err(host)?.file_name().to_string_lossy().into_owned()));
        names.collect::<Result<Vec<_>, FileError>>().map(Some)
    }
}

fn host(error: std::io::Error) -> FileError {
    FileError::Host(error.to_string().into())
}
