//! Chunk records: one Snappy block and its checksum (docs/format/store.md, section 4.1).

use codec::{Corrupt, crc32c, snappy};

/// Uncompressed bytes of a chunk, at most: a message has a three-byte length after its four-byte header.
pub const CHUNK_BYTES_MAX: usize = (1 << 24) + 3;
/// Bytes of a compressed chunk in a file, at most. Snappy grows what does not compress by a sixth; zstd by less.
pub(crate) const STORED_BYTES_MAX: u64 = CHUNK_BYTES_MAX as u64 + CHUNK_BYTES_MAX as u64 / 6 + 64;
/// The checksum after the block.
pub(crate) const CHECKSUM_BYTES: usize = 4;

/// Checks and decompresses a record.
///
/// # Errors
/// [`Corrupt`] when the checksum does not match or the block is malformed; offsets count from the record's first byte.
pub fn decode(record: &[u8]) -> Result<Vec<u8>, Corrupt> {
    let Some((block, checksum)) = record.split_last_chunk::<CHECKSUM_BYTES>() else {
        return Err(Corrupt::new("chunk record is shorter than its checksum", 0));
    };
    if crc32c(block) != u32::from_be_bytes(*checksum) {
        return Err(Corrupt::new("chunk record has a wrong checksum", block.len()));
    }
    snappy::decompress(block, CHUNK_BYTES_MAX)
}

/// Compresses a chunk into a record.
///
/// # Errors
/// [`Corrupt`] when the chunk is too long to be stored.
pub fn encode(chunk: &[u8]) -> Result<Vec<u8>, Corrupt> {
    let mut record = Vec::new();
    encode_after(chunk, Packing::Small, &mut record)?;
    Ok(record)
}

/// What the time to pack a chunk is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// The chunk stays.
    Small,
    /// Another one takes its place soon: it is compressed only where that is known to halve it.
    Quick,
    /// Those before it did not become shorter.
    Plain,
}

/// By so many bytes a chunk is judged, and one that is not longer is not compressed at all: the disk writes a page in any case.
const SAMPLE_BYTES: usize = 4 << 10;

fn is_worth_compressing(chunk: &[u8]) -> bool {
    let sample = chunk.get(..SAMPLE_BYTES).filter(|sample| sample.len() < chunk.len());
    sample.is_some_and(|sample| snappy::compress(sample).is_ok_and(|block| block.len() <= SAMPLE_BYTES / 2))
}

/// As [`encode`], at the end of `records`. Tells the checksum of the block.
pub(crate) fn encode_after(chunk: &[u8], packing: Packing, records: &mut Vec<u8>) -> Result<u32, Corrupt> {
    if chunk.is_empty() || chunk.len() > CHUNK_BYTES_MAX {
        return Err(Corrupt::new("chunk is empty or too long to be stored", 0));
    }
    let start = records.len();
    let is_compressed = match packing {
        Packing::Small => true,
        Packing::Quick => is_worth_compressing(chunk),
        Packing::Plain => false,
    };
    if is_compressed { snappy::compress_after(chunk, records) } else { snappy::wrap_after(chunk, records) }?;
    let checksum = crc32c(records.get(start..).unwrap_or_default());
    records.extend_from_slice(&checksum.to_be_bytes());
    Ok(checksum)
}
