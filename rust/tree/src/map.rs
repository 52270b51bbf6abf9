//! A sorted map in a tree of chunks (docs/format/tree.md, section 12).

use core::ops::Range;
use std::rc::Rc;

use codec::Address;

use crate::node::Node;
use crate::node::order::KeyOrder;
use crate::nodes::NodeStore;
use crate::read::cursor::Cursor;
use crate::read::scan::{Direction, Scan};
use crate::tuple::{Bound, Side, Tuple, TupleDescriptor};
use crate::{Kind, TreeError, TreeReason};

/// A row in its leaf. Holding it keeps the leaf in memory.
#[derive(Debug, Clone)]
pub struct Item {
    pub leaf: Rc<Node>,
    pub index: usize,
}

impl Item {
    pub fn key(&self) -> &[u8] {
        self.leaf.key(self.index)
    }

    pub fn value(&self) -> &[u8] {
        self.leaf.value(self.index)
    }

    pub fn key_tuple(&self) -> Tuple<'_> {
        Tuple::new(self.key())
    }

    pub fn value_tuple(&self) -> Tuple<'_> {
        Tuple::new(self.value())
    }
}

/// Rows in key order: a table's primary or secondary index, merge artifacts; the base of the other maps. Cheap to clone.
#[derive(Clone)]
pub struct Map {
    pub nodes: Rc<NodeStore>,
    pub root: Rc<Node>,
    pub order: KeyOrder,
    pub key: Rc<TupleDescriptor>,
    pub value: Rc<TupleDescriptor>,
}

impl Map {
    /// A tree of key and value tuples.
    pub fn new(nodes: Rc<NodeStore>, root: Rc<Node>, key: Rc<TupleDescriptor>, value: Rc<TupleDescriptor>) -> Map {
        Map { nodes, root, order: KeyOrder::Tuple(key.clone()), key, value }
    }

    /// A tree without tuples. The root must be of this kind.
    pub(crate) fn plain(nodes: Rc<NodeStore>, root: Rc<Node>, kind: Kind, order: KeyOrder) -> Result<Map, TreeError> {
        if root.kind() != kind {
            return Err(TreeReason::WrongMessage { wanted: kind.name(), found: *root.kind().file_id() }.into());
        }
        let none = Rc::new(TupleDescriptor::new([]));
        Ok(Map { nodes, root, order, key: none.clone(), value: none })
    }

    /// Rows in the map; reads nothing.
    pub fn count(&self) -> u64 {
        self.root.tree_count()
    }

    /// How many rows a leaf holds, about: those at the beginning of the tree. Reads one node of each level below the root's but the last.
    ///
    /// # Errors
    /// As [`NodeStore::node`].
    pub fn rows_of_a_leaf(&self) -> Result<f64, TreeError> {
        let mut node = self.root.clone();
        while node.level() > 1 {
            node = self.nodes.child(&node, 0)?;
        }
        let leaves = if node.is_leaf() { 1 } else { node.len() };
        Ok(node.tree_count() as f64 / leaves as f64)
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The address of the root: maps with equal addresses have equal rows.
    pub fn address(&self) -> Address {
        self.root.address()
    }

    /// The row with this key, which has all fields.
    ///
    /// # Errors
    /// What is wrong with a chunk on the way; as [`TupleDescriptor::compare`].
    pub fn get(&self, key: &[u8]) -> Result<Option<Item>, TreeError> {
        let bound = Bound::before(key, usize::MAX);
        let mut node = self.root.clone();
        loop {
            let index = self.order.items_before(&self.nodes, node.keys(), &bound)?;
            if index == node.len() {
                return Ok(None);
            }
            if node.is_leaf() {
                let found = self.order.compare_bound(&self.nodes, node.key(index), &bound)?.is_eq();
                return Ok(found.then_some(Item { leaf: node, index }));
            }
            node = self.nodes.child(&node, index)?;
        }
    }

    /// Row `ordinal`, counted from 0 in key order.
    pub fn item(&self, ordinal: u64) -> Result<Option<Item>, TreeError> {
        if ordinal >= self.count() {
            return Ok(None);
        }
        let mut node = self.root.clone();
        let mut rest = ordinal;
        while !node.is_leaf() {
            let (child, below) = node.child_of_ordinal(rest);
            rest = below;
            node = self.nodes.child(&node, child)?;
        }
        Ok(Some(Item { leaf: node, index: rest as usize }))
    }

    /// A cursor before the first row.
    pub fn first(&self) -> Result<Cursor, TreeError> {
        Cursor::descend(&self.nodes, &self.root, |_| Ok(0))
    }

    /// A cursor behind the last row.
    pub fn end(&self) -> Result<Cursor, TreeError> {
        Cursor::descend(&self.nodes, &self.root, |node| Ok(node.len()))
    }

    /// A cursor at `bound`: behind all rows that lie before it.
    pub fn seek(&self, bound: &Bound<'_>) -> Result<Cursor, TreeError> {
        Cursor::descend(&self.nodes, &self.root, |node| self.order.items_before(&self.nodes, node.keys(), bound))
    }

    /// A cursor with `ordinal` rows before it; at the end when there are fewer.
    pub fn seek_ordinal(&self, ordinal: u64) -> Result<Cursor, TreeError> {
        let mut rest = ordinal.min(self.count());
        Cursor::descend(&self.nodes, &self.root, |node| {
            if node.is_leaf() {
                return Ok(rest as usize);
            }
            let (child, below) = node.child_of_ordinal(rest);
            rest = below;
            Ok(child)
        })
    }

    /// Rows before `bound`, exactly, in O(log n).
    pub fn rank(&self, bound: &Bound<'_>) -> Result<u64, TreeError> {
        self.rank_below(self.root.clone(), bound)
    }

    /// Rows of the subtree of `node` before `bound`.
    fn rank_below(&self, mut node: Rc<Node>, bound: &Bound<'_>) -> Result<u64, TreeError> {
        let mut rows = 0;
        loop {
            let index = self.order.items_before(&self.nodes, node.keys(), bound)?;
            rows += node.rows_before(index);
            // A bound behind the last key has the whole subtree before it.
            if index == node.len() || node.is_leaf() {
                return Ok(rows);
            }
            node = self.nodes.child(&node, index)?;
        }
    }

    /// The ordinals of the rows between two bounds, in O(log n); `None` is open. Empty when the bounds cross.
    pub fn ordinals(&self, lower: Option<&Bound<'_>>, upper: Option<&Bound<'_>>) -> Result<Range<u64>, TreeError> {
        let (start, end) = match (lower, upper) {
            (Some(lower), Some(upper)) => return self.ordinals_between(lower, upper),
            (lower, upper) => (
                lower.map_or(Ok(0), |bound| self.rank(bound))?,
                upper.map_or(Ok(self.count()), |bound| self.rank(bound))?,
            ),
        };
        Ok(start..end.max(start))
    }

    /// The bounds of a short range share the way down until they part.
    fn ordinals_between(&self, lower: &Bound<'_>, upper: &Bound<'_>) -> Result<Range<u64>, TreeError> {
        let mut node = self.root.clone();
        let mut rows = 0;
        loop {
            let first = self.order.items_before(&self.nodes, node.keys(), lower)?;
            let last = self.items_before_from(&node, first, upper)?;
            if node.is_leaf() || first == node.len() {
                let (start, end) = (rows + node.rows_before(first), rows + node.rows_before(last));
                return Ok(start..end.max(start));
            }
            if first != last {
                let start = rows + node.rows_before(first) + self.rank_below(self.nodes.child(&node, first)?, lower)?;
                let end = rows + self.rank_below(node, upper)?;
                return Ok(start..end.max(start));
            }
            rows += node.rows_before(first);
            node = self.nodes.child(&node, first)?;
        }
    }

    /// Items of a node before `bound`, which is probably right before item `near`.
    fn items_before_from(&self, node: &Node, near: usize, bound: &Bound<'_>) -> Result<usize, TreeError> {
        let is_behind = |index: usize| -> Result<bool, TreeError> {
            let order = self.order.compare_bound(&self.nodes, node.key(index), bound)?;
            Ok(order.is_lt() || (order.is_eq() && bound.side == Side::After))
        };
        let is_near = (near == node.len() || !is_behind(near)?) && (near == 0 || is_behind(near - 1)?);
        if is_near { Ok(near) } else { self.order.items_before(&self.nodes, node.keys(), bound) }
    }

    /// The rows between two bounds, leaf by leaf; `None` is open.
    pub fn scan(
        &self,
        lower: Option<&Bound<'_>>,
        upper: Option<&Bound<'_>>,
        direction: Direction,
    ) -> Result<Scan, TreeError> {
        let (near, far) = match direction {
            Direction::Forward => (lower, upper),
            Direction::Backward => (upper, lower),
        };
        let cursor = match (near, direction) {
            (Some(bound), _) => self.seek(bound)?,
            (None, Direction::Forward) => self.first()?,
            (None, Direction::Backward) => self.end()?,
        };
        self.scan_from(cursor, far, direction)
    }

    /// The rows between a cursor at one bound and the other one.
    pub(crate) fn scan_from(
        &self,
        cursor: Cursor,
        far: Option<&Bound<'_>>,
        direction: Direction,
    ) -> Result<Scan, TreeError> {
        let start = cursor.ordinal();
        if let (Direction::Forward, Some(far)) = (direction, far) {
            // A short range ends in the leaf that it begins in.
            let leaf = cursor.leaf();
            let end = self.order.items_before(&self.nodes, leaf.keys(), far)?;
            if end < leaf.len() {
                let rows = end.saturating_sub(cursor.index()) as u64;
                return Ok(Scan::new(self, cursor, rows, direction));
            }
        }
        let rows = match (far, direction) {
            (Some(bound), Direction::Forward) => self.rank(bound)?.saturating_sub(start),
            (None, Direction::Forward) => self.count().saturating_sub(start),
            (Some(bound), Direction::Backward) => start.saturating_sub(self.rank(bound)?),
            (None, Direction::Backward) => start,
        };
        Ok(Scan::new(self, cursor, rows, direction))
    }

    /// Rows whose first `fields` fields equal those of `prefix`.
    pub fn scan_prefix(&self, prefix: &[u8], fields: usize, direction: Direction) -> Result<Scan, TreeError> {
        let lower = Bound { key: prefix, fields, side: Side::Before };
        let upper = Bound { key: prefix, fields, side: Side::After };
        self.scan(Some(&lower), Some(&upper), direction)
    }

    /// Rows `ordinals` in key order, or from the last to the first.
    pub fn scan_ordinals(&self, ordinals: Range<u64>, direction: Direction) -> Result<Scan, TreeError> {
        let end = ordinals.end.min(self.count());
        let start = ordinals.start.min(end);
        let near = match direction {
            Direction::Forward => start,
            Direction::Backward => end,
        };
        Ok(Scan::new(self, self.seek_ordinal(near)?, end - start, direction))
    }
}
