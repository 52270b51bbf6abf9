//! Scans, ordinals, look-ups, counts and diffs over nodes that are in memory ask for no memory.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{
    AddressFields, Bound, Chunker, Diff, Direction, Encoding, FieldType, Kind, Map, NodeStore, TupleDescriptor,
};
use value::SqlType;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counter is a plain thread-local without a destructor.
#[expect(unsafe_code, reason = "an allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[track_caller]
fn assert_allocates_nothing(mut work: impl FnMut()) {
    // The first run reads nodes and remembers children.
    work();
    let before = ALLOCATIONS.get();
    work();
    assert_eq!(ALLOCATIONS.get() - before, 0);
}

const ROWS: i64 = 30_000;

fn key(a: i64) -> Vec<u8> {
    TupleBuilder::new().push(Some(&a.to_le_bytes())).push(Some(&(a * 3).to_le_bytes())).finish().unwrap()
}

/// `(bigint, bigint) -> (bigint, bigint)`, three levels; `changed` has another value.
fn build(chunks: &MemoryChunks, changed: i64) -> tree::Root {
    let mut chunker = Chunker::new(chunks, Kind::Rows, AddressFields::default());
    for a in 0..ROWS {
        let value = if a == changed { -1i64 } else { a };
        let value = TupleBuilder::new().push(Some(&value.to_le_bytes())).push(Some(&a.to_le_bytes())).finish().unwrap();
        chunker.append(&key(a), &value).unwrap();
    }
    chunker.finish().unwrap()
}

fn open(nodes: &Rc<NodeStore>, root: &tree::Root) -> Map {
    let fields = |nullable| {
        let field = FieldType::new(Encoding::Int64, nullable, SqlType::BIGINT);
        Rc::new(TupleDescriptor::new([field.clone(), field]))
    };
    Map::new(nodes.clone(), nodes.embedded(&root.message).unwrap(), fields(false), fields(true))
}

#[test]
fn hot_reads() {
    let chunks = MemoryChunks::new();
    let (root, other) = (build(&chunks, -1), build(&chunks, 12_345));
    let nodes = common::node_store(chunks);
    let (map, other) = (open(&nodes, &root), open(&nodes, &other));
    assert_eq!(map.root.level(), 2);

    assert_allocates_nothing(|| {
        let mut scan = map.scan(None, None, Direction::Forward).unwrap();
        let mut sum = 0;
        while let Some(span) = scan.next_span(1024).unwrap() {
            for i in span.items {
                let value = tree::Tuple::new(span.leaf.value(i));
                sum += i64::from_le_bytes(value.field(0).unwrap().try_into().unwrap());
            }
        }
        assert_eq!(sum, ROWS * (ROWS - 1) / 2);
    });
    assert_allocates_nothing(|| {
        let mut cursor = map.first().unwrap();
        let mut rows = 1;
        while cursor.advance().unwrap() {
            rows += 1;
        }
        assert_eq!(rows, ROWS);
    });
    assert_allocates_nothing(|| {
        for ordinal in (0..ROWS as u64).step_by(97) {
            assert_eq!(black_box(&map).item(ordinal).unwrap().unwrap().index, {
                let cursor = map.seek_ordinal(ordinal).unwrap();
                cursor.index()
            });
        }
    });
    let (present, absent, prefix) = (key(20_001), key(ROWS + 1), key(11)[..8].to_vec());
    let prefix = [&prefix[..], &[1, 0]].concat();
    assert_allocates_nothing(|| {
        assert!(map.get(&present).unwrap().is_some());
        assert!(map.get(&absent).unwrap().is_none());
        assert_eq!(map.rank(&Bound::before(&present, 2)).unwrap(), 20_001);
        let (lower, upper) = (Bound::before(&prefix, 1), Bound::after(&prefix, 1));
        assert_eq!(map.ordinals(Some(&lower), Some(&upper)).unwrap().count(), 1);
    });
    assert_allocates_nothing(|| {
        let mut diff = Diff::new(&map, &other).unwrap();
        let change = diff.next_change().unwrap().unwrap();
        assert_eq!(change.to.unwrap().key(), key_bytes(12_345));
        assert!(diff.next_change().unwrap().is_none());
    });
}

/// The bytes of a key, without asking for memory.
fn key_bytes(a: i64) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&a.to_le_bytes());
    bytes[8..16].copy_from_slice(&(a * 3).to_le_bytes());
    bytes[16..].copy_from_slice(&[8, 0, 2, 0]);
    bytes
}
