//! Writes tree nodes with exactly the bytes Dolt writes (docs/format/tree.md, section 2.5).

use super::build::{Builder, Offset};
use super::node::Kind;
use crate::{TreeError, TreeReason};

/// Items of a node to be written.
#[derive(Debug, Clone, Copy)]
pub struct NodeParts<'a> {
    pub kind: Kind,
    /// 0 for a leaf.
    pub level: u8,
    /// Keys, one after the other.
    pub keys: &'a [u8],
    /// Where each key ends.
    pub key_ends: &'a [u32],
    /// Values, one after the other; child addresses of an inner node and of an address map.
    pub values: &'a [u8],
    /// Where each value ends; not looked at for addresses and closures.
    pub value_ends: &'a [u32],
    /// Rows below each child of an inner node.
    pub counts: &'a [u64],
    /// Places of addresses in the values (rows) or keys (artifacts) of a leaf.
    pub address_offsets: &'a [u16],
}

impl NodeParts<'_> {
    /// Rows in the whole subtree.
    pub fn tree_count(&self) -> u64 {
        match (self.level, self.kind) {
            (0, Kind::Blob) => 1,
            (0, _) => self.key_ends.len() as u64,
            _ => self.counts.iter().sum(),
        }
    }

    /// The message. Parts are written in the same order for every kind, which has a slot for some of them.
    ///
    /// # Errors
    /// [`TreeReason::TooLong`] when items take more bytes than their offsets can say.
    pub fn write(&self) -> Result<Vec<u8>, TreeError> {
        let mut to = Builder::with_capacity(self.keys.len() + self.values.len() + 4 * self.key_ends.len() + 128);
        let slots = self.kind.slots();
        let is_leaf = self.level == 0;
        let keys = slots.key_items.map(|slot| (slot, to.bytes(self.keys)));
        let key_offsets = self.offsets(slots.key_offsets, self.key_ends, &mut to)?;
        let (mut values, mut value_offsets, mut address_offsets) = (None, None, None);
        if is_leaf {
            values = slots.value_items.map(|slot| (slot, to.bytes(self.values)));
            value_offsets = self.offsets(slots.value_offsets, self.value_ends, &mut to)?;
            let slot = slots.address_offsets.filter(|_| !self.address_offsets.is_empty());
            address_offsets = slot.map(|slot| (slot, to.u16s(self.address_offsets)));
        }
        let has_addresses = !is_leaf || self.kind == Kind::Addresses;
        let addresses = has_addresses.then(|| (slots.address_array, to.bytes(self.values)));
        let counts = (!is_leaf).then(|| (slots.subtree_counts, self.counts(&mut to)));

        to.start_table();
        for (slot, offset) in [keys, key_offsets, values, value_offsets, addresses, counts].into_iter().flatten() {
            to.offset(slot, offset);
        }
        to.u64(slots.tree_count, self.tree_count());
        if let Some((slot, offset)) = address_offsets {
            to.offset(slot, offset);
        }
        if self.kind == Kind::Rows {
            to.u8(ROWS_KEY_TYPE, TUPLES);
            to.u8(ROWS_VALUE_TYPE, TUPLES);
        }
        to.u8(slots.tree_level, self.level);
        if self.kind == Kind::Vectors {
            to.u8(VECTORS_LOG_CHUNK_SIZE, LOG_CHUNK_SIZE);
            to.u8(VECTORS_DISTANCE_TYPE, DISTANCE_L2_SQUARED);
        }
        let root = to.end_table();
        to.finish(root, self.kind.file_id())
    }

    /// Where items begin and the last one ends, where the kind says that: in four bytes each for vectors, else in two.
    fn offsets(&self, slot: Option<u16>, ends: &[u32], to: &mut Builder) -> Result<Option<(u16, Offset)>, TreeError> {
        let Some(slot) = slot else { return Ok(None) };
        let offsets = match self.kind {
            Kind::Vectors => to.u32s(&core::iter::once(0).chain(ends.iter().copied()).collect::<Vec<_>>()),
            _ => narrow_offsets(ends, to)?,
        };
        Ok(Some((slot, offsets)))
    }

    fn counts(&self, to: &mut Builder) -> Offset {
        let mut bytes = Vec::with_capacity(self.counts.len() + 8);
        codec::varint::write_deltas(self.counts.iter().copied(), &mut bytes);
        to.bytes(&bytes)
    }
}

/// What Dolt writes into every node of rows: keys and values are tuples.
const ROWS_KEY_TYPE: u16 = 2;
const ROWS_VALUE_TYPE: u16 = 5;
const TUPLES: u8 = 1;

/// What Dolt writes into every vector index node.
const VECTORS_LOG_CHUNK_SIZE: u16 = 8;
const VECTORS_DISTANCE_TYPE: u16 = 9;
const LOG_CHUNK_SIZE: u8 = 8;
const DISTANCE_L2_SQUARED: u8 = 1;

fn narrow_offsets(ends: &[u32], to: &mut Builder) -> Result<Offset, TreeError> {
    // Ends ascend.
    let length_bytes = u64::from(ends.last().copied().unwrap_or_default());
    if length_bytes > u16::MAX.into() {
        return Err(TreeReason::TooLong { length_bytes, limit_bytes: u16::MAX.into() }.into());
    }
    Ok(to.narrow_offsets(ends))
}
