//! Node eviction: a segmented CLOCK with probationary and protected nodes.
//!
//! A table that is larger than the cache is scanned again and again: whatever goes by age loses each node just before it is wanted.
//! So nodes that stayed are left alone while they are read now and then, and the new ones make room for each other: they are on trial,
//! in a sixteenth of the cache. Who is read there, or gets the place of one that nobody has read for long, stays.

use std::rc::Rc;

use codec::Address;
use hashbrown::HashTable;

use crate::node::Node;

/// Nodes by address, within a budget.
pub(crate) struct NodeCache {
    /// Those that stay, then those on trial, from `staying` on.
    nodes: Vec<Rc<Node>>,
    staying: usize,
    places: HashTable<u32>,
    /// The next of those that stay to be asked whether it was read.
    hand: usize,
    /// The next on trial to be asked: the oldest, more or less.
    trial_hand: usize,
    /// Every other node that comes in has one that stays asked.
    is_asking: bool,
    pub(crate) bytes: usize,
    /// Of these, what was packed.
    pub(crate) packed_bytes: usize,
    pub(crate) budget_bytes: usize,
    pub(crate) evictions: u64,
}

/// Nodes that are asked per insertion at most: when all are held the cache is over its budget for a while.
const STEPS_MAX: usize = 256;

/// A node above the leaves stands for a hundred of them, and has their packed columns: so often it stays when nobody has read it.
const INNER_SPARE: u8 = 3;

impl NodeCache {
    pub(crate) fn new(budget_bytes: usize) -> NodeCache {
        NodeCache {
            nodes: Vec::new(),
            staying: 0,
            places: HashTable::new(),
            hand: 0,
            trial_hand: 0,
            is_asking: false,
            bytes: 0,
            packed_bytes: 0,
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
        self.packed_bytes += node.packed_bytes();
        let nodes = &self.nodes;
        self.places.insert_unique(address.prefix(), place, |place| nodes[*place as usize].address().prefix());
        if self.on_trial() > self.trial_max() {
            let oldest = self.oldest_on_trial();
            self.let_stay(oldest);
        }
    }

    fn on_trial(&self) -> usize {
        self.nodes.len() - self.staying
    }

    fn trial_max(&self) -> usize {
        (self.nodes.len() / 16).max(2)
    }

    pub(crate) fn make_room(&mut self, needed_bytes: usize) {
        let is_full = |cache: &NodeCache| cache.bytes + needed_bytes > cache.budget_bytes;
        if is_full(self) {
            self.is_asking = !self.is_asking;
            if self.is_asking {
                self.ask_one_that_stays();
            }
        }
        for _ in 0..STEPS_MAX.min(2 * self.nodes.len()) {
            if !is_full(self) {
                return;
            }
            // More than half: nodes have several sizes, so that those on trial are sometimes more and sometimes fewer.
            if self.on_trial() > self.trial_max() / 2 {
                self.try_one();
            } else {
                self.ask_one_that_stays();
            }
        }
    }

    /// Whether a node is in use, was read, or may stay all the same.
    fn is_wanted(node: &Rc<Node>) -> bool {
        if node.touched.replace(false) {
            node.spare.set(if node.is_leaf() { 0 } else { INNER_SPARE });
            return true;
        }
        let spare = node.spare.get();
        node.spare.set(spare.saturating_sub(1));
        spare > 0 || Rc::strong_count(node) > 1
    }

    fn ask_one_that_stays(&mut self) {
        if self.hand >= self.staying {
            self.hand = 0;
        }
        let place = self.hand;
        self.hand += 1;
        if place < self.staying && !Self::is_wanted(&self.nodes[place]) {
            self.take(place);
            self.evictions += 1;
        }
    }

    fn oldest_on_trial(&self) -> usize {
        if (self.staying..self.nodes.len()).contains(&self.trial_hand) { self.trial_hand } else { self.staying }
    }

    fn try_one(&mut self) {
        let place = self.oldest_on_trial();
        if Self::is_wanted(&self.nodes[place]) {
            return self.let_stay(place);
        }
        self.take(place);
        self.evictions += 1;
        self.trial_hand = place + 1;
    }

    /// Moves a node on trial to those that stay, where it is not asked before the others have been.
    fn let_stay(&mut self, place: usize) {
        let node = &self.nodes[place];
        node.spare.set(node.spare.get().max(1));
        self.swap(place, self.staying);
        self.staying += 1;
        self.trial_hand = place + 1;
    }

    fn place_of(&self, node: &Node) -> Option<usize> {
        // One that nobody knows by an address is not here.
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
        if place < self.staying {
            self.staying -= 1;
            self.swap(place, self.staying);
            hole = self.staying;
        }
        let last = self.nodes.len() - 1;
        self.swap(hole, last);
        let Some(node) = self.nodes.pop() else { return };
        if let Ok(entry) = self.places.find_entry(node.address().prefix(), |at| *at as usize == last) {
            entry.remove();
        }
        self.bytes -= node.memory_bytes();
        self.packed_bytes -= node.packed_bytes();
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
