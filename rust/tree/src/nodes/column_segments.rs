//! Columnar cache: segments of numeric columns, kept beside the nodes above the leaves.
//!
//! Rows lie in leaves one behind the other, so that a scan of two numbers waits for the memory of whole rows. What is scanned again
//! has its columns packed: of all rows below a node of level 1, one behind the other. They live as long as the node, and count
//! as its memory.

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

/// The columns of a node, each with the next.
#[derive(Debug)]
pub(crate) struct Packed {
    column: Column,
    /// Empty where the column is NULL in some row.
    bytes: Box<[u8]>,
    next: OnceCell<Box<Packed>>,
}

impl Node {
    /// A column of the rows below a node of level 1, which [`NodeStore::pack`] has packed.
    pub fn column(&self, column: Column) -> Items<'_> {
        let bytes = self.packed().find(|packed| packed.column == column).map_or(&[][..], |packed| &packed.bytes);
        Items::packed(bytes, column.width)
    }

    fn packed(&self) -> impl Iterator<Item = &Packed> {
        core::iter::successors(self.first_packed.get(), |packed| packed.next.get()).map(|packed| &**packed)
    }

    pub(crate) fn packed_bytes(&self) -> usize {
        self.packed().map(|packed| packed.bytes.len() + size_of::<Packed>()).sum()
    }
}

impl NodeStore {
    /// Whether the columns of a node of level 1 are packed. They are when this is asked a second time, for a table that is scanned
    /// once has nothing of it, and if there is memory for them.
    ///
    /// # Errors
    /// What is wrong with a chunk below.
    pub fn pack(&self, node: &Rc<Node>, columns: &[Column]) -> Result<bool, TreeError> {
        if !node.was_scanned.replace(true) {
            return Ok(false);
        }
        let known = |column: &Column| node.packed().find(|packed| packed.column == *column);
        let has_nulls = || columns.iter().filter_map(known).any(|packed| packed.bytes.is_empty());
        let missing: Vec<Column> = columns.iter().copied().filter(|column| known(column).is_none()).collect();
        Ok(!has_nulls() && (missing.is_empty() || self.pack_columns(node, &missing)? && !has_nulls()))
    }

    /// Packs columns, whose leaves are read once for all of them. False where there is no room.
    fn pack_columns(&self, node: &Rc<Node>, columns: &[Column]) -> Result<bool, TreeError> {
        let rows = node.tree_count() as usize;
        let row_bytes: usize = columns.iter().map(|column| column.width).sum();
        if !self.has_room_to_pack(node, rows * row_bytes) {
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
        let before = node.packed_bytes();
        for ((column, bytes), is_whole) in columns.iter().zip(all).zip(is_whole) {
            let bytes = if is_whole { bytes.into() } else { Box::default() };
            let packed = Packed { column: *column, bytes, next: OnceCell::new() };
            let last = node.packed().last().map_or(&node.first_packed, |packed| &packed.next);
            last.get_or_init(|| Box::new(packed));
        }
        self.has_packed(node.packed_bytes() - before);
        Ok(true)
    }
}
