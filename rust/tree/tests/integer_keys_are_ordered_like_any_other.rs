//! Keys of one or two integers have short cuts; they order as the general comparison does.

mod common;

use proptest::prelude::*;
use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{AddressFields, Bound, Chunker, Encoding, FieldType, Kind, Node, Side, TupleDescriptor};
use value::SqlType;

const INTEGERS: [Encoding; 14] = [
    Encoding::Int8,
    Encoding::Uint8,
    Encoding::Int16,
    Encoding::Uint16,
    Encoding::Int32,
    Encoding::Uint32,
    Encoding::Int64,
    Encoding::Uint64,
    Encoding::Bit64,
    Encoding::Date,
    Encoding::Time,
    Encoding::Datetime,
    Encoding::Enum,
    Encoding::Set,
];

fn descriptor(encodings: &[Encoding], nullable: bool) -> TupleDescriptor {
    let field = |encoding: &Encoding| FieldType::new(*encoding, nullable, SqlType::BIGINT);
    TupleDescriptor::new(encodings.iter().map(field).collect::<Vec<_>>())
}

/// A tuple of the lowest bytes of `numbers`; `None` is NULL.
fn tuple(encodings: &[Encoding], numbers: &[Option<u64>]) -> Vec<u8> {
    let mut tuple = TupleBuilder::new();
    for (encoding, number) in encodings.iter().zip(numbers) {
        let bytes = number.map(u64::to_le_bytes);
        tuple.push(bytes.as_ref().map(|bytes| &bytes[..encoding.width().unwrap()]));
    }
    tuple.finish().unwrap()
}

fn number() -> impl Strategy<Value = u64> {
    let edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, i64::MAX as u64, 1 << 63, u64::MAX];
    prop_oneof![prop::sample::select(edges.to_vec()), any::<u64>(), 0..4u64]
}

proptest! {
    #[test]
    fn short_cuts(
        encodings in prop::collection::vec(prop::sample::select(INTEGERS.to_vec()), 1..4),
        rows in prop::collection::vec(prop::collection::vec(number(), 3), 1..60),
        wanted in prop::collection::vec(prop::option::weighted(0.9, number()), 3),
        fields in 1..5usize,
        after in any::<bool>(),
    ) {
        let nodes = common::node_store(MemoryChunks::new());
        let (short, general) = (descriptor(&encodings, false), descriptor(&encodings, true));
        let mut keys: Vec<Vec<u8>> =
            rows.iter().map(|row| tuple(&encodings, &row.iter().copied().map(Some).collect::<Vec<_>>())).collect();
        keys.sort_by(|a, b| general.compare(&nodes, a, b).unwrap());
        keys.dedup();
        for (a, b) in keys.iter().zip(keys.iter().skip(1)) {
            prop_assert!(short.compare(&nodes, a, b).unwrap().is_lt());
            prop_assert!(short.compare(&nodes, b, a).unwrap().is_gt());
            prop_assert!(short.leading(a) <= short.leading(b) && short.leading(a) == general.leading(a));
        }
        let chunks = MemoryChunks::new();
        let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::default());
        keys.iter().for_each(|key| chunker.append(key, &[0, 0]).unwrap());
        let node = Node::new(chunker.finish().unwrap().message).unwrap();
        let key = tuple(&encodings, &wanted);
        for other in &keys {
            let order = general.leading(other).cmp(&general.leading(&key));
            prop_assert!(order.is_eq() || order == general.compare(&nodes, other, &key).unwrap());
        }
        let bound = Bound { key: &key, fields, side: if after { Side::After } else { Side::Before } };
        let before = short.items_before(&nodes, node.keys(), &bound).unwrap();
        prop_assert_eq!(before, general.items_before(&nodes, node.keys(), &bound).unwrap());
        for (i, other) in node.keys().iter().enumerate() {
            let order = general.compare_prefix(&nodes, other, &key, fields).unwrap();
            prop_assert_eq!(order, short.compare_prefix(&nodes, other, &key, fields).unwrap());
            prop_assert_eq!(i < before, order.is_lt() || (order.is_eq() && after));
        }
    }
}

proptest! {
    #[test]
    fn texts_begin_in_their_order(
        texts in prop::collection::vec(prop::option::weighted(0.9, "[\u{0}a-c\u{ff}]{0,12}"), 2..20),
        encoding in prop::sample::select(vec![Encoding::String, Encoding::Bytes, Encoding::Hash128]),
    ) {
        let nodes = common::node_store(MemoryChunks::new());
        let descriptor = TupleDescriptor::new([FieldType::new(encoding, true, SqlType::BIGINT)]);
        let tuple = |text: &Option<String>| {
            let mut tuple = TupleBuilder::new();
            let mut payload = text.as_ref().map(|text| [text.as_bytes(), &[0]].concat());
            if let (Encoding::Hash128, Some(payload)) = (encoding, &mut payload) {
                payload.resize(16, 0);
            }
            tuple.push(payload.as_deref());
            tuple.finish().unwrap()
        };
        for pair in texts.windows(2) {
            let (a, b) = (tuple(&pair[0]), tuple(&pair[1]));
            let order = descriptor.leading(&a).cmp(&descriptor.leading(&b));
            prop_assert!(order.is_eq() || order == descriptor.compare(&nodes, &a, &b).unwrap(), "{:?}", pair);
        }
    }
}
