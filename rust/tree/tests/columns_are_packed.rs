//! A scan that comes again reads columns of numbers where they are packed: the same rows, within the memory of the cache.

use std::rc::Rc;

use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{
    AddressFields, Chunker, Column, Direction, Encoding, FieldType, Kind, Map, NodeStore, Options, Tuple,
    TupleDescriptor,
};
use value::SqlType;

const ROWS: i32 = 60_000;
/// Rows from here on have no bigint.
const WHOLE: i32 = 40_000;
const KEY: Column = Column { is_key: true, field: 0, width: 4 };
const INT: Column = Column { is_key: false, field: 0, width: 4 };
const BIGINT: Column = Column { is_key: false, field: 1, width: 8 };

/// Rows `int -> (int, bigint)`.
fn map(cache_bytes: usize) -> Map {
    let chunks = MemoryChunks::new();
    let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::default());
    for a in 0..ROWS {
        let key = TupleBuilder::new().push(Some(&a.to_le_bytes())).finish().unwrap();
        let (int, big) = ((a * 7).to_le_bytes(), (i64::from(a) * -3).to_le_bytes());
        let value = TupleBuilder::new().push(Some(&int)).push(Some(&big[..]).filter(|_| a < WHOLE)).finish().unwrap();
        chunker.append(&key, &value).unwrap();
    }
    let root = chunker.finish().unwrap();
    let nodes = NodeStore::new(Rc::new(chunks), Options { cache_bytes });
    let field = |encoding, nullable| FieldType::new(encoding, nullable, SqlType::BIGINT);
    let key = TupleDescriptor::new([field(Encoding::Int32, false)]);
    let value = TupleDescriptor::new([field(Encoding::Int32, true), field(Encoding::Int64, true)]);
    let root = nodes.embedded(&root.message).unwrap();
    assert_eq!(root.level(), 2);
    Map::new(nodes, root, Rc::new(key), Rc::new(value))
}

/// Scans, and compares each row with what it is. Gives how many rows came from packed columns.
fn scan(map: &Map, rows: core::ops::Range<i32>, columns: &[Column], rows_max: usize) -> usize {
    let mut scan = map.scan_ordinals(rows.start as u64..rows.end as u64, Direction::Forward).unwrap();
    let (mut next, mut packed) = (rows.start, 0);
    while let Some(span) = scan.next_columns(columns, rows_max).unwrap() {
        assert!((1..=rows_max).contains(&span.items.len()));
        let is_segment = !span.leaf.is_leaf();
        packed += if is_segment { span.items.len() } else { 0 };
        for column in columns {
            for (item, a) in span.items.clone().zip(next..) {
                let tuple = if column.is_key { span.leaf.key(item) } else { span.leaf.value(item) };
                let field = match is_segment {
                    true => Some(span.leaf.column(*column).get(item)),
                    false => Tuple::new(tuple).field(column.field),
                };
                let expected = match *column {
                    KEY => a.to_le_bytes().to_vec(),
                    INT => (a * 7).to_le_bytes().to_vec(),
                    _ => (i64::from(a) * -3).to_le_bytes().to_vec(),
                };
                assert_eq!(field, Some(&expected[..]).filter(|_| *column != BIGINT || a < WHOLE), "row {a}");
            }
        }
        next += span.items.len() as i32;
    }
    assert_eq!(next, rows.end);
    packed
}

#[test]
fn what_is_scanned_again_is_packed() {
    let map = map(32 << 20);
    assert_eq!(scan(&map, 0..ROWS, &[KEY, INT], 1000), 0);
    assert_eq!(scan(&map, 0..ROWS, &[KEY, INT], 1000), ROWS as usize);
    assert_eq!(scan(&map, 0..ROWS, &[INT], 7), ROWS as usize);
    // Where it is NULL a column is read row by row.
    let whole = scan(&map, 0..ROWS, &[INT, BIGINT], 1000);
    assert!(whole > 0 && whole <= WHOLE as usize, "{whole}");
    assert_eq!(scan(&map, 0..ROWS, &[INT, BIGINT], 1000), whole);
    // Nodes that are read in part are read row by row.
    let part = scan(&map, 5..ROWS - 5, &[INT], 1000);
    assert!(part > 0 && part < ROWS as usize, "{part}");
    assert_eq!(scan(&map, 100..200, &[INT], 1000), 0);
    assert_eq!(scan(&map, 0..ROWS, &[], 1000), 0);
}

#[test]
fn columns_take_a_part_of_the_cache() {
    let map = map(400 << 10);
    for round in 0..4 {
        for columns in [&[KEY][..], &[INT], &[BIGINT, INT]] {
            let packed = scan(&map, 0..ROWS, columns, 1000);
            assert!(packed < ROWS as usize, "round {round}: {packed}");
            let stats = map.nodes.stats();
            assert!(stats.bytes_cached <= 400 << 10, "{stats:?}");
        }
    }
    // Without a cache nothing would end them.
    let map = self::map(0);
    (0..3).for_each(|_| assert_eq!(scan(&map, 0..ROWS, &[INT], 1000), 0));
}
