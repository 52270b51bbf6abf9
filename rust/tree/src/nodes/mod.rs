//! Node cache: verified nodes by address.

pub mod clock;
pub mod column_segments;

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::Address;
use store::Chunks;

use crate::TreeError;
use crate::message::node::Kind;
use crate::node::Node;
use crate::nodes::clock::NodeCache;
use crate::write::sink::Root;

/// Settings of a [`NodeStore`].
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Memory for unpinned nodes. Nodes in use stay, whatever their size.
    pub cache_bytes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { cache_bytes: 32 << 20 }
    }
}

/// Counters since the store was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Chunks read through [`Chunks`], nodes and messages.
    pub chunks_read: u64,
    /// Look-ups answered without reading: remembered children are not counted.
    pub cache_hits: u64,
    pub evictions: u64,
    pub nodes_cached: u64,
    pub bytes_cached: u64,
}

/// Nodes by address, verified once and shared. One per database.
pub struct NodeStore {
    chunks: Rc<dyn Chunks>,
    cache: RefCell<NodeCache>,
    /// The chunk that was asked for last.
    last: Cell<Address>,
    chunks_read: Cell<u64>,
    cache_hits: Cell<u64>,
}

/// Addresses given to [`Chunks::will_need`] at once.
pub(crate) const AHEAD_MAX: usize = 64;

impl NodeStore {
    pub fn new(chunks: Rc<dyn Chunks>, options: Options) -> Rc<NodeStore> {
        let cache = RefCell::new(NodeCache::new(options.cache_bytes));
        let (last, chunks_read, cache_hits) = Default::default();
        Rc::new(NodeStore { chunks, cache, last, chunks_read, cache_hits })
    }

    pub fn chunks(&self) -> &Rc<dyn Chunks> {
        &self.chunks
    }

    pub fn stats(&self) -> Stats {
        let cache = self.cache.borrow();
        Stats {
            chunks_read: self.chunks_read.get(),
            cache_hits: self.cache_hits.get(),
            evictions: cache.evictions,
            nodes_cached: cache.len() as u64,
            bytes_cached: cache.bytes as u64,
        }
    }

    /// The bytes of a chunk that is no node (a commit, a schema …). Not cached: their readers keep what they decode.
    pub fn message(&self, address: &Address) -> Result<Vec<u8>, TreeError> {
        self.chunks_read.set(self.chunks_read.get() + 1);
        self.last.set(*address);
        Ok(self.chunks.read(address)?)
    }

    /// A node in memory whose bytes do not hash to its address: reads of files with checksums are not compared with it. Hashes the whole
    /// cache.
    pub fn damaged(&self) -> Option<Address> {
        self.cache.borrow().damaged()
    }

    /// The chunk that was asked for last.
    pub fn last(&self) -> Address {
        self.last.get()
    }

    /// The node at `address`, from the cache or read and verified.
    ///
    /// # Errors
    /// `TreeReason::Store` when the chunk cannot be read, otherwise `TreeReason::InChunk`.
    pub fn node(&self, address: &Address) -> Result<Rc<Node>, TreeError> {
        if let Some(node) = self.cache.borrow().find(address) {
            self.cache_hits.set(self.cache_hits.get() + 1);
            return Ok(node);
        }
        let node = Rc::new(Node::at(address, self.message(address)?)?);
        self.cache.borrow_mut().insert(&node);
        Ok(node)
    }

    /// Takes a node that was just written into the cache.
    pub(crate) fn keep(&self, address: &Address, node: &Rc<Node>) {
        node.know_address(address);
        self.cache.borrow_mut().insert(node);
    }

    /// Drops a node from the cache, since another one replaces it. Its holders keep it, and a later read, to
    /// see what was before, reads it.
    pub(crate) fn forget(&self, node: &Node) {
        self.cache.borrow_mut().remove(node);
    }

    /// Empties the cache. Holders of a node keep it.
    pub fn forget_all(&self) {
        let mut cache = self.cache.borrow_mut();
        *cache = NodeCache::new(cache.budget_bytes);
    }

    /// The top of a tree that was just written: it may be in the cache.
    pub fn root(&self, root: &Root) -> Result<Rc<Node>, TreeError> {
        let known = self.cache.borrow().find(&root.address);
        known.map_or_else(|| self.embedded(&root.message), Ok)
    }

    /// A node embedded in another message, such as the root of a table's rows. Its holder keeps it; it is not cached.
    pub fn embedded(&self, message: &[u8]) -> Result<Rc<Node>, TreeError> {
        Ok(Rc::new(Node::new(message.to_vec())?))
    }

    /// Child `i` of an inner node. A child that was looked up before is found without hashing.
    ///
    /// # Errors
    /// As [`NodeStore::node`]; `TreeReason::Corrupt` when the chunk is no child of this node: another kind, level or row count.
    #[inline]
    pub fn child(&self, parent: &Node, i: usize) -> Result<Rc<Node>, TreeError> {
        if let Some(child) = parent.known_child(i) {
            child.touched.set(true);
            return Ok(child);
        }
        self.read_child(parent, i)
    }

    fn read_child(&self, parent: &Node, i: usize) -> Result<Rc<Node>, TreeError> {
        let address = child_address(parent, i)?;
        let child = self.node(&address)?;
        check_child(parent, i, &child)?;
        parent.cache_child(i, &child);
        Ok(child)
    }

    /// Advises the store of children `from..to` that will be read soon and are not here.
    pub fn will_need_children(&self, parent: &Node, from: usize, to: usize) {
        self.will_need((from..to.min(parent.len())).map(|i| (parent, i)));
    }

    /// Advises the store of children of nodes that will be read soon and are not here. At most 64; no allocation.
    pub(crate) fn will_need<'a>(&self, children: impl Iterator<Item = (&'a Node, usize)>) {
        let mut ahead = [Address::EMPTY; AHEAD_MAX];
        let mut count = 0;
        {
            let cache = self.cache.borrow();
            for (parent, i) in children.filter(|(parent, i)| !parent.knows_child(*i)) {
                let (Some(slot), Some(address)) = (ahead.get_mut(count), parent.child_address(i)) else { break };
                if cache.find(&address).is_none() {
                    *slot = address;
                    count += 1;
                }
            }
        }
        if count > 1 {
            self.chunks.will_need(&ahead[..count]);
        }
    }

    /// Room for a column of a node: half of the cache at most is columns. What is not in the cache has none, for nothing would end it.
    pub(crate) fn has_room_for_segments(&self, node: &Node, bytes: usize) -> bool {
        let cache = self.cache.borrow();
        cache.segment_bytes + bytes <= cache.budget_bytes / 2 && cache.has(node)
    }

    /// A node of the cache has taken so much more.
    pub(crate) fn add_segment_bytes(&self, bytes: usize) {
        let mut cache = self.cache.borrow_mut();
        cache.bytes += bytes;
        cache.segment_bytes += bytes;
        cache.make_room(0);
    }

    /// Reads chunks in one merged request, past the cache; see [`Chunks::read_many`].
    pub fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), TreeError> {
        self.chunks_read.set(self.chunks_read.get() + addresses.len() as u64);
        Ok(self.chunks.read_many(addresses, each)?)
    }
}

/// The address of child `i` of an inner node.
fn child_address(parent: &Node, i: usize) -> Result<Address, TreeError> {
    let address = parent.child_address(i).filter(|_| !parent.is_leaf());
    address.ok_or_else(|| TreeError::corrupt("node", "has no such child", i))
}

/// Checks that a node is what its parent says.
fn check_child(parent: &Node, i: usize, child: &Node) -> Result<(), TreeError> {
    // The segments of an indexed JSON document are blobs below address map nodes.
    let kind_fits = child.kind() == parent.kind() || (parent.kind() == Kind::Addresses && child.kind() == Kind::Blob);
    // The level falls with every step, so a crafted tree cannot be endless.
    if kind_fits && child.level() + 1 == parent.level() && child.tree_count() == parent.subtree_count(i) {
        return Ok(());
    }
    let error = TreeError::corrupt("node", "kind, level or row count differs from what its parent says", 0);
    Err(error.in_chunk(&child.address()))
}

#[cfg(test)]
mod tests {
    use store::MemoryChunks;

    use super::*;
    use crate::AddressMap;
    use crate::tuple::AddressFields;
    use crate::write::chunker::Chunker;

    /// A tree of names with many leaves, its root, and a cache of `cache_bytes` over it.
    fn names(cache_bytes: usize) -> (Rc<NodeStore>, Rc<Node>) {
        let chunks = MemoryChunks::new();
        let mut chunker = Chunker::new(&chunks, Kind::Addresses, AddressFields::default());
        for i in 0..7_000 {
            let name = format!("name {i:08}");
            chunker.append(name.as_bytes(), Address::of(name.as_bytes()).as_bytes()).unwrap();
        }
        let root = chunker.finish().unwrap();
        let nodes = NodeStore::new(Rc::new(chunks), Options { cache_bytes });
        let root = nodes.embedded(&root.message).unwrap();
        assert!(root.len() > 40 && root.level() == 1, "{} at level {}", root.len(), root.level());
        (nodes, root)
    }

    #[test]
    fn the_cache_stays_under_its_budget() {
        let (nodes, root) = names(64 << 10);
        for i in 0..root.len() {
            nodes.child(&root, i).unwrap();
            let stats = nodes.stats();
            assert!(stats.bytes_cached <= 64 << 10, "{stats:?}");
        }
        let stats = nodes.stats();
        assert_eq!(stats.chunks_read, root.len() as u64);
        assert_eq!(stats.evictions, root.len() as u64 - stats.nodes_cached);
        // What is still there is found, what is gone is read again, and both are right.
        for i in (0..root.len()).rev() {
            assert_eq!(nodes.child(&root, i).unwrap().keys().iter().last(), Some(root.key(i)));
        }
    }

    #[test]
    fn held_nodes_stay_and_go_when_they_are_let_go() {
        let (nodes, root) = names(64 << 10);
        let held: Vec<_> = (0..root.len()).map(|i| nodes.child(&root, i).unwrap()).collect();
        assert_eq!(nodes.stats().evictions, 0);
        assert!(nodes.stats().bytes_cached > 64 << 10);
        for (i, node) in held.iter().enumerate() {
            assert!(Rc::ptr_eq(node, &nodes.child(&root, i).unwrap()));
            assert!(Rc::ptr_eq(node, &nodes.node(&node.address()).unwrap()));
        }
        assert_eq!(nodes.stats().chunks_read, root.len() as u64);
        drop(held);
        // The next nodes push the cache back under its budget.
        let (_, other) = names(0);
        nodes.cache.borrow_mut().insert(&other);
        assert!(nodes.stats().bytes_cached <= 64 << 10);
    }

    #[test]
    fn a_node_in_use_outlives_those_read_once() {
        let (nodes, root) = names(64 << 10);
        nodes.child(&root, 0).unwrap();
        let before = nodes.stats().chunks_read;
        for i in 1..root.len() {
            nodes.child(&root, i).unwrap();
            nodes.child(&root, 0).unwrap();
        }
        assert_eq!(nodes.stats().chunks_read - before, root.len() as u64 - 1);
    }

    /// Chunks that are read for one look at each of these children.
    fn reads_of(nodes: &NodeStore, root: &Node, children: core::ops::Range<usize>) -> u64 {
        let before = nodes.stats().chunks_read;
        for i in children {
            nodes.child(root, i).unwrap();
        }
        nodes.stats().chunks_read - before
    }

    #[test]
    fn of_a_table_larger_than_the_cache_the_next_scan_finds_what_fits() {
        let (whole, root) = names(32 << 20);
        reads_of(&whole, &root, 0..root.len());
        let (table_bytes, leaves) = (whole.stats().bytes_cached, root.len() as u64);
        for (tenths, reads_max) in [(9, 3), (7, 5), (5, 7)] {
            let cache_bytes = table_bytes * tenths / 10;
            let (nodes, root) = names(cache_bytes as usize);
            let reads: Vec<u64> = (0..12).map(|_| reads_of(&nodes, &root, 0..root.len())).collect();
            let again: u64 = reads[1..].iter().sum();
            assert!(again <= 11 * leaves * reads_max / 10, "{tenths}/10 of {leaves} fit: {reads:?} were read");
            assert!(nodes.stats().bytes_cached <= cache_bytes);
        }
    }

    #[test]
    fn what_nobody_reads_any_more_makes_room() {
        let (whole, root) = names(32 << 20);
        let (one, other) = (0..root.len() / 2, root.len() / 2..root.len());
        reads_of(&whole, &root, one.clone());
        let (nodes, root) = names(whole.stats().bytes_cached as usize * 5 / 4);
        for part in [one, other] {
            let reads: Vec<u64> = (0..9).map(|_| reads_of(&nodes, &root, part.clone())).collect();
            assert_eq!(reads.last(), Some(&0), "{reads:?} were read");
        }
    }

    #[test]
    fn nodes_of_some_edits_stay_and_those_of_an_import_do_not() {
        let (nodes, root) = names(32 << 20);
        let map = AddressMap::embedded(nodes.clone(), root.bytes()).unwrap();
        let cached_after = |edits: u32| {
            let edits: Vec<_> = (0..edits).map(|i| (format!("new {i:08}"), Address::of(&i.to_le_bytes()))).collect();
            map.edited(edits.iter().map(|(name, address)| (name.as_bytes(), Some(address)))).unwrap();
            nodes.stats().nodes_cached
        };
        let (few, some) = (cached_after(1), cached_after(20_000));
        assert!(some > few + 100, "{some} after {few}");
        let many = cached_after(200_000);
        assert!(many < some + 50, "{many} after {some}");
    }

    #[test]
    fn the_node_in_place_of_another_knows_its_children() {
        let (nodes, root) = names(32 << 20);
        let before = AddressMap::embedded(nodes.clone(), root.bytes()).unwrap();
        let name = |i: u32| format!("name {i:08}").into_bytes();
        (0..7_000).for_each(|i| assert!(before.get(&name(i)).unwrap().is_some()));
        // One name in the middle is another, one goes, and many come that fill new nodes.
        let new: Vec<_> = (0..500).map(|i| [&name(5_000)[..], format!(" {i:04}").as_bytes()].concat()).collect();
        let changed = [(name(3_000), Some(Address::of(b"another"))), (name(4_000), None)];
        let edits = changed.into_iter().chain(new.into_iter().map(|name| (name, Some(Address::of(b"new")))));
        let edits: Vec<_> = edits.collect();
        let after = before.edited(edits.iter().map(|(name, address)| (&name[..], address.as_ref()))).unwrap();
        let hits_before = nodes.stats().cache_hits;
        for i in (0..7_000).filter(|i| ![3_000, 4_000].contains(i)) {
            assert_eq!(after.get(&name(i)).unwrap(), Some(Address::of(&name(i))));
        }
        let sought = nodes.stats().cache_hits - hits_before;
        assert!(sought < 20, "{sought} of {} nodes were sought by their addresses", root.len());
        assert_eq!(after.get(&name(3_000)).unwrap(), Some(Address::of(b"another")));
        assert_eq!(after.get(&name(4_000)).unwrap(), None);
        assert_eq!(before.get(&name(4_000)).unwrap(), Some(Address::of(&name(4_000))));
    }

    #[test]
    fn a_replaced_node_makes_room_for_the_one_in_its_place() {
        let (nodes, root) = names(8 << 20);
        let before = AddressMap::embedded(nodes.clone(), root.bytes()).unwrap();
        let mut after = before.clone();
        let name = b"name 00003000";
        let cached: Vec<u64> = (0..50u32)
            .map(|i| {
                after = after.edited([(&name[..], Some(&Address::of(&i.to_le_bytes())))]).unwrap();
                nodes.stats().nodes_cached
            })
            .collect();
        assert!(cached.iter().all(|count| *count == cached[0]), "{cached:?}");
        assert_eq!(before.get(name).unwrap(), Some(Address::of(b"name 00003000")), "what was before can be read");
        assert_eq!(after.get(name).unwrap(), Some(Address::of(&49u32.to_le_bytes())));
    }
}
