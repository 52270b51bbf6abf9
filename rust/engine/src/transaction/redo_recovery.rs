//! Redo recovery: commits the orphaned redo records of statements that were acknowledged by a process that is gone.

use std::rc::Rc;

use tree::TreeError;
use vcs::Committed;

use super::{Transaction, merge};
use crate::catalog::Catalog;
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::write::redo;

impl Transaction {
    /// Commits the orphaned redo records of all databases.
    ///
    /// # Errors
    /// As [`take_over`].
    pub(super) fn redo_orphans(&self) -> Result<()> {
        let catalog = self.catalog()?;
        self.engine.databases().iter().try_for_each(|attached| take_over(&catalog, attached, false))
    }
}

/// Commits the orphaned redo records of a database; if that `is_urgent`, even those that their writer may be about to commit itself.
///
/// # Errors
/// One that [`SqlError::is_wait`]: nothing has happened, try again. 1105 where a record is damaged; it is lost then. What the host says.
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
    chunks.release();
    match committed? {
        Committed::Done => Ok(()),
        Committed::Moved => Err(merge::conflict()),
    }
}
