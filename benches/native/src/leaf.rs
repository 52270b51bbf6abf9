//! A leaf of about 4 KiB, `(bigint, bigint) -> (bigint, bigint)`: the node that Dolt measures formats with.
//!
//! Each function is one operation of the bench, with numbers in and out, so that the same work runs natively and in wasm.

use std::rc::Rc;

use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{AddressFields, Chunker, Encoding, FieldType, Items, Kind, Map, NodeStore, Options, Tuple, TupleDescriptor};
use value::SqlType;

/// Rows that make a message of just under 4 KiB.
pub const ROWS: i64 = 89;

/// The tree of one leaf, and a key that it does not have for every gap.
pub struct Leaf {
    map: Map,
    missing: Vec<Vec<u8>>,
}

fn tuple(a: i64, b: i64) -> Vec<u8> {
    let mut tuple = TupleBuilder::new();
    tuple.push(Some(&a.to_le_bytes())).push(Some(&b.to_le_bytes()));
    tuple.finish().unwrap_or_default()
}

impl Leaf {
    /// Keys are `(i * 10, i)`, values `(i, -i)`.
    pub fn new() -> Leaf {
        let chunks = MemoryChunks::new();
        let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::default());
        for i in 0..ROWS {
            let added = chunker.append(&tuple(i * 10, i), &tuple(i, -i));
            assert!(added.is_ok());
        }
        let root = chunker.finish().unwrap_or_else(|error| panic!("{error}"));
        let nodes = NodeStore::new(Rc::new(chunks), Options::default());
        let node = nodes.node(&root.address).unwrap_or_else(|error| panic!("{error}"));
        assert!(node.is_leaf() && (3_800..=4_096).contains(&node.bytes().len()), "{} bytes", node.bytes().len());
        let fields = |nullable| {
            let field = FieldType::new(Encoding::Int64, nullable, SqlType::BIGINT);
            Rc::new(TupleDescriptor::new([field.clone(), field]))
        };
        let map = Map::new(nodes, node, fields(false), fields(true));
        Leaf { map, missing: (0..ROWS).map(|i| tuple(i * 10 + 5, i)).collect() }
    }

    /// Bytes of the leaf's message.
    pub fn message(&self) -> &[u8] {
        self.map.root.bytes()
    }

    /// Reads all four columns of all rows in place, column by column.
    pub fn scan(&self) -> i64 {
        let column = |items: Items<'_>, field| {
            let numbers = items.fixed_field(field, 0..items.len()).into_iter().flatten();
            numbers.map(i64::from_le_bytes).fold(0, i64::wrapping_add)
        };
        let (keys, values) = (self.map.root.keys(), self.map.root.values());
        column(keys, 0) + column(keys, 1) + column(values, 0) + column(values, 1)
    }

    /// Reads all four columns of all rows in place, row by row, each field found by its tuple's offsets.
    pub fn scan_by_rows(&self) -> i64 {
        let (keys, values) = (self.map.root.keys(), self.map.root.values());
        let number =
            |tuple: Tuple<'_>, i| tuple.field(i).and_then(|field| field.try_into().ok()).map_or(0, i64::from_le_bytes);
        let row = |i| {
            let (key, value) = (Tuple::new(keys.get(i)), Tuple::new(values.get(i)));
            number(key, 0) + number(key, 1) + number(value, 0) + number(value, 1)
        };
        (0..keys.len()).map(row).sum()
    }

    /// What a reader without in-place access does first: every row to a vector of its own. Then the same sum.
    pub fn decode_to_owned(&self) -> i64 {
        let (keys, values) = (self.map.root.keys(), self.map.root.values());
        let number = |field: Option<&[u8]>| field.and_then(|field| field.try_into().ok()).map_or(0, i64::from_le_bytes);
        let row = |i| {
            let fields = Tuple::new(keys.get(i)).fields().chain(Tuple::new(values.get(i)).fields());
            fields.map(number).collect()
        };
        let rows: Vec<Vec<i64>> = (0..keys.len()).map(row).collect();
        core::hint::black_box(&rows).iter().flatten().sum()
    }

    /// Looks a key up that lies behind row `i` and is not there. True would be a bug.
    pub fn lookup_missing(&self, i: usize) -> bool {
        self.missing.get(i).is_some_and(|key| self.map.get(key).is_ok_and(|item| item.is_some()))
    }

    /// The first key column of row `i`, counted from the start of the map.
    pub fn ordinal(&self, i: u64) -> i64 {
        let item = self.map.item(i).ok().flatten();
        let number = |field: &[u8]| field.try_into().ok().map(i64::from_le_bytes);
        item.and_then(|item| item.key_tuple().field(0).and_then(number)).unwrap_or(-1)
    }

    /// What all scans return.
    pub fn sum() -> i64 {
        (0..ROWS).map(|i| i * 11).sum()
    }
}

impl Default for Leaf {
    fn default() -> Leaf {
        Leaf::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_reads_the_same() {
        let leaf = Leaf::new();
        assert_eq!([leaf.scan(), leaf.scan_by_rows(), leaf.decode_to_owned()], [Leaf::sum(); 3]);
        assert!((0..ROWS as usize).all(|i| !leaf.lookup_missing(i)));
        assert_eq!(leaf.ordinal(7), 70);
        assert_eq!(leaf.ordinal(ROWS as u64), -1);
    }
}
