//! What the tests share: the vectors of the format, hex.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::rc::Rc;

use serde_json::Value;
use store::MemoryChunks;
use tree::{NodeStore, Options};

/// Key and value tuple.
pub type Row = (Vec<u8>, Vec<u8>);

/// A vector of the tree format; `None`, said aloud, in a checkout without them.
pub fn vector(name: &str) -> Option<Value> {
    let path = format!("{}/../../../shared/format/vectors/tree/{name}.json", env!("CARGO_MANIFEST_DIR"));
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap()),
        Err(_) => {
            eprintln!("skipped: ../shared not found");
            None
        }
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len() % 2 == 0);
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// The vectors that hold tables.
pub const TABLES: [&str; 21] = [
    "all_types",
    "collation_indexes",
    "composite_pk",
    "deep_tree",
    "edited_50k",
    "int_pk",
    "keyless",
    "keyless_secondary",
    "large_values",
    "legacy_addr",
    "merge",
    "mixed_generations",
    "mixed_key",
    "overflow",
    "secondary",
    "seq50k",
    "seq5k",
    "spatial",
    "varchar_ai_ci_pk",
    "varchar_bin_pk",
    "vector_index",
];

/// Every framed message in hex anywhere in a vector.
pub fn messages(json: &Value, found: &mut Vec<Vec<u8>>) {
    match json {
        Value::String(text) if text.starts_with("1b00") && text.len() > 24 => found.push(unhex(text)),
        Value::Array(values) => values.iter().for_each(|value| messages(value, found)),
        Value::Object(values) => values.values().for_each(|value| messages(value, found)),
        _ => {}
    }
}

/// The nodes among the messages of all vectors.
pub fn nodes() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for name in TABLES.into_iter().chain(["messages", "primitives", "commit_closure"]) {
        if let Some(vector) = vector(name) {
            messages(&vector, &mut found);
        }
    }
    found.retain(|message| tree::Kind::of(message).is_ok_and(|kind| kind.is_some()));
    found.sort();
    found.dedup();
    found
}

/// A store of nodes over chunks in memory.
pub fn node_store(chunks: MemoryChunks) -> Rc<NodeStore> {
    NodeStore::new(Rc::new(chunks), Options::default())
}
