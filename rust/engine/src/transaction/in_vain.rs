//! Rows that failed statements took back, and the counters that they have moved.

use std::rc::Rc;

use super::Transaction;
use crate::engine::Attached;

/// Tables into which statements put rows that they took back when they failed. Their counters have moved, and native Dolt stores
/// them with the next change of the table, whatever it is: in the same transaction, or in the statement right behind.
#[derive(Default)]
pub(super) struct InVain {
    pub(super) tables: Vec<(Rc<Attached>, Box<str>)>,
    /// By the last statement.
    pub(super) is_new: bool,
}

impl Transaction {
    /// A statement fails that put rows into this table.
    pub fn put_in_vain(&self, attached: &Rc<Attached>, table: &str) {
        let mut in_vain = self.in_vain.borrow_mut();
        in_vain.is_new = true;
        in_vain.tables.push((attached.clone(), table.into()));
    }

    /// Whether a statement put rows into this table and failed: see [`InVain`].
    pub fn has_put_in_vain(&self, attached: &Rc<Attached>, table: &str) -> bool {
        let in_vain = self.in_vain.borrow();
        in_vain.tables.iter().any(|(known, name)| Rc::ptr_eq(known, attached) && **name == *table)
    }
}
