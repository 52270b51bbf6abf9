//! A database: a store, its names, and the state next to it.

pub mod collection;
pub mod prefetch;
pub mod repo_state;
pub mod verification;

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashSet;
use store::{Committed, LazyClone, MemoryChunks};
use tree::NodeStore;
use tree::message::references::each_reference;
use value::Collation;

use crate::commit::{Commit, CommitMeta};
use crate::database::repo_state::{REPO_STATE_PATH, RepoState};
use crate::error::Result;
use crate::objects::Objects;
use crate::refs::Refs;
use crate::root_value::RootValue;
use crate::working_set::WorkingSet;

/// One versioned database. Opening reads nothing; [`Database::refs`] reads the store root.
pub struct Database {
    objects: Rc<Objects>,
    /// As it was read last.
    state: RefCell<RepoState>,
    /// The names that were read last: most statements find the store as the one before did.
    refs: RefCell<Option<Refs>>,
}

impl Database {
    pub fn new(nodes: Rc<NodeStore>, state: RepoState) -> Database {
        Database { objects: Objects::new(nodes), state: RefCell::new(state), refs: RefCell::default() }
    }

    /// An empty database that is gone with this value.
    pub fn in_memory() -> Database {
        Database::new(NodeStore::new(Rc::new(MemoryChunks::new()), tree::Options::default()), RepoState::default())
    }

    pub fn objects(&self) -> &Rc<Objects> {
        &self.objects
    }

    /// The state beside the store, as it is now: others may have changed it.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn state(&self) -> Result<RepoState> {
        if let Some(text) = self.objects.nodes().chunks().file_beside(REPO_STATE_PATH)? {
            *self.state.borrow_mut() = RepoState::parse(&text)?;
        }
        Ok(self.state.borrow().clone())
    }

    /// Changes the state beside the store, at once: it is part of no transaction.
    ///
    /// # Errors
    /// As [`store::Chunks::replace_beside`]; nothing has changed then.
    pub fn change_state(&self, change: &dyn Fn(&mut RepoState)) -> Result<()> {
        let mut state = self.state()?;
        change(&mut state);
        self.objects.nodes().chunks().replace_beside(REPO_STATE_PATH, state.text().as_bytes())?;
        *self.state.borrow_mut() = state;
        Ok(())
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

    /// Where the rest of a lazy clone is.
    pub fn lazy(&self) -> Option<Rc<LazyClone>> {
        self.objects.nodes().chunks().lazy()
    }

    /// Reloads what other writers committed; the next [`Database::refs`] has it.
    pub fn refresh(&self) -> Result<()> {
        Ok(self.objects.nodes().chunks().refresh()?)
    }

    /// Makes `to` the names of the database if they are still `from`: one durable step.
    ///
    /// # Errors
    /// As [`store::Chunks::commit`]; nothing has changed then.
    pub fn commit(&self, from: &Refs, to: &Refs) -> Result<Committed> {
        let chunks = self.objects.nodes().chunks();
        let committed = chunks.commit(&from.root(), &to.root(), &self.pending_below(&to.root())?)?;
        if committed == Committed::Done {
            *self.refs.borrow_mut() = Some(to.settled());
        }
        Ok(committed)
    }

    /// The pending chunks that `root` needs, each before those that refer to it. What a committed chunk refers to is committed.
    fn pending_below(&self, root: &Address) -> Result<Vec<Address>> {
        let chunks = self.objects.nodes().chunks();
        let mut seen = HashSet::new();
        let mut order = Vec::new();
        let mut open = vec![(*root, false)];
        while let Some((address, is_done)) = open.pop() {
            if is_done {
                order.push(address);
            } else if seen.insert(address) {
                let mut outcome = Ok(());
                chunks.look_at_pending(&address, &mut |chunk| {
                    open.push((address, true));
                    outcome = each_reference(chunk, &mut |below| {
                        // Most were committed long ago.
                        if chunks.is_pending(&below) {
                            open.push((below, false));
                        }
                    });
                });
                outcome.map_err(|error| error.in_chunk(&address))?;
            }
        }
        Ok(order)
    }

    /// The first names of a new database, as `dolt init` makes them: one branch with an empty commit and its working set.
    /// [`Database::commit`] from the names it has makes it so.
    pub fn first_refs(&self, branch: &str, meta: CommitMeta) -> Result<Refs> {
        let root = RootValue::empty(&self.objects, Collation::UTF8MB4_0900_BIN)?.address();
        let commit = Commit::write(&self.objects, &[], root, meta)?;
        let mut draft = self.refs()?.draft();
        draft.set_branch(branch, Some(commit.address));
        draft.set_working_set(branch, Some(&WorkingSet::clean(root)))?;
        draft.write()
    }

    /// The branch of a new session: the checked-out one, or the first there is. `None` without branches.
    pub fn default_branch(&self, refs: &Refs) -> Result<Option<Box<str>>> {
        let default = self.state.borrow().default_branch.clone();
        if refs.branch(&default)?.is_some() {
            return Ok(Some(default));
        }
        Ok(refs.branches().next().transpose()?.map(|(name, _)| name))
    }
}
