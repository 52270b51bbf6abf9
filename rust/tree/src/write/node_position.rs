//! Node position: a node of one level with the path to it, for edits that read nothing below the level.

use std::rc::Rc;

use crate::TreeError;
use crate::map::Map;
use crate::node::Node;
use crate::tuple::Bound;

pub(crate) struct Place<'a> {
    map: &'a Map,
    /// From the root down: a node and the child that the way goes through.
    above: Vec<(Rc<Node>, usize)>,
    pub(crate) node: Rc<Node>,
}

impl<'a> Place<'a> {
    /// The node of `level` into which `key` falls: the first whose last key is not before it, else the last.
    pub(crate) fn seek(map: &'a Map, level: usize, key: &[u8]) -> Result<Place<'a>, TreeError> {
        let bound = Bound::before(key, usize::MAX);
        let mut place = Place { map, above: Vec::new(), node: map.root.clone() };
        while place.node.level() > level {
            let child = map.order.items_before(&map.nodes, place.node.keys(), &bound)?.min(place.node.len() - 1);
            place.go_down(child)?;
        }
        Ok(place)
    }

    /// Whether no node of the level follows.
    pub(crate) fn is_last(&self) -> bool {
        self.above.iter().all(|(node, child)| child + 1 == node.len())
    }

    /// Rows of the tree before the node.
    pub(crate) fn rows_before(&self) -> u64 {
        self.above.iter().map(|(node, child)| node.rows_before(*child)).sum()
    }

    /// Moves to the next node of the level. False, and nothing moved, when there is none.
    pub(crate) fn next(&mut self) -> Result<bool, TreeError> {
        self.step(|node, child| (child + 1 < node.len()).then_some(child + 1), |_| 0)
    }

    /// Moves to the previous node of the level. False, and nothing moved, when there is none.
    pub(crate) fn previous(&mut self) -> Result<bool, TreeError> {
        self.step(|_, child| child.checked_sub(1), |node| node.len() - 1)
    }

    fn step(
        &mut self,
        beside: impl Fn(&Node, usize) -> Option<usize>,
        enter: impl Fn(&Node) -> usize,
    ) -> Result<bool, TreeError> {
        let level = self.node.level();
        let turn = self.above.iter().enumerate().rev();
        let turn = turn.filter_map(|(at, (node, child))| Some((at, beside(node, *child)?))).next();
        let Some((at, mut child)) = turn else { return Ok(false) };
        self.node = self.above[at].0.clone();
        self.above.truncate(at);
        loop {
            self.go_down(child)?;
            if self.node.level() == level {
                return Ok(true);
            }
            child = enter(&self.node);
        }
    }

    fn go_down(&mut self, child: usize) -> Result<(), TreeError> {
        let below = self.map.nodes.child(&self.node, child)?;
        self.above.push((core::mem::replace(&mut self.node, below), child));
        Ok(())
    }
}
