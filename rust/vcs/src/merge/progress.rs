//! Resumable merges: the rows that are merged already.

use std::cell::{Cell, RefCell};

use codec::Address;

use crate::merge::constraints::dangling::DanglingSearch;
use crate::merge::rows::merge_rows::MergedRows;
use crate::root_value::RootValue;

/// What was done of a merge or a verification. It stops with [`VcsReason::Interrupted`](crate::VcsReason::Interrupted) where the caller
/// says so; the caller makes the same call again, which goes on there.
pub struct MergeProgress {
    pauses: Box<dyn Fn() -> bool>,
    is_paused: Cell<bool>,
    tables: RefCell<Vec<TableProgress>>,
    /// The search for rows that refer to nothing, of one root since another.
    search: RefCell<Option<([Address; 2], DanglingSearch)>>,
}

/// A table by its name and versions: base, ours, theirs.
struct TableProgress {
    name: Box<str>,
    versions: [Address; 3],
    rows: MergedRows,
}

impl MergeProgress {
    /// `pauses` is asked after each row.
    pub fn new(pauses: Box<dyn Fn() -> bool>) -> MergeProgress {
        MergeProgress { pauses, is_paused: Cell::new(false), tables: RefCell::default(), search: RefCell::default() }
    }

    /// Whether the call that has failed did so only to be made again.
    pub fn take_pause(&self) -> bool {
        self.is_paused.take()
    }

    /// Whether the call has failed only to be made again.
    pub fn is_paused(&self) -> bool {
        self.is_paused.get()
    }

    /// Whether to stop here.
    pub fn pauses(&self) -> bool {
        let pauses = (self.pauses)();
        if pauses {
            self.is_paused.set(true);
        }
        pauses
    }

    pub(crate) fn rows(&self, name: &str, of: &[Address; 3]) -> Option<MergedRows> {
        let mut tables = self.tables.borrow_mut();
        let at = tables.iter().position(|table| *table.name == *name && table.versions == *of)?;
        match &tables[at].rows {
            MergedRows::Done(table) => Some(MergedRows::Done(*table)),
            MergedRows::Paused(_) => Some(tables.swap_remove(at).rows),
        }
    }

    pub(crate) fn keep_rows(&self, name: &str, versions: [Address; 3], rows: MergedRows) {
        self.tables.borrow_mut().push(TableProgress { name: name.into(), versions, rows });
    }

    pub(crate) fn search(&self, root: &RootValue, base: &RootValue) -> Option<DanglingSearch> {
        let of = [root.address(), base.address()];
        self.search.take().filter(|(known, _)| *known == of).map(|(_, search)| search)
    }

    pub(crate) fn keep_search(&self, root: &RootValue, base: &RootValue, search: DanglingSearch) {
        self.search.replace(Some(([root.address(), base.address()], search)));
    }
}
