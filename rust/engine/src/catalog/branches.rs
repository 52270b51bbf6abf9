//! Current branch of a session in each database.

use std::rc::Rc;

use vcs::Refs;

use super::Catalog;
use crate::engine::Attached;
use crate::error::{Result, SqlError};

impl Catalog {
    pub(super) fn branch_of(&self, attached: &Attached, refs: &Refs) -> Result<Box<str>> {
        if let Some(branch) = self.branches.borrow().get(&attached.name) {
            return Ok((**branch).into());
        }
        let branch = attached.database.default_branch(refs)?;
        branch.ok_or_else(|| SqlError::general(format!("database {} has no branch", attached.name)))
    }

    /// USE of a database: a session whose branch there was deleted returns to the first one.
    pub fn leave_deleted_branch(&self, database: &str) -> Result<()> {
        let Some(attached) = self.engine.database(database) else { return Ok(()) };
        let stood = self.branches.borrow().get(&attached.name).cloned();
        if let Some(branch) = stood
            && self.transaction.refs(&attached)?.branch(&branch)?.is_none()
        {
            self.branches.borrow_mut().remove(&attached.name);
            self.has_moved();
        }
        Ok(())
    }

    /// `dolt_checkout`: switches the session to this branch, and out of a database like `db/branch`.
    pub fn set_branch(&self, database: &Rc<str>, branch: &str) {
        self.branches.borrow_mut().insert(database.clone(), branch.into());
        let used = self.state.database();
        let base = used.as_ref().and_then(|used| used.split_once(['/', '@'])).map(|(base, _)| base);
        if base.is_some_and(|base| base.eq_ignore_ascii_case(database)) {
            self.state.set_database(Some(database.clone()));
        }
        self.has_moved();
    }

    /// The branches that the session has checked out, with their databases.
    pub(crate) fn branches(&self) -> Vec<(Rc<str>, Rc<str>)> {
        self.branches.borrow().iter().map(|(database, branch)| (database.clone(), branch.clone())).collect()
    }

    /// A database was dropped: in a new one of its name the session starts on the initial branch.
    pub fn leave_branch(&self, database: &Rc<str>) {
        self.branches.borrow_mut().remove(database);
        self.tables.borrow_mut().clear();
        self.named.borrow_mut().clear();
        self.has_moved();
    }

    /// Runs `f` with another current branch, without changing the name of the database in use.
    pub(crate) fn standing_on<T>(&self, database: &Rc<str>, branch: &str, what: impl FnOnce() -> T) -> T {
        let (used, branches) = (self.state.database(), self.branches.borrow().clone());
        self.set_branch(database, branch);
        let done = what();
        *self.branches.borrow_mut() = branches;
        self.state.set_database(used);
        self.has_moved();
        done
    }
}
