//! Columnar cache: segments of numeric columns, kept beside the nodes above the leaves.
//!
//! A scan of two numeric columns of a row store reads whole rows. For tables that are scanned again, the values of a column in all rows
//! below a node of level 1 are kept as one segment. Segments live as long as the node, and count as its memory.

use core::cell::OnceCell;
use std::rc::Rc;

use crate::TreeError;
use crate::node::{Items, Node};
use crate::nodes::NodeStore;

/// A field of `width` bytes of all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Of the key tuples, or of the value tuples.
    pub is_key: bool,
    pub field: usize,
    pub width: usize,
}

/// A column of the rows below a node; the segments of a node are a linked list.
#[derive(Debug)]
pub(crate) struct ColumnSegment {
    column: Column,
    /// Empty where the column is NULL in some row.
    bytes: Box<[u8]>,
    next: OnceCell<Box<ColumnSegment>>,
}

impl Node {
    /// A column of the rows below a node of level 1, as [`NodeStore::cache_columns`] has built it.
    pub fn column(&self, column: Column) -> Items<'_> {
        let bytes = self.segments().find(|segment| segment.column == column).map_or(&[][..], |segment| &segment.bytes);
        Items::fixed(bytes, column.width)
    }

    fn segments(&self) -> impl Iterator<Item = &ColumnSegment> {
        core::iter::successors(self.first_segment.get(), |segment| segment.next.get()).map(|segment| &**segment)
    }

    pub(crate) fn segment_bytes(&self) -> usize {
        self.segments().map(|segment| segment.bytes.len() + size_of::<ColumnSegment>()).sum()
    }
}

impl NodeStore {
    /// Whether the columns of a node of level 1 are segment. They are when this is asked a second time, for a table that is scanned
    /// once has nothing of it, and if there is memory for them.
    ///
    /// # Errors
    /// Of a damaged chunk below.
    pub fn cache_columns(&self, node: &Rc<Node>, columns: &[Column]) -> Result<bool, TreeError> {
        if !node.was_scanned.replace(true) {
            return Ok(false);
        }
        let known = |column: &Column| node.segments().find(|segment| segment.column == *column);
        let has_nulls = || columns.iter().filter_map(known).any(|segment| segment.bytes.is_empty());
        let missing: Vec<Column> = columns.iter().copied().filter(|column| known(column).is_none()).collect();
        Ok(!has_nulls() && (missing.is_empty() || self.build_segments(node, &missing)? && !has_nulls()))
    }

    /// Builds the segments of columns in one pass over the leaves. False where there is no room.
    fn build_segments(&self, node: &Rc<Node>, columns: &[Column]) -> Result<bool, TreeError> {
        let rows = node.tree_count() as usize;
        let row_bytes: usize = columns.iter().map(|column| column.width).sum();
        if !self.has_room_for_segments(node, rows * row_bytes) {
            return Ok(false);
        }
        let mut all: Vec<Vec<u8>> = columns.iter().map(|column| Vec::with_capacity(rows * column.width)).collect();
        // Columns that are NULL in some row.
        let mut is_whole = vec![true; columns.len()];
        for child in 0..node.len() {
            let leaf = self.child(node, child)?;
            for ((column, bytes), is_whole) in columns.iter().zip(&mut all).zip(&mut is_whole).filter(|(_, is)| **is) {
                let items = if column.is_key { leaf.keys() } else { leaf.values() };
                *is_whole = items.append_field(column.field, column.width, bytes);
            }
        }
        let before = node.segment_bytes();
        for ((column, bytes), is_whole) in columns.iter().zip(all).zip(is_whole) {
            let bytes = if is_whole { bytes.into() } else { Box::default() };
            let segment = ColumnSegment { column: *column, bytes, next: OnceCell::new() };
            let last = node.segments().last().map_or(&node.first_segment, |segment| &segment.next);
            last.get_or_init(|| Box::new(segment));
        }
        self.add_segment_bytes(node.segment_bytes() - before);
        Ok(true)
    }
}
