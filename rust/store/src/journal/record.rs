//! Journal record: encoding and decoding (docs/format/store.md, section 6.1).

use core::ops::Range;

use codec::{Address, Corrupt, Reader, crc32c, crc32c_append, crc32c_combine};

use crate::record::{CHECKSUM_BYTES, Packing, encode_after};

/// Bytes of a record, at most; a longer one cannot be replayed by anybody.
pub(super) const RECORD_BYTES_MAX: u32 = 5 << 20;
/// The length before and the checksum after the fields.
pub(super) const RECORD_BYTES_MIN: u32 = 8;
/// A root record as written today.
pub(super) const ROOT_RECORD_BYTES: u64 = 40;

const TAG_KIND: u8 = 1;
const TAG_ADDRESS: u8 = 2;
const TAG_PAYLOAD: u8 = 3;
const TAG_TIMESTAMP: u8 = 4;

const KIND_ROOT: u8 = 1;
const KIND_CHUNK: u8 = 2;

/// What a record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    Root {
        address: Address,
        /// When it was written, in seconds since 1970; old records do not tell.
        seconds: Option<u64>,
        /// Written without a flush of its own: see [`append_root`].
        is_loose: bool,
    },
    /// The payload, a chunk record, as a range of the journal record.
    Chunk { address: Address, payload_start: u32, payload_len: u32 },
}

/// Whether `bytes`, from the length field to the checksum, are whole: they have their declared length and checksum.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    match bytes.split_last_chunk::<4>() {
        Some((covered, checksum)) if covered.len() >= 4 => crc32c(covered) == u32::from_be_bytes(*checksum),
        _ => false,
    }
}

/// Whether the fields of a record can begin with `tag`.
pub(super) fn is_tag(tag: u8) -> bool {
    (TAG_KIND..=TAG_TIMESTAMP).contains(&tag)
}

/// Decodes a whole record.
///
/// # Errors
/// [`Corrupt`] when a tag or kind is unknown or a field is missing: not a torn write, since the checksum is right.
pub(super) fn decode(bytes: &[u8]) -> Result<Record, Corrupt> {
    let fields_end = bytes.len().saturating_sub(4);
    let mut reader = Reader::new(bytes.get(..fields_end).unwrap_or_default());
    reader.u32_be()?;
    let (mut kind, mut address, mut payload) = (None, None, None);
    let (mut seconds, mut is_loose) = (None, false);
    while !reader.is_empty() {
        let at = reader.position();
        match reader.u8()? {
            TAG_KIND => kind = Some(reader.u8()?),
            TAG_ADDRESS => address = Some(reader.address()?),
            TAG_TIMESTAMP => {
                is_loose = kind.is_none();
                seconds = Some(reader.u64_be()?);
            }
            TAG_PAYLOAD => {
                let len = reader.rest().len();
                payload = Some((reader.position() as u32, len as u32));
                reader.take(len)?;
            }
            _ => return Err(Corrupt::new("journal record has an unknown field", at)),
        }
    }
    match (kind, address, payload) {
        (Some(KIND_ROOT), Some(address), _) => Ok(Record::Root { address, seconds, is_loose }),
        (Some(KIND_CHUNK), Some(address), Some((payload_start, payload_len))) => {
            Ok(Record::Chunk { address, payload_start, payload_len })
        }
        (Some(KIND_ROOT | KIND_CHUNK), ..) => Err(Corrupt::new("journal record lacks a field", 0)),
        _ => Err(Corrupt::new("journal record is of an unknown kind", 0)),
    }
}

/// Appends the record of a chunk to `records`. Returns the position of its payload in `records`.
///
/// # Errors
/// [`Corrupt`] when the chunk cannot be stored, or when the record would be longer than anybody replays. `records` is as before then.
pub(super) fn append_chunk(
    records: &mut Vec<u8>,
    address: &Address,
    chunk: &[u8],
    packing: Packing,
) -> Result<Range<usize>, Corrupt> {
    let start = records.len();
    // The length comes last, when it is known.
    records.extend_from_slice(&[0; 4]);
    records.extend_from_slice(&[TAG_KIND, KIND_CHUNK, TAG_ADDRESS]);
    records.extend_from_slice(address.as_bytes());
    records.push(TAG_PAYLOAD);
    let payload_start = records.len();
    let outcome = encode_after(chunk, packing, records).and_then(|block_checksum| {
        let len = records.len() - start + 4;
        match records.get_mut(start..start + 4) {
            Some(field) if len <= RECORD_BYTES_MAX as usize => field.copy_from_slice(&(len as u32).to_be_bytes()),
            _ => return Err(Corrupt::new("chunk is too long for the journal", 0)),
        }
        Ok(block_checksum)
    });
    let block_checksum = outcome.inspect_err(|_| records.truncate(start))?;
    let payload_end = records.len();
    // The block, most of the record, is not read once more for the record's own checksum.
    let head = crc32c(records.get(start..payload_start).unwrap_or_default());
    let block_len = payload_end - payload_start - CHECKSUM_BYTES;
    let with_block = crc32c_combine(head, block_checksum, block_len);
    let checksum = crc32c_append(with_block, &block_checksum.to_be_bytes());
    records.extend_from_slice(&checksum.to_be_bytes());
    Ok(payload_start..payload_end)
}

/// Appends the record of a root to `records`.
///
/// A *loose* root is one that is not flushed by itself. Several of them may lie in the part of a journal that a crash can take out of,
/// so that a whole one proves nothing about earlier records; any other root proves that all before its commit was safe. The
/// difference is the order of the fields, which means nothing to native Dolt.
pub(super) fn append_root(records: &mut Vec<u8>, address: &Address, seconds: u64, is_loose: bool) {
    let start = records.len();
    records.extend_from_slice(&(ROOT_RECORD_BYTES as u32).to_be_bytes());
    let kind = [TAG_KIND, KIND_ROOT];
    if !is_loose {
        records.extend_from_slice(&kind);
    }
    records.push(TAG_TIMESTAMP);
    records.extend_from_slice(&seconds.to_be_bytes());
    if is_loose {
        records.extend_from_slice(&kind);
    }
    records.push(TAG_ADDRESS);
    records.extend_from_slice(address.as_bytes());
    let checksum = crc32c(records.get(start..).unwrap_or_default());
    records.extend_from_slice(&checksum.to_be_bytes());
}
