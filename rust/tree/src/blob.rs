//! Long values stored as trees of their own: blobs and indexed JSON documents (docs/format/tree.md, section 9).

use std::rc::Rc;

use codec::Address;

use crate::message::node::Kind;
use crate::message::node_writer::NodeParts;
use crate::node::Node;
use crate::nodes::NodeStore;
use crate::sink::Sink;
use crate::{TreeError, TreeReason};

/// Longest value that is read into memory at once: LONGTEXT may be 4 GiB, which no page of a browser holds.
pub const VALUE_BYTES_MAX: u64 = 1 << 30;
/// Bytes of every leaf of a blob but the last.
const LEAF_BYTES: usize = 4_000;
/// Children of every inner node but the last of a level.
const FAN_OUT: usize = 200;
/// Least bytes of a leaf before the last: those of a JSON document may be shorter than a blob's.
const SEGMENT_BYTES_MIN: u64 = 512;

/// The whole value at `address`: a blob, or the text of a JSON document whether indexed or not. The zero address is empty.
///
/// # Errors
/// [`TreeReason::TooLong`] past [`VALUE_BYTES_MAX`]; otherwise what is wrong with a chunk.
pub fn read(nodes: &NodeStore, address: &Address) -> Result<Vec<u8>, TreeError> {
    if address.is_empty() {
        return Ok(Vec::new());
    }
    let root = nodes.node(address)?;
    let length_bytes = root.tree_count().saturating_sub(1).saturating_mul(SEGMENT_BYTES_MIN);
    if length_bytes > VALUE_BYTES_MAX {
        return Err(TreeReason::TooLong { length_bytes, limit_bytes: VALUE_BYTES_MAX }.into());
    }
    let mut content = Vec::new();
    append(nodes, &root, &mut content)?;
    Ok(content)
}

/// As [`read`], where the field says how long the value is.
///
/// # Errors
/// As [`read`]; [`TreeReason::Corrupt`] when the tree holds more or fewer bytes.
pub fn read_exact(nodes: &NodeStore, address: &Address, length_bytes: u64) -> Result<Vec<u8>, TreeError> {
    let content = read(nodes, address)?;
    if content.len() as u64 != length_bytes {
        return Err(TreeError::corrupt("blob", "length differs from the field's", content.len()).in_chunk(address));
    }
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

/// Appends the leaves below `node`. Depth is bounded, as levels fall with every step, and so is time: what has no leaves is not read.
fn append(nodes: &NodeStore, node: &Rc<Node>, content: &mut Vec<u8>) -> Result<(), TreeError> {
    if node.is_leaf() {
        return append_leaf(node, content);
    }
    if node.level() == 1 {
        return append_children(nodes, node, content);
    }
    nodes.will_need_children(node, 0, node.len());
    for i in (0..node.len()).filter(|&i| node.subtree_count(i) > 0) {
        append(nodes, &nodes.child(node, i)?, content)?;
    }
    Ok(())
}

/// Reads all children, which are leaves, in one merged request, past the cache: they are copied out at once.
fn append_children(nodes: &NodeStore, node: &Node, content: &mut Vec<u8>) -> Result<(), TreeError> {
    let addresses: Vec<Address> = (0..node.len()).map(|i| node.child_address(i).unwrap_or_default()).collect();
    let mut leaves: Vec<Vec<u8>> = vec![Vec::new(); addresses.len()];
    nodes.read_many(&addresses, &mut |i, bytes| leaves[i] = bytes)?;
    for (address, bytes) in addresses.iter().zip(leaves) {
        let leaf = Node::at(address, bytes)?;
        if !leaf.is_leaf() {
            return Err(TreeError::corrupt("blob", "child is no leaf", 0).in_chunk(address));
        }
        append_leaf(&leaf, content).map_err(|error| error.in_chunk(address))?;
    }
    Ok(())
}

fn append_leaf(leaf: &Node, content: &mut Vec<u8>) -> Result<(), TreeError> {
    if leaf.kind() != Kind::Blob {
        return Err(TreeReason::WrongMessage { wanted: "Blob", found: *leaf.kind().file_id() }.into());
    }
    let payload = leaf.value(0);
    let length_bytes = (content.len() + payload.len()) as u64;
    if length_bytes > VALUE_BYTES_MAX {
        return Err(TreeReason::TooLong { length_bytes, limit_bytes: VALUE_BYTES_MAX }.into());
    }
    content.extend_from_slice(payload);
    Ok(())
}
