//! Redo records: what statements have changed on top of the last root, before there are trees of it (docs/format/store.md, section 6.7).

use codec::{Address, Reader};

/// What a chunk begins with that is a redo record; no message of Dolt does.
const MARK: &[u8; 8] = b"VarveRdo";

/// Bytes of what a redo record says, at most.
pub(crate) const REDO_BYTES_MAX: usize = 16 << 10;

/// Bytes of the record of such a chunk: snappy adds a sixth at most.
pub(super) const REDO_RECORD_BYTES_MAX: u32 = (REDO_BYTES_MAX + REDO_BYTES_MAX / 4) as u32;

/// Changes on top of a root. It is a chunk that nothing refers to, and counts while that root is the last one of its journal.
pub(crate) struct Redo {
    pub(crate) root: Address,
    pub(crate) changes: Vec<u8>,
}

impl Redo {
    /// The chunk for changes on top of `root`. `at_bytes`, where it lies in the journal, makes it a chunk that is not there yet.
    pub(crate) fn encode(root: &Address, at_bytes: u64, changes: &[u8]) -> Vec<u8> {
        [&MARK[..], root.as_bytes(), &at_bytes.to_le_bytes(), changes].concat()
    }

    /// `None` for any other chunk.
    pub(super) fn decode(chunk: &[u8]) -> Option<Redo> {
        let mut reader = Reader::new(chunk.strip_prefix(MARK)?);
        let root = reader.address().ok()?;
        reader.u64_le().ok()?;
        Some(Redo { root, changes: reader.rest().to_vec() })
    }
}
