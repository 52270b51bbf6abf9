//! Files of the operating system: native tests, benches and tools. Never built for wasm.

use core::cell::RefCell;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::file::check_range;
use crate::{Directory, File, FileError, Lock};

/// A file on disk, read and written by position.
pub struct NativeFile {
    file: fs::File,
    is_writable: bool,
}

impl NativeFile {
    /// Opens `path` for reading; `None` when there is no file of that name.
    pub fn open(path: &Path) -> Result<Option<Rc<NativeFile>>, FileError> {
        Self::open_with(path, false)
    }

    fn open_with(path: &Path, is_writable: bool) -> Result<Option<Rc<NativeFile>>, FileError> {
        match fs::File::options().read(true).write(is_writable).open(path) {
            Ok(file) if file.metadata().map_err(host)?.is_dir() => Ok(None),
            Ok(file) => Ok(Some(Rc::new(NativeFile { file, is_writable }))),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => Ok(None),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem if is_writable => {
                    Self::open_with(path, false)
                }
                _ => Err(host(error)),
            },
        }
    }

    fn check_writable(&self) -> Result<(), FileError> {
        if self.is_writable { Ok(()) } else { Err(FileError::ReadOnly) }
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

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        self.check_writable()?;
        self.file.write_all_at(bytes, offset).map_err(unwritten)
    }

    fn truncate(&self, len: u64) -> Result<(), FileError> {
        self.check_writable()?;
        self.file.set_len(len).map_err(unwritten)
    }

    fn flush(&self) -> Result<(), FileError> {
        self.check_writable()?;
        self.file.sync_data().map_err(unwritten)
    }
}

/// A directory on disk.
pub struct NativeDirectory {
    path: PathBuf,
    is_writable: bool,
}

impl NativeDirectory {
    /// A directory that is only read.
    pub fn new(path: impl Into<PathBuf>) -> NativeDirectory {
        NativeDirectory { path: path.into(), is_writable: false }
    }

    /// A directory that is written, too; it need not be there yet.
    pub fn writable(path: impl Into<PathBuf>) -> NativeDirectory {
        NativeDirectory { path: path.into(), is_writable: true }
    }

    fn check_writable(&self) -> Result<(), FileError> {
        if self.is_writable { Ok(()) } else { Err(FileError::ReadOnly) }
    }
}

impl Directory for NativeDirectory {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        let file = NativeFile::open_with(&self.path.join(path), self.is_writable)?;
        Ok(file.map(|file| file as Rc<dyn File>))
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

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        self.check_writable()?;
        let path = self.path.join(path);
        if let Some(parent) = path.parent() {
            make_directories(parent)?;
        }
        let file =
            fs::File::options().read(true).write(true).create(true).truncate(true).open(path).map_err(unwritten)?;
        Ok(Rc::new(NativeFile { file, is_writable: true }))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        self.check_writable()?;
        let to = self.path.join(to);
        fs::rename(self.path.join(from), &to).map_err(unwritten)?;
        sync_parent(&to)
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.check_writable()?;
        match fs::remove_file(self.path.join(path)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(unwritten(error)),
            _ => Ok(()),
        }
    }
}

/// The lock file that native Dolt locks as well, as a whole and exclusively.
pub struct NativeLock {
    path: PathBuf,
    held: RefCell<Option<fs::File>>,
}

impl NativeLock {
    /// A lock on the file at `path`, which is made when it is not there. For a database that is `.dolt/noms/LOCK`.
    pub fn new(path: impl Into<PathBuf>) -> NativeLock {
        NativeLock { path: path.into(), held: RefCell::default() }
    }
}

impl Lock for NativeLock {
    fn try_lock(&self) -> Result<bool, FileError> {
        if let Some(parent) = self.path.parent() {
            make_directories(parent)?;
        }
        let options = fs::File::options().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(&self.path).map_err(unwritten)?;
        match file.try_lock() {
            Ok(()) => *self.held.borrow_mut() = Some(file),
            Err(fs::TryLockError::WouldBlock) => return Ok(false),
            Err(fs::TryLockError::Error(error)) => return Err(host(error)),
        }
        Ok(true)
    }

    /// Not by closing the file alone: a process that is being started has its files, too, until its program begins.
    fn unlock(&self) {
        if let Some(file) = self.held.borrow_mut().take() {
            let _ = file.unlock(); // Closing it is left.
        }
    }
}

impl Drop for NativeLock {
    fn drop(&mut self) {
        self.unlock();
    }
}

/// Makes `directory` and those on the way to it, so that they survive a crash.
fn make_directories(directory: &Path) -> Result<(), FileError> {
    if directory.is_dir() {
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        make_directories(parent)?;
    }
    match fs::create_dir(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(unwritten(error)),
        _ => sync_parent(directory),
    }
}

/// Returns when the names in the directory that holds `path` would survive a crash.
fn sync_parent(path: &Path) -> Result<(), FileError> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => {
            fs::File::open(parent).and_then(|directory| directory.sync_all()).map_err(unwritten)
        }
        _ => Ok(()),
    }
}

fn host(error: std::io::Error) -> FileError {
    FileError::Host(error.to_string().into())
}

/// Why something was not written.
fn unwritten(error: std::io::Error) -> FileError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => FileError::NoSpace,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => FileError::ReadOnly,
        _ => host(error),
    }
}
