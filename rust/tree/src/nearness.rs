//! Vector indexes: every key lies below the one of the level above that is nearest to it (docs/format/tree.md, section 8.5).
//!
//! Levels follow from the keys' hashes, so that equal rows give equal trees. An edit changes the nodes on the way to its key, and
//! what lies below the node that gets or loses a key of its level is built anew.

use std::rc::Rc;

use codec::{CompactSort, xxh3_64};
use value::{Json, vector};

use crate::chunker::Sink;
use crate::map::{Item, Map};
use crate::message::node_writer::NodeParts;
use crate::mutate::Edit;
use crate::nearest_first::NearestFirst;
use crate::node::Node;
use crate::splitter::salt;
use crate::tuple::{EMPTY, Encoding, Stored, Tuple, TupleDescriptor};
use crate::{Kind, NodeStore, TreeError};

/// One of so many keys of a level, as a power of two, is one of the level above as well.
const LOG_KEYS_PER_NODE: u32 = 8;

/// The highest level whose nodes have a key.
fn level_of(key: &[u8]) -> usize {
    ((xxh3_64(key, salt(1)) as u32).leading_zeros() / LOG_KEYS_PER_NODE) as usize
}

/// The vector in the first field of a key.
fn vector_of(nodes: &NodeStore, descriptor: &TupleDescriptor, key: &[u8]) -> Result<Vec<f32>, TreeError> {
    let corrupt = || TreeError::corrupt("vector index", "has a key without vector", 0);
    let (Some(kind), Some(field)) = (descriptor.fields().first(), Tuple::new(key).field(0)) else {
        return Err(corrupt());
    };
    let payload = Stored::of(kind.encoding, field)?.read(nodes)?;
    Ok(match kind.encoding {
        Encoding::BytesAdaptive => vector::from_bytes(&payload)?,
        _ => vector::from_json(&Json::parse(core::str::from_utf8(&payload).map_err(|_| corrupt())?)?)?,
    })
}

/// The distance between a key's vector and another one.
fn distance(one: &[f32], other: &[f32]) -> Result<f64, TreeError> {
    vector::same_dimensions(one, other)?;
    Ok(vector::distance_squared(one, other))
}

impl Map {
    /// About `limit` rows whose vectors are nearest to `query`, the nearest first: of each level as many candidates are followed. For
    /// a vector index.
    ///
    /// # Errors
    /// [`TreeReason::Value`](crate::TreeReason::Value) for a vector of other dimensions, and for JSON that is none; what is wrong with a chunk on the way.
    pub fn nearest(&self, query: &[f32], limit: usize) -> Result<Vec<Item>, TreeError> {
        let mut found = self.candidates(core::slice::from_ref(&self.root), query, limit)?;
        for _ in 0..self.root.level() {
            let nodes: Result<Vec<_>, _> = found.items().map(|item| self.nodes.child(&item.leaf, item.index)).collect();
            found = self.candidates(&nodes?, query, limit)?;
        }
        Ok(found.into_sorted())
    }

    /// The keys of some nodes that are nearest to a vector.
    fn candidates(&self, nodes: &[Rc<Node>], query: &[f32], limit: usize) -> Result<NearestFirst<Item>, TreeError> {
        let mut found = NearestFirst::new(limit);
        for node in nodes {
            for (index, key) in node.keys().iter().enumerate() {
                let distance = distance(&vector_of(&self.nodes, &self.key, key)?, query)?;
                found.push(distance, Item { leaf: node.clone(), index });
            }
        }
        Ok(found)
    }

    /// As [`Map::edited`], for a vector index. The new root is not put.
    pub(crate) fn edited_by_nearness(&self, edits: &[Edit<'_>], sink: &mut impl Sink) -> Result<Rc<Node>, TreeError> {
        Editor { map: self, sink }.edit(&self.root, edits, usize::MAX)
    }
}

type Key = Box<[u8]>;

struct Editor<'a, S> {
    map: &'a Map,
    sink: &'a mut S,
}

impl<S: Sink> Editor<'_, S> {
    /// A node after edits, which are in key order. It has `level_max` at most.
    fn edit(&mut self, node: &Rc<Node>, edits: &[Edit<'_>], level_max: usize) -> Result<Rc<Node>, TreeError> {
        if edits.iter().any(|edit| level_of(edit.key) >= node.level()) {
            let mut keys = Vec::with_capacity(node.tree_count() as usize + edits.len());
            self.keys_without(node, edits, &mut keys)?;
            keys.extend(edits.iter().filter(|edit| edit.value.is_some()).map(|edit| edit.key.into()));
            keys.compact_sort();
            let level = keys.iter().map(|key| level_of(key)).max().unwrap_or_default();
            return self.build(keys, level.min(level_max));
        }
        let pivots = self.vectors(node.keys().iter())?;
        let mut edits_below = vec![Vec::new(); node.len()];
        for edit in edits {
            edits_below[self.nearest(&pivots, edit.key)?].push(*edit);
        }
        let mut children = Children::default();
        for (i, edits) in edits_below.iter().enumerate() {
            if edits.is_empty() {
                children.push(node.value(i), node.subtree_count(i));
                continue;
            }
            let before = self.map.nodes.child(node, i)?;
            let child = self.edit(&before, edits, before.level())?;
            self.map.nodes.forget(&before);
            self.put(&child, &mut children)?;
        }
        write(node.level(), node.keys().iter(), &children)
    }

    /// The keys below a node but for those that are edited.
    fn keys_without(&self, node: &Rc<Node>, edits: &[Edit<'_>], keys: &mut Vec<Key>) -> Result<(), TreeError> {
        for i in 0..node.len() {
            if !node.is_leaf() {
                self.keys_without(&self.map.nodes.child(node, i)?, edits, keys)?;
                continue;
            }
            let (mut low, mut high) = (0, edits.len());
            while low < high {
                let middle = (low + high) / 2;
                match self.map.order.compare(&self.map.nodes, edits[middle].key, node.key(i))? {
                    core::cmp::Ordering::Less => low = middle + 1,
                    core::cmp::Ordering::Greater => high = middle,
                    core::cmp::Ordering::Equal => break,
                }
            }
            if low == high {
                keys.push(node.key(i).into());
            }
        }
        Ok(())
    }

    /// A node of `level`, and what lies below, from all its keys in the order of their bytes.
    fn build(&mut self, keys: Vec<Key>, level: usize) -> Result<Rc<Node>, TreeError> {
        let mut children = Children::default();
        if level == 0 {
            return write(level, keys.iter().map(|key| &**key), &children);
        }
        let own: Vec<Key> = keys.iter().filter(|key| level_of(key) >= level).cloned().collect();
        let pivots = self.vectors(own.iter().map(|key| &**key))?;
        let mut keys_below = vec![Vec::new(); own.len()];
        let mut passed = 0;
        for key in keys {
            // A key lies below itself.
            let child = match own.get(passed) {
                Some(next) if *next == key => {
                    passed += 1;
                    passed - 1
                }
                _ => self.nearest(&pivots, &key)?,
            };
            keys_below[child].push(key);
        }
        for keys in keys_below {
            let child = self.build(keys, level - 1)?;
            self.put(&child, &mut children)?;
        }
        write(level, own.iter().map(|key| &**key), &children)
    }

    fn put(&mut self, node: &Rc<Node>, children: &mut Children) -> Result<(), TreeError> {
        let address = self.sink.put_node(node)?;
        node.know_address(&address);
        children.push(address.as_bytes(), node.tree_count());
        Ok(())
    }

    fn vectors<'k>(&self, keys: impl Iterator<Item = &'k [u8]>) -> Result<Vec<Vec<f32>>, TreeError> {
        keys.map(|key| vector_of(&self.map.nodes, &self.map.key, key)).collect()
    }

    /// Which of some vectors, of which there is one at least, is nearest to a key's: the first of several.
    fn nearest(&self, pivots: &[Vec<f32>], key: &[u8]) -> Result<usize, TreeError> {
        let vector = vector_of(&self.map.nodes, &self.map.key, key)?;
        let (mut nearest, mut least) = (0, f64::INFINITY);
        for (i, pivot) in pivots.iter().enumerate() {
            let distance = distance(pivot, &vector)?;
            if distance < least {
                (nearest, least) = (i, distance);
            }
        }
        Ok(nearest)
    }
}

/// What an inner node says of its children.
#[derive(Default)]
struct Children {
    addresses: Vec<u8>,
    counts: Vec<u64>,
}

impl Children {
    fn push(&mut self, address: &[u8], count: u64) {
        self.addresses.extend_from_slice(address);
        self.counts.push(count);
    }
}

fn write<'k>(level: usize, keys: impl Iterator<Item = &'k [u8]>, children: &Children) -> Result<Rc<Node>, TreeError> {
    let (mut bytes, mut key_ends) = (Vec::new(), Vec::new());
    for key in keys {
        bytes.extend_from_slice(key);
        key_ends.push(bytes.len() as u32);
    }
    let values = if level == 0 { &EMPTY.repeat(key_ends.len()) } else { &children.addresses };
    let value_ends: Vec<u32> = (1..=key_ends.len()).map(|items| (items * EMPTY.len()) as u32).collect();
    let parts = NodeParts {
        kind: Kind::Vectors,
        level: level as u8,
        keys: &bytes,
        key_ends: &key_ends,
        values,
        value_ends: &value_ends,
        counts: &children.counts,
        address_offsets: &[],
    };
    Ok(Rc::new(Node::new(parts.write()?)?))
}
