//! Schemas, row layouts and index layouts of every recorded table.

mod common;

use codec::Address;
use serde_json::Value;
use tree::message::{schema, table};
use vcs::{Place, Schema, SchemaBuilder};

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// The recorded tables: vector, name, content.
fn recorded() -> Vec<(String, Value)> {
    let Some(shared) = native_dolt::fixtures::shared() else { return Vec::new() };
    let mut tables = Vec::new();
    for entry in std::fs::read_dir(shared.join("format/vectors/tree")).unwrap() {
        let path = entry.unwrap().path();
        let vector: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (name, table) in vector.get("tables").and_then(Value::as_object).into_iter().flatten() {
            tables.push((format!("{} {name}", path.file_stem().unwrap().display()), table.clone()));
        }
    }
    assert!(tables.len() > 15);
    tables
}

#[test]
fn columns_keys_and_indexes() {
    for (at, recorded) in recorded() {
        let address: Address = recorded["schema_address"].as_str().unwrap().parse().unwrap();
        let message = unhex(recorded["schema_bytes"].as_str().unwrap());
        let decoded = schema::Schema::decode(&message).unwrap();
        assert_eq!(decoded.encode().unwrap(), message, "{at}");
        let schema = Schema::from_message(address, decoded.clone()).unwrap();
        assert_eq!(SchemaBuilder::from(&schema).message(), decoded, "{at}");
        let wanted = recorded["columns"].as_array().unwrap();
        // Hidden columns of tables without primary key are not among the schema's.
        let wanted: Vec<&Value> = wanted.iter().take(schema.columns.len()).collect();
        for (column, wanted) in schema.columns.iter().zip(&wanted) {
            assert_eq!(wanted["name"], *column.name, "{at}");
            assert_eq!(wanted["type"], *column.type_text, "{at}");
            assert_eq!(wanted["type"], column.sql_type.to_string(), "{at}");
            assert_eq!(wanted["enc"], column.encoding.id(), "{at}");
            assert_eq!(wanted["tag"], column.tag, "{at}");
            assert_eq!(wanted["pk"], column.is_primary_key, "{at}");
            assert_eq!(wanted["nullable"], column.is_nullable, "{at}");
            assert_eq!(wanted["virtual"], column.is_virtual(), "{at}");
        }
        let placed = |wanted: fn(usize) -> Place, fields: usize| -> Vec<Option<usize>> {
            let column = |field| schema.columns.iter().position(|column| column.place == wanted(field));
            (0..fields).map(column).collect()
        };
        let hidden = schema.columns.len();
        let ordinals = |name: &str| -> Vec<usize> {
            recorded[name].as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize).collect()
        };
        let visible = |ordinals: Vec<usize>| -> Vec<Option<usize>> {
            ordinals.into_iter().map(|at| Some(at).filter(|at| *at < hidden)).collect()
        };
        assert_eq!(placed(Place::Key, schema.key.len()), visible(ordinals("key_columns")), "{at}");
        assert_eq!(placed(Place::Value, schema.value.len()), visible(ordinals("value_columns")), "{at}");
        assert_eq!(schema.is_keyless(), ordinals("key_columns") == [hidden], "{at}");

        let indexes = recorded["indexes"].as_array().map(Vec::as_slice).unwrap_or_default();
        assert_eq!(schema.indexes.len(), indexes.len(), "{at}");
        for wanted in indexes {
            let index = schema.index(wanted["name"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::json!(index.columns), wanted["cols"], "{at}");
            let named: Vec<usize> = index.fields.iter().filter_map(|field| field.column).collect();
            assert_eq!(serde_json::json!(named), wanted["keycols"], "{at}");
            assert_eq!(wanted["unique"], index.is_unique, "{at}");
            assert_eq!(wanted["spatial"], index.is_spatial, "{at}");
            assert_eq!(wanted["fulltext"], index.fulltext.is_some(), "{at}");
            assert_eq!(wanted["vector"], index.vector.is_some(), "{at}");
            assert_eq!(index.fields.len(), index.key.len(), "{at}");
        }
    }
}

#[test]
fn tables_are_rebuilt() {
    let recorded = recorded();
    // Large tables are recorded without their bytes.
    for (at, recorded) in recorded.iter().filter(|(_, recorded)| recorded["table_bytes"].is_string()) {
        let message = unhex(recorded["table_bytes"].as_str().unwrap());
        let decoded = table::Table::decode(&message).unwrap();
        assert_eq!(decoded.schema.to_string(), recorded["schema_address"].as_str().unwrap());
        let rebuilt = decoded.encode().unwrap();
        assert_eq!(rebuilt, message, "{at}");
        assert_eq!(Address::of(&rebuilt).to_string(), recorded["dolt_hashof_table"].as_str().unwrap());
    }
}
