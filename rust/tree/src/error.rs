//! The one error of this crate.

use codec::Address;
use store::StoreError;
use value::ValueError;

use crate::message::flat::FileId;

/// Why a message, node, tuple or field could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Value(#[from] ValueError),
    /// `at_bytes` counts from the first byte of the message, tuple or field.
    #[error("{part}: {what} at byte {at_bytes}")]
    Corrupt { part: &'static str, what: &'static str, at_bytes: u64 },
    /// A newer Dolt wrote this; reading on would lose what it meant.
    #[error("{table} has {slots} fields, this version knows {known_slots}: written by a newer Dolt")]
    UnknownFields { table: &'static str, slots: u16, known_slots: u16 },
    #[error("wanted {wanted}, found message {}", found.escape_ascii())]
    WrongMessage { wanted: &'static str, found: FileId },
    /// An error in the chunk with this address.
    #[error("chunk {address}: {error}")]
    InChunk { address: Address, error: Box<TreeError> },
    #[error("encoding {encoding} is not supported yet")]
    UnsupportedEncoding { encoding: u8 },
    #[error("value of {length_bytes} bytes is longer than {limit_bytes}")]
    TooLong { length_bytes: u64, limit_bytes: u64 },
}

impl TreeError {
    pub fn corrupt(part: &'static str, what: &'static str, at_bytes: usize) -> TreeError {
        TreeError::Corrupt { part, what, at_bytes: at_bytes as u64 }
    }

    /// Says which chunk an error was found in.
    pub fn in_chunk(self, address: &Address) -> TreeError {
        match self {
            TreeError::Store(_) | TreeError::InChunk { .. } => self,
            error => TreeError::InChunk { address: *address, error: Box::new(error) },
        }
    }
}
