//! Closures of new commits, and edits of name to address maps.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use codec::Address;
use store::MemoryChunks;
use tree::{AddressFields, AddressMap, Ancestor, Chunker, CommitClosure, Kind, NodeStore, Options, Parent};

fn stores() -> (Rc<MemoryChunks>, Rc<NodeStore>) {
    let chunks = Rc::new(MemoryChunks::new());
    let nodes = NodeStore::new(chunks.clone(), Options::default());
    (chunks, nodes)
}

/// Commit by commit, from the first one: each closure is the last one's with one ancestor more.
#[test]
fn closures_of_linear_history_are_dolts() {
    let Some(vector) = common::vector("commit_closure") else { return };
    let (chunks, nodes) = stores();
    let roots = vector["closure_root"].as_object().unwrap();
    let mut closure = Address::EMPTY;
    let mut checked = 0;
    for (i, commit) in vector["commits"].as_array().unwrap().iter().enumerate() {
        let height = i as u64 + 1;
        if let Some(root) = roots.get(&height.to_string()) {
            assert_eq!(closure.to_string(), root.as_str().unwrap(), "height {height}");
            checked += 1;
        }
        let commit = Ancestor { height, address: commit.as_str().unwrap().parse().unwrap() };
        closure = CommitClosure::of_parents(&nodes, &[Parent { commit, closure }], &mut &*chunks).unwrap();
    }
    assert!(checked > 50, "only {checked}");
}

#[test]
fn a_merge_has_the_ancestors_of_all_parents() {
    let (chunks, nodes) = stores();
    let grow = |from: Parent, name: &str, count: u64| {
        (0..count).fold(from, |parent, i| {
            let height = parent.commit.height + 1;
            let commit = Ancestor { height, address: Address::of(format!("{name} {i}").as_bytes()) };
            let closure = CommitClosure::of_parents(&nodes, &[parent], &mut &*chunks).unwrap();
            Parent { commit, closure }
        })
    };
    let root = Ancestor { height: 1, address: Address::of(b"root") };
    let base = grow(Parent { commit: root, closure: Address::EMPTY }, "base", 300);
    let (left, right) = (grow(base, "left", 300), grow(base, "right", 400));
    let list = |closure: &Address| -> BTreeSet<Ancestor> {
        let closure = CommitClosure::at(nodes.clone(), closure).unwrap();
        closure.descending(None).unwrap().map(|ancestor| ancestor.unwrap()).collect()
    };
    let merged = CommitClosure::of_parents(&nodes, &[left, right], &mut &*chunks).unwrap();
    let mut wanted = list(&left.closure);
    wanted.extend(list(&right.closure));
    wanted.extend([left.commit, right.commit]);
    assert_eq!(wanted.len(), 1 + 300 + 300 + 400);
    assert_eq!(list(&merged), wanted);
    assert!(CommitClosure::of_parents(&nodes, &[], &mut &*chunks).unwrap().is_empty());
}

#[test]
fn edited_names_are_those_of_a_rebuilt_map() {
    let (chunks, nodes) = stores();
    let build = |names: &BTreeMap<String, Address>| {
        let mut chunker = Chunker::new(&*chunks, Kind::Addresses, AddressFields::default());
        for (name, address) in names {
            chunker.append(name.as_bytes(), address.as_bytes()).unwrap();
        }
        chunker.finish().unwrap()
    };
    let mut names: BTreeMap<String, Address> =
        (0..2000).map(|i| (format!("table {i:05}"), Address::of(&[i as u8]))).collect();
    let map = AddressMap::embedded(nodes.clone(), &build(&names).message).unwrap();
    let other = Address::of(b"other");
    let edits = [("another", Some(&other)), ("table 00700", None), ("table 01000", Some(&other)), ("z", Some(&other))];
    let edited = map.edited(edits.map(|(name, address)| (name.as_bytes(), address))).unwrap();
    for (name, address) in edits {
        match address {
            Some(address) => names.insert(name.into(), *address),
            None => names.remove(name),
        };
    }
    assert_eq!(edited.message(), build(&names).message);
    assert_eq!(edited.get(b"table 00700").unwrap(), None);
    assert_eq!(edited.get(b"z").unwrap(), Some(other));
}
