//! Consumed auto-increment values: counters that failed statements have moved for rows that were taken back.

use std::rc::Rc;

use super::Transaction;
use crate::engine::Attached;

/// Tables into which statements put rows that they took back when they failed. Their counters have moved, and native Dolt stores
/// them with the next change of the table, whatever it is: in the same transaction, or in the next statement.
#[derive(Default)]
pub(super) struct ConsumedIds {
    tables: Vec<(Rc<Attached>, Box<str>)>,
    /// The last statement has added some.
    is_new: bool,
}

impl ConsumedIds {
    /// A statement begins: it takes along the counters of the statement before, and those of its transaction.
    pub fn begin_statement(&mut self, is_in_transaction: bool) {
        if !std::mem::take(&mut self.is_new) && !is_in_transaction {
            self.clear();
        }
    }

    pub fn clear(&mut self) {
        self.tables.clear();
    }
}

impl Transaction {
    /// A statement fails that put rows into this table.
    pub fn note_consumed_ids(&self, attached: &Rc<Attached>, table: &str) {
        let mut consumed = self.consumed_ids.borrow_mut();
        consumed.is_new = true;
        consumed.tables.push((attached.clone(), table.into()));
    }

    /// Whether a statement put rows into this table and failed: see [`ConsumedIds`].
    pub fn has_consumed_ids(&self, attached: &Rc<Attached>, table: &str) -> bool {
        let consumed = self.consumed_ids.borrow();
        consumed.tables.iter().any(|(known, name)| Rc::ptr_eq(known, attached) && **name == *table)
    }
}
