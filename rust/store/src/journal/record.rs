//! One record of the journal (format: store.md, section 6.1).

use codec::{Address, Corrupt, Reader, crc32c};

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
    Root(Address),
    /// The payload, a chunk record, as a range of the journal record.
    Chunk {
        address: Address,
        payload_start: u32,
        payload_len: u32,
    },
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
    while !reader.is_empty() {
        let at = reader.position();
        match reader.u8()? {
            TAG_KIND => kind = Some(reader.u8()?),
            TAG_ADDRESS => address = Some(reader.address()?),
            TAG_TIMESTAMP => drop(reader.u64_be()?),
            TAG_PAYLOAD => {
                let len = reader.rest().len();
                payload = Some((reader.position() as u32, len as u32));
                reader.take(len)?;
            }
            _ => return Err(Corrupt::new("journal record has an unknown field", at)),
        }
    }
    match (kind, address, payload) {
        (Some(KIND_ROOT), Some(root), _) => Ok(Record::Root(root)),
        (Some(KIND_CHUNK), Some(address), Some((payload_start, payload_len))) => {
            Ok(Record::Chunk { address, payload_start, payload_len })
        }
        (Some(KIND_ROOT | KIND_CHUNK), ..) => Err(Corrupt::new("journal record lacks a field", 0)),
        _ => Err(Corrupt::new("journal record is of an unknown kind", 0)),
    }
}
