//! Base-snapshot reads: queries of rows that no edit of the open transaction touches read the trees before these edits, which then need
//! not become trees, and pending commits stay pending.

use super::Transaction;
use crate::write::SharedWriter;

/// While it is there, names are those before the edits of the open transaction.
pub struct BaseSnapshotRead<'a>(&'a Transaction);

impl Drop for BaseSnapshotRead<'_> {
    fn drop(&mut self) {
        self.0.reads_base.set(false);
    }
}

impl Transaction {
    /// The writer of an open transaction whose edits, or those of the group that it is stacked on, are not in trees.
    pub fn edits(&self) -> Option<SharedWriter> {
        if self.state.borrow().is_in_transaction() { self.open_writer() } else { None }
    }

    /// A query is about to read the base snapshot. It is a part of the transaction that changes nothing of what becomes of it.
    pub fn read_base_snapshot(&self) -> BaseSnapshotRead<'_> {
        self.queue.borrow_mut().note_end();
        self.reads_base.set(true);
        BaseSnapshotRead(self)
    }
}
