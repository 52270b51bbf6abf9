//! The error type of this crate.

use codec::Address;
use store::StoreError;
use value::ValueError;

use crate::message::flat::FileId;

/// Why a message, node, tuple or field could not be read: a [`TreeReason`], of which results carry the address only.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TreeError(Box<TreeReason>);

#[derive(Debug, thiserror::Error)]
pub enum TreeReason {
    #[error(transparent)]
    Store(StoreError),
    #[error(transparent)]
    Value(ValueError),
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
    InChunk { address: Address, error: TreeError },
    #[error("encoding {encoding} is not supported yet")]
    UnsupportedEncoding { encoding: u8 },
    #[error("value of {length_bytes} bytes is longer than {limit_bytes}")]
    TooLong { length_bytes: u64, limit_bytes: u64 },
    #[error("there is no memory for a value of {length_bytes} bytes")]
    NoMemory { length_bytes: u64 },
}

impl TreeError {
    pub fn corrupt(part: &'static str, what: &'static str, at_bytes: usize) -> TreeError {
        TreeReason::Corrupt { part, what, at_bytes: at_bytes as u64 }.into()
    }

    pub fn reason(&self) -> &TreeReason {
        &self.0
    }

    /// Says which chunk an error was found in.
    pub fn in_chunk(self, address: &Address) -> TreeError {
        match self.reason() {
            TreeReason::Store(_) | TreeReason::InChunk { .. } => self,
            _ => TreeReason::InChunk { address: *address, error: self }.into(),
        }
    }
}

impl From<TreeReason> for TreeError {
    #[cold]
    #[inline(never)]
    fn from(reason: TreeReason) -> TreeError {
        TreeError(Box::new(reason))
    }
}

impl From<StoreError> for TreeError {
    #[cold]
    fn from(error: StoreError) -> TreeError {
        TreeReason::Store(error).into()
    }
}

impl From<ValueError> for TreeError {
    #[cold]
    fn from(error: ValueError) -> TreeError {
        TreeReason::Value(error).into()
    }
}
