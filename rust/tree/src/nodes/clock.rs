//! Node eviction: a segmented CLOCK with probationary and protected nodes.
//!
//! Scans of a table that is larger than the cache would evict each node just before its next use under LRU. So new nodes are probationary
//! and replace each other in a sixteenth of the cache. A probationary node becomes protected when it is read again, or when it takes the
//! place of a protected node that was not read for long. Protected nodes stay while they are read now and then.

use std::rc::Rc;

use codec::Address;
use hashbrown::HashTable;

use crate::node::Node;

/// Nodes by address, within a budget.
pub(crate) struct NodeCache {
    /// The protected nodes, then the probationary ones, from `protected` on.
    nodes: Vec<Rc<Node>>,
    protected: usize,
    places: HashTable<u32>,
    /// CLOCK hand over the protected nodes.
    hand: usize,
    /// CLOCK hand over the probationary nodes: approximately the oldest.
    probationary_hand: usize,
    /// Every other insertion into a full cache checks a protected node first.
    checks_protected: bool,
    pub(crate) bytes: usize,
    /// Of these, column segments.
    pub(crate) segment_bytes: usize,
    pub(crate) budget_bytes: usize,
    pub(crate) evictions: u64,
}

/// Maximum steps of the hands per insertion: when all nodes are pinned the cache exceeds its budget for a while.
const STEPS_MAX: usize = 256;

/// CLOCK passes that an inner node survives without a reference: it leads to a hundred leaves, and has their column segments.
const INNER_SPARE: u8 = 3;

impl NodeCache {
    pub(crate) fn new(budget_bytes: usize) -> NodeCache {
        NodeCache {
            nodes: Vec::new(),
            protected: 0,
            places: HashTable::new(),
            hand: 0,
            probationary_hand: 0,
            checks_protected: false,
            bytes: 0,
            segment_bytes: 0,
            budget_bytes,
            evictions: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node whose bytes do not hash to the address that it was read by.
    pub(crate) fn damaged(&self) -> Option<Address> {
        let damaged = self.nodes.iter().find(|node| Address::of(node.bytes()) != node.address());
        damaged.map(|node| node.address())
    }

    pub(crate) fn find(&self, address: &Address) -> Option<Rc<Node>> {
        let place = self.places.find(address.prefix(), |place| self.is_at(*place, address))?;
        let node = &self.nodes[*place as usize];
        node.touched.set(true);
        Some(node.clone())
    }

    fn is_at(&self, place: u32, address: &Address) -> bool {
        self.nodes[place as usize].address() == *address
    }

    pub(crate) fn insert(&mut self, node: &Rc<Node>) {
        let address = node.address();
        if self.places.find(address.prefix(), |place| self.is_at(*place, &address)).is_some() {
            return;
        }
        self.make_room(node.memory_bytes());
        node.spare.set(if node.is_leaf() { 0 } else { INNER_SPARE });
        let place = self.nodes.len() as u32;
        self.nodes.push(node.clone());
        self.bytes += node.memory_bytes();
        self.segment_bytes += node.segment_bytes();
        let nodes = &self.nodes;
        self.places.insert_unique(address.prefix(), place, |place| nodes[*place as usize].address().prefix());
        if self.probationary() > self.probationary_max() {
            let oldest = self.oldest_probationary();
            self.protect(oldest);
        }
    }

    fn probationary(&self) -> usize {
        self.nodes.len() - self.protected
    }

    fn probationary_max(&self) -> usize {
        (self.nodes.len() / 16).max(2)
    }

    pub(crate) fn make_room(&mut self, needed_bytes: usize) {
        let is_full = |cache: &NodeCache| cache.bytes + needed_bytes > cache.budget_bytes;
        if is_full(self) {
            self.checks_protected = !self.checks_protected;
            if self.checks_protected {
                self.check_protected();
            }
        }
        for _ in 0..STEPS_MAX.min(2 * self.nodes.len()) {
            if !is_full(self) {
                return;
            }
            // More than half: nodes have several sizes, so that the number of probationary ones varies.
            if self.probationary() > self.probationary_max() / 2 {
                self.check_probationary();
            } else {
                self.check_protected();
            }
        }
    }

    /// Whether a node is pinned, was read, or has passes to spare.
    fn is_wanted(node: &Rc<Node>) -> bool {
        if node.touched.replace(false) {
            node.spare.set(if node.is_leaf() { 0 } else { INNER_SPARE });
            return true;
        }
        let spare = node.spare.get();
        node.spare.set(spare.saturating_sub(1));
        spare > 0 || Rc::strong_count(node) > 1
    }

    fn check_protected(&mut self) {
        if self.hand >= self.protected {
            self.hand = 0;
        }
        let place = self.hand;
        self.hand += 1;
        if place < self.protected && !Self::is_wanted(&self.nodes[place]) {
            self.take(place);
            self.evictions += 1;
        }
    }

    fn oldest_probationary(&self) -> usize {
        if (self.protected..self.nodes.len()).contains(&self.probationary_hand) {
            self.probationary_hand
        } else {
            self.protected
        }
    }

    fn check_probationary(&mut self) {
        let place = self.oldest_probationary();
        if Self::is_wanted(&self.nodes[place]) {
            return self.protect(place);
        }
        self.take(place);
        self.evictions += 1;
        self.probationary_hand = place + 1;
    }

    /// Promotes a probationary node to the protected ones; the hand reaches it after the others.
    fn protect(&mut self, place: usize) {
        let node = &self.nodes[place];
        node.spare.set(node.spare.get().max(1));
        self.swap(place, self.protected);
        self.protected += 1;
        self.probationary_hand = place + 1;
    }

    fn place_of(&self, node: &Node) -> Option<usize> {
        // A node without a computed address is not here.
        let address = node.known_address()?;
        let is_it = |place: &u32| core::ptr::eq(&*self.nodes[*place as usize], node);
        self.places.find(address.prefix(), is_it).map(|place| *place as usize)
    }

    pub(crate) fn has(&self, node: &Node) -> bool {
        self.place_of(node).is_some()
    }

    pub(crate) fn remove(&mut self, node: &Node) {
        if let Some(place) = self.place_of(node) {
            self.take(place);
        }
    }

    /// Removes the node at `place`; the last of its kind takes its place.
    fn take(&mut self, place: usize) {
        let mut hole = place;
        if place < self.protected {
            self.protected -= 1;
            self.swap(place, self.protected);
            hole = self.protected;
        }
        let last = self.nodes.len() - 1;
        self.swap(hole, last);
        let Some(node) = self.nodes.pop() else { return };
        if let Ok(entry) = self.places.find_entry(node.address().prefix(), |at| *at as usize == last) {
            entry.remove();
        }
        self.bytes -= node.memory_bytes();
        self.segment_bytes -= node.segment_bytes();
    }

    fn swap(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        let prefixes = [one, other].map(|place| self.nodes[place].address().prefix());
        let found = self.places.get_disjoint_mut(prefixes, |i, at| *at as usize == [one, other][i]);
        if let [Some(at_one), Some(at_other)] = found {
            core::mem::swap(at_one, at_other);
        }
        self.nodes.swap(one, other);
    }
}
