//! Local files that the user gave along with a statement, for LOAD DATA LOCAL.

use engine::{FileRead, LocalFile, SqlError};

use crate::host::{self, Refusal};

/// A file of the host, read from its beginning to its end; it is closed when dropped.
pub(crate) struct HostLocalFile {
    file: u32,
    offset_bytes: u64,
    length_bytes: u64,
    page_bytes: u64,
}

impl HostLocalFile {
    /// `None` where the statement brought none of that name.
    pub(crate) fn open(name: &str) -> Option<HostLocalFile> {
        let file = host::open_local(name).ok()?;
        let page_bytes = host::page_bytes(file).max(1) as u64;
        Some(HostLocalFile { file, offset_bytes: 0, length_bytes: host::length(file), page_bytes })
    }
}

impl LocalFile for HostLocalFile {
    fn read(&mut self) -> engine::Result<FileRead> {
        let left_bytes = self.length_bytes.saturating_sub(self.offset_bytes);
        if left_bytes == 0 {
            return Ok(FileRead::End);
        }
        let mut bytes = vec![0; left_bytes.min(self.page_bytes) as usize];
        host::read(self.file, self.offset_bytes, &mut bytes, false).map_err(in_sql)?;
        self.offset_bytes += bytes.len() as u64;
        Ok(FileRead::Bytes(bytes))
    }
}

/// ER_ERROR_ON_READ, as MySQL has it for a file that fails while it is read.
fn in_sql(refusal: Refusal) -> SqlError {
    let words = match refusal {
        Refusal::Host | Refusal::Gone => host::text(),
        other => format!("{other:?}"),
    };
    SqlError::new(1024, format!("Error reading file: {words}"))
}

impl Drop for HostLocalFile {
    fn drop(&mut self) {
        host::file_close(self.file);
    }
}
