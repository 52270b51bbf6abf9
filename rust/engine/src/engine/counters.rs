//! AUTO_INCREMENT counters: values that no branch of a database has given before.

use std::cell::RefCell;

use hashbrown::HashMap;
use vcs::Refs;

use crate::error::Result;

/// The next value of every table of a database, by name in lower case. One counter serves all branches, so that rows that are
/// added on two of them can be merged; what a transaction took and gave up is not given again.
#[derive(Default)]
pub struct Counters(RefCell<HashMap<Box<str>, u64>>);

impl Counters {
    /// The value that the table gives next, at a place that sees `here` and whose database has these names.
    pub fn next(&self, refs: &Refs, table: &str, here: u64) -> Result<u64> {
        let name = table.to_lowercase();
        if let Some(known) = self.0.borrow().get(&*name) {
            return Ok(here.max(*known));
        }
        let mut next = here;
        for branch in refs.branches() {
            let set = refs.working_set(&branch?.0)?;
            let root = refs.objects().root_value(&set.working)?;
            if let Some(table) = root.table(table)? {
                next = next.max(table.auto_increment());
            }
        }
        self.set(table, next);
        Ok(next)
    }

    /// What the table gives next from now on, unless it gives more already.
    pub fn set(&self, table: &str, next: u64) {
        let mut known = self.0.borrow_mut();
        let known = known.entry(table.to_lowercase().into()).or_insert(next);
        *known = next.max(*known);
    }

    /// Forgets a table that was dropped, or whose counter was set by hand.
    pub fn forget(&self, table: &str) {
        self.0.borrow_mut().remove(&*table.to_lowercase());
    }
}
