//! What the tests share: the vectors of the format, hex.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::Path;
use std::rc::Rc;

use native_dolt::fixtures;
use region::{NativeDirectory, Region};
use serde_json::Value;
use store::{ChunkStore, MemoryChunks, OpenOptions};
use tree::message::node_writer::NodeParts;
use tree::{Items, Node, NodeStore, Options};

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
    assert!(text.len().is_multiple_of(2));
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

/// Unpacks a fixture and opens its store. `use_name` keeps tests apart.
pub fn fixture(use_name: &str, name: &str) -> Option<ChunkStore> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(use_name).join(name);
    Some(chunk_store(&fixtures::unpack(&fixtures::shared()?, name, &scratch)))
}

/// The store of a database directory.
pub fn chunk_store(directory: &Path) -> ChunkStore {
    let region = Region::new(region::Options::default());
    ChunkStore::open(&region, &NativeDirectory::new(directory), OpenOptions::default()).unwrap()
}

/// The message that writing the items of a node gives.
pub fn rewritten(node: &Node) -> Vec<u8> {
    fn ends(items: Items<'_>) -> Vec<u32> {
        let mut end = 0;
        let grow = |item: &[u8]| {
            end += item.len() as u32;
            end
        };
        items.iter().map(grow).collect()
    }
    let (keys, values) = (node.keys(), node.values());
    let counts: Vec<u64> = (0..node.len()).map(|i| node.subtree_count(i)).collect();
    let parts = NodeParts {
        kind: node.kind(),
        level: node.level() as u8,
        keys: keys.bytes(),
        key_ends: &ends(keys),
        values: values.bytes(),
        value_ends: &ends(values),
        counts: if node.is_leaf() { &[] } else { &counts },
        address_offsets: &node.address_offsets().collect::<Vec<_>>(),
    };
    parts.write().unwrap()
}

/// A store of nodes over chunks in memory.
pub fn node_store(chunks: MemoryChunks) -> Rc<NodeStore> {
    NodeStore::new(Rc::new(chunks), Options::default())
}
