//! Field payloads, inline or out of line (docs/format/tree.md, section 5.5).

use std::borrow::Cow;

use codec::{Address, Reader, varint};

use crate::tuple::Encoding;
use crate::{NodeStore, TreeError, blob};

/// Where the bytes of a text, binary, JSON or geometry field are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored<'a> {
    /// In the tuple.
    Inline(&'a [u8]),
    /// In a blob tree, or a JSON document. Fields from before adaptive encodings do not tell the length.
    OutOfBand { address: Address, length_bytes: Option<u64> },
}

impl<'a> Stored<'a> {
    /// Finds the payload of a field that is not NULL: terminators and inline marks are taken off. Reads nothing.
    ///
    /// # Errors
    /// `TreeReason::Corrupt` when the field has not the form of its encoding.
    pub fn of(encoding: Encoding, field: &'a [u8]) -> Result<Stored<'a>, TreeError> {
        let corrupt = |what| TreeError::corrupt("field", what, 0);
        match encoding {
            Encoding::String | Encoding::Bytes | Encoding::Json | Encoding::Geometry => match field {
                [payload @ .., 0] => Ok(Stored::Inline(payload)),
                _ => Err(corrupt("has no terminator")),
            },
            _ if encoding.is_address() => {
                let address = Address::from_slice(field).map_err(|error| corrupt(error.what))?;
                let length_bytes = address.is_empty().then_some(0);
                Ok(Stored::OutOfBand { address, length_bytes })
            }
            _ if encoding.is_adaptive() => match field {
                [0, payload @ ..] => Ok(Stored::Inline(payload)),
                _ => {
                    let mut reader = Reader::new(field);
                    let mut out_of_band = || Ok((varint::read_sqlite4(&mut reader)?, reader.address()?));
                    let (length_bytes, address) = out_of_band().map_err(|error: codec::Corrupt| corrupt(error.what))?;
                    if !reader.is_empty() {
                        return Err(corrupt("has bytes after its address"));
                    }
                    Ok(Stored::OutOfBand { address, length_bytes: Some(length_bytes) })
                }
            },
            _ => Ok(Stored::Inline(field)),
        }
    }

    /// Bytes of the payload, when that is known without reading it.
    pub fn length_bytes(&self) -> Option<u64> {
        match self {
            Stored::Inline(payload) => Some(payload.len() as u64),
            Stored::OutOfBand { length_bytes, .. } => *length_bytes,
        }
    }

    /// Bytes of a text or of bytes, as the field and the root of the tree say together; `None` where only the leaves tell.
    ///
    /// # Errors
    /// What is wrong with the root.
    pub fn known_length(&self, nodes: &NodeStore) -> Result<Option<u32>, TreeError> {
        Ok(match (self, self.length_bytes()) {
            (Stored::OutOfBand { address, .. }, Some(length_bytes)) if length_bytes <= blob::VALUE_BYTES_MAX => {
                blob::may_have(nodes, address, length_bytes)?.then_some(length_bytes as u32)
            }
            _ => None,
        })
    }

    /// The first bytes of the payload, or all that it has: no leaves are read for others.
    ///
    /// # Errors
    /// As [`Stored::read`].
    pub fn read_prefix(&self, nodes: &NodeStore, bytes: usize) -> Result<Vec<u8>, TreeError> {
        match self {
            Stored::OutOfBand { address, length_bytes } if length_bytes.is_none_or(|length| length > bytes as u64) => {
                blob::read_prefix(nodes, address, bytes)
            }
            _ => Ok(self.read(nodes)?.into_owned()),
        }
    }

    /// The payload, read when it is out of band.
    pub fn read(&self, nodes: &NodeStore) -> Result<Cow<'a, [u8]>, TreeError> {
        Ok(match self {
            Stored::Inline(payload) => Cow::Borrowed(payload),
            Stored::OutOfBand { address, length_bytes: Some(length_bytes) } => {
                Cow::Owned(blob::read_exact(nodes, address, *length_bytes)?)
            }
            Stored::OutOfBand { address, length_bytes: None } => Cow::Owned(blob::read(nodes, address)?),
        })
    }
}

/// The bytes of a field of fixed width.
pub(super) fn bytes<const N: usize>(field: &[u8]) -> Result<[u8; N], TreeError> {
    field.try_into().map_err(|_| TreeError::corrupt("field", "has another width than its encoding", 0))
}

/// The payload of a text.
pub(super) fn text(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, TreeError> {
    let not_text = || TreeError::corrupt("field", "text is not UTF-8", 0);
    match bytes {
        Cow::Borrowed(bytes) => core::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| not_text()),
        Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| not_text()),
    }
}
