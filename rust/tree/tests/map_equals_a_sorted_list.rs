//! A tree of several levels and a sorted list answer alike: look-ups, ranges, ordinals, ranks, counts, both ways.

mod common;

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;
use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{
    AddressFields, Bound, Chunker, Cursor, Diff, Direction, Encoding, FieldType, KeyList, Kind, Map, NodeStore, Scan,
    Side, TupleDescriptor,
};
use value::SqlType;

/// Rows of `(a int, b varchar) -> (v bigint)`.
type Rows = BTreeMap<(i32, Vec<u8>), i64>;

fn field(encoding: Encoding, nullable: bool) -> FieldType {
    let sql_type = if encoding == Encoding::String { SqlType::varchar(100) } else { SqlType::INT };
    FieldType::new(encoding, nullable, sql_type)
}

fn key(a: i32, b: Option<&[u8]>) -> Vec<u8> {
    let text = b.map(|b| [b, b"\0"].concat());
    let mut tuple = TupleBuilder::new();
    tuple.push(Some(&a.to_le_bytes()));
    if let Some(text) = &text {
        tuple.push(Some(text));
    }
    tuple.finish().unwrap()
}

fn build(chunks: &MemoryChunks, rows: &Rows) -> tree::Root {
    let mut chunker = Chunker::new(chunks, Kind::Rows, AddressFields::default());
    for ((a, b), v) in rows {
        let value = TupleBuilder::new().push(Some(&v.to_le_bytes())).finish().unwrap();
        chunker.append(&key(*a, Some(b)), &value).unwrap();
    }
    chunker.finish().unwrap()
}

fn descriptors() -> (Rc<TupleDescriptor>, Rc<TupleDescriptor>) {
    let key = TupleDescriptor::new([field(Encoding::Int32, false), field(Encoding::String, false)]);
    (Rc::new(key), Rc::new(TupleDescriptor::new([field(Encoding::Int64, true)])))
}

fn open(nodes: &Rc<NodeStore>, root: &tree::Root) -> Map {
    let (key, value) = descriptors();
    Map::new(nodes.clone(), nodes.embedded(&root.message).unwrap(), key, value)
}

fn map(rows: &Rows) -> Map {
    let chunks = MemoryChunks::new();
    let root = build(&chunks, rows);
    open(&common::node_store(chunks), &root)
}

fn rows() -> impl Strategy<Value = Rows> {
    let text = prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(b'a'..b'e', 0..6),
        prop::collection::vec(b'x'..b'z', 200..900)
    ];
    prop::collection::btree_map((-40..40i32, text), any::<i64>(), 0..160)
}

/// A bound of both fields, or of the first.
fn bound() -> impl Strategy<Value = (i32, Option<Vec<u8>>, Side)> {
    let text = prop::option::of(prop::collection::vec(b'a'..=b'z', 0..4));
    (-42..42i32, text, prop_oneof![Just(Side::Before), Just(Side::After)])
}

/// Rows of the list before a bound.
fn list_rank(rows: &Rows, (a, b, side): &(i32, Option<Vec<u8>>, Side)) -> usize {
    rows.keys()
        .filter(|(row_a, row_b)| {
            let order = row_a.cmp(a).then_with(|| b.as_ref().map_or(core::cmp::Ordering::Equal, |b| row_b.cmp(b)));
            order.is_lt() || (order.is_eq() && *side == Side::After)
        })
        .count()
}

fn collect(mut scan: Scan, rows_max: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rows = Vec::new();
    let expected = scan.remaining();
    while let Some(span) = scan.next_span(rows_max).unwrap() {
        assert!(!span.items.is_empty() && span.items.len() <= rows_max);
        let row = |i: usize| (span.leaf.key(i).to_vec(), span.leaf.value(i).to_vec());
        match scan.direction() {
            Direction::Forward => rows.extend(span.items.map(row)),
            Direction::Backward => rows.extend(span.items.rev().map(row)),
        }
    }
    assert_eq!(rows.len() as u64, expected);
    rows
}

fn list_rows(rows: &Rows) -> Vec<(Vec<u8>, Vec<u8>)> {
    let value = |v: &i64| TupleBuilder::new().push(Some(&v.to_le_bytes())).finish().unwrap();
    rows.iter().map(|((a, b), v)| (key(*a, Some(b)), value(v))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn reads(rows in rows(), bounds in prop::collection::vec(bound(), 6), rows_max in 1..40usize, skipped in 0..30u64) {
        let map = map(&rows);
        let list = list_rows(&rows);
        prop_assert_eq!(map.count(), rows.len() as u64);
        for (i, (row_key, value)) in list.iter().enumerate() {
            let item = map.get(row_key).unwrap().unwrap();
            prop_assert_eq!(item.value(), value);
            let item = map.item(i as u64).unwrap().unwrap();
            prop_assert_eq!(item.key(), row_key);
        }
        prop_assert!(map.item(list.len() as u64).unwrap().is_none());
        prop_assert!(map.get(&key(41, Some(b"a"))).unwrap().is_none());
        prop_assert!(map.get(&key(0, Some(b"no such text"))).unwrap().is_none());

        let (mut asked, mut answers) = (KeyList::default(), Vec::new());
        for (row_key, _) in list.iter().rev() {
            asked.push(row_key);
            asked.push(&key(41, None));
        }
        map.get_all(&asked, 0..asked.len(), |item| answers.push(item.map(|item| (item.key().to_vec(), item.value().to_vec())))).unwrap();
        let wanted: Vec<_> = list.iter().rev().flat_map(|row| [Some(row.clone()), None]).collect();
        prop_assert_eq!(answers, wanted);

        let mut answers = Vec::new();
        let ordinals: Vec<u64> = (0..list.len() as u64 + 2).rev().collect();
        map.items(&ordinals, |item| answers.push((item.key().to_vec(), item.value().to_vec()))).unwrap();
        prop_assert!(answers.iter().eq(list.iter().rev()));

        let keys: Vec<_> = bounds.iter().map(|(a, b, _)| key(*a, b.as_deref())).collect();
        let bound = |i: usize| Bound { key: &keys[i], fields: 1 + usize::from(bounds[i].1.is_some()), side: bounds[i].2 };
        let ranges = [(Some(bound(0)), Some(bound(1))), (None, Some(bound(2))), (Some(bound(3)), None), (None, None)];
        for direction in [Direction::Forward, Direction::Backward] {
            for (scan, (lower, upper)) in map.scan_all(&ranges, direction).unwrap().into_iter().zip(&ranges) {
                let alone = map.scan(lower.as_ref(), upper.as_ref(), direction).unwrap();
                prop_assert_eq!(collect(scan, rows_max), collect(alone, rows_max));
            }
        }

        for pair in bounds.chunks(2) {
            let keys: Vec<_> = pair.iter().map(|(a, b, _)| key(*a, b.as_deref())).collect();
            let bound = |i: usize| Bound { key: &keys[i], fields: 1 + usize::from(pair[i].1.is_some()), side: pair[i].2 };
            let (lower, upper) = (bound(0), bound(1));
            let (start, end) = (list_rank(&rows, &pair[0]), list_rank(&rows, &pair[1]));
            prop_assert_eq!(map.rank(&lower).unwrap(), start as u64);
            let end = end.max(start);
            let ordinals = map.ordinals(Some(&lower), Some(&upper)).unwrap();
            prop_assert_eq!(ordinals.end - ordinals.start, (end - start) as u64);
            let wanted = &list[start..end];
            let forward = map.scan(Some(&lower), Some(&upper), Direction::Forward).unwrap();
            let mut late = forward.clone();
            late.skip(skipped).unwrap();
            prop_assert_eq!(&collect(late, rows_max)[..], &wanted[wanted.len().min(skipped as usize)..]);
            prop_assert_eq!(&collect(forward, rows_max)[..], wanted);
            let backward = map.scan(Some(&lower), Some(&upper), Direction::Backward).unwrap();
            let mut late = backward.clone();
            late.skip(skipped).unwrap();
            let mut reversed: Vec<_> = wanted.iter().rev().cloned().collect();
            prop_assert_eq!(&collect(backward, rows_max), &reversed);
            reversed.drain(..reversed.len().min(skipped as usize));
            prop_assert_eq!(&collect(late, rows_max), &reversed);
            let ordinals = start as u64..end as u64;
            prop_assert_eq!(&collect(map.scan_ordinals(ordinals, Direction::Forward).unwrap(), rows_max)[..], wanted);
        }
        let (a, _, _) = &bounds[0];
        let equal: Vec<_> = list_rows(&rows.range((*a, Vec::new())..(*a + 1, Vec::new())).map(|(k, v)| (k.clone(), *v)).collect());
        prop_assert_eq!(collect(map.scan_prefix(&key(*a, None), 1, Direction::Forward).unwrap(), rows_max), equal);
    }

    #[test]
    fn cursors(rows in rows(), moves in prop::collection::vec(any::<bool>(), 0..300), start in 0..200u64) {
        let map = map(&rows);
        let list = list_rows(&rows);
        let mut cursor = map.seek_ordinal(start).unwrap();
        let mut place = start.min(list.len() as u64) as usize;
        let check = |cursor: &Cursor, place: usize| {
            prop_assert_eq!(cursor.ordinal(), place as u64);
            if cursor.is_at_row() {
                prop_assert_eq!(cursor.key(), &list[place].0[..]);
                prop_assert_eq!(cursor.value(), &list[place].1[..]);
            }
            Ok(())
        };
        check(&cursor, place)?;
        for forward in moves {
            if forward {
                let is_at_row = cursor.advance().unwrap();
                place = (place + 1).min(list.len());
                prop_assert_eq!(is_at_row, place < list.len());
            } else {
                let moved = cursor.retreat().unwrap();
                prop_assert_eq!(moved, place > 0);
                place = place.saturating_sub(1);
            }
            check(&cursor, place)?;
        }
    }

    #[test]
    fn diffs(from in rows(), edits in rows(), removed in prop::collection::vec(any::<prop::sample::Index>(), 0..20), range in (bound(), bound())) {
        let mut to = from.clone();
        for index in removed {
            if let Some(key) = (!to.is_empty()).then(|| to.keys().nth(index.index(to.len())).unwrap().clone()) {
                to.remove(&key);
            }
        }
        to.extend(edits.into_iter().take(12));
        let chunks = MemoryChunks::new();
        let (from_root, to_root) = (build(&chunks, &from), build(&chunks, &to));
        let nodes = common::node_store(chunks);
        let (from_map, to_map) = (open(&nodes, &from_root), open(&nodes, &to_root));

        let mut wanted = Vec::new();
        let keys: std::collections::BTreeSet<_> = from.keys().chain(to.keys()).collect();
        for row_key in keys {
            if from.get(row_key) != to.get(row_key) {
                wanted.push((row_key.clone(), from.get(row_key).copied(), to.get(row_key).copied()));
            }
        }
        let read = |mut diff: Diff| {
            let mut found = Vec::new();
            while let Some(change) = diff.next_change().unwrap() {
                let row_key = change.from.as_ref().or(change.to.as_ref()).unwrap().key_tuple();
                let a = i32::from_le_bytes(row_key.field(0).unwrap().try_into().unwrap());
                let b = row_key.field(1).unwrap().strip_suffix(b"\0").unwrap().to_vec();
                let value = |item: &tree::Item| i64::from_le_bytes(item.value_tuple().field(0).unwrap().try_into().unwrap());
                found.push(((a, b), change.from.as_ref().map(value), change.to.as_ref().map(value)));
            }
            found
        };
        prop_assert_eq!(&read(Diff::new(&from_map, &to_map).unwrap()), &wanted);
        let every = read(Diff::new(&from_map, &to_map).unwrap().with_every_row());
        prop_assert_eq!(every.len(), from.keys().chain(to.keys()).collect::<std::collections::BTreeSet<_>>().len());

        let (lower, upper) = &range;
        let keys = [key(lower.0, lower.1.as_deref()), key(upper.0, upper.1.as_deref())];
        let lower_bound = Bound { key: &keys[0], fields: 1 + usize::from(lower.1.is_some()), side: lower.2 };
        let upper_bound = Bound { key: &keys[1], fields: 1 + usize::from(upper.1.is_some()), side: upper.2 };
        let between = |row_key: &(i32, Vec<u8>)| {
            let only: Rows = [(row_key.clone(), 0)].into();
            list_rank(&only, lower) == 0 && list_rank(&only, upper) == 1
        };
        wanted.retain(|(row_key, ..)| between(row_key));
        prop_assert_eq!(read(Diff::between(&from_map, &to_map, Some(&lower_bound), Some(&upper_bound)).unwrap()), wanted);
    }
}

#[test]
fn a_diff_reads_only_what_changed() {
    let rows: Rows = (0..20_000).map(|a| ((a, b"some text".to_vec()), i64::from(a))).collect();
    let mut edited = rows.clone();
    edited.insert((7_777, b"some text".to_vec()), -1);
    edited.remove(&(15_000, b"some text".to_vec()));
    let chunks = MemoryChunks::new();
    let (from, to) = (build(&chunks, &rows), build(&chunks, &edited));
    let nodes = common::node_store(chunks);
    let mut diff = Diff::new(&open(&nodes, &from), &open(&nodes, &to)).unwrap();
    let mut changes = 0;
    while diff.next_change().unwrap().is_some() {
        changes += 1;
    }
    assert_eq!(changes, 2);
    // Two ways down to two places on both sides, and the leaves beside them.
    assert!(nodes.stats().chunks_read <= 24, "{:?}", nodes.stats());
}
