//! Redo records: acknowledged changes whose root is written later (docs/decisions/2026-11-22-runs-of-changes.md).

use codec::Address;

use super::Writer;
use crate::StoreError;
use crate::journal::{REDO_BYTES_MAX, Redo, Room};
use crate::opened::Opened;
use crate::record::Packing;

/// Bytes of pending chunks that are written before a redo record, at most.
const REDO_CHUNK_BYTES_MAX: usize = 2 << 20;

/// Age after which redo records without a root count as orphaned. A live writer normally flushes in half this time.
const REDO_LEFT_MS: u64 = 100;

impl Writer {
    pub(crate) fn hold(
        &self,
        opened: &Opened,
        root: &Address,
        redo: &mut dyn FnMut() -> Option<Vec<u8>>,
    ) -> Result<bool, StoreError> {
        self.check_kept_lock()?;
        let changes = if self.is_relaxed() {
            // To make the journal anew, as after a collection, may wait: the lock would go to another tab before the pending commits are written.
            if !opened.files().lists_journal() {
                return Ok(false);
            }
            Vec::new()
        } else {
            match self.options.lock.may_defer().then(redo).flatten() {
                Some(changes) if changes.len() <= REDO_BYTES_MAX && self.may_write_pending(opened) => changes,
                _ => return Ok(false),
            }
        };
        let held = self.lock()?;
        if !self.options.lock.may_defer() {
            return Ok(false);
        }
        self.look(opened, true)?;
        let is_other = opened.files().root() != *root || root.is_empty() || self.is_collected(opened);
        if is_other || self.has_redo_of_others(opened)? {
            return Ok(false);
        }
        if !changes.is_empty() {
            self.append_redo(opened, root, &changes)?;
        }
        *self.held.borrow_mut() = Some(held);
        Ok(true)
    }

    /// Changes may refer to any chunk that is pending: all of them go before the record. Not when they are many, which would keep a small
    /// statement waiting, nor when a collection may have taken what they lean on, which the commit tells.
    fn may_write_pending(&self, opened: &Opened) -> bool {
        self.pending.borrow().bytes() <= REDO_CHUNK_BYTES_MAX && !self.is_collected(opened)
    }

    /// Whether a collection may have taken what pending chunks lean on.
    pub(super) fn is_collected(&self, opened: &Opened) -> bool {
        let generation = opened.files().manifest.gc_generation;
        self.pending.borrow().generation().is_some_and(|before| before != generation)
    }

    pub(crate) fn release(&self) {
        self.has_redo.set(false);
        self.held.take();
    }

    fn append_redo(&self, opened: &Opened, root: &Address, changes: &[u8]) -> Result<(), StoreError> {
        let journal = self.listed_journal(opened)?;
        let addresses = self.pending.borrow().addresses();
        self.append_records(opened, &journal, true, |appender| {
            self.write_chunks(appender, &addresses)?;
            let chunk = Redo::encode(root, appender.end(), changes);
            appender.chunk(&Address::of(&chunk), &chunk, Packing::Quick)?;
            // The next one of a run is as large as this one.
            if journal.is_busy() && !appender.is_large() {
                appender.leave_room(Room::Written);
            }
            appender.write()
        })?;
        self.pending.borrow_mut().are_elsewhere(addresses);
        Ok(())
    }

    /// Redo records of other writers on the current root.
    fn redo_of_others(&self, opened: &Opened) -> Result<Vec<Redo>, StoreError> {
        let files = opened.files();
        let Some(journal) = files.journal.as_ref().filter(|journal| journal.may_have_redo()) else {
            return Ok(Vec::new());
        };
        let mut left = journal.redo()?;
        left.retain(|redo| redo.root == files.root());
        if left.is_empty() {
            journal.forget_redo();
        }
        Ok(left)
    }

    pub(crate) fn has_redo_of_others(&self, opened: &Opened) -> Result<bool, StoreError> {
        Ok(!self.redo_of_others(opened)?.is_empty())
    }

    pub(crate) fn left_redo(&self, opened: &Opened, is_urgent: bool) -> Result<Vec<Vec<u8>>, StoreError> {
        // Others are not kept from writing because of a question.
        if !self.has_redo_of_others(opened)? {
            self.redo_since.set(None);
            return Ok(Vec::new());
        }
        let now_ms = (self.options.clock)();
        let root = opened.files().root();
        let known = self.redo_since.get().filter(|(_, behind)| behind.is_none_or(|behind| behind == root));
        let since_ms = known.map_or(now_ms, |(since_ms, _)| since_ms);
        self.redo_since.set(Some((since_ms, Some(root))));
        if !is_urgent && (since_ms..since_ms.saturating_add(REDO_LEFT_MS)).contains(&now_ms) {
            return Ok(Vec::new());
        }
        let held = self.lock()?;
        self.look(opened, true)?;
        opened.root.set(opened.files().root());
        let left = self.redo_of_others(opened)?;
        if !left.is_empty() {
            self.has_redo.set(true);
            *self.held.borrow_mut() = Some(held);
        }
        Ok(left.into_iter().map(|redo| redo.changes).collect())
    }

    pub(crate) fn forget_redo(&self, opened: &Opened) {
        if let Some(journal) = &opened.files().journal {
            journal.forget_redo();
        }
    }
}
