//! Values to tuples: what stays in them, what goes out, keyless rows, index keys.

mod common;

use std::rc::Rc;

use serde_json::Value as Json;
use store::MemoryChunks;
use tree::tuple::{TupleBuilder, decode};
use tree::{
    AddressFields, Chunker, Encoding, FieldType, IndexField, IndexKey, Kind, Map, Node, NodeStore, Options, Part,
    RowWriter, Source, Tuple, TupleDescriptor, keyless,
};
use value::{SqlType, Value};

/// The types of a table's columns.
fn columns(table: &Json) -> Vec<FieldType> {
    let column = |column: &Json| {
        let encoding = Encoding::from_id(column["enc"].as_u64().unwrap() as u8).unwrap();
        let text = column["type"].as_str().unwrap();
        // The two hidden columns of keyless tables have no type.
        let sql_type = if text.is_empty() { SqlType::BIGINT_UNSIGNED } else { text.parse().unwrap() };
        FieldType::new(encoding, column["nullable"].as_bool().unwrap(), sql_type)
    };
    table["columns"].as_array().unwrap().iter().map(column).collect()
}

fn ordinals(list: &Json) -> Vec<usize> {
    list.as_array().unwrap().iter().map(|ordinal| ordinal.as_u64().unwrap() as usize).collect()
}

/// Writes key and value tuples of a table of a single number as key.
struct Table {
    chunks: Rc<MemoryChunks>,
    value: RowWriter,
    rows: Vec<(i32, Vec<u8>)>,
}

impl Table {
    fn new(table: &Json) -> Table {
        let columns = columns(table);
        let fields = ordinals(&table["value_columns"]).into_iter().map(|ordinal| columns[ordinal].clone());
        let descriptor = Rc::new(TupleDescriptor::new(fields.collect::<Vec<_>>()));
        Table { chunks: Rc::new(MemoryChunks::new()), value: RowWriter::new(descriptor, 2048), rows: Vec::new() }
    }

    fn insert(&mut self, id: i32, values: &[Value<'_>]) {
        let tuple = self.value.write(values, &mut &*self.chunks).unwrap();
        // What was written is read back.
        let nodes = NodeStore::new(self.chunks.clone(), Options::default());
        for (i, (kind, value)) in self.value.descriptor().fields().iter().zip(values).enumerate() {
            let read = decode(&nodes, kind, Tuple::new(&tuple).field(i)).unwrap();
            assert_eq!(format!("{read:?}"), format!("{value:?}"));
        }
        self.rows.push((id, tuple));
    }

    fn root(&self) -> String {
        let addresses = AddressFields::of(self.value.descriptor());
        let mut chunker = Chunker::new(&*self.chunks, Kind::Rows, addresses);
        for (id, value) in &self.rows {
            let key = TupleBuilder::new().push(Some(&id.to_le_bytes())).finish().unwrap();
            chunker.append(&key, value).unwrap();
        }
        chunker.finish().unwrap().address.to_string()
    }
}

fn text(text: &str, times: usize) -> Value<'static> {
    Value::text(text.repeat(times))
}

fn bytes(text: &str, times: usize) -> Value<'static> {
    Value::bytes(text.repeat(times).into_bytes())
}

fn json(text: &str) -> Value<'static> {
    Value::json(value::Json::parse(text).unwrap())
}

#[test]
fn long_values_go_out_of_the_row() {
    let Some(vector) = common::vector("large_values") else { return };
    let mut table = Table::new(&vector["tables"]["t"]);
    let year = Value::Year(2020);
    let null = Value::Null;
    table.insert(1, &[text("a", 2047), null.clone(), null.clone(), null.clone()]);
    table.insert(2, &[text("a", 2048), null.clone(), null.clone(), null.clone()]);
    table.insert(3, &[text("a", 1000), bytes("b", 1045), null.clone(), year.clone()]);
    table.insert(4, &[text("a", 1000), bytes("b", 1046), null.clone(), year.clone()]);
    table.insert(5, &[text("a", 1046), bytes("b", 1046), null.clone(), null.clone()]);
    let long = json(&format!(r#"{{"k":"{}"}}"#, "j".repeat(700)));
    table.insert(6, &[text("a", 700), bytes("b", 700), long, null.clone()]);
    table.insert(7, &[text("a", 2288), bytes("b", 2287), json("[]"), null.clone()]);
    let long = json(&format!("[{}0]", "1,".repeat(3000)));
    table.insert(8, &[text("a", 4000), bytes("b", 4001), long, null.clone()]);
    table.insert(9, &[text("abcdefghij", 80_000), bytes("", 0), null.clone(), null.clone()]);
    let document = json(r#"{"b":1.0,"a":[1e3,-0.5,123456789012345678901234567890,"\u00e9<&>"]}"#);
    table.insert(10, &[text("abcdefg", 200_000), null.clone(), document, null.clone()]);
    table.insert(11, &[text("a", 240), bytes("b", 241), null.clone(), null.clone()]);
    table.insert(12, &[text("é", 1030), null.clone(), null.clone(), null.clone()]);
    table.insert(13, &[text("a", 2030), bytes("0123456789012345678", 1), null.clone(), year]);
    table.insert(14, &[text("a", 2020), bytes("01234567890123456789012345", 1), null.clone(), null]);
    assert_eq!(table.root(), vector["tables"]["t"]["primary"]["root"].as_str().unwrap());
}

#[test]
fn columns_of_both_generations_in_one_row() {
    let Some(vector) = common::vector("mixed_generations") else { return };
    let mut table = Table::new(&vector["tables"]["t"]);
    let null = Value::Null;
    table.insert(1, &[text("aa", 1), bytes("d", 3000), json("[1]"), Value::Int(5), text("c", 4000)]);
    table.insert(2, &[text("", 0), null.clone(), null.clone(), Value::Int(1), text("c", 3000)]);
    table.insert(3, &[text("zz", 1), bytes("d", 1), json("{}"), null.clone(), text("c", 1)]);
    table.insert(4, &[null.clone(), bytes("d", 2100), json("1"), null, text("c", 5000)]);
    assert_eq!(table.root(), vector["tables"]["t"]["primary"]["root"].as_str().unwrap());
}

#[test]
fn rows_that_cannot_be_written_are_refused() {
    let kind = FieldType::new(Encoding::JsonAddr, true, "json".parse().unwrap());
    let chunks = MemoryChunks::new();
    let mut writer = RowWriter::new(Rc::new(TupleDescriptor::new([kind])), 2048);
    let long = json(&format!(r#""{}""#, "x".repeat(600)));
    let refused = writer.write(&[long], &mut &chunks).unwrap_err();
    assert!(matches!(refused.reason(), tree::TreeReason::UnsupportedEncoding { encoding: 24 }));
    assert!(writer.write(&[text("x", 1)], &mut &chunks).is_err());
    assert!(writer.pack(&[Part::Null, Part::Null], &mut &chunks).is_err());
    assert_eq!(writer.pack(&[Part::Null], &mut &chunks).unwrap(), [0, 0]);
}

#[test]
fn hashes_of_keyless_rows_are_dolts() {
    let Some(vector) = common::vector("primitives") else { return };
    for case in vector["keyless_hash"].as_array().unwrap() {
        let value = common::unhex(case["value_tuple"].as_str().unwrap());
        assert_eq!(common::hex(&keyless::key(&value).unwrap()), case["key_tuple"].as_str().unwrap());
    }
    assert!(keyless::key(&[0, 0]).is_err());
}

#[test]
fn copies_of_keyless_rows_are_counted() {
    let Some(vector) = common::vector("keyless") else { return };
    let table = &vector["tables"]["t_keyless"];
    let columns = columns(table);
    let descriptor = |list: &str| {
        let fields = ordinals(&table[list]).into_iter().map(|ordinal| columns[ordinal].clone());
        Rc::new(TupleDescriptor::new(fields.collect::<Vec<_>>()))
    };
    let chunks = Rc::new(MemoryChunks::new());
    let nodes = NodeStore::new(chunks.clone(), Options::default());
    let empty = Chunker::new(&*chunks, Kind::Rows, AddressFields::default()).finish().unwrap();
    let root = nodes.embedded(&empty.message).unwrap();
    let mut map = Map::new(nodes, root, descriptor("key_columns"), descriptor("value_columns"));
    let mut writer = RowWriter::new(map.value.clone(), 2048);
    let mut row = |a: Option<i64>, b: Option<&'static str>| {
        let values = [Value::UInt(1), a.map_or(Value::Null, Value::Int), b.map_or(Value::Null, Value::text)];
        writer.write(&values, &mut &*chunks).unwrap()
    };
    let x = row(Some(1), Some("x"));
    let rows = [
        (x.clone(), 5),
        (row(Some(2), None), 1),
        (row(None, None), 1),
        (row(None, Some("y")), 1),
        (row(None, None), 1),
        (row(Some(3), Some("")), 1),
        (row(Some(9), Some("gone")), 2),
    ];
    let mut apply = |changes: Vec<(Vec<u8>, i64)>| {
        let edits = keyless::edits(&map, changes)?;
        let edits = edits.iter().map(|(key, value)| tree::Edit { key, value: value.as_deref() });
        let root = map.edit(edits, &mut &*chunks)?;
        map = map.with_root(&root)?;
        Ok::<_, tree::TreeError>(root.address.to_string())
    };
    apply(rows.to_vec()).unwrap();
    let root = apply(vec![(x.clone(), -2), (rows[6].0.clone(), -2), (rows[1].0.clone(), 0)]).unwrap();
    assert_eq!(root, table["primary"]["root"].as_str().unwrap());
    assert!(apply(vec![(x, -4)]).is_err(), "three copies");
}

/// Index keys made from the recorded rows of a table give the index that Dolt made.
#[test]
fn secondary_indexes_are_dolts() {
    let mut checked = 0;
    for name in ["secondary", "keyless_secondary", "spatial"] {
        let Some(vector) = common::vector(name) else { return };
        for table in vector["tables"].as_object().unwrap().values() {
            let primary = Node::new(common::unhex(table["primary"]["root_bytes"].as_str().unwrap())).unwrap();
            for index in table["indexes"].as_array().unwrap() {
                assert_eq!(rebuilt(table, index, &primary), index["root"].as_str().unwrap(), "{}", index["name"]);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 15);
}

fn rebuilt(table: &Json, index: &Json, primary: &Node) -> String {
    let columns = columns(table);
    let (keys, values) = (ordinals(&table["key_columns"]), ordinals(&table["value_columns"]));
    let mut wanted = ordinals(&index["keycols"]);
    if columns.iter().any(|column| column.encoding == Encoding::Hash128) {
        wanted.extend(&keys);
    }
    let field = |(i, ordinal): (usize, usize)| {
        let place = |list: &[usize]| list.iter().position(|other| *other == ordinal);
        let source = place(&keys).map(Source::Key).or(place(&values).map(Source::Value)).unwrap();
        let prefix_bytes = index["prefix"].get(i).map_or(0, |length| length.as_u64().unwrap()) as u16;
        IndexField { source, column: columns[ordinal].clone(), prefix_bytes }
    };
    let fields: Vec<_> = wanted.into_iter().enumerate().map(field).collect();
    let mut key = IndexKey::new(fields, index["unique"].as_bool().unwrap(), 2048);
    let chunks = Rc::new(MemoryChunks::new());
    let nodes = NodeStore::new(chunks.clone(), Options::default());
    let mut made: Vec<_> = (0..primary.len())
        .map(|i| {
            let (row_key, row_value) = (Tuple::new(primary.key(i)), Tuple::new(primary.value(i)));
            key.of_row(&nodes, row_key, row_value, &mut &*chunks).unwrap()
        })
        .collect();
    made.sort_by(|left, right| key.descriptor().compare(&nodes, left, right).unwrap());
    let mut chunker = Chunker::new(&*chunks, Kind::Rows, AddressFields::default());
    for key in made {
        chunker.append(&key, tree::tuple::EMPTY).unwrap();
    }
    chunker.finish().unwrap().address.to_string()
}

/// Without a prefix a unique index holds long values as a table does; other indexes put all of them into the key.
#[test]
fn only_unique_indexes_keep_the_columns_encoding() {
    let chunks = Rc::new(MemoryChunks::new());
    let nodes = NodeStore::new(chunks.clone(), Options::default());
    let column = FieldType::new(Encoding::StringAdaptive, true, "text".parse().unwrap());
    let mut row = RowWriter::new(Rc::new(TupleDescriptor::new([column.clone()])), 2048);
    let long = "é".repeat(3000);
    let value = row.write(&[text(&long, 1)], &mut &*chunks).unwrap();
    let stored = Tuple::new(&value).field(0).unwrap();
    assert_eq!(stored.len(), 3 + 20, "out of band");
    for (is_unique, prefix_bytes, encoding, wanted) in [
        (true, 0, Encoding::StringAdaptive, stored.to_vec()),
        (false, 0, Encoding::String, [long.as_bytes(), &[0]].concat()),
        (true, 3, Encoding::String, b"\xc3\xa9\xc3\0".to_vec()),
    ] {
        let field = IndexField { source: Source::Value(0), column: column.clone(), prefix_bytes };
        let mut index = IndexKey::new([field], is_unique, 2048);
        assert_eq!(index.descriptor().fields()[0].encoding, encoding);
        let key = index.of_row(&nodes, Tuple::new(&[0, 0]), Tuple::new(&value), &mut &*chunks).unwrap();
        assert_eq!(Tuple::new(&key).field(0), Some(&wanted[..]), "{is_unique} {prefix_bytes}");
        assert_eq!(index.of_row(&nodes, Tuple::new(&[0, 0]), Tuple::new(&[0, 0]), &mut &*chunks).unwrap(), [0, 0]);
    }
}
