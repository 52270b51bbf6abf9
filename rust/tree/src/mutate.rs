//! Edits of a tree: only nodes that change are read and written (format: tree.md, section 4.3).
//!
//! Level by level: the nodes into which edits fall are cut anew, from the start of the first one until a boundary falls on an
//! old one; which nodes went and which came are the edits of the level above.

use codec::Address;

use crate::TreeError;
use crate::chunker::{Root, Sink};
use crate::map::Map;
use crate::node::Node;
use crate::pending::{Pending, child_bytes};
use crate::place::Place;
use crate::rewriter::{Replaced, Rewriter};
use crate::tuple::{AddressFields, Bound};

/// What shall become of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit<'a> {
    pub key: &'a [u8],
    /// The new value; `None` deletes. Deleting what is not there changes nothing.
    pub value: Option<&'a [u8]>,
}

impl<'a> Edit<'a> {
    pub fn put(key: &'a [u8], value: &'a [u8]) -> Edit<'a> {
        Edit { key, value: Some(value) }
    }

    pub fn delete(key: &'a [u8]) -> Edit<'a> {
        Edit { key, value: None }
    }
}

impl Map {
    /// The tree after `edits`, which are in key order, each key once: the one that building it from all rows would give.
    /// New chunks go to `sink`; the map's node store has to find them only when the new tree is read. Where a key equals a
    /// stored one by the order but not in bytes, as under a collation, the new bytes take the place of the old.
    ///
    /// # Errors
    /// [`TreeError::Corrupt`] for edits out of order; [`TreeError::TooLong`] for an item that fits no node; what is wrong with
    /// a chunk on the way; errors of the sink.
    pub fn edit<'a>(&self, edits: impl IntoIterator<Item = Edit<'a>>, sink: &mut impl Sink) -> Result<Root, TreeError> {
        let changes = edits.into_iter().map(|edit| Change { key: edit.key, put: edit.value.map(|value| (value, 1)) });
        // The node written last of each level: the root may turn out to be one of them.
        let mut written = Vec::new();
        let (mut above, last) = self.edit_level(0, changes, sink)?;
        written.push(last);
        for level in 1..=self.root.level() {
            if above.is_empty() {
                break;
            }
            let (next, last) = self.edit_level(level, above.iter().map(Replaced::change), sink)?;
            above = next;
            written.push(last);
        }
        if above.is_empty() {
            return Ok(Root { address: self.address(), message: self.root.bytes().to_vec() });
        }
        self.top(above, &mut written, sink)
    }

    /// The same map with another tree, such as [`Map::edit`] gives.
    pub fn with_root(&self, root: &Root) -> Result<Map, TreeError> {
        Ok(Map { root: self.nodes.root(root)?, ..self.clone() })
    }

    /// Applies the changes of one level. Gives those of the level above, in key order, and the node written last.
    fn edit_level<'a>(
        &self,
        level: usize,
        changes: impl Iterator<Item = Change<'a>>,
        sink: &mut impl Sink,
    ) -> Result<(Vec<Replaced>, Option<Root>), TreeError> {
        let mut changes = Changes { map: self, changes, next: None, taken: 0 };
        changes.advance()?;
        let mut to = Rewriter::new(self, level, sink)?;
        while let Some(change) = changes.next {
            let mut place = Place::seek(self, level, change.key)?;
            let (at, is_there) = self.find(&place.node, change.key)?;
            if change.is_done(&place.node, at, is_there) {
                changes.advance()?;
                continue;
            }
            if at == 0 && to.may_join_the_node_before(&place) {
                place.previous()?;
            }
            to.rewrite(place, &mut changes)?;
        }
        Ok(to.finish())
    }

    /// Where `key` is in a node, or would be.
    pub(crate) fn find(&self, node: &Node, key: &[u8]) -> Result<(usize, bool), TreeError> {
        let bound = Bound::before(key, usize::MAX);
        let at = self.order.items_before(&self.nodes, node.keys(), &bound)?;
        let is_there = at < node.len() && self.order.compare_bound(&self.nodes, node.key(at), &bound)?.is_eq();
        Ok((at, is_there))
    }

    /// The root over the nodes of the old root's level. `replaced` tells all of them, for the old root went.
    fn top(
        &self,
        replaced: Vec<Replaced>,
        written: &mut Vec<Option<Root>>,
        sink: &mut impl Sink,
    ) -> Result<Root, TreeError> {
        let mut nodes: Vec<_> = replaced.into_iter().filter_map(|node| Some((node.put?, node.key))).collect();
        while nodes.len() > 1 {
            let mut pending = Pending::new(self.root.kind(), written.len(), AddressFields::default())?;
            let mut last = None;
            let mut above = Vec::new();
            let mut write = |pending: &mut Pending| {
                let node = pending.write(sink)?;
                above.push(((node.root.address, node.count), node.last_key));
                last = Some(node.root);
                Ok::<_, TreeError>(())
            };
            for ((address, count), key) in &nodes {
                let item_bytes = child_bytes(key);
                if pending.ends_before(item_bytes)? {
                    write(&mut pending)?;
                }
                if pending.push(key, address.as_bytes(), *count, item_bytes) {
                    write(&mut pending)?;
                }
            }
            if pending.items() > 0 {
                write(&mut pending)?;
            }
            nodes = above;
            written.push(last);
        }
        match nodes.pop() {
            Some(((address, _), _)) => self.without_only_children(address, written),
            None => Ok(Pending::new(self.root.kind(), 0, AddressFields::default())?.write(sink)?.root),
        }
    }

    /// The highest node from `address` down that is a leaf or has several children.
    fn without_only_children(&self, mut address: Address, written: &mut Vec<Option<Root>>) -> Result<Root, TreeError> {
        loop {
            let new = written.pop().flatten().filter(|root| root.address == address);
            let message = match new {
                Some(root) => root.message,
                None => self.nodes.node(&address)?.bytes().to_vec(),
            };
            let node = Node::new(message)?;
            match node.child_address(0).filter(|_| !node.is_leaf() && node.len() == 1) {
                Some(child) => address = child,
                None => return Ok(Root { address, message: node.bytes().to_vec() }),
            }
        }
    }
}

/// An edit of one level: the value is a child's address and the count its rows above the leaves.
#[derive(Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) put: Option<(&'a [u8], u64)>,
}

impl Change<'_> {
    /// Whether item `at` of a node, which has the key if `is_there`, is already as wanted.
    pub(crate) fn is_done(&self, node: &Node, at: usize, is_there: bool) -> bool {
        match self.put {
            Some((value, _)) => is_there && node.key(at) == self.key && node.value(at) == value,
            None => !is_there,
        }
    }
}

/// The changes of one level that are still to be made.
pub(crate) struct Changes<'m, 'a, I> {
    map: &'m Map,
    changes: I,
    pub(crate) next: Option<Change<'a>>,
    taken: usize,
}

impl<'a, I: Iterator<Item = Change<'a>>> Changes<'_, 'a, I> {
    pub(crate) fn advance(&mut self) -> Result<(), TreeError> {
        let before = self.next;
        self.next = self.changes.next();
        if let (Some(before), Some(next)) = (before, self.next)
            && !self.map.order.compare(&self.map.nodes, before.key, next.key)?.is_lt()
        {
            return Err(TreeError::corrupt("edits", "are not in key order", self.taken));
        }
        self.taken += 1;
        Ok(())
    }
}
