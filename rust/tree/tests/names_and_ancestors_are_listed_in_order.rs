//! Address maps and commit closures against sorted lists.

mod common;

use std::collections::BTreeMap;

use codec::Address;
use store::MemoryChunks;
use tree::{AddressFields, AddressMap, Ancestor, Chunker, CommitClosure, Kind};

#[test]
fn names_are_found_and_listed_in_byte_order() {
    let names: BTreeMap<String, Address> = (0..3_000)
        .map(|i| format!("table {}", i * 7919 % 3_000))
        .map(|name| (name.clone(), Address::of(name.as_bytes())))
        .collect();
    let chunks = MemoryChunks::new();
    let mut chunker = Chunker::new(&chunks, Kind::Addresses, AddressFields::default());
    for (name, address) in &names {
        chunker.append(name.as_bytes(), address.as_bytes()).unwrap();
    }
    let root = chunker.finish().unwrap();
    let map = AddressMap::embedded(common::node_store(chunks), &root.message).unwrap();
    assert_eq!(map.count(), 3_000);
    for (name, address) in &names {
        assert_eq!(map.get(name.as_bytes()).unwrap(), Some(*address));
    }
    for name in ["", "table", "table 3000", "tablf"] {
        assert_eq!(map.get(name.as_bytes()).unwrap(), None);
    }
    let list = |from: &str| -> Vec<(String, Address)> {
        let entries = map.entries_from(from.as_bytes()).unwrap();
        entries.map(|entry| entry.unwrap()).map(|(name, at)| (String::from_utf8(name.into()).unwrap(), at)).collect()
    };
    let wanted: Vec<_> = names.clone().into_iter().collect();
    assert_eq!(list(""), wanted);
    let from = wanted.partition_point(|(name, _)| name.as_str() < "table 2");
    assert_eq!(list("table 2"), wanted[from..]);
}

#[test]
fn ancestors_come_from_high_to_low() {
    let mut ancestors: Vec<Ancestor> = (0..2_000u64)
        .map(|i| Ancestor { height: 1 + i * 600 % 1_500, address: Address::of(&i.to_le_bytes()) })
        .collect();
    ancestors.sort();
    let chunks = MemoryChunks::new();
    let mut chunker = Chunker::new(&chunks, Kind::Closure, AddressFields::default());
    for ancestor in &ancestors {
        chunker.append(&ancestor.key(), &[]).unwrap();
    }
    let root = chunker.finish().unwrap();
    let nodes = common::node_store(chunks);
    let closure = CommitClosure::at(nodes, &root.address).unwrap();
    assert_eq!(closure.count(), 2_000);
    assert!(ancestors.iter().all(|ancestor| closure.contains(ancestor).unwrap()));
    let absent = Ancestor { height: 1, address: Address::of(b"no commit") };
    assert!(!closure.contains(&absent).unwrap());
    ancestors.reverse();
    let list = |from| closure.descending(from).unwrap().map(|ancestor| ancestor.unwrap()).collect::<Vec<_>>();
    assert_eq!(list(None), ancestors);
    assert_eq!(list(Some(&ancestors[700])), ancestors[700..]);
    assert_eq!(list(Some(&absent)), ancestors.iter().copied().filter(|other| *other <= absent).collect::<Vec<_>>());
}

/// Linear history: every ancestor counts 28 bytes, the newest one more.
#[test]
fn closures_of_linear_history_are_dolts() {
    let Some(vector) = common::vector("commit_closure") else { return };
    let commit = |(i, address): (usize, &serde_json::Value)| Ancestor {
        height: i as u64 + 1,
        address: address.as_str().unwrap().parse().unwrap(),
    };
    let commits: Vec<_> = vector["commits"].as_array().unwrap().iter().enumerate().map(commit).collect();
    let mut checked = 0;
    for (height, root) in vector["closure_root"].as_object().unwrap() {
        let ancestors = &commits[..height.parse::<usize>().unwrap() - 1];
        let chunks = MemoryChunks::new();
        let mut chunker = Chunker::new(&chunks, Kind::Closure, AddressFields::default());
        for (i, ancestor) in ancestors.iter().enumerate() {
            let is_new = i + 1 == ancestors.len();
            chunker.append_counted(&ancestor.key(), &[], 28 + usize::from(is_new)).unwrap();
        }
        assert_eq!(chunker.finish().unwrap().address.to_string(), root.as_str().unwrap(), "{height}");
        checked += 1;
    }
    assert!(checked > 20, "only {checked}");
}
