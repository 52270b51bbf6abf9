//! TEXT, BLOB, JSON and geometry outside the tuple, adaptive and from before, written by native Dolt for this test.

mod common;

use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;

use codec::Address;
use serde_json::Value as Json;
use tree::message::root_value::RootValue;
use tree::message::schema::Schema;
use tree::message::table::Table;
use tree::message::working_set::WorkingSet;
use tree::tuple::decode;
use tree::{AddressMap, Direction, Encoding, FieldType, Map, NodeStore, Options, Stored, TupleDescriptor};
use value::{SqlType, Value};

/// Runs the statements of a vector in a new database.
fn make(name: &str, vector: &Json) -> Option<PathBuf> {
    let dolt = native_dolt::binary()?;
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long_values").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    let home = directory.join("home");
    let directory = directory.join("database");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::create_dir_all(&home).unwrap();
    let run = |arguments: &[&str], environment: &Json| {
        let mut command = Command::new(&dolt);
        command.current_dir(&directory).env("DOLT_ROOT_PATH", &home).args(arguments);
        for (key, value) in environment.as_object().into_iter().flatten() {
            command.env(key, value.as_str().unwrap());
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["init", "--name", "varve", "--email", "varve@example.com"], &Json::Null);
    for statement in vector["sql"].as_array().or(vector["statements"].as_array()).unwrap() {
        let sql = statement.as_str().or(statement["sql"].as_str()).unwrap();
        let environment =
            if vector["environment"].is_object() { &vector["environment"] } else { &statement["environment"] };
        run(&["sql", "-q", sql], environment);
    }
    Some(directory)
}

/// The rows of table `t` in the working set of main, and the types of their values.
fn open(nodes: &Rc<NodeStore>, vector: &Json) -> Map {
    let embedded = |message: &[u8]| AddressMap::embedded(nodes.clone(), message).unwrap();
    let root = nodes.message(&nodes.chunks().root()).unwrap();
    let refs = embedded(tree::message::store_root::StoreRoot::decode(&root).unwrap().datasets);
    let set = refs.get(b"workingSets/heads/main").unwrap().unwrap();
    let set = WorkingSet::decode(&nodes.message(&set).unwrap()).unwrap();
    let root = nodes.message(&set.working).unwrap();
    let root = RootValue::decode(&root).unwrap();
    let address = embedded(root.tables).get(b"t").unwrap().unwrap();
    assert_eq!(address.to_string(), vector["tables"]["t"]["dolt_hashof_table"].as_str().unwrap());
    let table = nodes.message(&address).unwrap();
    let table = Table::decode(&table).unwrap();
    let schema = Schema::decode(&nodes.message(&table.schema).unwrap()).unwrap();
    let field = |ordinal: &u16| {
        let column = &schema.columns[usize::from(*ordinal)];
        let sql_type: SqlType = column.sql_type.parse().unwrap();
        FieldType::new(Encoding::from_id(column.encoding).unwrap(), column.is_nullable, sql_type)
    };
    let descriptor = |ordinals: &[u16]| Rc::new(TupleDescriptor::new(ordinals.iter().map(field).collect::<Vec<_>>()));
    let rows = nodes.embedded(table.primary_index).unwrap();
    Map::new(
        nodes.clone(),
        rows,
        descriptor(&schema.clustered_index.key_columns),
        descriptor(&schema.clustered_index.value_columns),
    )
}

/// The map of a vector's table, made anew by native Dolt.
fn vector_map(name: &str) -> Option<(Json, Map)> {
    let vector = common::vector(name)?;
    let directory = make(name, &vector)?;
    let nodes = NodeStore::new(Rc::new(common::chunk_store(&directory)), Options::default());
    let map = open(&nodes, &vector);
    Some((vector, map))
}

fn values(map: &Map) -> Vec<Vec<Value<'static>>> {
    let mut rows = Vec::new();
    let mut scan = map.scan(None, None, Direction::Forward).unwrap();
    while let Some(span) = scan.next_span(usize::MAX).unwrap() {
        for i in span.items {
            let tuple = tree::Tuple::new(span.leaf.value(i));
            let fields = map.value.fields().iter().enumerate();
            rows.push(fields.map(|(i, kind)| decode(&map.nodes, kind, tuple.field(i)).unwrap().into_owned()).collect());
        }
    }
    rows
}

fn payload(value: &Value<'_>) -> Vec<u8> {
    match value {
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bytes(bytes) | Value::Geometry(bytes) => bytes.to_vec(),
        Value::Json(json) => json.canonical().into_bytes(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn adaptive_values() {
    let Some((vector, map)) = vector_map("large_values") else { return };
    let rows = values(&map);
    assert_eq!(payload(&rows[8][0]), "abcdefghij".repeat(80_000).into_bytes());
    assert_eq!(payload(&rows[9][0]), "abcdefg".repeat(200_000).into_bytes());
    assert_eq!(payload(&rows[7][2]), format!("[{}0]", "1,".repeat(3000)).into_bytes());
    assert_eq!(payload(&rows[11][0]), "é".repeat(1030).into_bytes());
    let mut compared = 0;
    for (row, stored) in rows.iter().zip(vector["tables"]["t"]["stored_fields"].as_array().unwrap()) {
        for (value, stored) in row.iter().zip(stored["fields"].as_array().unwrap()) {
            match stored["length"].as_u64() {
                Some(length) => assert_eq!(payload(value).len() as u64, length),
                None => assert!(value.is_null() || matches!(value, Value::Year(2020)), "{value:?} {stored}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 14 * 4);
}

#[test]
fn values_from_before_adaptive_encodings() {
    let Some((vector, map)) = vector_map("legacy_addr") else { return };
    let rows = values(&map);
    assert_eq!(payload(&rows[0][0]), br#"{"a":[true,null,"x"],"b":1}"#);
    assert_eq!(payload(&rows[0][1]), b"hello");
    assert_eq!(payload(&rows[0][2]), b"");
    assert_eq!(payload(&rows[0][3]).len(), 25);
    assert_eq!(payload(&rows[2][1]), "ab".repeat(3000).into_bytes());
    assert_eq!(payload(&rows[2][2]), "cd".repeat(2001).into_bytes());
    for (i, stored) in vector["tables"]["t"]["stored_fields"].as_array().unwrap().iter().enumerate() {
        let item = map.item(i as u64).unwrap().unwrap();
        let stored_json = Stored::of(Encoding::JsonAddr, item.value_tuple().field(0).unwrap()).unwrap();
        let text = stored_json.read(&map.nodes).unwrap();
        assert_eq!(text.len() as u64, stored["j"]["text_length"].as_u64().unwrap());
        let digest = common::hex(Address::of(&text).as_bytes());
        assert_eq!(digest, stored["j"]["text_sha512_20"].as_str().unwrap());
    }
}

#[test]
fn both_in_one_table() {
    let Some((_, map)) = vector_map("mixed_generations") else { return };
    let rows = values(&map);
    let column = |name: &str| ["a", "d", "b", "x", "c"].iter().position(|other| *other == name).unwrap();
    assert_eq!(payload(&rows[0][column("d")]), "d".repeat(3000).into_bytes());
    assert_eq!(payload(&rows[0][column("b")]), b"[1]");
    assert_eq!(payload(&rows[1][column("a")]), b"");
    assert_eq!(payload(&rows[3][column("c")]), "c".repeat(5000).into_bytes());
}
