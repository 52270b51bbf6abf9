//! However a tree came to its rows, it is the tree that is built from them.

mod common;

use std::collections::BTreeMap;
use std::rc::Rc;

use codec::Address;
use common::vector;
use proptest::prelude::*;
use store::{Chunks, MemoryChunks};
use tree::tuple::TupleBuilder;
use tree::{
    AddressFields, Chunker, Edit, Encoding, FieldType, Kind, Map, NodeStore, Options, Root, Sink, TreeError,
    TreeReason, TupleDescriptor,
};
use value::SqlType;

/// Key and value tuples by the number in the key.
type Rows = BTreeMap<i32, (Vec<u8>, Vec<u8>)>;

/// Keeps chunks and counts them.
struct Counted<'a> {
    chunks: &'a MemoryChunks,
    written: usize,
}

impl Sink for Counted<'_> {
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError> {
        self.written += 1;
        Ok(self.chunks.insert(chunk.to_vec()))
    }
}

fn tuple(fields: &[&[u8]]) -> Vec<u8> {
    let mut tuple = TupleBuilder::new();
    fields.iter().for_each(|field| {
        tuple.push(Some(field));
    });
    tuple.finish().unwrap()
}

/// A row whose key is a number and as many zeros, which the order does not look at.
fn row(id: i32, padding: usize, value: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let key = if padding == 0 { tuple(&[&id.to_le_bytes()]) } else { tuple(&[&id.to_le_bytes(), &vec![0; padding]]) };
    (key, tuple(&[value]))
}

fn descriptor(encodings: &[Encoding]) -> Rc<TupleDescriptor> {
    let fields: Vec<_> = encodings.iter().map(|encoding| FieldType::new(*encoding, false, SqlType::INT)).collect();
    Rc::new(TupleDescriptor::new(fields))
}

fn build(chunks: &MemoryChunks, rows: &Rows) -> Root {
    let mut chunker = Chunker::new(chunks, Kind::Rows, AddressFields::default());
    for (key, value) in rows.values() {
        chunker.append(key, value).unwrap();
    }
    chunker.finish().unwrap()
}

/// A tree of rows, its chunks, and a way to edit it.
struct Tree {
    chunks: Rc<MemoryChunks>,
    map: Map,
    rows: Rows,
}

impl Tree {
    fn new(padded: bool, rows: Rows) -> Tree {
        let chunks = Rc::new(MemoryChunks::new());
        let root = build(&chunks, &rows);
        let nodes = NodeStore::new(chunks.clone(), Options::default());
        let key = [Encoding::Int32, Encoding::Bytes];
        let key = descriptor(if padded { &key } else { &key[..1] });
        let map = Map::new(nodes.clone(), nodes.embedded(&root.message).unwrap(), key, descriptor(&[Encoding::Bytes]));
        Tree { chunks, map, rows }
    }

    /// Makes edits, a deletion where there is no value, and checks the tree against one built from the rows.
    #[track_caller]
    fn edit(&mut self, padding: usize, edits: &BTreeMap<i32, Option<Vec<u8>>>) {
        let rows: Vec<_> = edits
            .iter()
            .map(|(id, value)| (*id, value.is_some(), row(*id, padding, value.as_deref().unwrap_or(&[1]))))
            .collect();
        let batch =
            rows.iter().map(|(_, put, (key, value))| if *put { Edit::put(key, value) } else { Edit::delete(key) });
        let root = self.map.edit(batch, &mut &*self.chunks).unwrap();
        for (id, put, row) in rows {
            if put {
                self.rows.insert(id, row);
            } else {
                self.rows.remove(&id);
            }
        }
        let wanted = build(&MemoryChunks::new(), &self.rows);
        assert_eq!(root, wanted, "{} rows, {} edits", self.rows.len(), edits.len());
        self.map = self.map.with_root(&root).unwrap();
    }

    /// Reads all rows, which finds chunks that are not there.
    fn check_rows(&self) {
        let mut cursor = self.map.first().unwrap();
        for (key, value) in self.rows.values() {
            assert!(cursor.is_at_row() || cursor.next_leaf().unwrap());
            assert_eq!((cursor.key(), cursor.value()), (&key[..], &value[..]));
            cursor.set_index(cursor.index() + 1);
        }
        assert_eq!(self.map.count(), self.rows.len() as u64);
    }
}

/// Numbers up to `ids`: single ones, or all of a range, to be deleted or put with a value of up to `bytes`.
fn edits(ids: i32, bytes: usize) -> impl Strategy<Value = BTreeMap<i32, Option<Vec<u8>>>> {
    let value = move || prop::option::of((1..=bytes, any::<u8>()).prop_map(|(length, byte)| vec![byte; length]));
    let single = (0..ids, Just(1), value());
    let range = (0..ids, 1..ids / 2, value());
    prop::collection::vec(prop_oneof![6 => single, 1 => range], 0..20).prop_map(|edits| {
        edits
            .into_iter()
            .flat_map(|(from, count, value)| (from..from + count).map(move |id| (id, value.clone())))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_rows(count in 0..3000i32, batches in prop::collection::vec(edits(3000, 60), 1..4)) {
        let mut tree = Tree::new(false, (0..count).map(|id| (id, row(id, 0, &[7; 12]))).collect());
        for batch in batches {
            tree.edit(0, &batch);
        }
        tree.check_rows();
    }

    #[test]
    fn wide_keys_make_many_levels(count in 0..150i32, batches in prop::collection::vec(edits(150, 60), 1..4)) {
        let mut tree = Tree::new(true, (0..count).map(|id| (id, row(id, 3000, &[7; 12]))).collect());
        for batch in batches {
            tree.edit(3000, &batch);
        }
        tree.check_rows();
    }

    #[test]
    fn rows_that_do_not_fit_beside_others(count in 0..60i32, batches in prop::collection::vec(edits(60, 65_000), 1..6)) {
        let mut tree = Tree::new(false, (0..count).map(|id| (id, row(id, 0, &vec![7; 900]))).collect());
        for batch in batches {
            tree.edit(0, &batch);
        }
        tree.check_rows();
    }
}

/// A leaf may end only because the next row is too large for it: when that row goes, or a small one comes before it, the leaf
/// takes in more.
#[test]
fn a_leaf_that_ended_before_a_large_row_is_joined_again() {
    for edit in [(50, None), (50, Some(vec![3])), (49, Some(vec![3]))] {
        let rows = [(40, vec![1; 300]), (41, vec![1; 100]), (50, vec![2; 65_300]), (51, vec![1; 200])];
        let mut tree = Tree::new(false, rows.into_iter().map(|(id, value)| (id, row(id, 0, &value))).collect());
        let first = tree.map.first().unwrap().leaf().len();
        assert_eq!(first, 2, "the large row starts a leaf");
        tree.edit(0, &BTreeMap::from([edit]));
    }
}

/// 50,000 rows of number, text; a tree of three levels.
fn fifty_thousand() -> Tree {
    Tree::new(false, (0..50_000).map(|id| (id, row(id, 0, format!("row number {id}").as_bytes()))).collect())
}

#[test]
fn one_row_costs_a_node_per_level() {
    let tree = fifty_thousand();
    let levels = tree.map.root.level();
    assert!(levels >= 2);
    let (mut read_sum, mut written_sum) = (0, 0);
    let ids = (0..100).map(|i| i * 499 + 7);
    for id in ids.clone() {
        let nodes = NodeStore::new(tree.chunks.clone(), Options::default());
        let map =
            Map { root: nodes.embedded(tree.map.root.bytes()).unwrap(), nodes: nodes.clone(), ..tree.map.clone() };
        let (key, value) = row(id, 0, b"another text");
        let mut sink = Counted { chunks: &tree.chunks, written: 0 };
        map.edit([Edit::put(&key, &value)], &mut sink).unwrap();
        read_sum += nodes.stats().chunks_read as usize;
        written_sum += sink.written;
    }
    // A boundary may move, which takes the next node too; on the average that is rare.
    let most = (levels + 1) * 100 * 5 / 4;
    assert!(read_sum <= levels * 100 * 5 / 4, "{read_sum} nodes read for {} edits of {levels} levels", ids.len());
    assert!((levels + 1) * 100 <= written_sum && written_sum <= most, "{written_sum} nodes written");
}

#[test]
fn a_root_becomes_a_chunk_when_somebody_asks_for_it() {
    let tree = fifty_thousand();
    let nodes = NodeStore::new(tree.chunks.clone(), Options::default());
    let map = Map { root: nodes.embedded(tree.map.root.bytes()).unwrap(), nodes, ..tree.map.clone() };
    let (key, value) = row(-1, 0, b"another");
    let edit = || [Edit::put(&key, &value)];
    let wanted = map.edit(edit(), &mut Counted { chunks: &MemoryChunks::new(), written: 0 }).unwrap();
    let edited = map.edited(edit()).unwrap();
    assert!(edited.root.bytes() == wanted.message && !tree.chunks.contains(&wanted.address).unwrap());
    assert_eq!(edited.put_root().unwrap(), wanted.address);
    assert!(tree.chunks.contains(&wanted.address).unwrap());
}

#[test]
fn edits_that_change_nothing_write_nothing() {
    let tree = fifty_thousand();
    let (key, value) = row(77, 0, b"row number 77");
    let (absent, _) = row(-1, 0, b"x");
    let mut sink = Counted { chunks: &tree.chunks, written: 0 };
    let root = tree.map.edit([Edit::delete(&absent), Edit::put(&key, &value)], &mut sink).unwrap();
    assert_eq!((root.address, sink.written), (tree.map.address(), 0));
    assert_eq!(tree.map.edit([], &mut sink).unwrap().address, tree.map.address());
}

#[test]
fn edits_out_of_order_are_refused() {
    let tree = fifty_thousand();
    let (low, value) = row(5, 0, b"x");
    let (high, _) = row(9, 0, b"x");
    for batch in [[Edit::put(&high, &value), Edit::delete(&low)], [Edit::put(&low, &value), Edit::delete(&low)]] {
        let refused = tree.map.edit(batch, &mut &*tree.chunks).unwrap_err();
        assert!(matches!(refused.reason(), TreeReason::Corrupt { .. }));
    }
}

#[test]
fn all_rows_go_and_come_back() {
    let mut tree = fifty_thousand();
    let all = |value: Option<Vec<u8>>| (0..50_000).map(|id| (id, value.clone())).collect::<BTreeMap<_, _>>();
    tree.edit(0, &all(None));
    assert_eq!(tree.map.address().to_string(), "52qkcc17dcqtblc9aml4so2jrooun338");
    tree.edit(0, &all(Some(vec![1; 20])));
    // What is left is one untouched leaf, which becomes the root.
    let leaf = tree.map.first().unwrap().leaf().len() as i32;
    tree.edit(0, &(leaf..50_000).map(|id| (id, None)).collect());
    assert!(tree.map.root.is_leaf());
}

/// Value tuples by the number in the key; `None` deletes.
type Batch = Vec<(i32, Option<Vec<u8>>)>;

/// Applies batches of (id, fields of the value, none to delete) to a vector's first rows.
#[track_caller]
fn check(name: &str, first: &[(i32, Vec<u8>)], batches: &[Batch]) {
    let Some(vector) = vector(name) else { return };
    let key = |id: i32| tuple(&[&id.to_le_bytes()]);
    let mut tree = Tree::new(false, first.iter().map(|(id, value)| (*id, (key(*id), value.clone()))).collect());
    for batch in batches {
        let mut rows: Vec<_> = batch.iter().map(|(id, value)| (*id, key(*id), value)).collect();
        rows.sort();
        let edits = rows.iter().map(|(_, key, value)| Edit { key, value: value.as_deref() });
        let root = tree.map.edit(edits, &mut &*tree.chunks).unwrap();
        tree.map = tree.map.with_root(&root).unwrap();
    }
    let root = vector["tables"]["t"]["primary"]["root"].as_str().unwrap();
    assert_eq!(tree.map.address().to_string(), root, "{name}");
}

#[test]
fn the_edited_table_of_fifty_thousand_rows_is_dolts() {
    let value = |v: i32, s: &str| tuple(&[&v.to_le_bytes(), format!("{s}\0").as_bytes()]);
    let first: Vec<_> = (1..=50_000).map(|id| (id, value(id * 3, &format!("row-{id}")))).collect();
    let gone = |id: &i32| (5000..=5900).contains(id);
    let text = |id: i32| match id % 37 {
        0 => format!("u{}", i64::from(id) * 7919 % 30011),
        _ => format!("row-{id}"),
    };
    let kept = |id: &i32| !gone(id) && id % 1001 != 5;
    let batches = [
        (5000..=5900).map(|id| (id, None)).collect(),
        (1..=50_000).filter(|id| !gone(id) && id % 37 == 0).map(|id| (id, Some(value(id * 3, &text(id))))).collect(),
        (1..=50_000).filter(|id| id % 1001 == 5).map(|id| (id, None)).collect(),
        vec![(-5, Some(value(1, "neg"))), (100_000, Some(value(2, "big"))), (5500, Some(value(3, "mid")))],
        (20_000..=20_100)
            .filter(kept)
            .flat_map(|id| [(id, None), (id + 200_000, Some(value(id * 3, &text(id))))])
            .collect(),
    ];
    check("edited_50k", &first, &batches);
}

#[test]
fn the_merged_table_is_dolts() {
    let value = |a: i32, b: i32| tuple(&[&a.to_le_bytes(), &b.to_le_bytes()]);
    let first: Vec<_> = (1..=3000).map(|id| (id, value(id, id))).collect();
    let a = |id: i32| if id % 100 == 1 && id < 2900 { -1 } else { id };
    let b = |id: i32| if (id % 100 == 1 || id % 100 == 2) && id < 1900 { -2 } else { id };
    let gone = |id: &i32| (2000..=2400).contains(id) || (2900..=2950).contains(id);
    let mut batch: Vec<_> = (1..=3000).map(|id| (id, (!gone(&id)).then(|| value(a(id), b(id))))).collect();
    batch.extend([(5001, Some(value(1, 1))), (6000, Some(value(2, 2)))]);
    check("merge", &first, &[batch]);
}
