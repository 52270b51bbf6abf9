//! Base-snapshot reads: queries of parts of a table while the changes of the open transaction are not in trees.

use std::rc::Rc;

use super::Session;
use super::suggestions::with_suggestion;
use crate::cursor::Cursor;
use crate::error::Result;
use crate::expr::{Context, Params};
use crate::prepared::Prepared;

impl Session {
    /// Starts a query that reads nothing of what the open transaction has changed, or few rows by their keys. `None` for any other, and where it
    /// has no such plan yet.
    pub(super) fn start_base_snapshot_read(&self, prepared: &Prepared, params: &Params) -> Result<Option<Cursor>> {
        let transaction = &self.catalog.transaction;
        let Some(edits) = transaction.edits().filter(|_| !prepared.gives_variables()) else { return Ok(None) };
        let base = transaction.read_base_snapshot();
        let context = Rc::new(Context::new(self.catalog.clone(), params.clone()));
        let Some(plan) = self.known_plan(prepared, &context)? else { return Ok(None) };
        let plan = match plan.misses(&edits.borrow(), &context)? {
            true => plan,
            false => match plan.over_edits(&edits.borrow(), &context)? {
                Some(plan) => Rc::new(plan),
                None => return Ok(None),
            },
        };
        self.begin_work(&context);
        self.state().clear_warnings();
        let cursor = self.start_plan(&plan, context, None);
        drop(base);
        cursor.map(Some).map_err(|error| with_suggestion(error, &self.catalog))
    }
}
