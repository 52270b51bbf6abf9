//! Checksums, addresses and lengths after a mutation, so that what it changed is reached behind them.

use codec::{Address, crc32c};

use crate::Format;
use crate::bundle::{pack, unpack};

/// Makes the checksums of a mutated input agree with its bytes, as far as its structure is found.
pub(crate) fn repair(format: Format, bytes: &mut [u8]) {
    match format {
        Format::TableFile => table_file(bytes),
        Format::Archive => archive(bytes),
        Format::Journal => journal(bytes),
        Format::Message => message_length(bytes),
        _ => {}
    }
}

fn seal(record: &mut [u8]) {
    if let Some((block, checksum)) = record.split_last_chunk_mut::<4>() {
        *checksum = crc32c(block).to_be_bytes();
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

/// Records lie one after the other; their lengths are after the prefixes.
fn table_file(bytes: &mut [u8]) {
    let Some(footer) = bytes.len().checked_sub(20) else { return };
    let Some(count) = u32_at(bytes, footer) else { return };
    let Some(lengths) = count.checked_mul(16).and_then(|index| footer.checked_sub(index)) else { return };
    let mut start = 0;
    for i in 0..count.min(10_000) {
        let Some(length) = u32_at(bytes, lengths + 4 * i) else { return };
        let end = start + length;
        if end > lengths {
            return;
        }
        seal(&mut bytes[start..end]);
        start = end;
    }
}

/// Spans that are no zstd frames are Snappy records with a checksum.
fn archive(bytes: &mut [u8]) {
    let Some(version) = bytes.len().checked_sub(8).and_then(|at| bytes.get(at).copied()) else { return };
    let fields = if version >= 3 { 220 } else { 216 };
    let Some(footer) = bytes.len().checked_sub(fields) else { return };
    let spans_at = footer + if version >= 3 { 8 } else { 4 };
    let index = if version >= 3 { u64_at(bytes, footer) } else { u32_at(bytes, footer) };
    let (Some(index), Some(spans), Some(metadata)) = (index, u32_at(bytes, spans_at), u32_at(bytes, spans_at + 8))
    else {
        return;
    };
    let Some(index_at) = footer.checked_sub(metadata).and_then(|at| at.checked_sub(index)) else { return };
    let mut start = 0;
    for i in 0..spans.min(10_000) {
        let Some(end) = u64_at(bytes, index_at + 8 * i).filter(|end| (start..=index_at).contains(end)) else { return };
        if !bytes[start..end].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            seal(&mut bytes[start..end]);
        }
        start = end;
    }
}

/// A record is its length, fields and a checksum; that of a chunk has a sealed record within.
fn journal(bytes: &mut [u8]) {
    let mut start = 0;
    while let Some(length) = u32_at(bytes, start).filter(|length| *length >= 8) {
        let Some(record) = bytes.get_mut(start..start + length) else { return };
        if record.len() > 32 && record[4..7] == [1, 2, 2] && record[27] == 3 {
            let end = record.len() - 4;
            seal(&mut record[28..end]);
        }
        seal(record);
        start += length;
    }
}

/// The three bytes after a message's kind are the length of what follows.
fn message_length(message: &mut [u8]) {
    let length = message.len().saturating_sub(4);
    if let Some(bytes) = message.get_mut(1..4) {
        bytes.copy_from_slice(&(length as u32).to_be_bytes()[1..]);
    }
}

/// Lets the parents of a message in a bundle name it as it is now.
pub(crate) fn replace_message(bundle: &mut Vec<u8>, at: usize, with: impl FnOnce(&mut Vec<u8>)) {
    let mut messages = unpack(bundle);
    let Some(message) = messages.get_mut(at) else { return };
    let mut changed = vec![(at, Address::of(message))];
    with(message);
    message_length(message);
    while let Some((at, before)) = changed.pop() {
        let now = Address::of(&messages[at]);
        for (parent, message) in messages.iter_mut().enumerate().skip(at + 1) {
            let was = Address::of(message);
            if replace_all(message, before.as_bytes(), now.as_bytes()) {
                changed.push((parent, was));
            }
        }
    }
    *bundle = pack(&messages);
}

fn replace_all(bytes: &mut [u8], from: &[u8], to: &[u8]) -> bool {
    let mut is_found = false;
    for at in 0..(bytes.len() + 1).saturating_sub(from.len()) {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
            is_found = true;
        }
    }
    is_found
}
