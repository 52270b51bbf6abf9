//! The lease check: before anything is written, the lock is still this store's and the files are those that it wrote last.
//!
//! A lock can be lost in silence: a Web Lock is stolen, the file that carries the lock is removed, a network file system forgets it, or a
//! program writes without one. Appending then would write over what another writer has acknowledged.

use std::rc::Rc;

use super::{Held, Writer};
use crate::StoreError;
use crate::journal::Journal;
use crate::manifest::Manifest;
use crate::opened::Opened;

impl Writer {
    /// The lock that is kept for deferred commits, unless the host has lost it: then it is taken anew, which reads the files again.
    pub(super) fn kept_lock(&self) -> Option<Rc<Held>> {
        if self.is_kept_lock_lost() {
            self.forget_lease();
        }
        self.held.borrow().clone()
    }

    fn is_kept_lock_lost(&self) -> bool {
        self.held.borrow().is_some() && self.options.lock.lease_epoch() != self.lease_epoch.get()
    }

    /// Checks the lock that is kept for deferred commits before one more is added to them, which must not wait for another lock: until then
    /// it would be neither acknowledged nor undone.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`]
    pub(super) fn check_kept_lock(&self) -> Result<(), StoreError> {
        if self.is_kept_lock_lost() { self.check_lock() } else { Ok(()) }
    }

    /// Checks the lease before the journal is written. Costs one look at the lock, the length of the journal, four bytes behind its last
    /// record, and the manifest.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`]: nothing may be written. The files are read again when the lock is taken next. Or a file cannot be read.
    pub(super) fn check_lease(&self, opened: &Opened, journal: &Journal) -> Result<(), StoreError> {
        self.check_lock()?;
        if let Some((expected, found)) = journal.foreign_end()? {
            return Err(self.lost(journal.name().clone(), expected, found));
        }
        self.check_manifest(opened)
    }

    /// Checks the lease before the files of the store are replaced.
    ///
    /// # Errors
    /// As [`Writer::check_lease`].
    pub(crate) fn check_lease_of(&self, opened: &Opened) -> Result<(), StoreError> {
        match &opened.files().journal {
            Some(journal) => self.check_lease(opened, journal),
            None => self.check_lock().and_then(|()| self.check_manifest(opened)),
        }
    }

    fn check_lock(&self) -> Result<(), StoreError> {
        let (known, term) = (self.lease_epoch.get(), self.options.lock.lease_epoch());
        if known == term {
            return Ok(());
        }
        let told = |term: Option<u64>| term.map_or("no lock".to_owned(), |term| format!("lock number {term}"));
        Err(self.lost("LOCK".into(), told(known), told(term)))
    }

    fn check_manifest(&self, opened: &Opened) -> Result<(), StoreError> {
        let path = opened.layout().manifest_path();
        let (known, found) = (&opened.files().manifest, Manifest::read(&*self.directory, &path)?);
        if found.as_ref() == Some(known) || found.is_none() && known.is_absent() {
            return Ok(());
        }
        if found.is_none() {
            return Err(StoreError::Removed { file: path });
        }
        let lock = |manifest: &Manifest| format!("manifest {}", manifest.lock);
        let found = found.as_ref().map_or("no manifest".to_owned(), lock);
        Err(self.lost(path, lock(known), found))
    }

    /// The error, after which the files are looked at as those of another writer.
    #[cold]
    fn lost(&self, file: Rc<str>, expected: String, found: String) -> StoreError {
        self.forget_lease();
        StoreError::LeaseLost { file, expected: expected.into(), found: found.into() }
    }

    fn forget_lease(&self) {
        self.lease_epoch.set(None);
        self.change_counter.set(None);
        let held = self.held.take();
        drop(held);
    }
}
