//! Preallocation of journal space while the store is idle: a commit that extends its file takes several times as long.

use super::Writer;
use crate::opened::Opened;
use crate::{Durability, StoreError};

/// Time without appends after which the store counts as idle.
const IDLE_MS: u64 = 4;

impl Writer {
    pub(crate) fn make_room_when_idle(&self, opened: &Opened, now_ms: u64) -> Result<Option<u64>, StoreError> {
        // Commits that are not flushed one by one are not kept waiting by a file that grows.
        let files = opened.files();
        let Some(journal) = files.journal.as_ref().filter(|_| self.options.durability == Durability::Full) else {
            return Ok(None);
        };
        if journal.lacks_room_bytes() == 0 {
            return Ok(None);
        }
        if self.appends_at_rest.replace(journal.appends()) != journal.appends() {
            return Ok(Some(now_ms + IDLE_MS));
        }
        let _held = self.lock()?;
        self.look(opened, true)?;
        // What the look found may be another file.
        let files = opened.files();
        let Some(journal) = files.journal.as_ref().filter(|_| files.lists_journal()) else { return Ok(None) };
        match journal.lacks_room_bytes() {
            0 => {}
            bytes => {
                self.check_lease(opened, journal)?;
                journal.make_room(bytes)?;
                self.flush(opened, journal)?;
            }
        }
        Ok(None)
    }
}
