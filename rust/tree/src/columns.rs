//! Columns of numbers, kept packed beside the nodes above the leaves.
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
        for column in columns {
            let is_whole = match node.packed().find(|packed| packed.column == *column) {
                Some(known) => !known.bytes.is_empty(),
                None => self.pack_column(node, *column)?,
            };
            if !is_whole {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pack_column(&self, node: &Rc<Node>, column: Column) -> Result<bool, TreeError> {
        let rows = node.tree_count() as usize;
        if !self.has_room_to_pack(node, rows * column.width) {
            return Ok(false);
        }
        let mut bytes = Vec::with_capacity(rows * column.width);
        for child in 0..node.len() {
            let leaf = self.child(node, child)?;
            let items = if column.is_key { leaf.keys() } else { leaf.values() };
            if !items.append_field(column.field, column.width, &mut bytes) {
                bytes.clear();
                break;
            }
        }
        let packed = Packed { column, bytes: bytes.into(), next: OnceCell::new() };
        let (is_whole, before) = (!packed.bytes.is_empty(), node.packed_bytes());
        let last = node.packed().last().map_or(&node.first_packed, |packed| &packed.next);
        last.get_or_init(|| Box::new(packed));
        self.has_packed(node.packed_bytes() - before);
        Ok(is_whole)
    }
}
