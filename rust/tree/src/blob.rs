//! Long values stored as trees of their own: blobs and indexed JSON documents (docs/format/tree.md, section 9).

use std::rc::Rc;

use codec::Address;

use crate::message::node::Kind;
use crate::message::node_writer::NodeParts;
use crate::node::Node;
use crate::nodes::NodeStore;
use crate::write::sink::Sink;
use crate::{TreeError, TreeReason};

/// Longest value that is read into memory at once, as MySQL's `max_allowed_packet`: LONGTEXT may be 4 GiB, which no page of a browser
/// holds.
pub const VALUE_BYTES_MAX: u64 = 1 << 30;
/// Bytes of every leaf of a blob but the last.
const LEAF_BYTES: usize = 4_000;
/// Children of every inner node but the last of a level.
const FAN_OUT: usize = 200;
/// Least bytes of a leaf before the last: those of a JSON document may be shorter than a blob's.
const SEGMENT_BYTES_MIN: u64 = 512;
/// Most bytes of a leaf's message around its payload.
const MESSAGE_BYTES: u64 = 256;

/// The whole value at `address`: a blob, or the text of a JSON document whether indexed or not. The zero address is empty.
///
/// # Errors
/// [`TreeReason::TooLong`] past [`VALUE_BYTES_MAX`]; otherwise what is wrong with a chunk.
pub fn read(nodes: &NodeStore, address: &Address) -> Result<Vec<u8>, TreeError> {
    if address.is_empty() {
        return Ok(Vec::new());
    }
    let root = nodes.node(address)?;
    let least_bytes = root.tree_count().saturating_sub(1).saturating_mul(SEGMENT_BYTES_MIN);
    Reading::new(nodes, 0, VALUE_BYTES_MAX, least_bytes)?.finish(&root)
}

/// As [`read`], where the field says how long the value is: no more than that is held at any time, however much a damaged tree has.
///
/// # Errors
/// As [`read`]; [`TreeReason::Corrupt`] when the tree holds more or fewer bytes.
pub fn read_exact(nodes: &NodeStore, address: &Address, length_bytes: u64) -> Result<Vec<u8>, TreeError> {
    let differs = |at| TreeError::corrupt("blob", "length differs from the field's", at).in_chunk(address);
    if address.is_empty() {
        return if length_bytes == 0 { Ok(Vec::new()) } else { Err(differs(0)) };
    }
    let root = nodes.node(address)?;
    let leaves = root.tree_count();
    // Dolt's leaves are neither longer than these nor, but for the last, shorter.
    if leaves.saturating_sub(1).saturating_mul(SEGMENT_BYTES_MIN) > length_bytes || leaves > length_bytes {
        return Err(differs(0));
    }
    // A wrong length in a root must not allocate its memory: this is what its leaves are likely to hold.
    let likely_bytes = length_bytes.min(leaves.saturating_mul(LEAF_BYTES as u64));
    let content =
        match Reading::new(nodes, likely_bytes, length_bytes.min(VALUE_BYTES_MAX), length_bytes)?.finish(&root) {
            Err(error) if length_bytes <= VALUE_BYTES_MAX && matches!(error.reason(), TreeReason::TooLong { .. }) => {
                return Err(differs(length_bytes as usize));
            }
            content => content?,
        };
    if content.len() as u64 != length_bytes { Err(differs(content.len())) } else { Ok(content) }
}

/// Whether the value at `address`, text or bytes, may have so many bytes: as many leaves as native Dolt makes for them.
///
/// # Errors
/// What is wrong with the root, which is all that is read.
pub fn may_have(nodes: &NodeStore, address: &Address, length_bytes: u64) -> Result<bool, TreeError> {
    let leaves = if address.is_empty() { 0 } else { nodes.node(address)?.tree_count() };
    Ok(leaves == length_bytes.div_ceil(LEAF_BYTES as u64))
}

/// The first bytes of the value at `address`, or all that it has. Only leaves that have them are read.
///
/// # Errors
/// As [`read`].
pub fn read_prefix(nodes: &NodeStore, address: &Address, bytes: usize) -> Result<Vec<u8>, TreeError> {
    if address.is_empty() || bytes == 0 {
        return Ok(Vec::new());
    }
    let mut reading = Reading::new(nodes, 0, VALUE_BYTES_MAX, 0)?;
    reading.enough_bytes = bytes;
    let mut content = reading.finish(&nodes.node(address)?)?;
    content.truncate(bytes);
    Ok(content)
}

/// Stores a value as a blob tree and tells its address: zeros for an empty one.
///
/// The number of levels follows from the length as Dolt computes it, so that some lengths get a root with a single child.
pub fn write(sink: &mut impl Sink, content: &[u8]) -> Result<Address, TreeError> {
    if content.is_empty() {
        return Ok(Address::EMPTY);
    }
    let node = |level: u8, values: &[u8], counts: &[u64]| {
        let parts = NodeParts {
            kind: Kind::Blob,
            level,
            keys: &[],
            key_ends: &[],
            values,
            value_ends: &[],
            counts,
            address_offsets: &[],
        };
        parts.write()
    };
    let mut below = Vec::new();
    for payload in content.chunks(LEAF_BYTES) {
        below.push((sink.put(&node(0, payload, &[])?)?, 1));
    }
    if content.len() <= LEAF_BYTES {
        return Ok(below[0].0);
    }
    let mut groups = content.len() / LEAF_BYTES;
    let mut level = 0;
    while groups > 0 {
        groups /= FAN_OUT;
        level += 1;
        let mut above = Vec::new();
        for children in below.chunks(FAN_OUT) {
            let addresses: Vec<u8> = children.iter().flat_map(|(address, _)| *address.as_bytes()).collect();
            let counts: Vec<u64> = children.iter().map(|(_, leaves)| *leaves).collect();
            above.push((sink.put(&node(level, &addresses, &counts)?)?, counts.iter().sum()));
        }
        below = above;
    }
    Ok(below[0].0)
}

/// A value that is being read: never more of it than `limit_bytes`.
struct Reading<'a> {
    nodes: &'a NodeStore,
    content: Vec<u8>,
    limit_bytes: u64,
    /// Nothing more is read once there are so many.
    enough_bytes: usize,
}

impl<'a> Reading<'a> {
    /// `least_bytes` is what the value has at least, `reserved_bytes` what memory is taken for at once.
    fn new(nodes: &'a NodeStore, reserved_bytes: u64, limit_bytes: u64, least_bytes: u64) -> Result<Self, TreeError> {
        if least_bytes > limit_bytes {
            return Err(too_long(least_bytes, limit_bytes));
        }
        let mut content = Vec::new();
        content.try_reserve_exact(reserved_bytes as usize).map_err(|_| no_memory(reserved_bytes))?;
        Ok(Reading { nodes, content, limit_bytes, enough_bytes: usize::MAX })
    }

    fn finish(mut self, root: &Rc<Node>) -> Result<Vec<u8>, TreeError> {
        self.append(root)?;
        Ok(self.content)
    }

    /// Appends the leaves below `node`. Depth is bounded, as levels fall with every step, and so is time: what has no leaves is not read.
    fn append(&mut self, node: &Rc<Node>) -> Result<(), TreeError> {
        if node.is_leaf() {
            return self.append_leaf(node);
        }
        if node.level() == 1 {
            return self.append_children(node);
        }
        if self.enough_bytes == usize::MAX {
            self.nodes.will_need_children(node, 0, node.len());
        }
        for i in (0..node.len()).filter(|&i| node.subtree_count(i) > 0) {
            if self.missing_bytes() > 0 {
                self.append(&self.nodes.child(node, i)?)?;
            }
        }
        Ok(())
    }

    fn missing_bytes(&self) -> usize {
        self.enough_bytes.saturating_sub(self.content.len())
    }

    /// Reads all children, which are leaves, in merged requests, past the cache: they are copied out at once. What is more than the
    /// limit is dropped as it comes.
    fn append_children(&mut self, node: &Node) -> Result<(), TreeError> {
        let addresses: Vec<Address> = (0..node.len()).map(|i| node.child_address(i).unwrap_or_default()).collect();
        let mut rest = &addresses[..];
        while !rest.is_empty() && self.missing_bytes() > 0 {
            let (addresses, after) =
                rest.split_at(self.missing_bytes().div_ceil(LEAF_BYTES).min(FAN_OUT).min(rest.len()));
            rest = after;
            let mut room_bytes = self.limit_bytes - self.content.len() as u64 + MESSAGE_BYTES * addresses.len() as u64;
            let mut leaves: Vec<Vec<u8>> = vec![Vec::new(); addresses.len()];
            let mut is_over = false;
            self.nodes.read_many(addresses, &mut |i, bytes| {
                is_over |= bytes.len() as u64 > room_bytes;
                if !is_over {
                    room_bytes -= bytes.len() as u64;
                    leaves[i] = bytes;
                }
            })?;
            if is_over {
                return Err(too_long(self.limit_bytes + 1, self.limit_bytes));
            }
            for (address, bytes) in addresses.iter().zip(leaves) {
                let leaf = Node::at(address, bytes)?;
                if !leaf.is_leaf() {
                    return Err(TreeError::corrupt("blob", "child is no leaf", 0).in_chunk(address));
                }
                self.append_leaf(&leaf).map_err(|error| error.in_chunk(address))?;
            }
        }
        Ok(())
    }

    fn append_leaf(&mut self, leaf: &Node) -> Result<(), TreeError> {
        if leaf.kind() != Kind::Blob {
            return Err(TreeReason::WrongMessage { wanted: "Blob", found: *leaf.kind().file_id() }.into());
        }
        let payload = leaf.value(0);
        let length_bytes = (self.content.len() + payload.len()) as u64;
        if length_bytes > self.limit_bytes {
            return Err(too_long(length_bytes, self.limit_bytes));
        }
        self.content.try_reserve(payload.len()).map_err(|_| no_memory(length_bytes))?;
        self.content.extend_from_slice(payload);
        Ok(())
    }
}

fn too_long(length_bytes: u64, limit_bytes: u64) -> TreeError {
    TreeReason::TooLong { length_bytes, limit_bytes }.into()
}

fn no_memory(length_bytes: u64) -> TreeError {
    TreeReason::NoMemory { length_bytes }.into()
}
