//! Redo records: logical changes on top of the last root, before their trees exist (docs/format/store.md, section 6.7).

use codec::{Address, Reader, snappy};

/// What a chunk begins with that is a redo record; no message of Dolt does.
const MARK: &[u8; 8] = b"VarveRdo";

/// Bytes of what a redo record says, at most.
pub(crate) const REDO_BYTES_MAX: usize = 1 << 20;

/// Maximum total size of the redo records after a root. A writer never leaves half as many.
pub(super) const ALL_REDO_BYTES_MAX: usize = 16 << 20;

/// Bytes before the changes.
const HEADER_BYTES: usize = MARK.len() + Address::LEN + 8;

/// So many bytes of a Snappy block say how long it is and how long its first literal; then the mark follows, in which nothing repeats.
const BLOCK_HEADER_BYTES_MAX: usize = 10;

/// Changes on top of a root. It is a chunk that nothing refers to, and counts while that root is the last one of its journal.
pub(crate) struct Redo {
    pub(crate) root: Address,
    pub(crate) changes: Vec<u8>,
}

impl Redo {
    /// The chunk for changes on top of `root`. `at_bytes`, its offset in the journal, makes its address unique.
    pub(crate) fn encode(root: &Address, at_bytes: u64, changes: &[u8]) -> Vec<u8> {
        [&MARK[..], root.as_bytes(), &at_bytes.to_le_bytes(), changes].concat()
    }

    /// Whether a Snappy block may be that of a redo record. Costs no decompression.
    pub(super) fn may_be(block: &[u8]) -> bool {
        let beginning = block.get(..block.len().min(BLOCK_HEADER_BYTES_MAX + MARK.len())).unwrap_or_default();
        beginning.windows(MARK.len()).any(|window| window == MARK)
            && snappy::decompressed_len(block).is_ok_and(|len| len <= HEADER_BYTES + REDO_BYTES_MAX)
    }

    /// `None` for any other chunk.
    pub(super) fn decode(chunk: &[u8]) -> Option<Redo> {
        let mut reader = Reader::new(chunk.strip_prefix(MARK)?);
        let root = reader.address().ok()?;
        reader.u64_le().ok()?;
        Some(Redo { root, changes: reader.rest().to_vec() })
    }
}
