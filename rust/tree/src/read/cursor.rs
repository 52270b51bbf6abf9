//! Cursor: a position between the items of a leaf, with the path from the root.

use core::ops::Range;
use std::rc::Rc;

use crate::TreeError;
use crate::message::node::LEVELS_MAX;
use crate::node::Node;
use crate::nodes::NodeStore;

/// A node above the leaf, and the child that the way goes through.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) node: Rc<Node>,
    pub(crate) child: usize,
}

/// A gap between two rows. `index` rows of the leaf lie before it; the row after it is the current one.
///
/// Moving allocates nothing while the nodes are in memory. After an error the place is undefined (but safe to use).
#[derive(Clone)]
pub struct Cursor {
    nodes: Rc<NodeStore>,
    pub(crate) leaf: Rc<Node>,
    pub(crate) index: usize,
    /// Steps of level 1 and up; as many as the root's level.
    pub(crate) above: [Option<Step>; LEVELS_MAX - 1],
}

impl Cursor {
    /// Before all items of a node, with nothing above it.
    pub(crate) fn at(nodes: &Rc<NodeStore>, node: &Rc<Node>) -> Cursor {
        Cursor { nodes: nodes.clone(), leaf: node.clone(), index: 0, above: [const { None }; LEVELS_MAX - 1] }
    }

    /// Goes down from `root`; `choose` gives the child of an inner node, or the gap of the leaf.
    pub(crate) fn descend(
        nodes: &Rc<NodeStore>,
        root: &Rc<Node>,
        mut choose: impl FnMut(&Node) -> Result<usize, TreeError>,
    ) -> Result<Cursor, TreeError> {
        let mut above = [const { None }; LEVELS_MAX - 1];
        let mut node = root.clone();
        while !node.is_leaf() {
            let child = choose(&node)?.min(node.len() - 1);
            let below = nodes.child(&node, child)?;
            let level = node.level();
            above[level - 1] = Some(Step { node, child });
            node = below;
        }
        let index = choose(&node)?.min(node.len());
        Ok(Cursor { nodes: nodes.clone(), leaf: node, index, above })
    }

    /// The leaf; hold a clone to pin its rows.
    pub fn leaf(&self) -> &Rc<Node> {
        &self.leaf
    }

    /// Rows of the leaf before the gap; the leaf's length when no row of it follows.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Moves within the leaf; `index` is at most its length.
    pub fn set_index(&mut self, index: usize) {
        debug_assert!(index <= self.leaf.len());
        self.index = index;
    }

    /// Whether there is a current row. At the end of the tree there is none; at the end of a leaf call
    /// [`Cursor::next_leaf`] first.
    pub fn is_at_row(&self) -> bool {
        self.index < self.leaf.len()
    }

    /// The current row's key; empty when there is none.
    pub fn key(&self) -> &[u8] {
        self.leaf.key(self.index)
    }

    /// The current row's value; empty when there is none.
    pub fn value(&self) -> &[u8] {
        self.leaf.value(self.index)
    }

    /// Rows of the tree before the gap.
    pub fn ordinal(&self) -> u64 {
        let above: u64 = self.above.iter().flatten().map(|step| step.node.rows_before(step.child)).sum();
        above + self.index as u64
    }

    /// Moves to the next row, across leaves. False when there is none: then the gap is at the end of the tree.
    pub fn advance(&mut self) -> Result<bool, TreeError> {
        self.index = (self.index + 1).min(self.leaf.len());
        if self.is_at_row() { Ok(true) } else { self.next_leaf() }
    }

    /// Moves to the previous row, across leaves. False when there is none: then the gap is at the start of the tree.
    pub fn retreat(&mut self) -> Result<bool, TreeError> {
        if self.index == 0 && !self.previous_leaf()? {
            return Ok(false);
        }
        self.index -= 1;
        Ok(true)
    }

    /// Moves to the start of the next leaf. False when this is the last one: then the gap is at its end.
    pub fn next_leaf(&mut self) -> Result<bool, TreeError> {
        if self.step_over(1)? {
            self.go_down(1)?;
            return Ok(true);
        }
        self.index = self.leaf.len();
        Ok(false)
    }

    /// Moves behind all rows below the parent of the leaf; [`Cursor::next_leaf`] goes on.
    pub(crate) fn skip_parent(&mut self) {
        if let Some(step) = self.step_mut(1) {
            step.child = step.node.len() - 1;
        }
        self.index = self.leaf.len();
    }

    /// Moves to the end of the previous leaf. False when this is the first one: then the gap is at its start.
    pub fn previous_leaf(&mut self) -> Result<bool, TreeError> {
        self.index = 0;
        let Some(from) = (1..=self.height()).find(|level| self.step(*level).is_some_and(|step| step.child > 0)) else {
            return Ok(false);
        };
        if let Some(step) = self.step_mut(from) {
            step.child -= 1;
        }
        for level in (1..=from).rev() {
            self.enter(level, |node| node.len() - 1)?;
        }
        self.index = self.leaf.len();
        Ok(true)
    }

    /// The level of the root.
    pub(crate) fn height(&self) -> usize {
        self.above.iter().take_while(|step| step.is_some()).count()
    }

    /// Node and child at a level above the leaf.
    pub(crate) fn at_level(&self, level: usize) -> Option<(&Rc<Node>, usize)> {
        self.step(level).map(|step| (&step.node, step.child))
    }

    /// Advises the store of these leaves below the parent of this one, as far as `rows` rows need them, and of the next parent.
    pub(crate) fn will_need_leaves(&self, rows: u64, leaves: Range<usize>) {
        let Some(step) = self.step(1) else { return };
        let end = (step.node.rows_before(step.child) + self.index as u64).saturating_add(rows);
        let last = step.node.child_of_ordinal(end.saturating_sub(1)).0;
        let leaves = leaves.start..leaves.end.min(last + 1);
        let is_needed_next = leaves.end == step.node.len() && end > step.node.tree_count();
        let next = self.step(2).filter(|above| is_needed_next && above.child + 1 < above.node.len());
        let next = next.map(|above| (&*above.node, above.child + 1));
        self.nodes.will_need(leaves.map(|leaf| (&*step.node, leaf)).chain(next));
    }

    /// Moves to the next child at `level` or, at the end of a node, of the levels above; everything below `level` is stale
    /// until [`Cursor::go_down`]. False, and nothing moved, at the end of the tree.
    pub(crate) fn step_over(&mut self, level: usize) -> Result<bool, TreeError> {
        let has_next = |step: &Step| step.child + 1 < step.node.len();
        let Some(from) = (level..=self.height()).find(|level| self.step(*level).is_some_and(has_next)) else {
            return Ok(false);
        };
        if let Some(step) = self.step_mut(from) {
            step.child += 1;
        }
        for above in (level + 1..=from).rev() {
            self.enter(above, |_| 0)?;
        }
        Ok(true)
    }

    /// Goes from the child at `level` down to its first row.
    pub(crate) fn go_down(&mut self, level: usize) -> Result<(), TreeError> {
        for level in (1..=level).rev() {
            self.enter(level, |_| 0)?;
        }
        Ok(())
    }

    /// Puts the child at `level` in place of the node below, at the child or gap that `choose` says.
    pub(crate) fn enter(&mut self, level: usize, choose: impl FnOnce(&Node) -> usize) -> Result<(), TreeError> {
        let Some(step) = self.step(level) else { return Ok(()) };
        let node = self.nodes.child(&step.node, step.child)?;
        let child = choose(&node);
        if level == 1 {
            self.leaf = node;
            self.index = child;
        } else {
            self.above[level - 2] = Some(Step { node, child });
        }
        Ok(())
    }

    fn step(&self, level: usize) -> Option<&Step> {
        self.above.get(level.checked_sub(1)?)?.as_ref()
    }

    fn step_mut(&mut self, level: usize) -> Option<&mut Step> {
        self.above.get_mut(level.checked_sub(1)?)?.as_mut()
    }
}
