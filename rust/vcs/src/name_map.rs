//! Maps from names to addresses: datasets, tables, indexes (format: tree.md, section 3, `ADRM`).

use std::rc::Rc;

use codec::Address;
use tree::{Node, NodeStore};

use crate::error::{Result, VcsError};

/// A map from names, in bytewise order, to addresses. Look-ups read the nodes on one path only.
#[derive(Clone)]
pub struct NameMap {
    nodes: Rc<NodeStore>,
    root: Rc<Node>,
}

impl NameMap {
    /// The map whose root node is the message `root`, embedded in another one.
    pub(crate) fn embedded(nodes: &Rc<NodeStore>, root: &[u8]) -> Result<NameMap> {
        let root = nodes.embedded(root)?;
        if root.kind() != tree::Kind::Addresses {
            return Err(VcsError::corrupt("address map", "the root node is of another kind"));
        }
        Ok(NameMap { nodes: nodes.clone(), root })
    }

    pub fn len(&self) -> u64 {
        self.root.tree_count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The address of `name`, written exactly so.
    pub fn get(&self, name: &str) -> Result<Option<Address>> {
        let mut node = self.root.clone();
        loop {
            let at = node.keys().partition_point(|key| key < name.as_bytes());
            if at == node.len() {
                return Ok(None);
            }
            if node.is_leaf() {
                return Ok(node.child_address(at).filter(|_| node.key(at) == name.as_bytes()));
            }
            node = self.nodes.child(&node, at)?;
        }
    }

    /// All entries in order.
    pub fn entries(&self) -> Entries {
        self.entries_from("")
    }

    /// The entries from the first name at or after `start`.
    pub fn entries_from(&self, start: &str) -> Entries {
        Entries { nodes: self.nodes.clone(), start: start.into(), next: vec![(self.root.clone(), None)] }
    }
}

/// Names and addresses in order, read as they are asked for.
pub struct Entries {
    nodes: Rc<NodeStore>,
    start: Box<str>,
    /// Path to the next entry: nodes and the item to visit in each, `None` before the node was searched.
    next: Vec<(Rc<Node>, Option<usize>)>,
}

impl Entries {
    fn step(&mut self) -> Result<Option<(Box<str>, Address)>> {
        while let Some((node, at)) = self.next.last_mut() {
            let item = at.unwrap_or_else(|| node.keys().partition_point(|key| key < self.start.as_bytes()));
            *at = Some(item + 1);
            if item >= node.len() {
                self.next.pop();
            } else if node.is_leaf() {
                let name = core::str::from_utf8(node.key(item));
                let name = name.map_err(|_| VcsError::corrupt("address map", "a name is not UTF-8"))?;
                let address = node.child_address(item);
                let address = address.ok_or(VcsError::corrupt("address map", "a name has no address"))?;
                return Ok(Some((name.into(), address)));
            } else {
                let child = self.nodes.child(node, item)?;
                self.next.push((child, None));
            }
        }
        Ok(None)
    }
}

impl Iterator for Entries {
    type Item = Result<(Box<str>, Address)>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            self.next.clear();
        }
        step.transpose()
    }
}
