//! Damaged nodes are refused or read without a panic, a hang, or a great deal of memory.

mod common;

use std::rc::Rc;

use codec::Address;
use store::{Chunks, MemoryChunks};
use tree::message::node_writer::NodeParts;
use tree::tuple::{TupleBuilder, decode};
use tree::{
    AddressFields, AddressMap, Bound, Chunker, CommitClosure, Diff, Direction, Encoding, FieldType, Kind, Map, Node,
    NodeStore, Options, Stored, TreeError, Tuple, TupleDescriptor, blob,
};
use value::SqlType;

/// Reads everything a node offers.
fn read_all(node: &Node) -> usize {
    let mut bytes = 0;
    for i in 0..node.len() + 1 {
        bytes += node.key(i).len() + node.value(i).len();
        if matches!(node.kind(), Kind::Rows | Kind::Artifacts | Kind::Vectors) {
            bytes += Tuple::new(node.key(i)).fields().flatten().map(<[u8]>::len).sum::<usize>();
            bytes += Tuple::new(node.value(i)).fields().flatten().map(<[u8]>::len).sum::<usize>();
        }
        bytes += usize::from(node.child_address(i).is_some());
    }
    let _ = node.child_of_ordinal(u64::MAX);
    bytes + node.address_offsets().len() + node.rows_before(node.len()) as usize
}

#[test]
fn flipped_truncated_and_spliced_nodes() {
    // The smallest few of each kind and level have all the structure there is.
    let mut good = common::nodes();
    good.sort_by_key(Vec::len);
    let mut seen = std::collections::BTreeMap::new();
    good.retain(|message| {
        let node = Node::new(message.clone()).unwrap();
        let count = seen.entry((node.kind().name(), node.level().min(1))).or_insert(0);
        *count += 1;
        *count <= 3
    });
    let mut refused = 0;
    for (n, message) in good.iter().enumerate() {
        // Most structure is in the first bytes; later offsets and items are sampled.
        let step = (message.len() / 100).max(1);
        for at in (0..message.len().min(128)).chain((128..message.len()).step_by(step)) {
            for byte in [0, 0x7f, 0xff, message[at] ^ 0x10] {
                let mut bad = message.clone();
                bad[at] = byte;
                match Node::new(bad) {
                    Ok(node) => assert!(read_all(&node) < usize::MAX),
                    Err(_) => refused += 1,
                }
            }
            let mut cut = message[..at].to_vec();
            assert!(Node::new(cut.clone()).is_err());
            // A prefix that agrees with the length lets the cut reach the tables.
            if let Some(length) = cut.len().checked_sub(4) {
                cut[1..4].copy_from_slice(&(length as u32).to_be_bytes()[1..]);
                if let Ok(node) = Node::new(cut) {
                    read_all(&node);
                }
            }
        }
        let other = &good[(n + 1) % good.len()];
        let mut spliced = message[..message.len() / 2].to_vec();
        spliced.extend_from_slice(&other[other.len() / 2..]);
        if let Ok(node) = Node::new(spliced) {
            read_all(&node);
        }
    }
    assert!(good.is_empty() || refused > 5_000, "only {refused} refused");
}

fn int(nullable: bool) -> FieldType {
    FieldType::new(Encoding::Int32, nullable, SqlType::INT)
}

fn rows(chunks: &MemoryChunks, count: i32) -> tree::Root {
    let mut chunker = Chunker::new(chunks, Kind::Rows, AddressFields::default());
    for id in 0..count {
        let key = TupleBuilder::new().push(Some(&id.to_le_bytes())).finish().unwrap();
        chunker.append(&key, &key).unwrap();
    }
    chunker.finish().unwrap()
}

fn open(nodes: &Rc<NodeStore>, message: &[u8]) -> Map {
    let descriptor = |nullable| Rc::new(TupleDescriptor::new([int(nullable)]));
    Map::new(nodes.clone(), nodes.embedded(message).unwrap(), descriptor(false), descriptor(true))
}

#[test]
fn a_missing_child_is_an_error_and_the_rest_stays_readable() {
    let chunks = MemoryChunks::new();
    let root = rows(&chunks, 3_000);
    let lost = Node::new(root.message.clone()).unwrap().child_address(1).unwrap();
    chunks.remove(&lost);
    let nodes = common::node_store(chunks);
    let map = open(&nodes, &root.message);
    assert!(map.item(0).unwrap().is_some());
    assert!(map.item(2_999).unwrap().is_some());
    let mut scan = map.scan(None, None, Direction::Forward).unwrap();
    let mut read = 0;
    let error = loop {
        match scan.next_span(100) {
            Ok(span) => read += span.unwrap().items.len(),
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), format!("chunk {lost} is not in this store"));
    assert_eq!(read as u64, map.root.subtree_count(0));
}

/// Chunks that answer with another chunk than the one asked for.
struct Lying {
    chunks: MemoryChunks,
    answer: Vec<u8>,
}

impl Chunks for Lying {
    fn root(&self) -> codec::Address {
        self.chunks.root()
    }
    fn read(&self, _: &codec::Address) -> Result<Vec<u8>, store::StoreError> {
        Ok(self.answer.clone())
    }
    fn read_many(
        &self,
        addresses: &[codec::Address],
        each: &mut dyn FnMut(usize, Vec<u8>),
    ) -> Result<(), store::StoreError> {
        (0..addresses.len()).for_each(|i| each(i, self.answer.clone()));
        Ok(())
    }
    fn will_need(&self, _: &[codec::Address]) {}
    fn contains(&self, _: &codec::Address) -> Result<bool, store::StoreError> {
        Ok(true)
    }
}

#[test]
fn a_tree_that_contains_itself_ends() {
    let chunks = MemoryChunks::new();
    let root = rows(&chunks, 3_000);
    let lying = Lying { chunks, answer: root.message.clone() };
    let nodes = NodeStore::new(Rc::new(lying), Options::default());
    let map = open(&nodes, &root.message);
    for result in [
        map.item(5).map(|_| ()),
        map.get(Node::new(root.message.clone()).unwrap().key(0)).map(|_| ()),
        map.first().map(|_| ()),
        Diff::new(&map, &map).and_then(|mut diff| diff.next_change()).map(|_| ()),
    ]
    .into_iter()
    .take(3)
    {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("kind, level or row count differs"), "{error}");
    }
    assert!(blob::read(&nodes, &root.address).is_err());
}

#[test]
fn a_node_of_another_kind_is_refused() {
    let chunks = MemoryChunks::new();
    let root = rows(&chunks, 10);
    let nodes = common::node_store(chunks);
    let wanted = |result: Result<(), TreeError>, name| {
        assert_eq!(result.unwrap_err().to_string(), format!("wanted {name}, found message TUPM"));
    };
    wanted(AddressMap::embedded(nodes.clone(), &root.message).map(|_| ()), "AddressMap");
    wanted(CommitClosure::at(nodes.clone(), &root.address).map(|_| ()), "CommitClosure");
    assert!(blob::read(&nodes, &root.address).unwrap_err().to_string().contains("wanted Blob, found message TUPM"));
}

#[test]
fn damaged_fields_are_refused() {
    let nodes = common::node_store(MemoryChunks::new());
    let mut refused = 0;
    for id in 0..=255u8 {
        let Ok(encoding) = Encoding::from_id(id) else { continue };
        let kind = FieldType::new(encoding, true, SqlType::INT);
        let descriptor = TupleDescriptor::new([kind.clone()]);
        for length in 1..40 {
            for byte in [0u8, 1, 0x7f, 0x80, 0xff] {
                let field = vec![byte; length];
                refused += usize::from(decode(&nodes, &kind, Some(&field)).is_err());
                let _ = Stored::of(encoding, &field);
                let tuple = TupleBuilder::new().push(Some(&field)).finish().unwrap();
                let other = TupleBuilder::new().push(Some(&[1, 2, 3])).finish().unwrap();
                let _ = descriptor.compare(&nodes, &tuple, &other);
                let _ = Bound::before(&tuple, 1);
            }
        }
    }
    assert!(refused > 3_000, "only {refused}");
}

/// A blob of few chunks that repeats one leaf, level upon level, so that it holds `FAN_OUT` to the power of `levels` of them.
fn repeated_leaf(chunks: &MemoryChunks, levels: u8) -> (Address, u64) {
    let node = |level, values: &[u8], counts: &[u64]| {
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
        chunks.insert(parts.write().unwrap())
    };
    let (mut address, mut leaves) = (node(0, &[b'a'; 4_000], &[]), 1);
    for level in 1..=levels {
        let values: Vec<u8> = (0..200).flat_map(|_| *address.as_bytes()).collect();
        address = node(level, &values, &[leaves; 200]);
        leaves *= 200;
    }
    (address, leaves * 4_000)
}

#[test]
fn no_more_of_a_long_value_is_held_than_its_field_says() {
    let chunks = MemoryChunks::new();
    let (blob, length_bytes) = repeated_leaf(&chunks, 2);
    let (huge, huge_bytes) = repeated_leaf(&chunks, 4);
    assert!(length_bytes == 160_000_000 && huge_bytes > 1 << 40);
    let nodes = common::node_store(chunks);
    for claimed in [1, 4_000, 100_000, 20_000_000, 159_999_999, 1 << 30, u64::MAX] {
        let before = nodes.stats().chunks_read;
        let error = blob::read_exact(&nodes, &blob, claimed).unwrap_err().to_string();
        assert!(error.contains("length differs from the field's") || error.contains("is longer than"), "{error}");
        let held_bytes = (nodes.stats().chunks_read - before) * 4_000;
        assert!(
            held_bytes <= claimed.saturating_add(200 * 4_000 + 8_000),
            "{held_bytes} bytes were read for {claimed}"
        );
    }
    let before = nodes.stats().chunks_read;
    for claimed in [None, Some(10), Some(huge_bytes), Some(1 << 30)] {
        let read = claimed.map_or_else(|| blob::read(&nodes, &huge), |bytes| blob::read_exact(&nodes, &huge, bytes));
        let error = read.unwrap_err().to_string();
        assert!(error.contains("length differs from the field's") || error.contains("is longer than"), "{error}");
    }
    assert!(nodes.stats().chunks_read - before < 10, "a tree that says how large it is is not read");
    for (bytes, leaves) in [(0, 0), (1, 1), (4_000, 1), (4_001, 2), (900_000, 225)] {
        let before = nodes.stats().chunks_read;
        assert_eq!(blob::read_prefix(&nodes, &huge, bytes).unwrap(), vec![b'a'; bytes]);
        let read = nodes.stats().chunks_read - before;
        assert!(read <= leaves + 4, "{read} chunks were read for {bytes} bytes");
    }
    for claimed in [0, 10, length_bytes - 4_000, length_bytes + 1, u64::MAX] {
        assert!(!blob::may_have(&nodes, &blob, claimed).unwrap(), "{claimed}");
    }
    assert!(blob::may_have(&nodes, &blob, length_bytes).unwrap());
    assert_eq!(blob::read_exact(&nodes, &blob, length_bytes).unwrap().len() as u64, length_bytes);
}

#[test]
fn names_that_repeat_a_leaf_or_are_out_of_order_are_refused() {
    let chunks = MemoryChunks::new();
    let node = |level, names: &[&str], addresses: &[Address], counts: &[u64]| {
        let keys: Vec<u8> = names.iter().flat_map(|name| name.bytes()).collect();
        let key_ends: Vec<u32> = (1..=names.len()).map(|count| count as u32).collect();
        let values: Vec<u8> = addresses.iter().flat_map(|address| *address.as_bytes()).collect();
        let parts = NodeParts {
            kind: Kind::Addresses,
            level,
            keys: &keys,
            key_ends: &key_ends,
            values: &values,
            value_ends: &[],
            counts,
            address_offsets: &[],
        };
        parts.write().unwrap()
    };
    let table = Address::of(b"a table");
    let leaf = chunks.insert(node(0, &["a", "b"], &[table; 2], &[]));
    let repeated = node(1, &["b"; 100], &[leaf; 100], &[2; 100]);
    let unsorted = node(0, &["b", "a"], &[table; 2], &[]);
    let twice = node(0, &["a", "a"], &[table; 2], &[]);
    // Says that it has entries that are not there.
    let boundless = node(1, &["b"; 100], &[leaf; 100], &[1 << 40; 100]);
    let nodes = common::node_store(chunks);
    for message in [&repeated, &unsorted, &twice] {
        let map = AddressMap::embedded(nodes.clone(), message).unwrap();
        let entries: Vec<_> = map.entries().unwrap().collect();
        assert!(entries.len() <= 3, "{} entries", entries.len());
        let error = entries.last().unwrap().as_ref().unwrap_err().to_string();
        assert!(error.contains("names are not in order"), "{error}");
    }
    let entries = AddressMap::embedded(nodes, &boundless).and_then(|map| map.entries());
    let error = entries.err().expect("it is read no further").to_string();
    assert!(error.contains("row count differs from what its parent says"), "{error}");
}
