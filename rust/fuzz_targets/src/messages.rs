//! Messages of the trees: nodes and what is read through them, and the messages of versions and schemas.

use std::rc::Rc;

use codec::Address;
use store::MemoryChunks;
use tree::message::{
    commit, foreign_keys, root_value, schema, stash, statistic, store_root, table, tag, tuple_value, working_set,
};
use tree::{AddressMap, Kind, Node, NodeStore, Options, Tuple, blob};

use crate::bundle::unpack;

/// Entries that are read of one tree, at most: a crafted one shares its children.
const ENTRIES_MAX: usize = 5_000;

/// A store with the messages of a bundle, and the last of them.
fn store_of(input: &[u8]) -> Option<(Rc<NodeStore>, Vec<u8>, Address)> {
    let mut messages = unpack(input);
    let chunks = MemoryChunks::new();
    let mut root = Address::EMPTY;
    for message in &messages {
        root = chunks.insert(message.clone());
    }
    let nodes = NodeStore::new(Rc::new(chunks), Options::default());
    Some((nodes, messages.pop()?, root))
}

/// Reads all that a node offers.
fn read_all(node: &Node) {
    for i in 0..node.len() + 1 {
        let (key, value) = (node.key(i), node.value(i));
        if matches!(node.kind(), Kind::Rows | Kind::Artifacts | Kind::Vectors) {
            let _ = Tuple::new(key).fields().flatten().map(<[u8]>::len).sum::<usize>();
            let _ = Tuple::new(value).fields().flatten().map(<[u8]>::len).sum::<usize>();
        }
        let _ = (node.child_address(i), node.rows_before(i));
    }
    let _ = node.child_of_ordinal(u64::MAX);
    let _ = node.address_offsets().len();
}

pub(crate) fn nodes(input: &[u8]) {
    for message in unpack(input) {
        if let Ok(node) = Node::new(message) {
            read_all(&node);
        }
    }
    let Some((nodes, _, root)) = store_of(input) else { return };
    let Ok(node) = nodes.node(&root) else { return };
    for i in 0..node.len() {
        let _ = nodes.child(&node, i);
    }
}

pub(crate) fn address_map(input: &[u8]) {
    let Some((nodes, message, root)) = store_of(input) else { return };
    let from_chunk = nodes.node(&root).ok().and_then(|node| AddressMap::new(nodes.clone(), node).ok());
    for map in from_chunk.into_iter().chain(AddressMap::embedded(nodes.clone(), &message)) {
        let _ = (map.count(), map.get(b"refs/heads/main"), map.get(b""), map.get(&[0xff; 40]));
        if let Ok(entries) = map.entries() {
            let _ = entries.take(ENTRIES_MAX).take_while(Result::is_ok).count();
        }
        if let Ok(entries) = map.entries_from(b"m") {
            let _ = entries.take(ENTRIES_MAX).take_while(Result::is_ok).count();
        }
    }
}

pub(crate) fn blob(input: &[u8]) {
    let Some((nodes, _, root)) = store_of(input) else { return };
    let _ = blob::read_exact(&nodes, &root, input.len() as u64);
    nodes.forget_all();
}

pub(crate) fn others(message: &[u8]) {
    let _ = commit::Commit::decode(message);
    let _ = foreign_keys::decode(message);
    let _ = root_value::RootValue::decode(message);
    let _ = schema::Schema::decode(message);
    let _ = stash::StashList::decode(message);
    let _ = stash::Stash::decode(message);
    let _ = statistic::Statistic::decode(message);
    let _ = store_root::StoreRoot::decode(message);
    let _ = table::Table::decode(message);
    let _ = tag::Tag::decode(message);
    let _ = tuple_value::TupleValue::decode(message);
    let _ = working_set::WorkingSet::decode(message);
}
