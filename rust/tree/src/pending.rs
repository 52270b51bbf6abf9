//! The node of one level that is being filled.

use core::ops::Range;

use codec::Address;

use crate::TreeError;
use crate::chunker::{NODE_ITEM_BYTES_MAX, Root, Sink};
use crate::message::node::{Kind, LEVELS_MAX};
use crate::message::node_writer::NodeParts;
use crate::node::Node;
use crate::splitter::Splitter;
use crate::tuple::{AddressFields, Tuple};

/// Items of a node that has not ended yet.
pub(crate) struct Pending {
    kind: Kind,
    level: usize,
    addresses: AddressFields,
    splitter: Splitter,
    keys: Vec<u8>,
    key_ends: Vec<u32>,
    values: Vec<u8>,
    value_ends: Vec<u32>,
    counts: Vec<u64>,
    address_offsets: Vec<u16>,
    /// Items, those included that were noted and are still to be taken.
    len: usize,
    /// What they count together.
    bytes: usize,
}

/// A node that was written, as the level above lists it.
pub(crate) struct Written {
    pub(crate) root: Root,
    pub(crate) last_key: Vec<u8>,
    pub(crate) count: u64,
}

impl Pending {
    /// # Errors
    /// [`TreeError::TooLong`] when trees have no such level.
    pub(crate) fn new(kind: Kind, level: usize, addresses: AddressFields) -> Result<Pending, TreeError> {
        if level >= LEVELS_MAX {
            return Err(TreeError::TooLong { length_bytes: level as u64 + 1, limit_bytes: LEVELS_MAX as u64 });
        }
        Ok(Pending {
            kind,
            level,
            addresses,
            splitter: Splitter::new(level),
            keys: Vec::new(),
            key_ends: Vec::new(),
            values: Vec::new(),
            value_ends: Vec::new(),
            counts: Vec::new(),
            address_offsets: Vec::new(),
            len: 0,
            bytes: 0,
        })
    }

    pub(crate) fn items(&self) -> usize {
        self.len
    }

    /// An inner node does not end after its only item.
    fn is_degenerate(&self) -> bool {
        self.level > 0 && self.items() == 1
    }

    /// Whether the node has to be written before an item of this size is added, for it would not fit.
    ///
    /// # Errors
    /// [`TreeError::TooLong`] when the item fits no node.
    pub(crate) fn ends_before(&self, item_bytes: usize) -> Result<bool, TreeError> {
        if self.bytes + item_bytes <= NODE_ITEM_BYTES_MAX {
            return Ok(false);
        }
        if self.is_degenerate() || self.items() == 0 {
            let limit_bytes = NODE_ITEM_BYTES_MAX as u64;
            return Err(TreeError::TooLong { length_bytes: item_bytes as u64, limit_bytes });
        }
        Ok(true)
    }

    /// Adds an item that fits. Whether the node ends after it.
    pub(crate) fn push(&mut self, key: &[u8], value: &[u8], count: u64, item_bytes: usize) -> bool {
        self.list_addresses(key, value);
        self.keys.extend_from_slice(key);
        self.key_ends.push(self.keys.len() as u32);
        self.values.extend_from_slice(value);
        self.value_ends.push(self.values.len() as u32);
        self.counts.push(count);
        self.note(key, item_bytes)
    }

    /// Counts an item that fits and that [`Pending::take`] brings. Whether the node ends after it.
    pub(crate) fn note(&mut self, key: &[u8], item_bytes: usize) -> bool {
        self.len += 1;
        self.bytes += item_bytes;
        self.splitter.append(key, item_bytes as u32);
        self.splitter.has_crossed() && !self.is_degenerate()
    }

    /// Adds items of another node that fit, after none of which this node ends.
    pub(crate) fn extend(&mut self, node: &Node, items: Range<usize>) {
        let start = |at: usize| node.keys().start(at) + node.values().start(at);
        let item_bytes = start(items.end) - start(items.start);
        self.len += items.len();
        self.bytes += item_bytes;
        self.splitter.pass(item_bytes as u32);
        self.take(node, items);
    }

    /// Bytes of the items so far.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds items of a node that were noted.
    pub(crate) fn take(&mut self, node: &Node, items: Range<usize>) {
        if items.is_empty() {
            return;
        }
        if self.level == 0 && !self.addresses.is_empty() {
            let (mut key_start, mut value_start) = (self.keys.len(), self.values.len());
            for i in items.clone() {
                let (key, value) = (node.key(i), node.value(i));
                self.list_addresses_at(key, key_start, value, value_start);
                (key_start, value_start) = (key_start + key.len(), value_start + value.len());
            }
        }
        node.keys().append_to(items.clone(), &mut self.keys, &mut self.key_ends);
        node.values().append_to(items.clone(), &mut self.values, &mut self.value_ends);
        if self.level > 0 {
            self.counts.extend(items.map(|i| node.subtree_count(i)));
        }
    }

    fn list_addresses(&mut self, key: &[u8], value: &[u8]) {
        if self.level == 0 && !self.addresses.is_empty() {
            self.list_addresses_at(key, self.keys.len(), value, self.values.len());
        }
    }

    /// Lists the places of addresses in an item of a leaf whose key and value begin at these places.
    fn list_addresses_at(&mut self, key: &[u8], key_start: usize, value: &[u8], value_start: usize) {
        let (tuple, start) = match self.kind {
            Kind::Artifacts => (key, key_start),
            _ => (value, value_start),
        };
        self.addresses.positions(Tuple::new(tuple), |at| self.address_offsets.push((start + at) as u16));
    }

    /// Writes the node; an empty one follows.
    pub(crate) fn write(&mut self, sink: &mut impl Sink) -> Result<Written, TreeError> {
        self.write_by(|message| sink.put(message))
    }

    /// As [`Pending::write`], for a node that somebody will read soon.
    pub(crate) fn write_for_readers(&mut self, sink: &mut impl Sink) -> Result<Written, TreeError> {
        self.write_by(|message| sink.put_node(message))
    }

    fn write_by(&mut self, put: impl FnOnce(&[u8]) -> Result<Address, TreeError>) -> Result<Written, TreeError> {
        let parts = NodeParts {
            kind: self.kind,
            level: self.level as u8,
            keys: &self.keys,
            key_ends: &self.key_ends,
            values: &self.values,
            value_ends: &self.value_ends,
            counts: if self.level == 0 { &[] } else { &self.counts },
            address_offsets: &self.address_offsets,
        };
        let count = parts.tree_count();
        let message = parts.write()?;
        let address = put(&message)?;
        let last_key = self.last_key().to_vec();
        self.clear();
        Ok(Written { root: Root { address, message }, last_key, count })
    }

    fn last_key(&self) -> &[u8] {
        let start = self.key_ends.iter().rev().nth(1).map_or(0, |end| *end as usize);
        self.keys.get(start..).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.splitter.reset();
        self.keys.clear();
        self.key_ends.clear();
        self.values.clear();
        self.value_ends.clear();
        self.counts.clear();
        self.address_offsets.clear();
        (self.len, self.bytes) = (0, 0);
    }
}

/// What an item of an inner node counts.
pub(crate) fn child_bytes(key: &[u8]) -> usize {
    key.len() + Address::LEN
}
