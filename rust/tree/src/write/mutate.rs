//! Edits of a tree, copy-on-write: only changed nodes are read and written (docs/format/tree.md, section 4.3).
//!
//! Level by level: the nodes into which edits fall are cut anew, from the start of the first one until a boundary falls on an
//! old one; which nodes went and which came are the edits of the level above.

use std::rc::Rc;

use codec::Address;

use crate::TreeError;
use crate::map::Map;
use crate::message::node::Kind;
use crate::node::Node;
use crate::tuple::{AddressFields, Bound};
use crate::write::node_position::Place;
use crate::write::pending_node::{Pending, child_bytes};
use crate::write::rewriter::{Replaced, Rewriter, Rewritten};
use crate::write::sink::{Root, Sink};

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
    /// `TreeReason::Corrupt` for edits out of order; `TreeReason::TooLong` for an item that fits no node; what is wrong with
    /// a chunk on the way; errors of the sink.
    pub fn edit<'a>(&self, edits: impl IntoIterator<Item = Edit<'a>>, sink: &mut impl Sink) -> Result<Root, TreeError> {
        let root = match self.edit_to(edits, sink)? {
            Edited::Same => self.root.clone(),
            Edited::Put(root) => root,
            Edited::Top(root) => {
                let address = sink.put_node(&root)?;
                root.know_address(&address);
                root
            }
        };
        Ok(Root { address: root.address(), message: root.bytes().to_vec() })
    }

    /// As [`Map::edit`], with new chunks in the map's own store, except the root: most roots are embedded in another message, and
    /// their addresses are never used. For one that is referred to by its address there is [`Map::put_root`].
    ///
    /// # Errors
    /// As [`Map::edit`].
    pub fn edited<'a>(&self, edits: impl IntoIterator<Item = Edit<'a>>) -> Result<Map, TreeError> {
        match self.edit_to(edits, &mut &*self.nodes)? {
            Edited::Same => Ok(self.clone()),
            Edited::Put(root) | Edited::Top(root) => Ok(Map { root, ..self.clone() }),
        }
    }

    /// Makes the root a chunk of the map's store and tells its address.
    ///
    /// # Errors
    /// What the store says.
    pub fn put_root(&self) -> Result<Address, TreeError> {
        (&*self.nodes).put_node(&self.root)
    }

    /// The same map with another tree, such as [`Map::edit`] gives.
    pub fn with_root(&self, root: &Root) -> Result<Map, TreeError> {
        Ok(Map { root: self.nodes.root(root)?, ..self.clone() })
    }

    fn edit_to<'a>(
        &self,
        edits: impl IntoIterator<Item = Edit<'a>>,
        sink: &mut impl Sink,
    ) -> Result<Edited, TreeError> {
        if self.root.kind() == Kind::Vectors {
            let edits: Vec<_> = edits.into_iter().collect();
            return self.edited_vector_index(&edits, sink).map(Edited::Top);
        }
        let changes = edits.into_iter().map(|edit| Change { key: edit.key, put: edit.value.map(|value| (value, 1)) });
        // The node put last of each level: the root may turn out to be one of them.
        let mut written = Vec::new();
        let mut level = self.edit_level(0, changes, sink)?;
        for number in 1..=self.root.level() {
            if level.above.is_empty() {
                break;
            }
            written.push(level.last);
            level = self.edit_level(number, level.above.iter().map(Replaced::change), sink)?;
        }
        match level.only {
            Some(root) if root.is_leaf() || root.len() > 1 => Ok(Edited::Top(root)),
            Some(root) => self.without_only_children(root, &mut written).map(Edited::Put),
            None if level.above.is_empty() => Ok(Edited::Same),
            None => {
                written.push(level.last);
                self.top(level.above, &mut written, sink).map(Edited::Put)
            }
        }
    }

    /// Applies the changes of one level.
    fn edit_level<'a>(
        &self,
        level: usize,
        changes: impl Iterator<Item = Change<'a>>,
        sink: &mut impl Sink,
    ) -> Result<Rewritten, TreeError> {
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
        written: &mut Vec<Option<Rc<Node>>>,
        sink: &mut impl Sink,
    ) -> Result<Rc<Node>, TreeError> {
        let mut nodes: Vec<_> = replaced.into_iter().filter_map(|node| Some((node.put?, node.key))).collect();
        while nodes.len() > 1 {
            let mut pending = Pending::new(self.root.kind(), written.len(), AddressFields::default())?;
            let mut last = None;
            let mut above = Vec::new();
            let mut write = |pending: &mut Pending| {
                let (node, last_key) = pending.node()?;
                let address = sink.put_node(&node)?;
                node.know_address(&address);
                above.push(((address, node.tree_count()), last_key));
                last = Some(node);
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
            Some(((address, _), _)) => self.without_only_children(self.written_or_read(&address, written)?, written),
            None => {
                let (root, _) = Pending::new(self.root.kind(), 0, AddressFields::default())?.node()?;
                root.know_address(&sink.put_node(&root)?);
                Ok(root)
            }
        }
    }

    /// The highest node from `node` down that is a leaf or has several children.
    fn without_only_children(
        &self,
        mut node: Rc<Node>,
        written: &mut Vec<Option<Rc<Node>>>,
    ) -> Result<Rc<Node>, TreeError> {
        while let Some(child) = node.child_address(0).filter(|_| !node.is_leaf() && node.len() == 1) {
            node = self.written_or_read(&child, written)?;
        }
        Ok(node)
    }

    /// A node of the highest level of `written`, which may be the one put last there.
    fn written_or_read(&self, address: &Address, written: &mut Vec<Option<Rc<Node>>>) -> Result<Rc<Node>, TreeError> {
        match written.pop().flatten().filter(|node| node.address() == *address) {
            Some(node) => Ok(node),
            None => self.nodes.node(address),
        }
    }
}

/// The root of a tree after edits.
enum Edited {
    /// Nothing was to be changed.
    Same,
    /// A chunk of the sink, or one that was there before.
    Put(Rc<Node>),
    /// A new node that was not put.
    Top(Rc<Node>),
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
