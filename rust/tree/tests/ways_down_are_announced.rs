//! Look-ups that go down a tree together tell the store of each level what all of them will read.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use store::{Chunks, MemoryChunks, StoreError};
use tree::tuple::TupleBuilder;
use tree::{
    AddressFields, Bound, Chunker, Direction, Encoding, FieldType, KeyList, Kind, Map, NodeStore, Options, Sides,
    TupleDescriptor,
};
use value::SqlType;

/// Records announcements and reads.
struct Noting {
    chunks: MemoryChunks,
    announced: RefCell<Vec<Vec<Address>>>,
    read: RefCell<Vec<Address>>,
}

impl Chunks for Noting {
    fn root(&self) -> Address {
        self.chunks.root()
    }
    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.read.borrow_mut().push(*address);
        self.chunks.read(address)
    }
    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        self.chunks.read_many(addresses, each)
    }
    fn will_need(&self, addresses: &[Address]) {
        self.announced.borrow_mut().push(addresses.to_vec());
    }
    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        self.chunks.contains(address)
    }
}

const ROWS: i32 = 60_000;

fn key(number: i32) -> Vec<u8> {
    TupleBuilder::new().push(Some(&number.to_le_bytes())).finish().unwrap()
}

/// A tree of three levels of which nothing but the root was read.
fn cold_map() -> (Rc<Noting>, Map) {
    let chunks = MemoryChunks::new();
    let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::default());
    for number in 0..ROWS {
        let value = TupleBuilder::new().push(Some(format!("row number {number}\0").as_bytes())).finish().unwrap();
        chunker.append(&key(number), &value).unwrap();
    }
    let root = chunker.finish().unwrap();
    let noting = Rc::new(Noting { chunks, announced: RefCell::default(), read: RefCell::default() });
    let nodes = NodeStore::new(noting.clone(), Options::default());
    let keys = TupleDescriptor::new([FieldType::new(Encoding::Int32, false, SqlType::INT)]);
    let values = TupleDescriptor::new([FieldType::new(Encoding::String, false, SqlType::varchar(100))]);
    let map = Map::new(nodes.clone(), nodes.embedded(&root.message).unwrap(), Rc::new(keys), Rc::new(values));
    assert_eq!(map.root.level(), 2);
    (noting, map)
}

/// Each level was announced once, and nothing was read that was not.
fn check(noting: &Noting) {
    let announced = noting.announced.borrow();
    assert_eq!(announced.len(), 2);
    let read = noting.read.borrow();
    assert!(read.len() > 40 && read.iter().all(|address| announced.concat().contains(address)));
}

#[test]
fn keys() {
    let (noting, map) = cold_map();
    let mut keys = KeyList::default();
    (0..60).for_each(|nth| keys.push(&key(nth * 7919 % ROWS)));
    let mut found = 0;
    map.get_all(&keys, 0..keys.len(), |item| found += usize::from(item.is_some())).unwrap();
    assert_eq!(found, 60);
    check(&noting);
}

#[test]
fn ranges() {
    let (noting, map) = cold_map();
    let keys: Vec<_> = (0..60).map(|nth| key(nth * 7919 % ROWS)).collect();
    let around = |key| -> Sides<'_> { (Some(Bound::before(key, 1)), Some(Bound::after(key, 1))) };
    let ranges: Vec<_> = keys.iter().map(|key| around(key)).collect();
    let scans = map.scan_all(&ranges, Direction::Forward).unwrap();
    assert!(scans.iter().all(|scan| scan.remaining() == 1));
    check(&noting);
}
