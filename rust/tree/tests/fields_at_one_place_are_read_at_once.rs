//! Fields that lie at the same place in all items of a node read the same at once, from a list, and one by one.

use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{AddressFields, Chunker, Kind, Node, Tuple};

/// A leaf of `rows` rows `(bigint) -> (int, bigint, varchar)`; text of row `a` has `length(a)` bytes, the bigint is NULL where
/// `is_null(a)`.
fn leaf(rows: i64, length: impl Fn(i64) -> usize, is_null: impl Fn(i64) -> bool) -> Node {
    let chunks = MemoryChunks::new();
    let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::default());
    for a in 0..rows {
        let key = TupleBuilder::new().push(Some(&a.to_le_bytes())).finish().unwrap();
        let (int, big, text) = ((a as i32 * 7).to_le_bytes(), (a * -3).to_le_bytes(), vec![b'x'; length(a)]);
        let big = Some(&big[..]).filter(|_| !is_null(a));
        let value = TupleBuilder::new().push(Some(&int)).push(big).push(Some(&text)).finish().unwrap();
        chunker.append(&key, &value).unwrap();
    }
    let leaf = Node::new(chunker.finish().unwrap().message).unwrap();
    assert!(leaf.is_leaf());
    leaf
}

/// The field of the items, one by one.
fn each<const N: usize>(leaf: &Node, field: usize, items: impl Iterator<Item = usize>) -> Vec<[u8; N]> {
    items.map(|item| Tuple::new(leaf.value(item)).field(field).unwrap().try_into().unwrap()).collect()
}

#[test]
fn even_items() {
    let leaf = leaf(50, |_| 5, |_| false);
    let values = leaf.values();
    for range in [0..50, 0..1, 49..50, 10..30, 20..20] {
        assert_eq!(
            values.fixed_field::<4>(0, range.clone()).unwrap().collect::<Vec<_>>(),
            each(&leaf, 0, range.clone())
        );
        assert_eq!(values.fixed_field::<8>(1, range.clone()).unwrap().collect::<Vec<_>>(), each(&leaf, 1, range));
    }
    let list = [49, 0, 7, 7, 8];
    let items = || list.iter().map(|&item| item as usize);
    assert_eq!(values.fixed_field_of::<4>(0, &list).unwrap().collect::<Vec<_>>(), each(&leaf, 0, items()));
    assert_eq!(values.fixed_field_of::<8>(1, &list).unwrap().collect::<Vec<_>>(), each(&leaf, 1, items()));
    // Items that are not there are zeros, a range of them is refused; so are other widths and fields.
    assert_eq!(values.fixed_field_of::<8>(1, &[50, u32::MAX >> 8]).unwrap().collect::<Vec<_>>(), [[0; 8]; 2]);
    assert!(values.fixed_field::<8>(1, 0..51).is_none());
    assert!(values.fixed_field::<4>(1, 0..50).is_none() && values.fixed_field_of::<4>(1, &list).is_none());
    assert!(values.fixed_field::<8>(3, 0..50).is_none());
}

#[test]
fn items_that_differ_are_asked_one_by_one() {
    for leaf in [leaf(50, |a| 5 + a as usize % 3, |_| false), leaf(50, |_| 5, |a| a == 17)] {
        assert!(leaf.values().fixed_field::<4>(0, 0..50).is_none());
        assert!(leaf.values().fixed_field_of::<4>(0, &[3]).is_none());
    }
    // NULL in all: at the same place, but of no width.
    let nulls = leaf(50, |_| 5, |_| true);
    assert!(nulls.values().fixed_field::<8>(1, 0..50).is_none());
    assert_eq!(nulls.values().fixed_field::<4>(0, 3..5).unwrap().collect::<Vec<_>>(), each(&nulls, 0, 3..5));
}
