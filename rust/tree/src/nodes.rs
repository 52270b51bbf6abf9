//! The cache of verified nodes (design: section 4).

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::Address;
use hashbrown::HashTable;
use store::Chunks;

use crate::TreeError;
use crate::message::node::Kind;
use crate::node::Node;

/// Settings of a [`NodeStore`].
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Memory for nodes that nobody holds. Nodes in use stay whatever they take.
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
    cache: RefCell<Cache>,
    chunks_read: Cell<u64>,
    cache_hits: Cell<u64>,
}

/// Addresses given to [`Chunks::will_need`] at once.
const AHEAD_MAX: usize = 64;

impl NodeStore {
    pub fn new(chunks: Rc<dyn Chunks>, options: Options) -> Rc<NodeStore> {
        let cache = RefCell::new(Cache::new(options.cache_bytes));
        Rc::new(NodeStore { chunks, cache, chunks_read: Cell::new(0), cache_hits: Cell::new(0) })
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
            nodes_cached: cache.ring.len() as u64,
            bytes_cached: cache.bytes as u64,
        }
    }

    /// The bytes of a chunk that is no node (a commit, a schema …). Not cached: their readers keep what they decode.
    pub fn message(&self, address: &Address) -> Result<Vec<u8>, TreeError> {
        self.chunks_read.set(self.chunks_read.get() + 1);
        Ok(self.chunks.read(address)?)
    }

    /// The node at `address`, from the cache or read and verified.
    ///
    /// # Errors
    /// [`TreeError::Store`] when the chunk cannot be read, otherwise [`TreeError::InChunk`].
    pub fn node(&self, address: &Address) -> Result<Rc<Node>, TreeError> {
        if let Some(node) = self.cache.borrow().find(address) {
            self.cache_hits.set(self.cache_hits.get() + 1);
            return Ok(node);
        }
        let node = Rc::new(Node::at(address, self.message(address)?)?);
        self.cache.borrow_mut().insert(&node);
        Ok(node)
    }

    /// A node embedded in another message, such as the root of a table's rows. Its holder keeps it; it is not cached.
    pub fn embedded(&self, message: &[u8]) -> Result<Rc<Node>, TreeError> {
        Ok(Rc::new(Node::new(message.to_vec())?))
    }

    /// Child `i` of an inner node. A child that was looked up before is found without hashing.
    ///
    /// # Errors
    /// As [`NodeStore::node`]; [`TreeError::Corrupt`] when the chunk is no child of this node: another kind, level or row count.
    #[inline]
    pub fn child(&self, parent: &Node, i: usize) -> Result<Rc<Node>, TreeError> {
        if let Some(child) = parent.known_child(i) {
            child.touched.set(true);
            return Ok(child);
        }
        self.read_child(parent, i)
    }

    fn read_child(&self, parent: &Node, i: usize) -> Result<Rc<Node>, TreeError> {
        let Some(address) = parent.child_address(i).filter(|_| !parent.is_leaf()) else {
            return Err(TreeError::corrupt("node", "has no such child", i));
        };
        let child = self.node(&address)?;
        // The segments of an indexed JSON document are blobs below address map nodes.
        let kind_fits =
            child.kind() == parent.kind() || (parent.kind() == Kind::Addresses && child.kind() == Kind::Blob);
        // The level falls with every step, so a crafted tree cannot be endless.
        if !kind_fits || child.level() + 1 != parent.level() || child.tree_count() != parent.subtree_count(i) {
            return Err(TreeError::corrupt("node", "kind, level or row count differs from what its parent says", 0)
                .in_chunk(&address));
        }
        parent.remember_child(i, &child);
        Ok(child)
    }

    /// Advises the store of children `from..to` that will be read soon and are not here. At most 64; no allocation.
    pub fn will_need_children(&self, parent: &Node, from: usize, to: usize) {
        let mut ahead = [Address::EMPTY; AHEAD_MAX];
        let mut count = 0;
        {
            let cache = self.cache.borrow();
            for i in from..to.min(parent.len()) {
                let (Some(slot), Some(address)) = (ahead.get_mut(count), parent.child_address(i)) else { break };
                if parent.known_child(i).is_none() && cache.find(&address).is_none() {
                    *slot = address;
                    count += 1;
                }
            }
        }
        if count > 1 {
            self.chunks.will_need(&ahead[..count]);
        }
    }

    /// Reads chunks in one merged request, past the cache; see [`Chunks::read_many`].
    pub fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), TreeError> {
        self.chunks_read.set(self.chunks_read.get() + addresses.len() as u64);
        Ok(self.chunks.read_many(addresses, each)?)
    }

    /// Reads those of `addresses` that are not here, in one merged request, and keeps them while memory allows.
    pub fn load(&self, addresses: &[Address]) -> Result<(), TreeError> {
        let absent: Vec<Address> = {
            let cache = self.cache.borrow();
            addresses.iter().filter(|address| cache.find(address).is_none()).copied().collect()
        };
        let mut failed = None;
        self.read_many(&absent, &mut |i, bytes| match Node::at(&absent[i], bytes) {
            Ok(node) => self.cache.borrow_mut().insert(&Rc::new(node)),
            Err(error) => failed = failed.take().or(Some(error)),
        })?;
        failed.map_or(Ok(()), Err)
    }
}

/// CLOCK: nodes in a ring, a hand that passes by; a node read since the last time gets a second chance.
struct Cache {
    ring: Vec<Rc<Node>>,
    places: HashTable<u32>,
    hand: usize,
    bytes: usize,
    budget_bytes: usize,
    evictions: u64,
}

/// Nodes that the hand passes per insertion at most: when all are held the cache is over its budget for a while.
const STEPS_MAX: usize = 256;

impl Cache {
    fn new(budget_bytes: usize) -> Cache {
        Cache { ring: Vec::new(), places: HashTable::new(), hand: 0, bytes: 0, budget_bytes, evictions: 0 }
    }

    fn find(&self, address: &Address) -> Option<Rc<Node>> {
        let place = self.places.find(address.prefix(), |place| self.is_at(*place, address))?;
        let node = &self.ring[*place as usize];
        node.touched.set(true);
        Some(node.clone())
    }

    fn is_at(&self, place: u32, address: &Address) -> bool {
        self.ring[place as usize].address() == *address
    }

    fn insert(&mut self, node: &Rc<Node>) {
        let address = node.address();
        if self.places.find(address.prefix(), |place| self.is_at(*place, &address)).is_some() {
            return;
        }
        self.make_room(node.memory_bytes());
        let place = self.ring.len() as u32;
        self.ring.push(node.clone());
        self.bytes += node.memory_bytes();
        let ring = &self.ring;
        self.places.insert_unique(address.prefix(), place, |place| ring[*place as usize].address().prefix());
    }

    fn make_room(&mut self, needed_bytes: usize) {
        let steps = STEPS_MAX.min(2 * self.ring.len());
        for _ in 0..steps {
            if self.bytes + needed_bytes <= self.budget_bytes {
                return;
            }
            if self.hand >= self.ring.len() {
                self.hand = 0;
            }
            let Some(node) = self.ring.get(self.hand) else { return };
            if Rc::strong_count(node) > 1 || node.touched.replace(false) {
                self.hand += 1;
            } else {
                self.evict(self.hand);
            }
        }
    }

    /// Removes the node at `place`; the last of the ring takes its place.
    fn evict(&mut self, place: usize) {
        let last = self.ring.len() - 1;
        let address = self.ring[place].address();
        let ring = &self.ring;
        if let Ok(entry) = self.places.find_entry(address.prefix(), |at| *at as usize == place) {
            entry.remove();
        }
        if place != last {
            let moved = ring[last].address().prefix();
            if let Some(at) = self.places.find_mut(moved, |at| *at as usize == last) {
                *at = place as u32;
            }
        }
        let node = self.ring.swap_remove(place);
        self.bytes -= node.memory_bytes();
        self.evictions += 1;
    }
}
