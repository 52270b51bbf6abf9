//! A vector index has the address that Dolt gave it, and edits give the tree that all its keys give.

mod common;

use std::collections::BTreeMap;
use std::rc::Rc;

use common::{node_store, vector};
use store::MemoryChunks;
use tree::message::references::each_reference;
use tree::tuple::{EMPTY, TupleBuilder};
use tree::{AddressFields, Chunker, Edit, Encoding, FieldType, Kind, Map, TupleDescriptor};
use value::SqlType;

/// An index without entries; keys are a vector and a number.
fn empty() -> Map {
    let nodes = node_store(MemoryChunks::new());
    let root = Chunker::new(&*nodes, Kind::Vectors, AddressFields::default()).finish().unwrap();
    let root = nodes.embedded(&root.message).unwrap();
    let vector = FieldType::new(Encoding::BytesAdaptive, true, SqlType::Vector { dimensions: 3 });
    let number = FieldType::new(Encoding::Int32, true, "int".parse().unwrap());
    Map::new(nodes, root, Rc::new(TupleDescriptor::new([vector, number])), Rc::new(TupleDescriptor::new([])))
}

fn key(vector: &[f32], number: i32) -> Vec<u8> {
    let vector: Vec<u8> = core::iter::once(0).chain(value::vector::to_bytes(vector)).collect();
    TupleBuilder::new().push(Some(&vector)).push(Some(&number.to_le_bytes())).finish().unwrap()
}

/// The index after keys came (true) and went.
fn edited(map: &Map, mut edits: Vec<(Vec<u8>, bool)>) -> Map {
    edits.sort_by(|one, two| map.order.compare(&map.nodes, &one.0, &two.0).unwrap());
    let map = map.edited(edits.iter().map(|(key, is_put)| Edit { key, value: is_put.then_some(EMPTY) })).unwrap();
    map.put_root().unwrap();
    map
}

/// SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn two_thousand_rows_of_dolt() {
    let Some(wanted) = vector("vector_index") else { return };
    let keys = (1..=2000i32).map(|n| {
        let vector = [(n % 17) as f32, (n * 7 % 23) as f32, (n * n % 29) as f32 + 0.5];
        (key(&vector, n), true)
    });
    let index = edited(&empty(), keys.collect());
    let wanted = &wanted["tables"]["t"]["indexes"][0];
    assert_eq!(index.address().to_string(), wanted["root"].as_str().unwrap());
    assert_eq!(common::hex(index.root.bytes()), wanted["root_bytes"].as_str().unwrap());
}

/// Keys of which far more than by chance are in high levels, so that few make a tree of three levels.
fn keys() -> Vec<Vec<u8>> {
    let mut state = 7;
    let mut number = 0;
    let mut next = |zeros: u32| loop {
        number += 1;
        let mut small = || (random(&mut state) % 64) as f32 / 4.0;
        let key = key(&[small(), small(), 1.0], number);
        let hash = codec::xxh3_64(&key, 0x53a8_57b6_c948_b8fa) as u32;
        if hash.leading_zeros() >= zeros {
            return key;
        }
    };
    let mut keys: Vec<_> = (0..3).map(|_| next(16)).collect();
    keys.extend((0..60).map(|_| next(8)));
    keys.extend((0..1500).map(|_| next(0)));
    keys
}

#[test]
fn edits_give_the_tree_of_all_keys() {
    let keys = keys();
    let mut state = 11;
    let mut there: BTreeMap<&[u8], bool> = BTreeMap::new();
    let mut index = empty();
    for step in 0..60 {
        let batch = [1, 1, 2, 40, 600][random(&mut state) as usize % 5];
        // First most come, at the end most go.
        let mut edits: BTreeMap<&[u8], bool> = BTreeMap::new();
        for _ in 0..batch {
            let key = &keys[random(&mut state) as usize % keys.len()];
            edits.insert(key, random(&mut state) % 60 > step);
        }
        if step % 7 == 3 {
            edits.insert(&keys[random(&mut state) as usize % 63], step % 2 == 0);
        }
        index = edited(&index, edits.iter().map(|(key, put)| (key.to_vec(), *put)).collect());
        there.extend(edits);
        let all = there.iter().filter(|(_, put)| **put).map(|(key, _)| (key.to_vec(), true));
        let wanted = edited(&empty(), all.collect());
        assert!(index.root.is_same(&wanted.root), "after step {step}");
        assert_eq!(index.count(), there.values().filter(|put| **put).count() as u64);
    }
    let all = edited(&empty(), keys.iter().map(|key| (key.clone(), true)).collect());
    assert_eq!(all.root.level(), 2);
    let none = edited(&all, keys.iter().map(|key| (key.clone(), false)).collect());
    assert!(none.root.is_same(&empty().root));
}

#[test]
fn what_is_nearest_comes_first_and_all_of_it_where_all_is_asked_for() {
    let keys = keys();
    let index = edited(&empty(), keys.iter().map(|key| (key.clone(), true)).collect());
    let query = [3.2, 9.1, 1.0];
    let distance = |key: &[u8]| {
        let vector = value::vector::from_bytes(&tree::Tuple::new(key).field(0).unwrap()[1..]).unwrap();
        value::vector::distance_squared(&vector, &query)
    };
    let mut wanted: Vec<f64> = keys.iter().map(|key| distance(key)).collect();
    wanted.sort_by(f64::total_cmp);
    for limit in [0, 1, 2, 3, 10, 100, keys.len(), keys.len() + 5] {
        let found: Vec<f64> = index.nearest(&query, limit).unwrap().iter().map(|item| distance(item.key())).collect();
        assert_eq!(found.len(), limit.min(keys.len()));
        assert!(found.is_sorted(), "{found:?}");
        if limit >= keys.len() {
            assert_eq!(found, wanted);
        }
    }
    assert!(index.nearest(&[1.0], 3).is_err(), "other dimensions");
}

#[test]
fn vectors_out_of_band_are_referred_to() {
    let address = codec::Address::of(b"a vector");
    let mut outside = Vec::new();
    codec::varint::write_sqlite4(4000, &mut outside);
    outside.extend_from_slice(address.as_bytes());
    let far = TupleBuilder::new().push(Some(&outside)).push(Some(&7i32.to_le_bytes())).finish().unwrap();
    let index = empty().edited([Edit::put(&far, EMPTY)]).unwrap();
    let mut found = Vec::new();
    each_reference(index.root.bytes(), &mut |address| found.push(address)).unwrap();
    assert_eq!(found, [address]);
    let near = empty().edited([Edit::put(&key(&[1.0, 2.0, 3.0], 1), EMPTY)]).unwrap();
    each_reference(near.root.bytes(), &mut |address| panic!("{address}")).unwrap();
}
