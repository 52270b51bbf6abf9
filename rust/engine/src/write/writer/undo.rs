//! Undo of a writer: the changes of a statement that fails, and those of an undo scope.

use super::Writer;
use crate::error::SqlError;
use crate::transaction::Transaction;

impl Writer {
    /// A statement begins: what it changes can be taken back.
    pub fn mark(&mut self) {
        self.is_marked = true;
        self.tables.iter_mut().for_each(|target| target.editor.mark());
    }

    /// Takes back what was changed since [`Writer::mark`].
    pub fn undo(&mut self) {
        self.tables.iter_mut().for_each(|target| target.editor.undo());
    }

    /// A transaction is stacked on pending commits: what it changes can be taken back by itself, whatever is marked
    /// meanwhile, until [`Writer::keep_undo_scope`] or [`Writer::undo_scope`].
    pub fn begin_undo_scope(&mut self) {
        self.has_undo_scope = true;
        self.tables.iter_mut().for_each(|target| target.editor.begin_undo_scope());
    }

    pub fn keep_undo_scope(&mut self) {
        self.has_undo_scope = false;
        self.tables.iter_mut().for_each(|target| target.editor.keep_undo_scope());
    }

    /// Takes back what was changed since [`Writer::begin_undo_scope`].
    pub fn undo_scope(&mut self) {
        self.has_undo_scope = false;
        self.tables.iter_mut().for_each(|target| target.editor.undo_scope());
    }

    /// The statement fails. It put rows into tables whose counters it moved; the next statement that changes such a table takes
    /// the counter along, whatever it does.
    pub fn failed(&self, error: &SqlError, transaction: &Transaction) {
        if error.is_wait() {
            return;
        }
        for target in self.tables.iter().filter(|target| target.editor.takes_counter()) {
            transaction.note_consumed_ids(&self.place.attached, &target.name);
        }
    }
}
