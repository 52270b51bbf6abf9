//! Errors of the store: why a chunk cannot be read or written.

use std::rc::Rc;

use codec::{Address, Corrupt};
use region::{FileError, RegionError};

use crate::Loss;

/// Every failure of the store. File names are paths inside the database directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Bytes of a file do not have the form that the format promises.
    #[error("{file}: {what} at byte {at_bytes}")]
    Corrupt { file: Rc<str>, what: &'static str, at_bytes: u64 },
    /// A journal is damaged before records that are whole: opening would lose commits. Native Dolt refuses it, too.
    #[error(
        "{file}: corrupted journal at byte {at_bytes}: whole records follow, possible data loss; restore a copy, or cut the journal \
         there with `dolt fsck --revive-journal-with-data-loss`"
    )]
    DataLoss { file: Rc<str>, at_bytes: u64 },
    /// The opened state is not the newest one, or may not be.
    #[error("{0}")]
    Loss(Box<Loss>),
    /// The manifest was there when the database was opened, and is not any more: the directory was deleted, or the site's data cleared.
    #[error(
        "{file} is gone: the database was removed while it was open; copy what can still be read to another place, or create it again"
    )]
    Removed { file: Rc<str> },
    /// A manifest lists a file that is not there.
    #[error("{file}: listed in the manifest but not there")]
    AbsentFile { file: Rc<str> },
    /// There is no manifest: not a Dolt database or remote.
    #[error("{file}: no manifest, so this is not a Dolt database")]
    NoManifest { file: Rc<str> },
    /// A version or a kind that this store does not know, and Dolt 2.2 does not either.
    #[error("{file}: {what} {found} is not supported")]
    Unsupported { file: Rc<str>, what: &'static str, found: u32 },
    #[error("chunk {0} is not in this store")]
    Missing(Address),
    /// The database is a shallow clone and the chunk was left behind at its source.
    #[error("chunk {0} was not cloned: this is a shallow clone")]
    Ghost(Address),
    /// All chunks are needed, and the database is a lazy clone that lacks some.
    #[error(
        "{what} needs all of the database, and this is a lazy clone: what was not needed yet is only at {url}. Fetch it first, with CALL \
         varve_complete(), database.completeClone() or `varve complete`"
    )]
    Incomplete { url: Rc<str>, what: &'static str },
    /// What a lazy clone lacks could not be read from where it is.
    #[error(
        "this is a lazy clone, and what it needs now is in {file} of {url}, which could not be read: {reason}. Try again when the remote \
         can be reached. Where it has other files by now, CALL varve_complete() fetches what it still has; clone it anew where that fails"
    )]
    NotFetched { url: Rc<str>, file: Rc<str>, reason: Box<str> },
    /// The bytes found under an address do not hash to it.
    #[error("{file}: chunk {address} at byte {at_bytes} does not have its address")]
    WrongAddress { file: Rc<str>, address: Address, at_bytes: u64 },
    /// The store was opened from files that cannot be written.
    #[error("the database is read-only here: {0}")]
    ReadOnly(&'static str),
    /// Nothing was done: the lock or a file has to be waited for, which the host knows. Ask again then.
    #[error("the host has to wait for a lock or a file first")]
    Wait,
    /// A garbage collection ran since the first of the chunks was put: what they refer to may be gone. The transaction has to be tried
    /// again as a whole.
    #[error("a garbage collection ran since the transaction began")]
    Collected,
    /// What a chunk refers to cannot be told.
    #[error("chunk {address}: {reason}")]
    Unreadable { address: Address, reason: Box<str> },
    /// A chunk of no bytes, or of more than the format has room for.
    #[error("a chunk of {bytes} bytes cannot be stored")]
    ChunkLength { bytes: usize },
    /// There is a database where a new one was to be made.
    #[error("{file}: there is a database already")]
    Exists { file: Rc<str> },
    /// Another writer had the files while this store held their lock. Nothing was written; the same transaction can be run again.
    #[error(
        "{file}: another writer was here while this one held the lock: expected {expected}, found {found}. Nothing was written: run it again"
    )]
    LeaseLost { file: Rc<str>, expected: Box<str>, found: Box<str> },
    #[error(transparent)]
    Region(#[from] RegionError),
}

/// Cause of a failed read or write that the caller or the user can remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The host: the same call will do later.
    Wait,
    /// A garbage collection: the transaction has to be tried again.
    Collected,
    /// The place: it cannot be written.
    ReadOnly,
    /// The disk is full, or the quota of the origin used up.
    NoSpace,
    /// Another writer, in spite of the lock: nothing was written, the same call will do.
    LeaseLost,
    /// The files: they were removed while the database was open.
    Gone,
    /// Memory: there is none for a value.
    NoMemory,
    /// The remote of a lazy clone: it cannot be read, or has not any more what the clone lacks.
    NotFetched,
    /// What a lazy clone lacks.
    Incomplete,
}

impl StoreError {
    pub fn obstacle(&self) -> Option<Obstacle> {
        match self {
            StoreError::Wait => Some(Obstacle::Wait),
            StoreError::Collected => Some(Obstacle::Collected),
            StoreError::ReadOnly(_) => Some(Obstacle::ReadOnly),
            StoreError::LeaseLost { .. } => Some(Obstacle::LeaseLost),
            StoreError::Removed { .. } => Some(Obstacle::Gone),
            StoreError::NotFetched { .. } => Some(Obstacle::NotFetched),
            StoreError::Incomplete { .. } => Some(Obstacle::Incomplete),
            StoreError::Region(RegionError::File { error, .. }) => match error {
                FileError::Wait => Some(Obstacle::Wait),
                FileError::ReadOnly => Some(Obstacle::ReadOnly),
                FileError::NoSpace => Some(Obstacle::NoSpace),
                FileError::Gone => Some(Obstacle::Gone),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a file was there and is not any more, or was closed elsewhere.
    pub fn is_gone(&self) -> bool {
        self.obstacle() == Some(Obstacle::Gone)
    }

    /// The file that something is wrong with, and the byte, as far as it is about a file.
    pub fn place(&self) -> (Option<&Rc<str>>, Option<u64>) {
        match self {
            StoreError::Corrupt { file, at_bytes, .. }
            | StoreError::DataLoss { file, at_bytes }
            | StoreError::WrongAddress { file, at_bytes, .. } => (Some(file), Some(*at_bytes)),
            StoreError::LeaseLost { file, .. } | StoreError::Region(RegionError::File { file, .. }) => {
                (Some(file), None)
            }
            StoreError::Loss(loss) => (Some(&loss.file), Some(loss.at_bytes)),
            _ => (None, None),
        }
    }

    /// Whether other bytes of the same file could be right: of a remote, a faulty copy may have come.
    pub(crate) fn is_damage(&self) -> bool {
        self.is_past_end()
            || matches!(
                self,
                StoreError::Corrupt { .. }
                    | StoreError::WrongAddress { .. }
                    | StoreError::Missing(_)
                    | StoreError::Unsupported { .. }
            )
    }

    /// Whether the same call will do once the host has done what it was asked for.
    pub fn is_wait(&self) -> bool {
        self.obstacle() == Some(Obstacle::Wait)
    }

    /// Whether a file was shorter when it was read than when its length was asked for.
    pub(crate) fn is_past_end(&self) -> bool {
        let StoreError::Region(error) = self else { return false };
        matches!(error, RegionError::PastEnd { .. } | RegionError::File { error: FileError::PastEnd { .. }, .. })
    }

    /// Names the file of `corrupt`, whose structure starts at byte `start` of it.
    pub(crate) fn corrupt(file: &Rc<str>, start: u64, corrupt: Corrupt) -> StoreError {
        StoreError::Corrupt { file: file.clone(), what: corrupt.what, at_bytes: start.saturating_add(corrupt.at_bytes) }
    }

    /// Names the file of a failed open or read.
    pub(crate) fn file(file: &Rc<str>, error: FileError) -> StoreError {
        StoreError::Region(RegionError::File { file: file.clone(), error })
    }
}
