//! Batched lookups: many paths down a tree, level by level. Each would wait for memory, a file or a server at every level; together they
//! wait once.

use core::ops::Range;
use std::rc::Rc;

use crate::TreeError;
use crate::map::{Item, Map};
use crate::node::Node;
use crate::nodes::{AHEAD_MAX, NodeStore};
use crate::read::cursor::{Cursor, Step};
use crate::read::key_list::KeyList;
use crate::tuple::{Bound, Sides};
use crate::{Direction, Scan};

impl Cursor {
    /// As [`Cursor::descend`], `count` times, which is at most [`AHEAD_MAX`]; `choose` gets the number of the lookup.
    fn descend_together(
        nodes: &Rc<NodeStore>,
        root: &Rc<Node>,
        count: usize,
        mut choose: impl FnMut(usize, &Node) -> Result<usize, TreeError>,
    ) -> Result<Vec<Cursor>, TreeError> {
        let mut cursors = vec![Cursor::at(nodes, root); count];
        for level in (0..=root.level()).rev() {
            for (way, cursor) in cursors.iter_mut().enumerate() {
                cursor.index = choose(way, &cursor.leaf)?.min(cursor.leaf.len());
            }
            if level > 0 {
                enter_children(nodes, &mut cursors, level)?;
            }
        }
        Ok(cursors)
    }
}

/// Puts the child that `index` says in place of every cursor's node, which is of this level.
fn enter_children(nodes: &NodeStore, cursors: &mut [Cursor], level: usize) -> Result<(), TreeError> {
    let mut are_known = true;
    for cursor in &mut *cursors {
        cursor.index = cursor.index.min(cursor.leaf.len() - 1);
        are_known &= cursor.leaf.knows_child(cursor.index);
    }
    if !are_known {
        nodes.will_need(cursors.iter().map(|cursor| (&*cursor.leaf, cursor.index)));
    }
    for cursor in &mut *cursors {
        let below = nodes.child(&cursor.leaf, cursor.index)?;
        let node = core::mem::replace(&mut cursor.leaf, below);
        cursor.above[level - 1] = Some(Step { node, child: cursor.index });
    }
    touch(cursors);
    Ok(())
}

/// Reads a byte of the first and the last key of each node, at which every search begins: short reads that depend on nothing are on
/// their way to memory together, where searches would wait one after the other.
fn touch(cursors: &[Cursor]) {
    let mut touched = 0;
    for Cursor { leaf, .. } in cursors {
        let keys = leaf.keys();
        for key in [keys.get(0), keys.get(leaf.len().saturating_sub(1))] {
            touched |= key.first().copied().unwrap_or(0);
        }
    }
    std::hint::black_box(touched);
}

impl Map {
    /// As [`Map::get`] for each of these keys of a list, whatever their order; `each` gets the answers in it.
    pub fn get_all(
        &self,
        keys: &KeyList,
        range: Range<usize>,
        mut each: impl FnMut(Option<Item>),
    ) -> Result<(), TreeError> {
        for start in range.clone().step_by(AHEAD_MAX) {
            let count = (range.end - start).min(AHEAD_MAX);
            let bound = |way| Bound::before(keys.get(start + way).unwrap_or_default(), usize::MAX);
            let cursors = Cursor::descend_together(&self.nodes, &self.root, count, |way, node| {
                self.order.items_before(&self.nodes, node.keys(), &bound(way))
            })?;
            for (way, cursor) in cursors.into_iter().enumerate() {
                let is_found =
                    cursor.is_at_row() && self.order.compare_bound(&self.nodes, cursor.key(), &bound(way))?.is_eq();
                let index = cursor.index;
                each(is_found.then_some(Item { leaf: cursor.leaf, index }));
            }
        }
        Ok(())
    }

    /// The rows with these numbers, as [`Map::item`] has them; `each` gets them in this order, without those that are not there.
    pub fn items(&self, ordinals: &[u64], mut each: impl FnMut(Item)) -> Result<(), TreeError> {
        let there: Vec<u64> = ordinals.iter().copied().filter(|&ordinal| ordinal < self.count()).collect();
        for ordinals in there.chunks(AHEAD_MAX) {
            let mut rest = ordinals.to_vec();
            let cursors = Cursor::descend_together(&self.nodes, &self.root, ordinals.len(), |way, node| {
                if node.is_leaf() {
                    return Ok(rest[way] as usize);
                }
                let (child, below) = node.child_of_ordinal(rest[way]);
                rest[way] = below;
                Ok(child)
            })?;
            cursors.into_iter().for_each(|cursor| each(Item { leaf: cursor.leaf, index: cursor.index }));
        }
        Ok(())
    }

    /// As [`Map::scan`] for each of the ranges.
    pub fn scan_all(&self, ranges: &[Sides<'_>], direction: Direction) -> Result<Vec<Scan>, TreeError> {
        let mut scans = Vec::with_capacity(ranges.len());
        for ranges in ranges.chunks(AHEAD_MAX) {
            let ends = |way: usize| match (&ranges[way], direction) {
                ((lower, upper), Direction::Forward) => (lower.as_ref(), upper.as_ref()),
                ((lower, upper), Direction::Backward) => (upper.as_ref(), lower.as_ref()),
            };
            let cursors = Cursor::descend_together(&self.nodes, &self.root, ranges.len(), |way, node| {
                match (ends(way).0, direction) {
                    (Some(near), _) => self.order.items_before(&self.nodes, node.keys(), near),
                    (None, Direction::Forward) => Ok(0),
                    (None, Direction::Backward) => Ok(node.len()),
                }
            })?;
            for (way, cursor) in cursors.into_iter().enumerate() {
                scans.push(self.scan_from(cursor, ends(way).1, direction)?);
            }
        }
        Ok(scans)
    }
}
