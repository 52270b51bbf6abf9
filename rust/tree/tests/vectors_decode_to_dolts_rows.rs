//! Nodes recorded from Dolt: their tuples, values and order are those that Dolt gives, and their bytes can be written again.

mod common;

use std::rc::Rc;

use serde_json::{Value as Json, json};
use store::MemoryChunks;
use tree::tuple::decode;
use tree::{Encoding, FieldType, Kind, Node, NodeStore, Tuple, TupleDescriptor};
use value::{SqlType, Value};

#[test]
fn every_node_is_written_again_byte_for_byte() {
    let messages = common::nodes();
    for message in &messages {
        let node = Node::new(message.clone()).unwrap();
        assert_eq!(common::hex(&common::rewritten(&node)), common::hex(message));
    }
    assert!(messages.is_empty() || messages.len() >= 85, "only {} nodes", messages.len());
}

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

fn assert_fields(tuple: Tuple<'_>, fields: &Json) {
    for (i, field) in fields.as_array().unwrap().iter().enumerate() {
        match field.as_str() {
            None => assert_eq!(tuple.field(i), None),
            Some(text) if text.contains('…') => {
                let bytes = tuple.field(i).unwrap();
                assert!(text.starts_with(&common::hex(&bytes[..32])));
                assert!(text.contains(&format!("({} bytes", bytes.len())));
            }
            Some(text) => assert_eq!(common::hex(tuple.field(i).unwrap()), text),
        }
    }
    let stored = fields.as_array().unwrap().iter().rposition(|field| !field.is_null()).map_or(0, |last| last + 1);
    assert_eq!(tuple.stored_fields(), stored);
}

fn root_node(tree: &Json) -> Node {
    let node = Node::new(common::unhex(tree["root_bytes"].as_str().unwrap())).unwrap();
    assert_eq!(node.address().to_string(), tree["root"].as_str().unwrap());
    assert_eq!(node.level() as u64, tree["level"].as_u64().unwrap());
    assert_eq!(node.tree_count(), tree["count"].as_u64().unwrap());
    node
}

/// What Dolt's command line prints for a value as JSON.
fn printed(value: &Value<'_>, kind: &SqlType) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => json!(number),
        Value::UInt(number) | Value::Bit(number) => json!(number),
        Value::Float(number) => json!(number.to_string().parse::<f64>().unwrap()),
        Value::Double(number) => json!(number),
        Value::Decimal(number) => json!(number.to_string()),
        Value::Text(text) => json!(text),
        Value::Bytes(bytes) => json!(common::hex(bytes)),
        Value::Date(date) => json!(date.to_string()),
        Value::DateTime(moment) => match kind {
            SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => json!(moment.text(*decimals)),
            _ => panic!("{kind} holds a date and time"),
        },
        Value::Time(time) => json!(time.microseconds()),
        Value::Year(year) => json!(year),
        Value::Enum(member) => json!(member.text()),
        Value::Set(members) => json!(members.text()),
        Value::Json(document) => serde_json::from_str(&document.canonical()).unwrap(),
        Value::Geometry(bytes) => geometry(&mut &bytes[4..], u32::from_le_bytes(bytes[..4].try_into().unwrap())),
    }
}

/// A shape in WKB as Dolt prints it.
fn geometry(wkb: &mut &[u8], srid: u32) -> Json {
    assert_eq!(wkb[0], 1);
    *wkb = &wkb[1..];
    let kind = number(wkb);
    match kind {
        1 => point(wkb, srid),
        2 => json!({ "SRID": srid, "Points": list(wkb, |wkb| point(wkb, srid)) }),
        3 => {
            let line = |wkb: &mut &[u8]| json!({ "SRID": srid, "Points": list(wkb, |wkb| point(wkb, srid)) });
            json!({ "SRID": srid, "Lines": list(wkb, line) })
        }
        4..=7 => {
            let name = ["Points", "Lines", "Polygons", "Geoms"][kind as usize - 4];
            json!({ "SRID": srid, name: list(wkb, |wkb| geometry(wkb, srid)) })
        }
        _ => panic!("no such shape: {kind}"),
    }
}

fn list(wkb: &mut &[u8], item: impl Fn(&mut &[u8]) -> Json) -> Vec<Json> {
    (0..number(wkb)).map(|_| item(wkb)).collect()
}

fn point(wkb: &mut &[u8], srid: u32) -> Json {
    let mut coordinate = || {
        let (bytes, rest) = wkb.split_first_chunk::<8>().unwrap();
        *wkb = rest;
        f64::from_le_bytes(*bytes)
    };
    json!({ "SRID": srid, "X": coordinate(), "Y": coordinate() })
}

fn number(wkb: &mut &[u8]) -> u32 {
    let (bytes, rest) = wkb.split_first_chunk::<4>().unwrap();
    *wkb = rest;
    u32::from_le_bytes(*bytes)
}

/// Integers and floats that are equal are the same number.
fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

#[test]
fn tables_of_one_leaf() {
    let nodes = common::node_store(MemoryChunks::new());
    let (mut tables, mut rows_compared) = (0, 0);
    for name in common::TABLES {
        let Some(vector) = common::vector(name) else { return };
        for (table_name, table) in vector["tables"].as_object().unwrap() {
            let root = root_node(&table["primary"]);
            let Some(tuples) = table["tuples"].as_array() else { continue };
            let columns = columns(table);
            let (keys, values) = (ordinals(&table["key_columns"]), ordinals(&table["value_columns"]));
            assert_eq!(root.len(), tuples.len());
            let mut rows = Vec::new();
            for (i, tuple) in tuples.iter().enumerate() {
                let (key, value) = (Tuple::new(root.key(i)), Tuple::new(root.value(i)));
                assert_fields(key, &tuple["key"]);
                assert_fields(value, &tuple["value"]);
                let mut row = serde_json::Map::new();
                let fields = keys.iter().enumerate().map(|(i, ordinal)| (*ordinal, key.field(i)));
                let mut copies = 1;
                for (ordinal, field) in fields.chain(values.iter().enumerate().map(|(i, o)| (*o, value.field(i)))) {
                    let column = &table["columns"][ordinal]["name"];
                    match column.as_str().unwrap() {
                        "keyless_hash_id" => {}
                        "keyless_cardinality" => {
                            copies = u64::from_le_bytes(field.unwrap().try_into().unwrap());
                        }
                        column => {
                            if field.is_some() && table["rows"].is_array() {
                                row.insert(
                                    column.into(),
                                    printed(
                                        &decode(&nodes, &columns[ordinal], field).unwrap(),
                                        &columns[ordinal].sql_type,
                                    ),
                                );
                            }
                        }
                    }
                }
                rows.extend((0..copies).map(|_| Json::Object(row.clone())));
            }
            if let Some(expected) = table["rows"].as_array() {
                assert_eq!(rows.len(), expected.len(), "{name}.{table_name}");
                for row in &rows {
                    assert!(expected.iter().any(|other| same(row, other)), "{name}.{table_name}: {row}");
                }
                rows_compared += rows.len();
            }
            tables += 1;
        }
    }
    assert!(tables >= 12, "only {tables} tables");
    assert!(rows_compared >= 60, "only {rows_compared} rows");
}

/// Checks that keys rise under their descriptor, when the collations of its text are known here.
fn assert_rising(nodes: &NodeStore, descriptor: &TupleDescriptor, node: &Node) -> usize {
    let known = descriptor.fields().iter().all(|field| field.sql_type.collation().is_none_or(|it| it.ready().is_ok()));
    let vectors =
        descriptor.fields().iter().any(|field| matches!(field.sql_type, SqlType::Vector { .. } | SqlType::Json));
    if !known || vectors {
        return 0;
    }
    for i in 1..node.len() {
        let order = descriptor.compare(nodes, node.key(i - 1), node.key(i)).unwrap();
        assert!(order.is_lt(), "{:?}", (common::hex(node.key(i - 1)), common::hex(node.key(i))));
    }
    node.len()
}

/// The fields of an index's keys (docs/format/tree.md, sections 6.2 and 8.1).
fn index_key(table: &Json, index: &Json) -> Rc<TupleDescriptor> {
    let columns = columns(table);
    let mut fields: Vec<FieldType> = Vec::new();
    for (i, ordinal) in ordinals(&index["keycols"]).into_iter().enumerate() {
        let mut field = columns[ordinal].clone();
        let has_prefix = index["prefix"].get(i).is_some_and(|length| length.as_u64() != Some(0));
        field.nullable = true;
        if index["unique"] != json!(true) || has_prefix {
            field.encoding = match field.encoding {
                Encoding::StringAdaptive | Encoding::StringAddr => Encoding::String,
                Encoding::BytesAdaptive | Encoding::BytesAddr if index["vector"] != json!(true) => Encoding::Bytes,
                Encoding::GeomAdaptive | Encoding::GeomAddr => Encoding::Cell,
                encoding => encoding,
            };
        }
        fields.push(field);
    }
    if table["columns"].as_array().unwrap().iter().any(|column| column["name"] == "keyless_hash_id") {
        fields.push(FieldType::new(Encoding::Hash128, false, SqlType::Binary { length: 16 }));
    }
    Rc::new(TupleDescriptor::new(fields))
}

#[test]
fn secondary_indexes_and_inner_nodes() {
    let nodes = common::node_store(MemoryChunks::new());
    let (mut indexes, mut compared) = (0, 0);
    for name in common::TABLES {
        let Some(vector) = common::vector(name) else { return };
        for table in vector["tables"].as_object().unwrap().values() {
            let columns = columns(table);
            let key = ordinals(&table["key_columns"]).into_iter().map(|ordinal| columns[ordinal].clone());
            let key = Rc::new(TupleDescriptor::new(key.collect::<Vec<_>>()));
            let primary = (&table["primary"], key);
            let secondary = table["indexes"].as_array().into_iter().flatten();
            for (tree, key) in secondary.map(|index| (index, index_key(table, index))).chain([primary]) {
                let root = root_node(tree);
                compared += assert_rising(&nodes, &key, &root);
                for (i, expected) in tree["keys"].as_array().into_iter().flatten().enumerate() {
                    assert_fields(Tuple::new(root.key(i)), expected);
                }
                let Some(children) = tree["root_children"].as_array() else {
                    assert!(root.is_leaf());
                    indexes += 1;
                    continue;
                };
                assert_eq!(root.len(), children.len());
                for (i, child) in children.iter().enumerate() {
                    assert_eq!(root.child_address(i).unwrap().to_string(), child["address"].as_str().unwrap());
                    assert_eq!(root.subtree_count(i), child["subtree_count"].as_u64().unwrap());
                    assert!(child["last_key"].as_str().unwrap().starts_with(&common::hex(root.key(i))[..8]));
                }
                let leaf = Node::new(common::unhex(tree["first_leaf"]["bytes"].as_str().unwrap())).unwrap();
                assert_eq!(leaf.len() as u64, tree["first_leaf"]["count"].as_u64().unwrap());
                assert_eq!(leaf.address().to_string(), tree["first_leaf"]["address"].as_str().unwrap());
                compared += assert_rising(&nodes, &key, &leaf);
                indexes += 1;
            }
        }
    }
    assert!(indexes >= 45, "only {indexes} trees");
    assert!(compared > 1_500, "only {compared} keys");
}

#[test]
fn kinds_of_nodes() {
    let kinds: std::collections::BTreeSet<_> =
        common::nodes().iter().map(|message| Kind::of(message).unwrap().unwrap().name()).collect();
    assert!(kinds.is_empty() || kinds.len() == Kind::ALL.len(), "{kinds:?}");
}
