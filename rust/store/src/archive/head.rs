//! The first chunks of an archive on a remote, by their addresses, which are computed from the chunks themselves: the root and what it refers
//! to come first, and each would be a way through the index, whose parts a remote sends one after the other.

use core::cell::OnceCell;
use std::rc::Rc;

use codec::{Address, zstd};

use super::{Archive, dictionaries};
use crate::StoreError;
use crate::record;
use crate::source::{Form, Place};

/// Bytes of spans that are the head.
pub(super) const HEAD_BYTES: u64 = 32 << 10;
/// Of the chunks in it, so much is decoded at most.
const DECODED_BYTES_MAX: usize = 1 << 20;
/// Spans that may be neither chunks nor the dictionary of those that follow.
const MISSES_MAX: usize = 4;

#[derive(Default)]
pub(super) struct Head {
    places: OnceCell<Vec<(Address, Place)>>,
}

impl Head {
    /// Where a chunk of the head is.
    pub(super) fn find(&self, archive: &Archive, address: &Address) -> Option<Place> {
        let places = self.places.get_or_init(|| {
            let mut places = Vec::new();
            // Whatever is wrong is for the lookup in the index to report.
            let _ = decode(archive, &mut places);
            places
        });
        places.iter().find(|(known, _)| known == address).map(|(_, place)| *place)
    }
}

/// Decodes one span after the other. What a span holds only the index tells, so that they are tried: a record has a checksum, and what is
/// neither a record nor a frame of the last dictionary may be the next one.
fn decode(archive: &Archive, places: &mut Vec<(Address, Place)>) -> Result<(), StoreError> {
    let (mut left_bytes, mut misses) = (DECODED_BYTES_MAX, 0);
    let mut head = vec![0; HEAD_BYTES.min(archive.footer.index_start) as usize];
    archive.mapping.copy_to(0, &mut head)?;
    let mut dictionary: Option<(Rc<zstd::Dictionary>, u32)> = None;
    for span in 1..=archive.footer.spans {
        let (offset, len) = archive.span(span)?;
        let Some(bytes) = head.get(offset as usize..).and_then(|rest| rest.get(..len as usize)) else { break };
        if misses > MISSES_MAX {
            break;
        }
        let (chunk, form) = match (record::decode(bytes), &dictionary) {
            (Ok(chunk), _) => (chunk, Form::Record),
            (_, Some((prepared, number))) if let Ok(chunk) = zstd::decompress(bytes, Some(prepared), left_bytes) => {
                // At no position of the index that is known here.
                (chunk, Form::Zstd { position: u32::MAX, dictionary: *number })
            }
            _ => {
                misses += 1;
                let prepared = archive.dictionaries.get(span, || {
                    dictionaries::decode(bytes)
                        .map_err(|error| StoreError::corrupt(archive.mapping.name(), offset, error))
                });
                dictionary = prepared.ok().map(|prepared| (prepared, span)).or(dictionary);
                continue;
            }
        };
        left_bytes = left_bytes.saturating_sub(chunk.len());
        places.push((Address::of(&chunk), Place { offset, len, form }));
    }
    Ok(())
}
