//! Pending node: the node of one level that is being filled.

use core::ops::Range;
use std::rc::Rc;

use codec::Address;

use crate::message::node::{Form, Kind, LEVELS_MAX};
use crate::message::node_writer::NodeParts;
use crate::node::{Items, Node};
use crate::tuple::{AddressFields, Tuple};
use crate::write::sink::{Root, Sink};
use crate::write::splitter::Splitter;
use crate::{TreeError, TreeReason};

/// Key or value bytes of a node at most: their offsets are u16.
pub const NODE_ITEM_BYTES_MAX: usize = 65_535;

/// Items of a node that has not ended yet.
pub(crate) struct Pending {
    kind: Kind,
    level: usize,
    addresses: AddressFields,
    splitter: Splitter,
    keys: Column,
    values: Column,
    counts: Vec<u64>,
    address_offsets: Vec<u16>,
    /// Items, those included that were noted and are still to be taken.
    len: usize,
    /// What they count together.
    bytes: usize,
}

/// A node that was put, as the level above lists it.
pub(crate) struct Written {
    pub(crate) root: Root,
    pub(crate) last_key: Vec<u8>,
    pub(crate) count: u64,
}

/// Bytes that a node has more after an edit, as a rule at most.
const MORE_BYTES: usize = 256;

/// Keys or values, one after the other.
#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    /// Where each item ends.
    ends: Vec<u32>,
    /// What is known of the items so far, beside the length of the first one.
    has_other_lengths: bool,
    has_other_fields: bool,
}

impl Column {
    fn push(&mut self, item: &[u8]) {
        self.compare(Some(item.len()), true, item);
        self.bytes.extend_from_slice(item);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Makes room for as much as `items` have, and a little more.
    fn reserve(&mut self, items: Items<'_>) {
        self.bytes.reserve(items.bytes().len() + MORE_BYTES);
        self.ends.reserve(items.len() + 1);
    }

    fn take(&mut self, items: Items<'_>, range: Range<usize>) {
        self.compare(items.stride(), items.has_same_fields(), items.get(range.start));
        items.append_to(range, &mut self.bytes, &mut self.ends);
    }

    /// Notes whether items that are to come, of which `item` is the first, are like those that are there.
    fn compare(&mut self, stride: Option<usize>, same_fields: bool, item: &[u8]) {
        if self.has_other_lengths {
            return;
        }
        let first = self.ends.first().and_then(|end| self.bytes.get(..*end as usize));
        let is_like_first = first.is_none_or(|first| Tuple::new(first).trailer_equals(item));
        self.has_other_lengths |= stride.is_none() || first.is_some_and(|first| stride != Some(first.len()));
        self.has_other_fields |= !same_fields || !is_like_first;
    }

    fn form(&self) -> Form {
        let even_bytes = (!self.has_other_lengths).then(|| self.ends.first().copied().unwrap_or_default());
        Form { even_bytes, same_fields: even_bytes.is_some() && !self.has_other_fields }
    }

    fn last(&self) -> &[u8] {
        let start = self.ends.iter().rev().nth(1).map_or(0, |end| *end as usize);
        self.bytes.get(start..).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        (self.has_other_lengths, self.has_other_fields) = (false, false);
    }
}

impl Pending {
    /// # Errors
    /// [`TreeReason::TooLong`] when trees have no such level.
    pub(crate) fn new(kind: Kind, level: usize, addresses: AddressFields) -> Result<Pending, TreeError> {
        if level >= LEVELS_MAX {
            return Err(TreeReason::TooLong { length_bytes: level as u64 + 1, limit_bytes: LEVELS_MAX as u64 }.into());
        }
        Ok(Pending {
            kind,
            level,
            addresses,
            splitter: Splitter::new(level),
            keys: Column::default(),
            values: Column::default(),
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
    /// [`TreeReason::TooLong`] when the item fits no node.
    pub(crate) fn ends_before(&self, item_bytes: usize) -> Result<bool, TreeError> {
        if self.bytes + item_bytes <= NODE_ITEM_BYTES_MAX {
            return Ok(false);
        }
        if self.is_degenerate() || self.items() == 0 {
            let limit_bytes = NODE_ITEM_BYTES_MAX as u64;
            return Err(TreeReason::TooLong { length_bytes: item_bytes as u64, limit_bytes }.into());
        }
        Ok(true)
    }

    /// Adds an item that fits. Whether the node ends after it.
    pub(crate) fn push(&mut self, key: &[u8], value: &[u8], count: u64, item_bytes: usize) -> bool {
        self.list_addresses(key, value);
        self.keys.push(key);
        self.values.push(value);
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

    /// Makes room for a node that is much like `node`.
    pub(crate) fn reserve(&mut self, node: &Node) {
        self.keys.reserve(node.keys());
        self.values.reserve(node.values());
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
            let (mut key_start, mut value_start) = (self.keys.bytes.len(), self.values.bytes.len());
            for i in items.clone() {
                let (key, value) = (node.key(i), node.value(i));
                self.list_addresses_at(key, key_start, value, value_start);
                (key_start, value_start) = (key_start + key.len(), value_start + value.len());
            }
        }
        self.keys.take(node.keys(), items.clone());
        self.values.take(node.values(), items.clone());
        if self.level > 0 {
            self.counts.extend(items.map(|i| node.subtree_count(i)));
        }
    }

    fn list_addresses(&mut self, key: &[u8], value: &[u8]) {
        if self.level == 0 && !self.addresses.is_empty() {
            self.list_addresses_at(key, self.keys.bytes.len(), value, self.values.bytes.len());
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

    /// Writes the node and puts it; an empty one follows.
    pub(crate) fn write(&mut self, sink: &mut impl Sink) -> Result<Written, TreeError> {
        let (message, count) = self.message()?;
        let address = sink.put(&message)?;
        let last_key = self.keys.last().to_vec();
        self.clear();
        Ok(Written { root: Root { address, message }, last_key, count })
    }

    /// The node and its last key; an empty one follows.
    pub(crate) fn node(&mut self) -> Result<(Rc<Node>, Vec<u8>), TreeError> {
        let (message, _) = self.message()?;
        let node = Node::written(message, self.keys.form(), self.values.form())?;
        let last_key = self.keys.last().to_vec();
        self.clear();
        Ok((Rc::new(node), last_key))
    }

    /// The message, and how many rows it is about.
    fn message(&self) -> Result<(Vec<u8>, u64), TreeError> {
        let parts = NodeParts {
            kind: self.kind,
            level: self.level as u8,
            keys: &self.keys.bytes,
            key_ends: &self.keys.ends,
            values: &self.values.bytes,
            value_ends: &self.values.ends,
            counts: if self.level == 0 { &[] } else { &self.counts },
            address_offsets: &self.address_offsets,
        };
        Ok((parts.write()?, parts.tree_count()))
    }

    fn clear(&mut self) {
        self.splitter.reset();
        self.keys.clear();
        self.values.clear();
        self.counts.clear();
        self.address_offsets.clear();
        (self.len, self.bytes) = (0, 0);
    }
}

/// What an item of an inner node counts.
pub(crate) fn child_bytes(key: &[u8]) -> usize {
    key.len() + Address::LEN
}
