//! Temporary files of the host, for rows that operators cannot keep.

use engine::Spill;

use crate::host::{self, Refusal};

/// A temporary file; the host takes its room back when it is dropped.
pub(crate) struct HostScratch {
    file: u32,
    length_bytes: u64,
}

impl HostScratch {
    /// `None` where the host has no room for any.
    pub(crate) fn open() -> Option<HostScratch> {
        let file = host::temporary().ok()?;
        Some(HostScratch { file, length_bytes: 0 })
    }
}

fn words(refusal: Refusal) -> String {
    match refusal {
        Refusal::NoSpace => "there is no room left".to_owned(),
        Refusal::Host => host::text(),
        other => format!("{other:?}"),
    }
}

impl Spill for HostScratch {
    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        host::write(self.file, self.length_bytes, bytes).map_err(words)?;
        self.length_bytes += bytes.len() as u64;
        Ok(())
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        host::read(self.file, offset, into, false).map_err(words)
    }
}

impl Drop for HostScratch {
    fn drop(&mut self) {
        host::file_close(self.file);
    }
}
