//! Vector indexes: each key is a child of the nearest key of the level above (docs/format/tree.md, section 8.5).
//!
//! Levels follow from the keys' hashes, so that equal rows give equal trees. An edit changes the nodes on the way to its key, and
//! everything below a node that gets or loses a key of its level is rebuilt.

use std::rc::Rc;

use codec::{CompactSort, xxh3_64};
use value::{Json, vector};

use crate::index::nearest_first::NearestFirst;
use crate::map::{Item, Map};
use crate::message::node_writer::NodeParts;
use crate::node::Node;
use crate::tuple::{EMPTY, Encoding, Stored, Tuple, TupleDescriptor};
use crate::write::mutate::Edit;
use crate::write::sink::Sink;
use crate::write::splitter::salt;
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
    /// [`TreeReason::Value`](crate::TreeReason::Value) for a vector of other dimensions, and for JSON that is none; what is wrong
    /// with a chunk on the way.
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
    pub(crate) fn edited_vector_index(&self, edits: &[Edit<'_>], sink: &mut dyn Sink) -> Result<Rc<Node>, TreeError> {
        Editor { map: self, sink }.edit(&self.root, edits, usize::MAX)
    }

    /// Begins a vector index with these keys; the map is an empty one.
    ///
    /// # Errors
    /// As [`Map::nearest`].
    pub fn build_vector_index(&self, keys: Vec<Key>) -> Result<VectorIndexBuild, TreeError> {
        VectorIndexBuild::new(self, keys, usize::MAX)
    }

    /// Begins a vector index anew after edits, which are in key order; `None` where parts of it stay, so that [`Map::edited`] has less to do.
    ///
    /// # Errors
    /// As [`Map::nearest`].
    pub fn rebuild_vector_index(&self, edits: &[Edit<'_>]) -> Result<Option<VectorIndexBuild>, TreeError> {
        let is_whole = self.root.kind() == Kind::Vectors && makes_anew(&self.root, edits);
        if is_whole { self.rebuild(&self.root, edits, usize::MAX).map(Some) } else { Ok(None) }
    }

    /// Begins a node anew with the keys below it after edits.
    fn rebuild(&self, node: &Rc<Node>, edits: &[Edit<'_>], level_max: usize) -> Result<VectorIndexBuild, TreeError> {
        let mut keys = Vec::new();
        self.keys_without(node, edits, &mut keys)?;
        keys.extend(edits.iter().filter(|edit| edit.value.is_some()).map(|edit| edit.key.into()));
        VectorIndexBuild::new(self, keys, level_max)
    }

    /// The keys below a node but for those that are edited.
    fn keys_without(&self, node: &Rc<Node>, edits: &[Edit<'_>], keys: &mut Vec<Key>) -> Result<(), TreeError> {
        for i in 0..node.len() {
            if !node.is_leaf() {
                self.keys_without(&self.nodes.child(node, i)?, edits, keys)?;
                continue;
            }
            let (mut low, mut high) = (0, edits.len());
            while low < high {
                let middle = (low + high) / 2;
                match self.order.compare(&self.nodes, edits[middle].key, node.key(i))? {
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

    fn vectors(&self, keys: &[Key]) -> Result<Vec<Vec<f32>>, TreeError> {
        keys.iter().map(|key| vector_of(&self.nodes, &self.key, key)).collect()
    }

    /// Which of some vectors, of which there is one at least, is nearest to a key's: the first of several.
    fn nearest_of(&self, pivots: &[Vec<f32>], key: &[u8]) -> Result<usize, TreeError> {
        let vector = vector_of(&self.nodes, &self.key, key)?;
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

type Key = Box<[u8]>;

/// Whether nothing of a node stays: keys of its own come or go.
fn makes_anew(node: &Node, edits: &[Edit<'_>]) -> bool {
    edits.iter().any(|edit| level_of(edit.key) >= node.level())
}

struct Editor<'a> {
    map: &'a Map,
    sink: &'a mut dyn Sink,
}

impl Editor<'_> {
    /// A node after edits, which are in key order. It has `level_max` at most.
    fn edit(&mut self, node: &Rc<Node>, edits: &[Edit<'_>], level_max: usize) -> Result<Rc<Node>, TreeError> {
        if makes_anew(node, edits) {
            let mut build = self.map.rebuild(node, edits, level_max)?;
            loop {
                if let Some(built) = build.step(usize::MAX, self.sink)? {
                    return Ok(built);
                }
            }
        }
        let keys: Vec<Key> = node.keys().iter().map(Key::from).collect();
        let pivots = self.map.vectors(&keys)?;
        let mut edits_below = vec![Vec::new(); node.len()];
        for edit in edits {
            edits_below[self.map.nearest_of(&pivots, edit.key)?].push(*edit);
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
            children.put(&child, self.sink)?;
        }
        write(node.level(), &keys, &children)
    }
}

/// A tree that is made of all its keys in steps, for it may take long.
pub struct VectorIndexBuild {
    map: Map,
    /// The node that is being made, and those above it.
    path: Vec<Unfinished>,
}

/// A node whose children are not all there yet.
struct Unfinished {
    level: usize,
    keys: Vec<Key>,
    pivots: Vec<Vec<f32>>,
    /// Keys that belong below and have no child yet.
    rest: std::vec::IntoIter<Key>,
    /// How many of the node's own keys came already.
    passed: usize,
    /// The keys of each child.
    below: Vec<Vec<Key>>,
    children: Children,
}

impl Unfinished {
    /// `keys` are all below, in the order of their bytes.
    fn new(map: &Map, keys: Vec<Key>, level: usize) -> Result<Unfinished, TreeError> {
        let (keys, rest) = match level {
            0 => (keys, Vec::new()),
            _ => (keys.iter().filter(|key| level_of(key) >= level).cloned().collect(), keys),
        };
        let (pivots, below) = match level {
            0 => Default::default(),
            _ => (map.vectors(&keys)?, vec![Vec::new(); keys.len()]),
        };
        Ok(Unfinished { level, keys, pivots, rest: rest.into_iter(), passed: 0, below, children: Children::default() })
    }
}

impl VectorIndexBuild {
    fn new(map: &Map, mut keys: Vec<Key>, level_max: usize) -> Result<VectorIndexBuild, TreeError> {
        keys.compact_sort();
        let level = keys.iter().map(|key| level_of(key)).max().unwrap_or_default();
        let root = Unfinished::new(map, keys, level.min(level_max))?;
        Ok(VectorIndexBuild { map: map.clone(), path: vec![root] })
    }

    /// Measures about so many distances; the root, which is not put, when all is done.
    ///
    /// # Errors
    /// As [`Map::nearest`]; errors of the sink.
    pub fn step(&mut self, mut distances: usize, sink: &mut dyn Sink) -> Result<Option<Rc<Node>>, TreeError> {
        while let Some(node) = self.path.last_mut() {
            for key in node.rest.by_ref() {
                // A key is its own child.
                let child = match node.keys.get(node.passed) {
                    Some(next) if *next == key => {
                        node.passed += 1;
                        node.passed - 1
                    }
                    _ => self.map.nearest_of(&node.pivots, &key)?,
                };
                node.below[child].push(key);
                distances = distances.saturating_sub(node.pivots.len());
                if distances == 0 {
                    return Ok(None);
                }
            }
            if let Some(keys) = node.below.get_mut(node.children.counts.len()) {
                let child = Unfinished::new(&self.map, core::mem::take(keys), node.level - 1)?;
                self.path.push(child);
                continue;
            }
            let written = write(node.level, &node.keys, &node.children)?;
            self.path.pop();
            match self.path.last_mut() {
                Some(above) => above.children.put(&written, sink)?,
                None => return Ok(Some(written)),
            }
        }
        Err(TreeError::corrupt("vector index", "is done already", 0))
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

    fn put(&mut self, node: &Rc<Node>, sink: &mut dyn Sink) -> Result<(), TreeError> {
        let address = sink.put_node(node)?;
        node.know_address(&address);
        self.push(address.as_bytes(), node.tree_count());
        Ok(())
    }
}

fn write(level: usize, keys: &[Key], children: &Children) -> Result<Rc<Node>, TreeError> {
    let key_ends = keys.iter().scan(0, |end, key| {
        *end += key.len() as u32;
        Some(*end)
    });
    let key_ends: Vec<u32> = key_ends.collect();
    let values = if level == 0 { &EMPTY.repeat(keys.len()) } else { &children.addresses };
    let value_ends: Vec<u32> = (1..=keys.len()).map(|items| (items * EMPTY.len()) as u32).collect();
    let parts = NodeParts {
        kind: Kind::Vectors,
        level: level as u8,
        keys: &keys.concat(),
        key_ends: &key_ends,
        values,
        value_ends: &value_ends,
        counts: &children.counts,
        address_offsets: &[],
    };
    Ok(Rc::new(Node::new(parts.write()?)?))
}
