//! `journal.idx`: positions of the chunks in the older part of a journal, so that only the rest is scanned (docs/format/store.md, section
//! 6.4).
//!
//! The index is Dolt's, optional, and never trusted further than it can be checked: its checksum covers addresses only, so what it
//! says about a chunk is compared with the journal when the chunk is read.

use codec::{Address, Corrupt, Reader, crc32c_append};
use hashbrown::HashMap;
use region::{Mapping, RegionError};

use crate::StoreError;
use crate::record::STORED_BYTES_MAX;
use crate::source::{Form, Place};

use super::record::{self, ROOT_RECORD_BYTES, Record};
use super::window::Window;

const TAG_LOOKUP: u8 = 0;
const TAG_META: u8 = 1;
const LOOKUP_BYTES: usize = 29;
const META_BYTES: usize = 41;

/// The part of an address that the index keeps.
pub(super) type Key = [u8; 16];

pub(super) fn key_of(address: &Address) -> Key {
    let [key @ .., _, _, _, _] = *address.as_bytes();
    key
}

/// What is known of the address: the rest is zeros.
pub(super) fn address_of(key: &Key) -> Address {
    let mut bytes = [0; Address::LEN];
    for (byte, known) in bytes.iter_mut().zip(key) {
        *byte = *known;
    }
    Address::from_bytes(bytes)
}

/// Whether that is all that is known of `whole`.
pub(crate) fn is_key_of(known: &Address, whole: &Address) -> bool {
    *known == address_of(&key_of(whole))
}

/// What an index says.
#[derive(Default)]
pub(super) struct Indexed {
    pub(super) places: HashMap<Key, Place>,
    /// Offset in the journal from which records are to be replayed; 0 without a complete batch.
    pub(super) end: u64,
    /// Bytes of the index up to the end of its last complete batch.
    pub(super) bytes: u64,
}

/// Reads the index of `journal`. Whatever is wrong with it, the journal is still whole: the answer is then `None`, and everything is
/// replayed.
pub(super) fn read(index: &Mapping, journal: &Mapping) -> Option<Indexed> {
    read_batches(index, journal).ok().flatten()
}

/// `None` when the index is malformed or belongs to another journal.
fn read_batches(index: &Mapping, journal: &Mapping) -> Result<Option<Indexed>, StoreError> {
    let mut window = Window::new(index);
    let mut indexed = Indexed::default();
    let (mut batch, mut checksum, mut at) = (Vec::new(), 0, 0);
    // Where the chunk before ended. The checksum does not cover places, but their order can be checked.
    let mut covered = 0;
    // An item that the end of the file cuts off, and lookups without a meta after them, are what an interrupted write leaves.
    while let Some([tag]) = window.bytes(at, 1)?.and_then(|bytes| bytes.first_chunk().copied()) {
        match tag {
            TAG_LOOKUP => {
                let Some(item) = window.bytes(at, LOOKUP_BYTES)? else { break };
                let Ok((key, place)) = decode_lookup(item) else { return Ok(None) };
                if place.offset <= covered {
                    // Zeros that an interrupted write left, or worse: batches before are good, and no other will be.
                    break;
                }
                covered = place.offset.saturating_add(place.len.into());
                checksum = crc32c_append(checksum, &key);
                batch.push((key, place));
                at += LOOKUP_BYTES as u64;
            }
            TAG_META => {
                let Some(item) = window.bytes(at, META_BYTES)? else { break };
                let Ok(meta) = decode_meta(item) else { return Ok(None) };
                let is_sound = meta.checksum == checksum
                    && meta.start == indexed.end
                    && meta.end >= meta.start.max(covered)
                    && is_root_at(journal, meta.end, &meta.root)?;
                if !is_sound {
                    return Ok(None);
                }
                indexed.places.extend(batch.drain(..));
                indexed.end = meta.end;
                checksum = 0;
                at += META_BYTES as u64;
                indexed.bytes = at;
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(indexed))
}

fn decode_lookup(item: &[u8]) -> Result<(Key, Place), Corrupt> {
    let mut reader = Reader::new(item);
    reader.u8()?;
    let key = reader.array()?;
    let (offset, len) = (reader.u64_be()?, reader.u32_be()?);
    if u64::from(len) > STORED_BYTES_MAX {
        return Err(Corrupt::new("journal index has a chunk that is too long", 25));
    }
    Ok((key, Place { offset, len, form: Form::Indexed }))
}

/// The end of a batch.
struct Meta {
    start: u64,
    end: u64,
    checksum: u32,
    root: Address,
}

fn decode_meta(item: &[u8]) -> Result<Meta, Corrupt> {
    let mut reader = Reader::new(item);
    reader.u8()?;
    Ok(Meta { start: reader.u64_be()?, end: reader.u64_be()?, checksum: reader.u32_be()?, root: reader.address()? })
}

/// Whether the journal has a record of `root` at `at`.
fn is_root_at(journal: &Mapping, at: u64, root: &Address) -> Result<bool, RegionError> {
    let len = journal.u32_be(at)?;
    if u64::from(len) > ROOT_RECORD_BYTES {
        return Ok(false);
    }
    let bytes = journal.bytes(at, len as usize)?;
    let is_root = |record| matches!(record, Record::Root { address, .. } if address == *root);
    Ok(record::is_whole(&bytes) && record::decode(&bytes).is_ok_and(is_root))
}

/// Whether the record whose payload is at `place` says that it is `address`, in the form in which Dolt writes records: the address
/// ends one tag before the payload.
pub(super) fn is_record_of(journal: &Mapping, place: Place, address: &Address) -> Result<bool, RegionError> {
    let Some(at) = place.offset.checked_sub(Address::LEN as u64 + 1) else { return Ok(false) };
    Ok(journal.array(at)? == *address.as_bytes())
}

/// A batch: where these chunks lie, which are those between `start` and the record of `root` at `end`.
pub(super) fn batch(chunks: &[(Address, Place)], start: u64, end: u64, root: &Address) -> Vec<u8> {
    let mut batch = Vec::with_capacity(chunks.len() * LOOKUP_BYTES + META_BYTES);
    let mut checksum = 0;
    for (address, place) in chunks {
        let key = key_of(address);
        checksum = crc32c_append(checksum, &key);
        batch.push(TAG_LOOKUP);
        batch.extend_from_slice(&key);
        batch.extend_from_slice(&place.offset.to_be_bytes());
        batch.extend_from_slice(&place.len.to_be_bytes());
    }
    batch.push(TAG_META);
    batch.extend_from_slice(&start.to_be_bytes());
    batch.extend_from_slice(&end.to_be_bytes());
    batch.extend_from_slice(&checksum.to_be_bytes());
    batch.extend_from_slice(root.as_bytes());
    batch
}
