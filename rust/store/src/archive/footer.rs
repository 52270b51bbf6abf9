//! Archive footer: the last bytes of an archive (docs/format/store.md, section 5.2).

use codec::{Corrupt, Reader};
use region::Mapping;

use crate::StoreError;

/// Bytes of the footer of version 3. Versions 1 and 2 have a shorter length field first, and so are 4 bytes shorter.
const FOOTER_BYTES: usize = 220;
const SHORTER_BY_BYTES: u64 = 4;
const SIGNATURE: &[u8] = b"DOLTARC";
/// The last version with a u32 index length.
const SHORT_VERSION_MAX: u8 = 2;
const VERSION_MAX: u8 = 3;
/// Three SHA-512 that are never filled in.
const UNUSED_BYTES: usize = 192;

/// What the footer says, checked against the length of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) version: u8,
    pub(super) spans: u32,
    pub(super) chunks: u32,
    /// Also the length of the span area.
    pub(super) index_start: u64,
}

impl Footer {
    pub(super) fn read(mapping: &Mapping) -> Result<Footer, StoreError> {
        let name = mapping.name();
        let Some(start) = mapping.len().checked_sub(FOOTER_BYTES as u64) else {
            let what = "archive is shorter than its footer";
            return Err(StoreError::Corrupt { file: name.clone(), what, at_bytes: 0 });
        };
        let tail: [u8; FOOTER_BYTES] = mapping.array(start)?;
        match Self::decode(&tail, mapping.len()) {
            Ok(footer) if (1..=VERSION_MAX).contains(&footer.version) => Ok(footer),
            Ok(footer) => {
                let found = footer.version.into();
                Err(StoreError::Unsupported { file: name.clone(), what: "archive version", found })
            }
            Err(corrupt) => Err(StoreError::corrupt(name, start, corrupt)),
        }
    }

    /// Decodes the last 220 bytes of a file of `file_bytes`. Does not judge the version; of an unknown one only that is right.
    fn decode(tail: &[u8; FOOTER_BYTES], file_bytes: u64) -> Result<Footer, Corrupt> {
        let mut reader = Reader::new(tail);
        let [wide_high, wide_low] = [reader.u32_be()?, reader.u32_be()?];
        let (spans, chunks, metadata_bytes) = (reader.u32_be()?, reader.u32_be()?, reader.u32_be()?);
        reader.take(UNUSED_BYTES)?;
        let version = reader.u8()?;
        if reader.rest() != SIGNATURE {
            return Err(Corrupt::new("archive does not end with its signature", reader.position()));
        }
        if version > VERSION_MAX {
            return Ok(Footer { version, spans: 0, chunks: 0, index_start: 0 });
        }
        let is_short = version <= SHORT_VERSION_MAX;
        let index_bytes = if is_short { wide_low.into() } else { u64::from(wide_high) << 32 | u64::from(wide_low) };
        let footer = Footer { version, spans, chunks, index_start: 0 };
        if index_bytes != footer.index_bytes() {
            return Err(Corrupt::new("archive index does not have the length of its arrays", 0));
        }
        let footer_bytes = FOOTER_BYTES as u64 - if is_short { SHORTER_BY_BYTES } else { 0 };
        let index_start = file_bytes
            .checked_sub(footer_bytes)
            .and_then(|rest| rest.checked_sub(metadata_bytes.into()))
            .and_then(|rest| rest.checked_sub(index_bytes))
            .ok_or(Corrupt::new("archive is shorter than its index and metadata", 0))?;
        Ok(Footer { index_start, ..footer })
    }

    /// Bytes of the index: 8 for a span, 28 for a chunk.
    fn index_bytes(&self) -> u64 {
        8 * u64::from(self.spans) + 28 * u64::from(self.chunks)
    }

    pub(super) fn index_end(&self) -> u64 {
        self.index_start + self.index_bytes()
    }
}

/// The bytes of a footer of version 3.
pub(super) fn encode(spans: u32, chunks: u32, metadata_bytes: u32) -> Vec<u8> {
    let footer = Footer { version: VERSION_MAX, spans, chunks, index_start: 0 };
    let mut bytes = footer.index_bytes().to_be_bytes().to_vec();
    for field in [spans, chunks, metadata_bytes] {
        bytes.extend_from_slice(&field.to_be_bytes());
    }
    bytes.resize(bytes.len() + UNUSED_BYTES, 0);
    bytes.push(VERSION_MAX);
    bytes.extend_from_slice(SIGNATURE);
    bytes
}
