//! Sliding buffer over a file that is read sequentially.

use region::Mapping;

use crate::StoreError;

/// Bytes fetched at a time, unless one range is longer.
const WINDOW_BYTES: usize = 256 << 10;

pub(super) struct Window<'a> {
    mapping: &'a Mapping,
    buffer: Vec<u8>,
    /// Offset of the buffer in the file.
    start: u64,
}

impl<'a> Window<'a> {
    pub(super) fn new(mapping: &'a Mapping) -> Window<'a> {
        Window { mapping, buffer: Vec::new(), start: 0 }
    }

    /// The bytes `[offset, offset + len)`; `None` when the file ends before.
    pub(super) fn bytes(&mut self, offset: u64, len: usize) -> Result<Option<&[u8]>, StoreError> {
        let Some(left) = self.mapping.len().checked_sub(offset).filter(|left| *left >= len as u64) else {
            return Ok(None);
        };
        let is_inside = offset >= self.start && offset + len as u64 <= self.start + self.buffer.len() as u64;
        if !is_inside {
            self.start = offset;
            self.buffer.resize(left.min(len.max(WINDOW_BYTES) as u64) as usize, 0);
            if let Err(error) = self.mapping.copy_to(offset, &mut self.buffer) {
                self.buffer.clear();
                return Err(error.into());
            }
        }
        let at = (offset - self.start) as usize;
        Ok(self.buffer.get(at..at + len))
    }

    /// The big-endian u32 at `offset`.
    pub(super) fn u32_be(&mut self, offset: u64) -> Result<Option<u32>, StoreError> {
        let bytes = self.bytes(offset, 4)?;
        Ok(bytes.and_then(|bytes| bytes.first_chunk().copied()).map(u32::from_be_bytes))
    }
}
