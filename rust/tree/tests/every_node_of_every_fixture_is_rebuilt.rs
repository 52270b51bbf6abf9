//! Every tree node in databases that native Dolt wrote: it is accepted, and writing its items gives its bytes again.

mod common;

use std::collections::BTreeMap;

use native_dolt::fixtures;
use store::{Chunks, Scan};
use tree::{Kind, Node};

#[test]
fn every_node() {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for name in fixtures::INTACT.into_iter().filter(|name| *name != "i_multi") {
        let Some(store) = common::fixture("every_node", name) else { return };
        let (mut scan, mut addresses) = (Scan::default(), Vec::new());
        while !store.scan(&mut scan, usize::MAX, &mut |address, _| addresses.extend(address)).unwrap().is_done {}
        // The chunks of the largest fixture are alike: a part of them is enough for a test that is run often.
        let step = (addresses.len() / 1_500).max(1);
        for address in addresses.iter().step_by(step) {
            let chunk = store.read(address).unwrap();
            let Some(kind) = Kind::of(&chunk).unwrap() else { continue };
            let node = Node::new(chunk).unwrap_or_else(|error| panic!("{name} {address}: {error}"));
            assert!(common::rewritten(&node) == node.bytes(), "{name} {address}");
            assert_eq!(node.address(), *address);
            *kinds.entry(kind.name()).or_default() += 1;
        }
    }
    println!("{kinds:?}");
    assert!(kinds["ProllyTreeNode"] > 500 && kinds["CommitClosure"] > 50 && kinds["AddressMap"] > 50, "{kinds:?}");
    assert!(kinds.contains_key("Blob") && kinds.contains_key("MergeArtifacts"), "{kinds:?}");
}
