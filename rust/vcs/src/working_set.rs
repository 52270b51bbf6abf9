//! Working sets (docs/format/database.md, section 4).

use std::rc::Rc;

use codec::Address;
use tree::NodeStore;
use tree::message::working_set as message;
pub use tree::message::working_set::{MergeState, RebaseState, Written};

use crate::error::Result;
use crate::objects::{Decoded, Kind, Objects};

/// What a branch looks like before its next commit.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkingSet {
    /// `None` for a branch without one: then everything is as HEAD has it.
    pub address: Option<Address>,
    /// Root value with every edit.
    pub working: Address,
    /// Root value that the next commit takes.
    pub staged: Address,
    /// Who wrote it and when; absent after a branch head was moved.
    pub written: Option<Written>,
    pub merge: Option<MergeState>,
    pub rebase: Option<RebaseState>,
}

impl WorkingSet {
    pub(crate) fn read(nodes: &NodeStore, address: &Address) -> Result<WorkingSet> {
        let chunk = nodes.message(address)?;
        let set = message::WorkingSet::decode(&chunk).map_err(|error| error.in_chunk(address))?;
        Ok(WorkingSet {
            address: Some(*address),
            working: set.working,
            staged: set.staged.unwrap_or(set.working),
            written: set.written,
            merge: set.merge,
            rebase: set.rebase,
        })
    }

    /// Writes the working set; `address` is not looked at. Tells its address, for [`crate::RefsDraft::set_working_set`].
    ///
    /// # Errors
    /// [`store::StoreError::ReadOnly`] where nothing can be written.
    pub fn write(&self, objects: &Objects) -> Result<Address> {
        let set = message::WorkingSet {
            working: self.working,
            staged: Some(self.staged),
            written: self.written.clone(),
            merge: self.merge.clone(),
            rebase: self.rebase.clone(),
        };
        let address = objects.put(&set.encode()?)?;
        objects.written_working_set(&address, WorkingSet { address: Some(address), ..self.clone() });
        Ok(address)
    }

    /// The working set of a branch that has none, whose head has this root value.
    pub(crate) fn clean(root: Address) -> WorkingSet {
        WorkingSet { address: None, working: root, staged: root, written: None, merge: None, rebase: None }
    }
}

/// Every statement begins with that of its branch.
impl Decoded for Rc<WorkingSet> {
    const KIND: Kind = Kind::WorkingSet;
    const COUNT_MAX: usize = 64;
}

impl Objects {
    pub fn working_set(&self, address: &Address) -> Result<Rc<WorkingSet>> {
        self.cache().get(address, || WorkingSet::read(self.nodes(), address).map(Rc::new))
    }

    /// Caches a working set that was just written.
    fn written_working_set(&self, address: &Address, set: WorkingSet) {
        self.cache().insert(address, Rc::new(set));
    }
}
