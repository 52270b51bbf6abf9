//! Statements that were acknowledged by somebody who is gone, and of which only their redo records are in the journal.

use std::rc::Rc;

use tree::TreeError;
use vcs::Committed;

use super::{Transaction, merge};
use crate::catalog::Catalog;
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::write::redo;

impl Transaction {
    /// Commits what others have left in any database.
    ///
    /// # Errors
    /// As [`take_over`].
    pub(super) fn redo_what_is_left(&self) -> Result<()> {
        let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
        self.engine.databases().iter().try_for_each(|attached| take_over(&catalog, attached, false))
    }
}

/// Commits what others have left in a database, even what they may be about to commit themselves if that `is_urgent`.
///
/// # Errors
/// One that [`SqlError::is_wait`]: nothing has happened, try again. 1105 where it is damaged; it is lost then. What the host says.
pub(crate) fn take_over(catalog: &Rc<Catalog>, attached: &Rc<Attached>, is_urgent: bool) -> Result<()> {
    let database = &attached.database;
    let chunks = database.objects().nodes().chunks();
    let records = chunks.left_redo(is_urgent).map_err(TreeError::from)?;
    if records.is_empty() {
        return Ok(());
    }
    catalog.transaction.will_write();
    let refs = database.refs()?;
    let committed = match redo::onto(&refs, &records, &catalog.written_now()) {
        Ok(redone) => database.commit(&refs, &redone).map_err(SqlError::from),
        Err(error) => {
            chunks.forget_redo();
            Err(error)
        }
    };
    chunks.let_go();
    match committed? {
        Committed::Done => Ok(()),
        Committed::Moved => Err(merge::conflict()),
    }
}
