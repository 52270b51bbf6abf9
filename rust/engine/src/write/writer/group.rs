//! Group commit of a writer: whether its commit may be deferred, how large its edits are, and its redo records.

use super::Writer;
use crate::write::memtable::Since;
use crate::write::redo;

impl Writer {
    /// Memory that edits take which are not in trees, about.
    pub fn edit_bytes(&self) -> usize {
        self.tables.iter().map(|target| target.editor.edit_bytes()).sum()
    }

    /// Whether there are changes, and of tables alone whose rows nothing keeps from being committed, so that this may be done later.
    pub fn may_defer(&self) -> bool {
        !self.is_merging
            && self.tables.iter().any(|target| target.editor.is_changed())
            && self.tables.iter().all(|target| target.editor.is_plain())
    }

    /// What was changed since then, for [`redo::onto`] by others: nothing where nothing was. `None` where that is not known, or where more
    /// hangs on it than rows and indexes. Many rows behind all others are in the tree then, whose chunks are pending.
    pub fn redo(&mut self, since: Since) -> Option<Vec<u8>> {
        let mut changed = self.tables.iter().filter(|target| target.editor.is_changed());
        if self.is_merging || !changed.all(|target| target.editor.is_plain()) {
            return None;
        }
        // The commit that comes instead reports damaged chunks.
        self.tables.iter_mut().try_for_each(|target| target.editor.flush_behind()).ok()?;
        self.changes(since)
    }

    /// What was changed since then, for [`redo::onto`]. `None` where that is not known.
    pub fn changes(&self, since: Since) -> Option<Vec<u8>> {
        let branch = self.place.branch()?;
        let mut changes = Vec::new();
        for target in self.tables.iter().filter(|target| target.editor.is_changed()) {
            let mut table = redo::TableWriter::new(&mut changes, branch, &target.name);
            if !target.editor.write_redo(since, &mut table) {
                return None;
            }
        }
        Some(changes)
    }
}
