//! What two maps changed of a third, beside the same of sorted lists; and that shared subtrees are not read.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proptest::prelude::*;
use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{
    AddressFields, Chunker, Encoding, EveryRow, FieldType, Item, Kind, Map, NodeStore, ThreeWayDiff, TupleDescriptor,
};
use value::SqlType;

type Rows = BTreeMap<u32, u64>;

fn tuple(bytes: &[u8]) -> Vec<u8> {
    TupleBuilder::new().push(Some(bytes)).finish().expect("a small tuple")
}

fn build(chunks: &MemoryChunks, rows: &Rows) -> tree::Root {
    let mut chunker = Chunker::new(chunks, Kind::Rows, AddressFields::default());
    for (key, value) in rows {
        chunker.append(&tuple(&key.to_le_bytes()), &tuple(&value.to_le_bytes())).expect("rows in order");
    }
    chunker.finish().expect("a tree")
}

/// Maps over one store, and that store.
fn maps(versions: &[&Rows]) -> (Vec<Map>, Rc<NodeStore>) {
    let chunks = MemoryChunks::new();
    let roots: Vec<tree::Root> = versions.iter().map(|rows| build(&chunks, rows)).collect();
    let nodes = common::node_store(chunks);
    let field = |encoding| Rc::new(TupleDescriptor::new([FieldType::new(encoding, false, SqlType::INT)]));
    let (key, value) = (field(Encoding::Uint32), field(Encoding::Uint64));
    let open = |root: &tree::Root| {
        Map::new(nodes.clone(), nodes.embedded(&root.message).expect("a root"), key.clone(), value.clone())
    };
    (roots.iter().map(open).collect(), nodes.clone())
}

/// For each changed key what it was, what we made of it if we did, and they.
type Changes = Vec<(u32, Option<u64>, Option<Option<u64>>, Option<Option<u64>>)>;

fn number(bytes: &[u8]) -> u64 {
    let field = tree::Tuple::new(bytes).field(0).expect("a field");
    field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn walk(maps: &[Map]) -> Changes {
    let mut diff = ThreeWayDiff::new(&maps[0], &maps[1], &maps[2], EveryRow::default()).expect("three maps");
    let mut found = Vec::new();
    while let Some(changes) = diff.next_changes().expect("chunks are whole") {
        let value = |item: &Option<Item>| item.as_ref().map(|item| number(item.value()));
        let either = changes.ours.as_ref().or(changes.theirs.as_ref()).expect("one of them changed");
        let side = |change: &Option<tree::Change>| change.as_ref().map(|change| value(&change.to));
        let key = number(changes.key()) as u32;
        found.push((key, value(&either.from), side(&changes.ours), side(&changes.theirs)));
    }
    found
}

fn expected(base: &Rows, ours: &Rows, theirs: &Rows) -> Changes {
    let keys: BTreeSet<u32> = base.keys().chain(ours.keys()).chain(theirs.keys()).copied().collect();
    let changed = keys.into_iter().filter_map(|key| {
        let before = base.get(&key).copied();
        let side = |rows: &Rows| Some(rows.get(&key).copied()).filter(|now| *now != before);
        let (ours, theirs) = (side(ours), side(theirs));
        (ours.is_some() || theirs.is_some()).then_some((key, before, ours, theirs))
    });
    changed.collect()
}

fn edited(base: &Rows, edits: &[(u32, Option<u64>)]) -> Rows {
    let mut rows = base.clone();
    for (key, value) in edits {
        match value {
            Some(value) => rows.insert(*key, *value),
            None => rows.remove(key),
        };
    }
    rows
}

fn edits() -> impl Strategy<Value = Vec<(u32, Option<u64>)>> {
    prop::collection::vec((0..4000u32, prop::option::of(0..3u64)), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changes_are_those_of_lists(
        base in prop::collection::btree_map(0..4000u32, 0..3u64, 0..3000),
        ours in edits(),
        theirs in edits(),
        cut in prop::option::of((0..4000u32, 0..4000u32)),
    ) {
        let ours = edited(&base, &ours);
        let mut theirs = edited(&base, &theirs);
        if let Some((from, to)) = cut {
            theirs.retain(|key, _| *key < from || *key >= to);
        }
        let (maps, _) = maps(&[&base, &ours, &theirs]);
        prop_assert_eq!(walk(&maps), expected(&base, &ours, &theirs));
    }
}

#[test]
fn few_changes_of_many_rows_read_few_chunks() {
    let base: Rows = (0..200_000).map(|key| (key, u64::from(key))).collect();
    let ours = edited(&base, &[(17, Some(1)), (100_000, None)]);
    let theirs = edited(&base, &[(17, Some(2)), (199_999, None), (300_000, Some(3))]);
    let (maps, nodes) = maps(&[&base, &ours, &theirs]);
    let before = nodes.stats().chunks_read;
    assert_eq!(walk(&maps).len(), 4);
    let read = nodes.stats().chunks_read - before;
    // Four paths in three trees.
    assert!(read <= 3 * 4 * 3, "{read} chunks");
}
