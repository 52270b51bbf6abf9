//! A database: a store, its names, and the state next to it.

use std::cell::RefCell;
use std::rc::Rc;

use tree::NodeStore;

use crate::error::Result;
use crate::objects::Objects;
use crate::refs::Refs;
use crate::repo_state::RepoState;

/// One versioned database. Opening reads nothing; [`Database::refs`] reads the store root.
pub struct Database {
    objects: Rc<Objects>,
    state: RepoState,
    /// The names that were read last: most statements find the store as the one before did.
    refs: RefCell<Option<Refs>>,
}

impl Database {
    pub fn new(nodes: Rc<NodeStore>, state: RepoState) -> Database {
        Database { objects: Objects::new(nodes), state, refs: RefCell::default() }
    }

    pub fn objects(&self) -> &Rc<Objects> {
        &self.objects
    }

    pub fn state(&self) -> &RepoState {
        &self.state
    }

    /// The names as they are now; a transaction keeps them until its end.
    pub fn refs(&self) -> Result<Refs> {
        let root = self.objects.nodes().chunks().root();
        if let Some(known) = self.refs.borrow().as_ref().filter(|known| known.root() == root) {
            return Ok(known.clone());
        }
        let refs = Refs::read(&self.objects, root)?;
        *self.refs.borrow_mut() = Some(refs.clone());
        Ok(refs)
    }

    /// The branch that a new session stands on: the checked-out one, or the first there is. `None` without branches.
    pub fn default_branch(&self, refs: &Refs) -> Result<Option<Box<str>>> {
        if refs.branch(&self.state.default_branch)?.is_some() {
            return Ok(Some(self.state.default_branch.clone()));
        }
        Ok(refs.branches().next().transpose()?.map(|(name, _)| name))
    }
}
