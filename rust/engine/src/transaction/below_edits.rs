//! Reads of rows that no edit of the open transaction touches: they read the trees below the edits, which then need not become trees, and
//! what is not settled stays so.

use super::{State, Transaction};
use crate::write::SharedWriter;

/// While it is there, names are those below the edits of the open transaction.
pub struct BelowEdits<'a>(&'a Transaction);

impl Drop for BelowEdits<'_> {
    fn drop(&mut self) {
        self.0.is_below_edits.set(false);
    }
}

impl Transaction {
    /// The writer of an open transaction whose edits, or those that it began on top of, are not in trees.
    pub fn edits(&self) -> Option<SharedWriter> {
        let inner = self.inner.borrow();
        if inner.state == State::Open && inner.own.is_none() && !inner.is_own_lost { self.open_writer() } else { None }
    }

    /// A query is about to look below the edits. It is a part of the transaction that changes nothing of what becomes of it.
    pub fn look_below_edits(&self) -> BelowEdits<'_> {
        self.note_end();
        self.is_below_edits.set(true);
        BelowEdits(self)
    }
}
