//! Writes tree nodes with exactly the bytes Dolt writes (docs/format/tree.md, section 2.5).

use super::build::{Builder, Offset};
use super::node::Kind;
use crate::TreeError;

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

    /// The message.
    ///
    /// # Errors
    /// [`TreeError::TooLong`] when items take more bytes than their offsets can say.
    pub fn write(&self) -> Result<Vec<u8>, TreeError> {
        let mut to = Builder::with_capacity(self.keys.len() + self.values.len() + 4 * self.key_ends.len() + 128);
        let (count, level, leaf) = (self.tree_count(), self.level, self.level == 0);
        match self.kind {
            Kind::Rows => {
                let (keys, key_offsets) = self.keys(&mut to)?;
                if leaf {
                    let (values, value_offsets) = self.values(&mut to)?;
                    let addresses = self.address_offsets(&mut to);
                    to.start_table();
                    to.offset(0, keys);
                    to.offset(1, key_offsets);
                    to.offset(3, values);
                    to.offset(4, value_offsets);
                    to.u64(9, count);
                    to.offset_if(6, addresses);
                } else {
                    let (addresses, counts) = self.children(&mut to);
                    to.start_table();
                    to.offset(0, keys);
                    to.offset(1, key_offsets);
                    to.offset(7, addresses);
                    to.offset(8, counts);
                    to.u64(9, count);
                }
                to.u8(2, 1);
                to.u8(5, 1);
                to.u8(10, level);
            }
            Kind::Addresses => {
                let (keys, key_offsets) = self.keys(&mut to)?;
                let addresses = to.bytes(self.values);
                let counts = (!leaf).then(|| self.counts(&mut to));
                to.start_table();
                to.offset(0, keys);
                to.offset(1, key_offsets);
                to.offset(2, addresses);
                to.offset_if(3, counts);
                to.u64(4, count);
                to.u8(5, level);
            }
            Kind::Blob => {
                if leaf {
                    let payload = to.bytes(self.values);
                    to.start_table();
                    to.offset(0, payload);
                } else {
                    let (addresses, sizes) = self.children(&mut to);
                    to.start_table();
                    to.offset(1, addresses);
                    to.offset(2, sizes);
                }
                to.u64(3, count);
                to.u8(4, level);
            }
            Kind::Closure => {
                let keys = to.bytes(self.keys);
                let children = (!leaf).then(|| self.children(&mut to));
                to.start_table();
                to.offset(0, keys);
                to.offset_if(1, children.map(|(addresses, _)| addresses));
                to.offset_if(2, children.map(|(_, counts)| counts));
                to.u64(3, count);
                to.u8(4, level);
            }
            Kind::Artifacts => {
                let (keys, key_offsets) = self.keys(&mut to)?;
                if leaf {
                    let (values, value_offsets) = self.values(&mut to)?;
                    let addresses = self.address_offsets(&mut to);
                    to.start_table();
                    to.offset(0, keys);
                    to.offset(1, key_offsets);
                    to.offset(3, values);
                    to.offset(4, value_offsets);
                    to.u64(7, count);
                    to.offset_if(2, addresses);
                } else {
                    let (addresses, counts) = self.children(&mut to);
                    to.start_table();
                    to.offset(0, keys);
                    to.offset(1, key_offsets);
                    to.offset(5, addresses);
                    to.offset(6, counts);
                    to.u64(7, count);
                }
                to.u8(8, level);
            }
            Kind::Vectors => {
                let keys = to.bytes(self.keys);
                let key_offsets = to.u32s(&wide_offsets(self.key_ends));
                if leaf {
                    let values = to.bytes(self.values);
                    let value_offsets = to.u32s(&wide_offsets(self.value_ends));
                    to.start_table();
                    to.offset(0, keys);
                    to.offset(1, key_offsets);
                    to.offset(2, values);
                    to.offset(3, value_offsets);
                } else {
                    let (addresses, counts) = self.children(&mut to);
                    to.start_table();
                    to.offset(0, keys);
                    to.offset(1, key_offsets);
                    to.offset(4, addresses);
                    to.offset(5, counts);
                }
                to.u64(6, count);
                to.u8(7, level);
                to.u8(8, LOG_CHUNK_SIZE);
                to.u8(9, DISTANCE_L2_SQUARED);
            }
        }
        let root = to.end_table();
        to.finish(root, self.kind.file_id())
    }

    fn keys(&self, to: &mut Builder) -> Result<(Offset, Offset), TreeError> {
        let offsets = narrow_offsets(self.key_ends)?;
        Ok((to.bytes(self.keys), to.u16s(&offsets)))
    }

    fn values(&self, to: &mut Builder) -> Result<(Offset, Offset), TreeError> {
        let offsets = narrow_offsets(self.value_ends)?;
        Ok((to.bytes(self.values), to.u16s(&offsets)))
    }

    fn address_offsets(&self, to: &mut Builder) -> Option<Offset> {
        (!self.address_offsets.is_empty()).then(|| to.u16s(self.address_offsets))
    }

    fn children(&self, to: &mut Builder) -> (Offset, Offset) {
        (to.bytes(self.values), self.counts(to))
    }

    fn counts(&self, to: &mut Builder) -> Offset {
        let mut bytes = Vec::with_capacity(self.counts.len() + 8);
        codec::varint::write_deltas(self.counts.iter().copied(), &mut bytes);
        to.bytes(&bytes)
    }
}

/// What Dolt writes into every vector index node.
const LOG_CHUNK_SIZE: u8 = 8;
const DISTANCE_L2_SQUARED: u8 = 1;

fn wide_offsets(ends: &[u32]) -> Vec<u32> {
    core::iter::once(0).chain(ends.iter().copied()).collect()
}

fn narrow_offsets(ends: &[u32]) -> Result<Vec<u16>, TreeError> {
    let narrow = |end: &u32| {
        u16::try_from(*end)
            .map_err(|_| TreeError::TooLong { length_bytes: u64::from(*end), limit_bytes: u16::MAX.into() })
    };
    core::iter::once(Ok(0)).chain(ends.iter().map(narrow)).collect()
}
