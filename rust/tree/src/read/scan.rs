//! Range scan, one leaf at a time.

use core::ops::Range;
use std::rc::Rc;

use crate::TreeError;
use crate::map::Map;
use crate::node::Node;
use crate::nodes::column_segments::Column;
use crate::read::cursor::Cursor;

/// Which way a [`Scan`] goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

/// Neighbouring rows of one leaf. Holding it keeps the leaf in memory.
///
/// `items` is ascending whatever the scan's direction; a backward scan's rows are `items.rev()`.
#[derive(Debug, Clone)]
pub struct Span {
    pub leaf: Rc<Node>,
    pub items: Range<usize>,
}

/// The rows between two places of a map. How many they are is known from the start, so no key is compared on the way, and
/// nothing is allocated while the nodes are in memory.
#[derive(Clone)]
pub struct Scan {
    map: Map,
    cursor: Cursor,
    remaining: u64,
    direction: Direction,
    /// The rows of a node of level 1 that are still to be returned, by its column segments; the cursor is past them.
    segment: Option<Span>,
    /// Children of the leaf's parent: the one that was read last, and the one up to which leaves were announced to the store.
    announced: Range<usize>,
}

/// Leaves announced to the store ahead of their use. The next ones are announced when half of them were read, so that a scan waits for a
/// remote only once.
const AHEAD_LEAVES: usize = 64;

impl Scan {
    pub(crate) fn new(map: &Map, cursor: Cursor, rows: u64, direction: Direction) -> Scan {
        Scan { map: map.clone(), cursor, remaining: rows, direction, segment: None, announced: 0..0 }
    }

    /// Rows that were not yet returned; exact.
    pub fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Which rows of the map are still to be returned.
    pub fn ordinals(&self) -> Range<u64> {
        let place = self.cursor.ordinal();
        match self.direction {
            Direction::Forward => place..place + self.remaining,
            Direction::Backward => place - self.remaining.min(place)..place,
        }
    }

    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The next rows that lie side by side in one leaf, at most `rows_max` (at least 1). `None` at the end.
    ///
    /// # Errors
    /// What is wrong with a chunk on the way; the scan cannot go on then.
    pub fn next_span(&mut self, rows_max: usize) -> Result<Option<Span>, TreeError> {
        debug_assert!(rows_max > 0);
        if self.remaining == 0 {
            return Ok(None);
        }
        let wanted = self.remaining.min(rows_max as u64) as usize;
        let items = match self.direction {
            Direction::Forward => {
                if !self.cursor.is_at_row() && !self.cursor.next_leaf()? {
                    return Err(TreeError::corrupt("tree", "ends before its row count", 0));
                }
                self.tell_ahead();
                let start = self.cursor.index();
                let end = self.cursor.leaf().len().min(start + wanted);
                self.cursor.set_index(end);
                start..end
            }
            Direction::Backward => {
                if self.cursor.index() == 0 && !self.cursor.previous_leaf()? {
                    return Err(TreeError::corrupt("tree", "ends before its row count", 0));
                }
                let end = self.cursor.index();
                let start = end.saturating_sub(wanted);
                self.cursor.set_index(start);
                start..end
            }
        };
        self.remaining -= items.len() as u64;
        Ok(Some(Span { leaf: self.cursor.leaf().clone(), items }))
    }

    /// As [`Scan::next_span`] of rows of which only these columns are read: the rows may be items of a node of level 1, which has
    /// segments of them ([`Node::column`]). Such a scan goes on as it began.
    pub fn next_columns(&mut self, columns: &[Column], rows_max: usize) -> Result<Option<Span>, TreeError> {
        if columns.is_empty() || self.direction == Direction::Backward {
            return self.next_span(rows_max);
        }
        if self.segment.is_none() {
            if self.remaining > 0 && !self.cursor.is_at_row() {
                self.cursor.next_leaf()?;
            }
            let begun = self.cursor.at_level(1).filter(|(_, child)| *child == 0 && self.cursor.index() == 0);
            if let Some(node) = begun.map(|(node, _)| node.clone())
                && node.tree_count() <= self.remaining
                && self.map.nodes.cache_columns(&node, columns)?
            {
                let items = 0..node.tree_count() as usize;
                self.segment = Some(Span { leaf: node, items });
                self.cursor.skip_parent();
            }
        }
        let Some(Span { leaf, items }) = &mut self.segment else { return self.next_span(rows_max) };
        let span = Span { leaf: leaf.clone(), items: items.start..items.end.min(items.start + rows_max) };
        items.start = span.items.end;
        if items.start == items.end {
            self.segment = None;
        }
        self.remaining -= span.items.len() as u64;
        Ok(Some(span))
    }

    /// Leaves out the next `rows` rows, in O(log n).
    pub fn skip(&mut self, rows: u64) -> Result<(), TreeError> {
        let rows = rows.min(self.remaining);
        self.remaining -= rows;
        if rows > 0 && self.remaining > 0 {
            let place = self.cursor.ordinal();
            self.cursor = self.map.seek_ordinal(match self.direction {
                Direction::Forward => place + rows,
                Direction::Backward => place - rows,
            })?;
            self.announced = 0..0;
        }
        Ok(())
    }

    /// Leaves out all rows behind the next `rows`.
    pub fn limit(&mut self, rows: u64) {
        self.remaining = self.remaining.min(rows);
    }

    /// Tells the store which leaves come next, every half of [`AHEAD_LEAVES`] leaves.
    fn tell_ahead(&mut self) {
        let Some((parent, child)) = self.cursor.at_level(1) else { return };
        // Another parent has the children from the first one on.
        let announced_until = if child < self.announced.start { 0 } else { self.announced.end };
        self.announced = child..announced_until;
        if announced_until < parent.len() && child + AHEAD_LEAVES / 2 >= announced_until {
            self.announced.end = child + AHEAD_LEAVES;
            self.cursor.will_need_leaves(self.remaining, announced_until.max(child)..self.announced.end);
        }
    }
}
