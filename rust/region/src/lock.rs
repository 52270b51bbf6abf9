//! The write lock: one writer at a time, of all processes and pages.

use core::cell::Cell;

use crate::FileError;

/// The lock of a database's writers. Readers need none.
pub trait Lock {
    /// Takes the lock, and says whether it was to be had at once. A host that has to wait for it knows from the answer `false` that
    /// it is wanted, and the caller asks again later. Taking it twice without [`Lock::unlock`] is a mistake of the caller.
    ///
    /// # Errors
    /// What the host says; [`FileError::ReadOnly`] where there is no lock to be had at all.
    fn try_lock(&self) -> Result<bool, FileError>;

    fn unlock(&self);

    /// Whether the lock is here without being taken, so that [`Lock::try_lock`] has it for certain as long as the host has no turn. When it
    /// is not, it is asked for, as by that.
    ///
    /// # Errors
    /// As [`Lock::try_lock`].
    fn claim(&self) -> Result<bool, FileError> {
        Ok(true)
    }

    /// A change counter: another number when another writer may have written meanwhile; `None` where the host cannot tell, so that the files have
    /// to be checked. Readers may learn of it late; a writer that takes the lock learns of everything that was written under it before.
    fn change_counter(&self) -> Option<u64> {
        None
    }

    /// Lease epoch of the lock while it is held: another number when another writer may have had it since, `None` once the host has lost
    /// it. While the number is the same, the files are not read again before a commit. `None` throughout where the host keeps no count.
    fn lease_epoch(&self) -> Option<u64> {
        None
    }

    /// Whether commits may be deferred under the lock: the host reports other writers that want it.
    fn may_defer(&self) -> bool {
        self.lease_epoch().is_some()
    }
}

/// A lock inside one process, without competitors: databases in memory, and tests.
#[derive(Default)]
pub struct MemoryLock {
    is_held: Cell<bool>,
}

impl Lock for MemoryLock {
    fn try_lock(&self) -> Result<bool, FileError> {
        Ok(!self.is_held.replace(true))
    }

    fn unlock(&self) {
        self.is_held.set(false);
    }
}
