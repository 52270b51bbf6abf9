//! Commit closures: the ancestors of a commit (docs/format/tree.md, section 10).

pub mod build;

use std::rc::Rc;

use codec::Address;

use crate::map::Map;
use crate::message::node::CLOSURE_KEY_BYTES;
use crate::node::Node;
use crate::node::order::{KeyOrder, closure_key};
use crate::nodes::NodeStore;
use crate::read::cursor::Cursor;
use crate::tuple::Bound;
use crate::{Kind, TreeError};

/// All proper ancestors of a commit, by height and address.
#[derive(Clone)]
pub struct CommitClosure(Map);

/// One ancestor: its height is one more than its highest parent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ancestor {
    pub height: u64,
    pub address: Address,
}

impl Ancestor {
    /// The key of this ancestor in a closure.
    pub fn key(&self) -> [u8; CLOSURE_KEY_BYTES] {
        let mut key = [0; CLOSURE_KEY_BYTES];
        let (height, address) = key.split_at_mut(8);
        height.copy_from_slice(&self.height.to_le_bytes());
        address.copy_from_slice(self.address.as_bytes());
        key
    }

    pub(crate) fn of(key: &[u8]) -> Ancestor {
        let (height, address) = closure_key(key);
        Ancestor { height, address: Address::from_slice(address).unwrap_or_default() }
    }
}

/// Calls `each` with the commits that `message`, a node of a closure, lists, if it is a leaf.
///
/// # Errors
/// What is wrong with the node.
pub fn each_ancestor(message: &[u8], each: &mut dyn FnMut(Address)) -> Result<(), TreeError> {
    if Kind::of(message)? != Some(Kind::Closure) {
        return Ok(());
    }
    let node = Node::new(message.to_vec())?;
    if node.is_leaf() {
        (0..node.len()).for_each(|i| each(Ancestor::of(node.key(i)).address));
    }
    Ok(())
}

impl CommitClosure {
    /// # Errors
    /// `TreeReason::WrongMessage` when the root is no commit closure.
    pub fn new(nodes: Rc<NodeStore>, root: Rc<Node>) -> Result<CommitClosure, TreeError> {
        Ok(CommitClosure(Map::plain(nodes, root, Kind::Closure, KeyOrder::Closure)?))
    }

    /// The closure at an address that a commit names.
    pub fn at(nodes: Rc<NodeStore>, address: &Address) -> Result<CommitClosure, TreeError> {
        let root = nodes.node(address)?;
        CommitClosure::new(nodes, root)
    }

    pub fn count(&self) -> u64 {
        self.0.count()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, ancestor: &Ancestor) -> Result<bool, TreeError> {
        Ok(self.0.get(&ancestor.key())?.is_some())
    }

    /// The ancestors from high to low, those above `from` left out.
    pub fn descending(&self, from: Option<&Ancestor>) -> Result<Ancestors, TreeError> {
        let cursor = match from {
            Some(ancestor) => self.0.seek(&Bound::after(&ancestor.key(), 0))?,
            None => self.0.end()?,
        };
        Ok(Ancestors { cursor: Some(cursor) })
    }

    /// The map below, for diffs and edits.
    pub fn map(&self) -> &Map {
        &self.0
    }
}

/// Ancestors from high to low. Ends after the first error.
pub struct Ancestors {
    cursor: Option<Cursor>,
}

impl Iterator for Ancestors {
    type Item = Result<Ancestor, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = self.cursor.as_mut()?;
        match cursor.retreat() {
            Ok(true) => Some(Ok(Ancestor::of(cursor.key()))),
            Ok(false) => {
                self.cursor = None;
                None
            }
            Err(error) => {
                self.cursor = None;
                Some(Err(error))
            }
        }
    }
}
