//! Snappy raw blocks: varint uncompressed length, then elements; no stream framing (docs/format/store.md, section 4.1).

use core::cell::RefCell;

use crate::Corrupt;
use crate::varint::write_base128;

/// Output bytes that one input byte can make, at most: a three-byte copy element makes 64.
const EXPANSION_MAX: usize = 64;

/// Uncompressed length that the block declares, in bytes. Not yet proof that the block decodes.
///
/// # Errors
/// [`Corrupt`] when the length is cut off, above 4 GiB, or more than a block of this size can hold.
pub fn decompressed_len(block: &[u8]) -> Result<usize, Corrupt> {
    let len = snap::raw::decompress_len(block).map_err(|_| Corrupt::new("snappy length is malformed", 0))?;
    if len > block.len().saturating_mul(EXPANSION_MAX) {
        return Err(Corrupt::new("snappy length is larger than its input can make", 0));
    }
    Ok(len)
}

/// Decompresses `block` into a fresh buffer of exactly its uncompressed length.
///
/// # Errors
/// [`Corrupt`] when the block is malformed or would be longer than `max_len` bytes (checked before allocating).
pub fn decompress(block: &[u8], max_len: usize) -> Result<Vec<u8>, Corrupt> {
    let mut chunk = Vec::new();
    decompress_into(block, max_len, &mut chunk)?;
    Ok(chunk)
}

/// As [`decompress`], replacing the content of `chunk` and keeping its allocation when it is large enough.
pub fn decompress_into(block: &[u8], max_len: usize, chunk: &mut Vec<u8>) -> Result<(), Corrupt> {
    let len = decompressed_len(block)?;
    if len > max_len {
        return Err(Corrupt::new("snappy block is longer than a chunk may be", 0));
    }
    chunk.clear();
    chunk.reserve_exact(len);
    chunk.resize(len, 0);
    match snap::raw::Decoder::new().decompress(block, chunk) {
        Ok(written) if written == len => Ok(()),
        _ => Err(Corrupt::new("snappy block is malformed", 0)),
    }
}

thread_local! {
    // The encoder's table is 32 KiB.
    static ENCODER: RefCell<snap::raw::Encoder> = RefCell::new(snap::raw::Encoder::new());
}

/// Compresses `chunk` (at most 4 GiB) into one raw block.
pub fn compress(chunk: &[u8]) -> Result<Vec<u8>, Corrupt> {
    let mut block = Vec::new();
    compress_after(chunk, &mut block)?;
    Ok(block)
}

/// As [`compress`], at the end of `blocks`, which is as it was when that fails.
pub fn compress_after(chunk: &[u8], blocks: &mut Vec<u8>) -> Result<(), Corrupt> {
    let start = blocks.len();
    blocks.resize(start + snap::raw::max_compress_len(chunk.len()), 0);
    let dest = blocks.get_mut(start..).unwrap_or_default();
    let outcome = ENCODER.with_borrow_mut(|encoder| encoder.compress(chunk, dest));
    blocks.truncate(start + outcome.as_ref().copied().unwrap_or_default());
    outcome.map(drop).map_err(|_| Corrupt::new("chunk is too long for snappy", 0))
}

/// The element of a literal whose length less one is in the four bytes behind it.
const LONG_LITERAL: u8 = 63 << 2;

/// As [`compress_after`], but makes the block that takes no time: `chunk` as it is, in one literal.
pub fn wrap_after(chunk: &[u8], blocks: &mut Vec<u8>) -> Result<(), Corrupt> {
    let len = u32::try_from(chunk.len()).map_err(|_| Corrupt::new("chunk is too long for snappy", 0))?;
    write_base128(u64::from(len), blocks);
    if let Some(last) = len.checked_sub(1) {
        blocks.push(LONG_LITERAL);
        blocks.extend_from_slice(&last.to_le_bytes());
        blocks.extend_from_slice(chunk);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_and_caps() {
        for chunk in [vec![], b"a".to_vec(), vec![7; 100_000], (0..5000u32).flat_map(u32::to_le_bytes).collect()] {
            let block = compress(&chunk).unwrap();
            assert_eq!(decompress(&block, chunk.len()).unwrap(), chunk);
            let mut wrapped = b"before".to_vec();
            wrap_after(&chunk, &mut wrapped).unwrap();
            assert_eq!(decompress(&wrapped[6..], chunk.len()).unwrap(), chunk);
            if !chunk.is_empty() {
                assert!(decompress(&block, chunk.len() - 1).is_err());
            }
        }
    }

    #[test]
    fn claimed_length_is_not_believed() {
        // A five-byte varint that claims almost 4 GiB, then nothing.
        assert!(decompress(&[0xff, 0xff, 0xff, 0xff, 0x0f], usize::MAX).is_err());
        assert!(decompress(&[], 10).is_err());
    }
}
